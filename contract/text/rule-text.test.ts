import { expect, test } from "vitest";
import { nextRuns, type Rule } from "#contract/recurrence.ts";
import { relativeDateText, valuesForRun, type RelativeDate } from "#contract/text/relative-date.ts";
import { ruleNotes, ruleText } from "#contract/text/rule-text.ts";

const rule = (more: Partial<Rule>): Rule => ({
  recurrence: "daily",
  time: "09:00",
  zone: "America/New_York",
  ...more,
});

test.each<[Partial<Rule>, string]>([
  [{}, "Every day, 9:00 AM ET"],
  [{ recurrence: "weekly", dayOfWeek: 2, time: "14:00" }, "Every Tuesday, 2:00 PM ET"],
  [{ recurrence: "monthly", dayOfMonth: 31, time: "00:05" }, "Day 31 of every month, 12:05 AM ET"],
  [{ recurrence: "once", date: "2026-12-05", time: "17:00" }, "Sat, Dec 5, 2026, 5:00 PM ET"],
  [
    { recurrence: "resident-date", residentDate: "lease-end", dayOffset: -60 },
    "60 days before the lease ends, 9:00 AM ET",
  ],
  [
    { recurrence: "resident-date", residentDate: "lease-end", dayOffset: 0 },
    "On the day the lease ends, 9:00 AM ET",
  ],
  [
    { recurrence: "resident-date", residentDate: "move-in", dayOffset: 0 },
    "On the day of move-in, 9:00 AM ET",
  ],
  [
    { recurrence: "resident-date", residentDate: "move-out", dayOffset: 1 },
    "1 day after move-out, 9:00 AM ET",
  ],
])("%j in words", (more, text) => {
  expect(ruleText(rule(more))).toBe(text);
});

test.each<[Partial<Rule>, string, string[]]>([
  [{ recurrence: "weekly", dayOfWeek: 1 }, "2026-06-01", []],
  [
    { recurrence: "monthly", dayOfMonth: 31 },
    "2026-11-24",
    [
      "February, April, June, September and November have no day 31. The schedule runs on their last day.",
      "Clocks go forward on Sun, Mar 14, 2027. Runs stay at 9:00 AM.",
    ],
  ],
  [
    { recurrence: "monthly", dayOfMonth: 29 },
    "2026-04-01",
    ["February has no day 29 outside leap years. The schedule runs on its last day."],
  ],
  [
    { time: "02:30" },
    "2026-03-05",
    ["2:30 AM is skipped on Sun, Mar 8, 2026, because the clocks go forward. It runs at 3:30 AM."],
  ],
  [
    { time: "01:30" },
    "2026-10-30",
    ["1:30 AM occurs twice on Sun, Nov 1, 2026, because the clocks go back. It runs once, the first time."],
  ],
  [
    { time: "23:30", zone: "America/Nuuk" },
    "2026-03-25",
    [
      "11:30 PM is skipped on Sat, Mar 28, 2026, because the clocks go forward. It runs at 12:30 AM on Sun, Mar 29, 2026.",
    ],
  ],
])("what is worth knowing of %j from %s on", (more, day, notes) => {
  const given = rule(more);
  expect(ruleNotes(given, nextRuns(given, new Date(`${day}T12:00:00Z`), 6))).toEqual(notes);
});

test.each<[RelativeDate, string, string, string]>([
  [{ daysAfter: 6 }, "2026-11-25", "December 1, 2026", "6 days after the run"],
  [{ daysAfter: 0 }, "2026-12-31", "December 31, 2026", "the day of the run"],
  [{ day: 1, monthsAfter: 1 }, "2026-12-25", "January 1, 2027", "the 1st of next month"],
  [{ day: 31, monthsAfter: 1 }, "2027-01-31", "February 28, 2027", "the last day of next month"],
  [{ day: 22, monthsAfter: 0 }, "2026-11-30", "November 22, 2026", "the 22nd of the month"],
  [{ day: 13, monthsAfter: 2 }, "2026-11-30", "January 13, 2027", "the 13th of the month 2 months later"],
])("%j of a run on %s is %s", (due, day, date, text) => {
  expect(valuesForRun({ due, amount: "$1,200" }, day)).toEqual({ due: date, amount: "$1,200" });
  expect(relativeDateText(due)).toBe(text);
});
