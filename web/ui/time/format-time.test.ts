import { describe, expect, test } from "vitest";
import {
  ago,
  brief,
  browserZone,
  clock,
  day,
  dayAndTime,
  exact,
  nearby,
  nearbyInSentence,
  zoneMark,
} from "#web/ui/time/format-time.ts";

// Two zones with different times, so at least one of them is not this machine's.
const newYork = "America/New_York";
const tokyo = "Asia/Tokyo";
const at = "2025-11-25T14:00:02Z";
const now = Date.parse("2025-11-24T20:00:00Z");
const mark = (zone: string, name: string) => (browserZone() === zone ? "" : name);
/** Not broken over two lines. */
const timed = (time: string, zone: string, name: string) =>
  browserZone() === zone ? time : `${time} ${name}`.replaceAll(" ", "\u00a0");

test("names a time's zone unless it is the browser's", () => {
  expect(clock(at, { zone: newYork })).toBe(timed("9:00 AM", newYork, "EST"));
  expect(clock(at, { zone: browserZone() })).toMatch(/^\d{1,2}:00 [AP]M$/);
  expect(zoneMark(at, undefined)).toBe("");
  expect(zoneMark("2025-07-25T14:00:00Z", newYork)).toBe(mark(newYork, "EDT"));
});

describe("a day", () => {
  test("has weekday, day and month", () => {
    expect(day(at, { zone: newYork, now })).toBe("Tue, Nov 25");
  });
  test("has the year unless it is the current one", () => {
    expect(day("2024-02-29T17:00:00Z", { zone: newYork, now })).toBe("Thu, Feb 29, 2024");
  });
  test("is the day in the zone", () => {
    expect(day("2025-11-24T23:30:00Z", { zone: tokyo, now })).toBe("Tue, Nov 25");
  });
});

test("day and time together", () => {
  expect(dayAndTime(at, { zone: newYork, now })).toBe(`Tue, Nov 25, ${timed("9:00 AM", newYork, "EST")}`);
});

describe("nearby", () => {
  const words = (instant: string) => nearby(instant, { zone: newYork, now }).replace(/, [^,]+$/, "");
  test.each([
    ["2025-11-24T13:12:00Z", "Today"],
    ["2025-11-23T21:30:00Z", "Yesterday"],
    ["2025-11-25T14:00:00Z", "Tomorrow"],
    ["2025-11-27T14:00:00Z", "Thu, Nov 27"],
    // 11:59 PM the evening before, although less than a day away.
    ["2025-11-24T04:59:00Z", "Yesterday"],
  ])("%s is %s", (instant, expected) => expect(words(instant)).toBe(expected));

  test.each([
    ["2025-11-24T13:12:00Z", "8:12 AM EST"],
    ["2025-11-23T21:30:00Z", "Yesterday"],
    ["2025-11-20T14:00:00Z", "Thu, Nov 20"],
  ])("%s is briefly %s", (instant, expected) => {
    expect(brief(instant, { zone: newYork, now }).replaceAll(/\s/g, " ")).toBe(expected);
  });

  test("counts calendar days even if a clock change makes one shorter", () => {
    const beforeChange = Date.parse("2025-03-08T23:00:00-05:00");
    expect(nearby("2025-03-09T23:30:00-04:00", { zone: newYork, now: beforeChange })).toMatch(/^Tomorrow, /);
  });

  test.each([
    ["2025-11-23T21:30:00Z", `yesterday at ${timed("4:30 PM", newYork, "EST")}`],
    ["2025-11-27T14:00:00Z", `Thu, Nov 27, ${timed("9:00 AM", newYork, "EST")}`],
  ])("within a sentence, %s is %s", (instant, expected) =>
    expect(nearbyInSentence(instant, { zone: newYork, now })).toBe(expected),
  );
});

test.each([
  [-10, "just now"],
  [-59, "just now"],
  [-60, "1 minute ago"],
  [20, "just now"],
  [50, "in less than a minute"],
  [-5 * 60, "5 minutes ago"],
  [2 * 3600, "in 2 hours"],
  [-86_400, "yesterday"],
  [-2 * 86_400, "2 days ago"],
])("%d seconds away is %s", (seconds, expected) => {
  expect(ago(new Date(now + seconds * 1000).toISOString(), { now })).toBe(expected);
});

test("the exact time has seconds and the zone", () => {
  expect(exact(at, { zone: newYork })).toBe("Tuesday, November 25, 2025 at 9:00:02 AM EST");
});
