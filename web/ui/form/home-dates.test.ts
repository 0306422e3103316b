import { afterEach, expect, test } from "vitest";
import { datesIn } from "#contract/text/dates-in-text.ts";
import { dateFormOf, dayText, setHomeDates } from "#contract/text/home-dates.ts";
import { writtenDate } from "#contract/text/relative-date.ts";
import { formatTime } from "#contract/text/time-text.ts";
import { datePattern, parseLongDay, readDay, written } from "#web/ui/form/calendar-day.ts";
import { weekText } from "#web/features/schedules/calendar/calendar-days.ts";

afterEach(() => setHomeDates());

// spec 280
test.each([
  ["US", "MM/dd/yyyy", "11/05/2026", "Thu, Nov 5, 2026", "Thursday, November 5, 2026"],
  ["GB", "dd/MM/yyyy", "05/11/2026", "Thu 5 Nov 2026", "Thursday 5 November 2026"],
  ["DE", "dd.MM.yyyy", "05.11.2026", "Thu 5 Nov 2026", "Thursday 5 November 2026"],
  ["HR", "dd.MM.yyyy", "05.11.2026", "Thu 5 Nov 2026", "Thursday 5 November 2026"],
  ["NL", "dd-MM-yyyy", "05-11-2026", "Thu 5 Nov 2026", "Thursday 5 November 2026"],
  ["JP", "yyyy/MM/dd", "2026/11/05", "Thu, Nov 5, 2026", "Thursday, November 5, 2026"],
  ["CA", "yyyy-MM-dd", "2026-11-05", "Thu, Nov 5, 2026", "Thursday, November 5, 2026"],
  // Its language isn't known everywhere.
  ["PG", "dd/MM/yyyy", "05/11/2026", "Thu 5 Nov 2026", "Thursday 5 November 2026"],
])("a date in %s has one order in fields and in words", (country, pattern, numbers, short, full) => {
  setHomeDates(dateFormOf(country));
  expect([datePattern(), written("2026-11-05")]).toEqual([pattern, numbers]);
  expect([dayText("2026-11-05"), dayText("2026-11-05", "full")]).toEqual([short, full]);
  for (const typed of [numbers, numbers.replaceAll(/\D/g, "."), " 2026-11-05", "2026/11/5"])
    expect(readDay(typed)).toBe("2026-11-05");
  expect(parseLongDay(full)).toBe("2026-11-05");
});

test("lists, letters, weeks and what people typed follow the home country", () => {
  const day = Temporal.PlainDate.from("2026-11-05");
  const at = new Date("2026-11-05T14:00:00Z");
  const now = new Date("2026-11-01T14:00:00Z");
  const typed = () => datesIn("Due on 04/12/2026", { writtenOn: "2026-11-01" }).map(({ date }) => date);
  const all = () => [
    formatTime(at, "UTC", now),
    formatTime(at, "UTC"),
    writtenDate(day),
    weekText(["2026-11-22", "2026-11-28"]),
    weekText(["2026-11-29", "2026-12-05"]),
    ...typed(),
  ];
  expect(all()).toEqual([
    "Thu, Nov 5, 2:00 PM UTC",
    "Thu, Nov 5, 2026, 2:00 PM UTC",
    "November 5, 2026",
    "November 22 to 28, 2026",
    "Nov 29 to Dec 5, 2026",
    "2026-04-12",
  ]);
  setHomeDates(dateFormOf("GB"));
  expect(all()).toEqual([
    "Thu 5 Nov, 2:00 PM UTC",
    "Thu 5 Nov 2026, 2:00 PM UTC",
    "5 November 2026",
    "22 to 28 November 2026",
    "29 Nov to 5 Dec 2026",
    "2026-12-04",
  ]);
});
