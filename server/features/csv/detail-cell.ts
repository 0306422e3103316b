import { homeNumbers } from "#contract/text/home-numbers.ts";
import { detailExample, readDetail } from "#contract/text/person-details.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";
import { readDay } from "#server/features/csv/read-day.ts";

/** A stored value as a spreadsheet of the organization's country reads it. */
export const writeCell = (kind: DetailKind, value: string): string =>
  kind === "number" || kind === "amount" ? value.replace(".", homeNumbers().point) : value;

/** A cell of a detail, as an export writes it or the organization's country does; null if it is none of that kind. */
export function readCell(kind: DetailKind, text: string): string | null {
  if (kind === "text") return text.length <= 500 ? text : null;
  if (kind === "date") return readDay(text);
  return readDetail(kind, text);
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
