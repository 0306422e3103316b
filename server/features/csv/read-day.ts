import { homeDates } from "#contract/text/home-dates.ts";
import { storedDetail } from "#contract/text/person-details.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(?<name>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?";
const named = [
  new RegExp(`^(?<day>\\d{1,2})[\\s.-]*${MONTH}[\\s,.-]+(?<year>\\d{4}|\\d{2})$`, "i"),
  new RegExp(`^${MONTH}[\\s-]+(?<day>\\d{1,2})(?:,\\s*|\\s+|-)(?<year>\\d{4}|\\d{2})$`, "i"),
];

/** What a program writes behind a day that it keeps as a moment. */
const TIME = /(?:T|\s+)\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[ap]\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?$/i;

/**
 * The day in a cell, as yyyy-MM-dd: 11/25/2026 in the country's order, 2026/11/25, 25-Nov-2026 or November 25, 2026; null
 * if it is none.
 * @param ofHome also 11/25/26, and a moment, whose time says nothing about a home
 */
export function readDay(text: string, { ofHome = false } = {}): string | null {
  const written = ofHome ? text.trim().replace(TIME, "") : text.trim();
  const parts = numbered(written) ?? worded(written);
  if (!parts || (parts.year.length !== 4 && !ofHome)) return null;
  const { year, month, day } = parts;
  // Leases end within decades, and few people on file moved in before 1970.
  const full = year.length === 4 ? year : `${Number(year) < 70 ? "20" : "19"}${year}`;
  return storedDetail("date", `${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

type Parts = { year: string; month: string; day: string };

function numbered(text: string): Parts | undefined {
  const [, one = "", separator, two = "", three = ""] =
    /^(\d{4}|\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{1,2})$/.exec(text) ?? [];
  if (one === "") return undefined;
  const order = one.length === 4 ? "ymd" : homeDates().order;
  const [year, month, day] = {
    ymd: [one, two, three],
    mdy: [three, one, two],
    dmy: [three, two, one],
  }[order] as [string, string, string];
  const isNone = year.length === 1 || (order === "ymd" && three.length === 4);
  // Dots are written between days that come first, so someone else wrote 01.12.2026 for December 1.
  const isForeign = order === "mdy" && separator === ".";
  return isNone || isForeign ? undefined : { year, month, day };
}

function worded(text: string): Parts | undefined {
  const groups = named.map((pattern) => pattern.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return undefined;
  const { year = "", name = "", day = "" } = groups;
  return { year, month: String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1), day };
}
