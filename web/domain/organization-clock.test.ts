import { describe, expect, test } from "vitest";
import { instantOf, plannedText, readClock, timeText } from "#web/domain/organization-clock.ts";
import { placeOf } from "#web/ui/time/format-time.ts";

const newYork = "America/New_York";

describe("instantOf", () => {
  test.each([
    ["an ordinary day", "2026-11-25", "09:00", "2026-11-25T14:00:00.000Z"],
    [
      "a time that daylight saving skips moves forward by the gap",
      "2026-03-08",
      "02:30",
      "2026-03-08T07:30:00.000Z",
    ],
    ["a time that comes twice is the first", "2026-11-01", "01:30", "2026-11-01T05:30:00.000Z"],
  ])("%s", (_, day, time, instant) => {
    expect(instantOf(day, time, newYork)).toBe(instant);
  });
});

test("the organization's clock is read in its zone, at midnight too", () => {
  expect(readClock(Date.parse("2026-11-25T04:59:59Z"), newYork)).toEqual({
    day: "2026-11-24",
    time: "23:59",
  });
  expect(readClock(Date.parse("2026-11-25T05:00:00Z"), newYork)).toEqual({
    day: "2026-11-25",
    time: "00:00",
  });
});

test("a plan in words names the place and its zone, and says what the clock will really show", () => {
  expect(plannedText("2026-11-25", "09:00", newYork)).toBe("Wed, Nov 25, 2026 at 9:00 AM EST, New York time");
  expect(plannedText("2026-03-08", "02:30", newYork)).toContain("at 3:30 AM EDT");
  expect([placeOf("UTC"), timeText("14:05"), timeText("00:00")]).toEqual(["UTC", "2:05 PM", "12:00 AM"]);
});
