import { expect, test } from "vitest";
import {
  formatLongDay,
  parseLongDay,
  daysAfter,
  fromDay,
  readDay,
  toDay,
  written,
} from "#web/ui/form/calendar-day.ts";

test("converts a day to a local Date and back", () => {
  for (const day of ["2026-11-25", "2024-02-29", "2026-03-08", "2026-11-01"]) {
    const date = fromDay(day);
    expect(date && toDay(date)).toBe(day);
  }
});

// spec 280
test("formats a day as MM/dd/yyyy", () => {
  expect(written("2026-01-05")).toBe("01/05/2026");
  expect(written("")).toBe("");
});

test.each([
  ["11/25/2026", "2026-11-25"],
  [" 1/5/26 ", "2026-01-05"],
  ["11-25-2026", "2026-11-25"],
  ["2/29/2024", "2024-02-29"],
])("%s is read as %s", (typed, day) => expect(readDay(typed)).toBe(day));

test.each(["", "11/25", "2/30/2026", "13/1/2026", "2/29/2026", "tomorrow"])(
  "“%s” is not a valid day",
  (typed) => {
    expect(readDay(typed)).toBeUndefined();
  },
);

test("parses a day that was written out, and no other text", () => {
  for (const day of ["2026-11-25", "2024-02-29", "2026-03-08"])
    expect(parseLongDay(formatLongDay(day))).toBe(day);
  expect(formatLongDay("2026-11-25")).toBe("Wednesday, November 25, 2026");
  expect(formatLongDay("soon")).toBe("");
  for (const words of ["", "1", "Friday", "November 25, 2026", "Monday, November 25, 2026"]) {
    expect(parseLongDay(words)).toBeUndefined();
  }
});

test("adds days across the ends of months and clock changes", () => {
  expect([daysAfter("2026-12-31", 1), daysAfter("2026-03-07", 1), daysAfter("2026-03-08", 1)]).toEqual([
    "2027-01-01",
    "2026-03-08",
    "2026-03-09",
  ]);
  expect(daysAfter("", 1)).toBe("");
});
