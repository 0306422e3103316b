import { homeNumbers } from "#contract/text/home-numbers.ts";
import { homeDates } from "#contract/text/home-dates.ts";
import { detailExample, readDetail, storedDetail } from "#contract/text/person-details.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";

/** A stored value as a spreadsheet of the organization's country reads it. */
export const writeCell = (kind: DetailKind, value: string): string =>
  kind === "number" || kind === "amount" ? value.replace(".", homeNumbers().point) : value;

/** A cell of a detail, as an export writes it or the organization's country does; null if it is none of that kind. */
export function readCell(kind: DetailKind, text: string): string | null {
  if (kind === "text") return text.length <= 500 ? text : null;
  if (kind === "date") return storedDetail(kind, text) ?? readDay(text);
  return readDetail(kind, text);
}

/** 11/25/2026, 25.11.2026 or 2026/11/25, in the country's order. */
function readDay(text: string): string | null {
  const [, one = "", two = "", three = ""] =
    /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/.exec(text.trim()) ?? [];
  const order = one.length === 4 ? "ymd" : homeDates().order;
  const parts = { ymd: [one, two, three], mdy: [three, one, two], dmy: [three, two, one] }[order];
  const [year = "", month = "", day = ""] = parts;
  return year.length === 4
    ? storedDetail("date", `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)
    : null;
}

/** "an amount like $1,234.50" */
export function cellExample(kind: DetailKind): string {
  switch (kind) {
    case "text":
      return "at most 500 characters";
    case "date":
      return "a date like 2026-11-25";
    default:
      return `${kind === "amount" ? "an amount" : "a number"} like ${detailExample(kind)}`;
  }
}
