import { expect, test } from "vitest";
import {
  clockChange,
  dayLabel,
  longDay,
  monthText,
  stepFrom,
  weekText,
  weeksAround,
} from "./calendar-days.ts";
import { type ScheduleRun, wrongFirst } from "#contract/calls/schedule-replies.ts";

// spec 280
test("a month is shown in whole weeks from Sunday", () => {
  const weeks = weeksAround("month", "2026-11-24");
  expect(weeks.map(([sunday]) => sunday)).toEqual([
    "2026-11-01",
    "2026-11-08",
    "2026-11-15",
    "2026-11-22",
    "2026-11-29",
  ]);
  expect(weeks.at(-1)?.at(-1)).toBe("2026-12-05");
  expect(weeksAround("month", "2026-08-01")).toHaveLength(6);
});

test("a week is the one around its day", () => {
  expect(weeksAround("week", "2026-11-22")).toEqual([
    ["2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28"],
  ]);
  expect(weeksAround("week", "2026-11-28")[0]?.[0]).toBe("2026-11-22");
});

test("a step from the 31st stays in the next month", () => {
  expect(stepFrom("month", "2027-01-31", 1)).toBe("2027-02-28");
  expect(stepFrom("week", "2026-12-30", 1)).toBe("2027-01-06");
});

test("days in words", () => {
  expect(monthText("2026-11-24")).toBe("November 2026");
  const week = (day: string) => weekText(weeksAround("week", day)[0] ?? []);
  expect([week("2026-11-24"), week("2026-12-05")]).toEqual([
    "November 22 to 28, 2026",
    "Nov 29 to Dec 5, 2026",
  ]);
  expect(longDay("2026-11-23")).toBe("Monday, November 23");
  expect(dayLabel("2026-12-01", true)).toBe("Dec 1");
  expect([dayLabel("2026-12-01", false), dayLabel("2026-12-02", true)]).toEqual(["1", "2"]);
});

test("the nights when the clocks change", () => {
  expect(clockChange("2026-11-01", "America/New_York")).toBe("Clocks go back");
  expect(clockChange("2027-03-14", "America/New_York")).toBe("Clocks go forward");
  expect(clockChange("2026-11-02", "America/New_York")).toBeNull();
});

test("what went wrong comes first where there is no room for all of a day", () => {
  const runs = (["started", "planned", "missed", "failed", "skipped"] as const).map(
    (state) => ({ state, status: state === "started" ? "Delivered" : null }) as ScheduleRun,
  );
  expect(wrongFirst(runs, 3).map(({ state }) => state)).toEqual(["missed", "failed", "started"]);
});
