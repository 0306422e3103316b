import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("a worker holds little at first, half a second's worth once it is quick, and little again when it slows down", () => {
  let now = 0;
  const pace = new Pace(10, () => now);
  expect(pace.capacity).toBe(20);
  for (let second = 0; second < 2; second += 1) {
    for (let n = 0; n < 1000; n += 1) pace.settled();
    now += 1000;
    expect(pace.capacity).toBe(520);
  }
  for (let n = 0; n < 100_000; n += 1) pace.settled();
  now += 1000;
  expect(pace.capacity).toBe(2000);
  for (let second = 0; second < 20; second += 1) {
    now += 1000;
    expect(pace.capacity).toBeGreaterThanOrEqual(20);
  }
  expect(pace.capacity).toBe(21);
});

test("a run begins at full speed: a fraction of a second tells how quick the account is", () => {
  let now = 0;
  const pace = new Pace(20, () => now);
  for (let n = 0; n < 40; n += 1) pace.settled();
  now += 25;
  expect(pace.capacity).toBe(840);
  // From then on a longer time counts, in which a pause between two claims is little.
  now += 25;
  expect(pace.capacity).toBe(840);
});
