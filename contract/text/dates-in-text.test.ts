import { describe, expect, test } from "vitest";
import { datesIn, moveDates, passedDates } from "#contract/text/dates-in-text.ts";

const reference = { writtenOn: "2026-11-17" };
const daysOf = (text: string, words = false) =>
  datesIn(text, { ...reference, words }).map(({ date }) => date);

describe("a date that is written in plain words", () => {
  test.each([
    "Nov 18",
    "Nov. 18",
    "nov 18",
    "NOVEMBER 18",
    "November 18",
    "November 18th",
    "November the 18th",
    "Nov 18, 2026",
    "November 18 2026",
    "Nov-18",
    "18 Nov",
    "18 Nov.",
    "18 November 2026",
    "18 November, 2026",
    "18th of November",
    "the 18th November",
    "18-Nov-2026",
    "18Nov2026",
    "Wed 18 Nov",
    "WED 18 NOV",
    "Wednesday, November 18",
    "Wednesday 18 November 2026",
    "Wednesday the 18th of November",
    "2026-11-18",
    "2026-11-18T09:00",
    "2026/11/18",
    "2026.11.18",
    "11/18/2026",
    "11/18/26",
    "11-18-2026",
    "18/11/2026",
    "18.11.2026",
    "18.11.26",
    "on 11/18",
    "by 11/18.",
    "Wed 11/18",
    "11/18 at 9 AM",
    "11/18, 9:00 am",
    "16–18 November",
    "November 16-18",
    "November 16 to 18, 2026",
    "Nov 17 and 18",
    "from Nov 12 to Nov 18",
    "October 30 – November 18",
    "18 de noviembre",
    "el 18 de noviembre de 2026",
    "18 novembre",
    "le mercredi 18 novembre 2026",
    "18. November 2026",
    "am Mittwoch, 18. November",
    "18 de novembro de 2026",
    "18 listopada 2026",
    "11月18日",
    "2026年11月18日",
  ])("%s", (written) => {
    expect(daysOf(written)).toEqual(["2026-11-18"]);
    expect(daysOf(`Water is off ${written}, in all homes.`)).toEqual(["2026-11-18"]);
  });

  test.each([
    "Call (415) 555-0118 or 555-11-18",
    "Call +1 415 555 11 18, or 1-800-11-18-2026",
    "The fee is $18.11, or $11/18 kg, 11.18 in all",
    "Code 20261118, order 11-18-26, version 11.18",
    "Open 24/7, 9 to 18, page 11/18",
    "Add 1/2 cup, from 3/4 inch to 1/2 inch, on 1/2 of it",
    "Unit 11/18 at Maple Court 18",
    "12 May Street and 5 March Ave.",
    "Unit 5 may be without water",
    "UNIT 5 MAY BE WITHOUT WATER",
    "You may 100 times march 10000 steps",
    "In November 2026, and on November 31",
    "February 30, 13/13/2026, 2026-13-01",
    "May 5,000 people",
    "10.0.11.18 and 192.168.2026.11",
    "Rent for {{due_date}}, {{today}} and {{nov_18}}",
    "24 hours, 18%, 18:11, 6 pm",
  ])("is not in: %s", (text) => {
    expect(daysOf(text)).toEqual([]);
  });

  test("without a year is the one nearest to the day it was written", () => {
    expect(datesIn("January 5", { writtenOn: "2026-12-20" })[0]?.date).toBe("2027-01-05");
    expect(datesIn("December 20", { writtenOn: "2027-01-05" })[0]?.date).toBe("2026-12-20");
    // With a weekday, the one that falls on it.
    expect(datesIn("Thursday, November 18", { writtenOn: "2026-11-17" })[0]?.date).toBe("2027-11-18");
  });

  test("is where it says it is", () => {
    const text = "From Nov 18 to Nov 20, then on 2026-12-01.";
    const found = datesIn(text, reference);
    expect(found.map(({ text: said, index }) => [said, index])).toEqual([
      ["Nov 18 to Nov 20", 5],
      ["2026-12-01", 31],
    ]);
  });
});

test("“tomorrow” and “on Friday” are days of the day on which it was written, where that is asked for", () => {
  const text = "Tomorrow there is no water. We come on Friday, and on Fridays only.";
  expect(daysOf(text)).toEqual([]);
  expect(daysOf(text, true)).toEqual(["2026-11-18", "2026-11-20"]);
  expect(daysOf("by Friday, November 20", true)).toEqual(["2026-11-20"]);
});

describe("the dates that have passed", () => {
  const passed = (...texts: string[]) =>
    passedDates(texts, { ...reference, today: "2026-11-26" }).map(({ text, date }) => [text, date]);

  test("are each listed once, without those ahead and those of long ago", () => {
    expect(
      passed(
        "From Nov 20, after Nov 18, 2026, and on 11/18/2026",
        "18 Nov",
        "Nov 26, Dec 1, in use since 1/1/2020",
      ),
    ).toEqual([
      ["Nov 18, 2026", "2026-11-18"],
      ["Nov 20", "2026-11-20"],
    ]);
  });

  test("are none from before the day on which they were written for a later one", () => {
    const options = { writtenOn: "2026-12-24", since: "2026-11-17", today: "2026-12-24" };
    const found = passedDates(["Nov 16, Nov 17, Dec 23, Dec 24, and Jan 2"], options);
    expect(found.map(({ date }) => date)).toEqual(["2026-11-17", "2026-12-23"]);
  });

  test("do not include a range that still goes on", () => {
    expect(passed("Nov 18-28", "Nov 18 to Dec 2")).toEqual([]);
    expect(passed("Nov 18-24")).toEqual([["Nov 18-24", "2026-11-24"]]);
  });
});

describe("a date that moves", () => {
  const later = (days: number) => (date: string) => Temporal.PlainDate.from(date).add({ days }).toString();
  test.each([
    ["on Nov 18.", "on Dec 1."],
    ["on Wed 18 Nov 2026", "on Tue 1 Dec 2026"],
    ["WEDNESDAY, NOVEMBER 18TH", "TUESDAY, DECEMBER 1ST"],
    ["11/18/2026 and 11/18/26", "12/1/2026 and 12/1/26"],
    ["2026-11-18", "2026-12-01"],
    ["18.11.2026", "1.12.2026"],
    ["el 18 de noviembre", "el 1 de diciembre"],
    ["11月18日", "12月1日"],
    ["November 16 to 18", "November 29 to December 1"],
  ])("%s becomes %s", (before, after) => {
    expect(moveDates(before, reference, later(13))).toBe(after);
  });

  test("keeps the length of a range, and what is not to move stays", () => {
    expect(moveDates("Nov 16-18, {{name}}: $18", reference, later(7))).toBe("Nov 23-25, {{name}}: $18");
    expect(moveDates("Nov 28 to Dec 2", reference, later(7))).toBe("Dec 5 to Dec 9");
    const some = (date: string) => (date === "2026-11-18" ? "2026-11-27" : undefined);
    expect(moveDates("Nov 18 and Dec 1, or Nov 18", reference, some)).toBe("Nov 27 and Dec 1, or Nov 27");
  });

  test("is spelled out where a word stood for it", () => {
    const words = { ...reference, words: true };
    expect(moveDates("Water is off tomorrow.", words, later(9))).toBe("Water is off on Friday, November 27.");
    expect(moveDates("We come by Friday at 9.", words, later(7))).toBe(
      "We come by Friday, November 27 at 9.",
    );
  });
});
