import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("a worker holds little at first, half a second's worth once it is quick, and little again when it slows down", () => {
  let now = 0;
  const pace = new Pace(10, () => now);
  expect(pace.measure()).toBe(20);
  for (let second = 0; second < 2; second += 1) {
    for (let n = 0; n < 1000; n += 1) pace.settled();
    now += 1000;
    expect(pace.measure()).toBe(520);
  }
  for (let n = 0; n < 100_000; n += 1) pace.settled();
  now += 1000;
  expect(pace.measure()).toBe(2000);
  for (let second = 0; second < 20; second += 1) {
    now += 1000;
    expect(pace.measure()).toBeGreaterThanOrEqual(20);
  }
  expect(pace.measure()).toBe(21);
});

test("a run soon goes at full speed: until it does, short times count, and each at most doubles what is held", () => {
  let now = 0;
  const pace = new Pace(20, () => now);
  const capacities = Array.from({ length: 6 }, () => {
    for (let n = 0; n < 25; n += 1) pace.settled();
    now += 25;
    return pace.measure();
  });
  expect(capacities).toEqual([80, 120, 200, 360, 540, 540]);
  // From then on longer times count, in which a pause between two claims is little.
  now += 25;
  expect(pace.measure()).toBe(540);
});

test("a few quick answers don't make a slow account hold much", () => {
  let now = 0;
  const pace = new Pace(20, () => now);
  for (let n = 0; n < 40; n += 1) pace.settled();
  for (let quarter = 0; quarter < 4; quarter += 1) {
    now += 250;
    expect(pace.measure()).toBeLessThanOrEqual(120);
    for (let n = 0; n < 5; n += 1) pace.settled();
  }
  expect(pace.measure()).toBe(50);
});
