import { expect, test } from "vitest";
import type { Db } from "#server/db/database.ts";
import { settlingRate } from "./settling-rate.ts";

/** What a process sees of one run that it looks at every few seconds. */
function looking() {
  const db = {} as Db;
  return (seconds: number, done: number, runId = 1) =>
    settlingRate(db, { runId, done, elapsedSeconds: seconds }, seconds * 1000);
}

test("is the average of a run that has just begun, and then what was settled in the last half minute", () => {
  const at = looking();
  // Too early: one message in a second or two would mean "18 min left".
  expect(at(1.5, 1, 2)).toBeNull();
  expect(at(2, 20)).toBe(10);
  expect(at(12, 120)).toBe(10);
  expect(at(30, 200)).toBeCloseTo(180 / 28);
  // The first looks are too long ago to say anything of now.
  expect(at(42, 200)).toBeCloseTo(80 / 30);
  expect(at(61, 200)).toBe(0);
});

test("is unknown where no one has looked lately, and after a retry counts from there", () => {
  const at = looking();
  expect(at(600, 5000)).toBeNull();
  expect(at(601, 5100)).toBeNull();
  expect(at(604, 5200)).toBe(50);
  expect(at(606, 4000)).toBeNull();
  expect(at(610, 4400)).toBe(100);
  expect(at(700, 4400)).toBeNull();
});
