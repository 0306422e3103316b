import fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { Temporal as Polyfill } from "temporal-polyfill";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  nextOccurrence,
  nextRuns,
  type Occurrence,
  occurrencesBetween,
  recurrenceKinds,
  type Rule,
  zoned,
} from "#contract/recurrence.ts";
import { runNote } from "#contract/text/rule-text.ts";

const implementations = { "built in": globalThis.Temporal, polyfill: Polyfill };
afterEach(() => void vi.unstubAllGlobals());

const rule = (zone: string, time: string, more: Partial<Rule> = {}): Rule => ({
  recurrence: "daily",
  time,
  zone,
  ...more,
});
const ny = "America/New_York";
const monthly = (dayOfMonth: number, time = "09:00", zone = ny) =>
  rule(zone, time, { recurrence: "monthly", dayOfMonth });
const shown = ({ zone }: Rule, { start }: Occurrence) =>
  zoned(zone, start).toString({ timeZoneName: "never", smallestUnit: "minute" });

// Occurrences after the first and up to the last of two local days, each at midnight.
const table: [string, Rule, [string, string], string[]][] = [
  [
    "a time that New York skips moves forward by the hour",
    rule(ny, "02:30"),
    ["2026-03-07", "2026-03-10"],
    ["2026-03-07T02:30-05:00", "2026-03-08T03:30-04:00", "2026-03-09T02:30-04:00"],
  ],
  [
    "a time that occurs twice in New York runs once, the first time",
    rule(ny, "01:30"),
    ["2026-10-31", "2026-11-03"],
    ["2026-10-31T01:30-04:00", "2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00"],
  ],
  [
    "a time that Lord Howe skips moves forward by its half hour",
    rule("Australia/Lord_Howe", "02:15"),
    ["2026-10-03", "2026-10-05"],
    ["2026-10-03T02:15+10:30", "2026-10-04T02:45+11:00"],
  ],
  [
    "a time that occurs twice on Lord Howe",
    rule("Australia/Lord_Howe", "01:45"),
    ["2026-04-04", "2026-04-06"],
    ["2026-04-04T01:45+11:00", "2026-04-05T01:45+11:00"],
  ],
  [
    "Cairo's day without a midnight keeps its run, on that day",
    rule("Africa/Cairo", "00:00"),
    ["2026-04-23", "2026-04-26"],
    ["2026-04-23T00:00+02:00", "2026-04-24T01:00+03:00", "2026-04-25T00:00+03:00"],
  ],
  [
    "Nuuk skips the hour before midnight: two runs fall on one day, and none is lost",
    rule("America/Nuuk", "23:30"),
    ["2026-03-27", "2026-03-30"],
    ["2026-03-27T23:30-02:00", "2026-03-29T00:30-01:00", "2026-03-29T23:30-01:00"],
  ],
  [
    "Apia had no December 30, 2011: one run, not two at once",
    rule("Pacific/Apia", "09:00"),
    ["2011-12-29", "2012-01-02"],
    ["2011-12-29T09:00-10:00", "2011-12-31T09:00+14:00", "2012-01-01T09:00+14:00"],
  ],
  [
    "a weekly run on Apia's missing Friday is sent on Saturday",
    rule("Pacific/Apia", "09:00", { recurrence: "weekly", dayOfWeek: 5 }),
    ["2011-12-23", "2012-01-07"],
    ["2011-12-23T09:00-10:00", "2011-12-31T09:00+14:00", "2012-01-06T09:00+14:00"],
  ],
  [
    "day 31 is the last day of a shorter month",
    monthly(31),
    ["2027-01-01", "2027-05-01"],
    ["2027-01-31T09:00-05:00", "2027-02-28T09:00-05:00", "2027-03-31T09:00-04:00", "2027-04-30T09:00-04:00"],
  ],
  [
    "day 29 in leap years",
    monthly(29),
    ["2027-02-01", "2028-03-01"],
    [
      "2027-02-28",
      "2027-03-29",
      "2027-04-29",
      "2027-05-29",
      "2027-06-29",
      "2027-07-29",
      "2027-08-29",
      "2027-09-29",
      "2027-10-29",
      "2027-11-29",
      "2027-12-29",
      "2028-01-29",
      "2028-02-29",
    ].map((day) => `${day}T09:00-0${day >= "2027-03-14" && day < "2027-11-07" ? 4 : 5}:00`),
  ],
  [
    "a week across the new year",
    rule(ny, "14:00", { recurrence: "weekly", dayOfWeek: 0 }),
    ["2026-12-26", "2027-01-05"],
    ["2026-12-27T14:00-05:00", "2027-01-03T14:00-05:00"],
  ],
  [
    "a zone that ended standard time: Turkey in 2016",
    rule("Europe/Istanbul", "09:00", { recurrence: "monthly", dayOfMonth: 1 }),
    ["2016-02-01", "2017-03-01"],
    [
      "2016-02",
      "2016-03",
      "2016-04",
      "2016-05",
      "2016-06",
      "2016-07",
      "2016-08",
      "2016-09",
      "2016-10",
      "2016-11",
      "2016-12",
      "2017-01",
      "2017-02",
    ].map((month) => `${month}-01T09:00+0${month < "2016-04" ? 2 : 3}:00`),
  ],
  [
    "a zone that reintroduced daylight saving: Cairo in 2023",
    rule("Africa/Cairo", "09:00", { recurrence: "monthly", dayOfMonth: 30 }),
    ["2023-03-01", "2023-12-01"],
    ["03", "04", "05", "06", "07", "08", "09", "10", "11"].map(
      (month) => `2023-${month}-30T09:00+0${month > "03" && month < "10" ? 3 : 2}:00`,
    ),
  ],
  [
    "once, on a day when the time occurs twice",
    rule(ny, "01:30", { recurrence: "once", date: "2026-11-01" }),
    ["2026-10-01", "2027-10-01"],
    ["2026-11-01T01:30-04:00"],
  ],
  [
    "once, at a time that is skipped",
    rule(ny, "02:30", { recurrence: "once", date: "2026-03-08" }),
    ["2026-01-01", "2027-01-01"],
    ["2026-03-08T03:30-04:00"],
  ],
  [
    "once, on the day that Apia skipped",
    rule("Pacific/Apia", "09:00", { recurrence: "once", date: "2011-12-30" }),
    ["2011-12-01", "2012-02-01"],
    ["2011-12-31T09:00+14:00"],
  ],
  [
    "once, on February 29",
    rule(ny, "09:00", { recurrence: "once", date: "2028-02-29" }),
    ["2028-01-01", "2029-01-01"],
    ["2028-02-29T09:00-05:00"],
  ],
  [
    "a monthly run on the day that Apia skipped is sent on the next",
    rule("Pacific/Apia", "09:00", { recurrence: "monthly", dayOfMonth: 30 }),
    ["2011-11-01", "2012-02-01"],
    ["2011-11-30T09:00-10:00", "2011-12-31T09:00+14:00", "2012-01-30T09:00+14:00"],
  ],
];

describe.each(Object.entries(implementations))("with Temporal %s", (_, implementation) => {
  test.each(table)("%s", (_title, given, [from, to], expected) => {
    vi.stubGlobal("Temporal", implementation);
    const midnight = (day: string) =>
      new Date(implementation.PlainDate.from(day).toZonedDateTime(given.zone).epochMilliseconds - 1);
    const found = occurrencesBetween(given, midnight(from), midnight(to));
    expect(found.map((occurrence) => shown(given, occurrence))).toEqual(expected);
  });
});

describe("the window for a late start", () => {
  const window = (given: Rule, after: string) => {
    const next = nextOccurrence(given, new Date(after));
    return [next?.date, next?.start.toISOString(), next?.end.toISOString()];
  };
  test.each<[string, Rule, string, string, string]>([
    [
      "lasts until the end time",
      rule(ny, "09:00", { endTime: "10:00" }),
      "2026-11-25",
      "14:00:00.000Z",
      "2026-11-25T15:00:00.000Z",
    ],
    [
      "lasts until the day ends without an end time",
      rule(ny, "09:00"),
      "2026-11-25",
      "14:00:00.000Z",
      "2026-11-26T04:59:59.999Z",
    ],
    [
      "ends by local time on the day when the clocks change",
      rule(ny, "01:00", { endTime: "04:00" }),
      "2026-03-08",
      "06:00:00.000Z",
      "2026-03-08T08:00:00.000Z",
    ],
    [
      "keeps its length if the clocks skip all of it",
      rule(ny, "02:10", { endTime: "02:40" }),
      "2026-03-08",
      "07:10:00.000Z",
      "2026-03-08T07:40:00.000Z",
    ],
  ])("%s", (_, given, day, start, end) => {
    expect(window(given, `${day}T05:00:00Z`)).toEqual([day, `${day}T${start}`, end]);
  });

  test("keeps its length if the start moves into the next day", () => {
    expect(window(rule("America/Nuuk", "23:30"), "2026-03-28T12:00:00Z")).toEqual([
      "2026-03-28",
      "2026-03-29T01:30:00.000Z",
      "2026-03-29T02:00:00.000Z",
    ]);
  });
});

test("a rule saved in the minute of its run still runs, and excepted days don't", () => {
  const now = new Date("2026-11-25T14:00:42Z");
  const dates = (runs: Occurrence[]) => runs.map(({ date }) => date);
  expect(dates(nextRuns(rule(ny, "09:00"), now, 3))).toEqual(["2026-11-25", "2026-11-26", "2026-11-27"]);
  expect(dates(nextRuns(rule(ny, "08:59"), now, 1))).toEqual(["2026-11-26"]);
  expect(dates(nextRuns(rule(ny, "09:00"), now, 2, new Set(["2026-11-26"])))).toEqual([
    "2026-11-25",
    "2026-11-27",
  ]);
  expect(nextRuns(rule(ny, "09:00", { recurrence: "once", date: "2026-11-25" }), now, 6)).toHaveLength(1);
});

const zones = [
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "America/Nuuk",
  "Europe/London",
  "America/Havana",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "UTC",
];
const clock = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minutes) =>
    [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, "0")).join(":"),
  );
const FROM_YEARS = [2011, 2021];
const yearsFrom = (year: number, count = 0) => new Date(Date.UTC(year + count, 0, 1));
/** Days for a one-time rule: around a change of the clocks or the calendar, and others. */
const dates = (year: number) =>
  fc.oneof(
    fc.constantFrom(
      ...["02-28", "03-08", "03-14", "03-29", "04-05", "10-04", "11-01", "12-30", "12-31"].map(
        (day) => `${year}-${day}`,
      ),
    ),
    fc.integer({ min: 2, max: 1000 }).map((days) => {
      const day = Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days });
      return day.toString();
    }),
  );
/** A rule and a start year: Apia skipped a day in 2011, and Nuuk has changed its rules since 2021. */
const rules: fc.Arbitrary<{ given: Rule; year: number }> = fc.constantFrom(...FROM_YEARS).chain((year) =>
  fc.record({
    year: fc.constant(year),
    given: fc.record({
      recurrence: fc.constantFrom("daily", "weekly", "monthly", "once"),
      dayOfWeek: fc.integer({ min: 0, max: 6 }),
      dayOfMonth: fc.integer({ min: 1, max: 31 }),
      date: dates(year),
      time: clock,
      zone: fc.constantFrom(...zones),
    }),
  }),
);
const byCalendar = recurrenceKinds.filter((kind) => kind !== "resident-date");
/** The day that Apia skipped, with each frequency, because chance would rarely pick it. */
const apia: [{ given: Rule; year: number }][] = byCalendar.map((recurrence) => [
  {
    year: 2011,
    given: rule("Pacific/Apia", "09:00", { recurrence, dayOfWeek: 5, dayOfMonth: 30, date: "2011-12-30" }),
  },
]);

test("ten years, one occurrence at a time or all at once, are the same", () => {
  fc.assert(
    fc.property(rules, ({ given, year }) => {
      const from = yearsFrom(year);
      const until = yearsFrom(year, 10);
      const bulk = occurrencesBetween(given, from, until);
      const single: Occurrence[] = [];
      for (let next = nextOccurrence(given, from); next && next.start <= until;) {
        single.push(next);
        next = nextOccurrence(given, next.start);
      }
      const listed = (runs: Occurrence[]) =>
        runs.map(({ date, start }) => `${date} ${start.getTime()}`).join();
      expect(listed(single) === listed(bulk)).toBe(true);
      expect(new Set(bulk.map(({ date }) => date)).size).toBe(bulk.length);
      expect(bulk.every(({ start, end }) => end > start)).toBe(true);
      const starts = bulk.map(({ start }) => start.getTime());
      expect(starts.every((start, n) => n === 0 || start > (starts[n - 1] ?? start))).toBe(true);
      const days = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
      const step = { daily: 1, weekly: 7, monthly: 365.25 / 12, once: 1, "resident-date": 1 }[
        given.recurrence
      ];
      expect(bulk.length - 1).toBe(Math.round(days / 86_400_000 / step));
    }),
    { numRuns: 6, examples: apia },
  );
});

test("agrees with an independent implementation, except for skipped times, which that one leaves out", () => {
  fc.assert(
    fc.property(rules, ({ given, year }) => {
      const from = yearsFrom(year);
      const until = yearsFrom(year, 3);
      fc.pre(bothCanSay(given));
      // It moves a skipped start, and leaves out skipped repetitions.
      const ours = occurrencesBetween(given, from, until).filter(
        (occurrence) => given.recurrence === "once" || runNote(given, occurrence) !== "clock-skipped",
      );
      expect(ours.map(({ start }) => start)).toEqual(theirs(given, from, until));
    }),
    { numRuns: 30, examples: apia },
  );
});

/** It takes day 29 for day 30 of the month that Apia shortened. */
const bothCanSay = ({ recurrence, zone, dayOfMonth }: Rule) =>
  recurrence !== "monthly" || zone !== "Pacific/Apia" || dayOfMonth !== 30;

const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** The rule in RFC 5545, with the last day in a shorter month. */
function theirs(given: Rule, after: Date, until: Date): Date[] {
  const day = given.dayOfMonth ?? 1;
  const last = [28, 29, 30, 31].filter((one) => one <= day);
  const frequency = {
    daily: "DAILY",
    weekly: `WEEKLY;BYDAY=${weekdays[given.dayOfWeek ?? 1]}`,
    monthly: `MONTHLY;BYMONTHDAY=${day > 28 ? `${last.join()};BYSETPOS=-1` : day}`,
    once: "DAILY;COUNT=1",
    "resident-date": "",
  }[given.recurrence];
  const start = given.recurrence === "once" ? (given.date ?? "") : `${after.getUTCFullYear() - 1}-01-01`;
  const found = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${given.zone}:${start.replaceAll("-", "")}T${given.time.replace(":", "")}00\nRRULE:FREQ=${frequency}`,
  }).between(new Date(after.getTime() + 1), until, true);
  return found.map(({ epochMilliseconds }) => new Date(epochMilliseconds));
}
