import type { RowTrouble, TroubleKind } from "#contract/calls/values.ts";
import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";

/** What keeps a row of values from being sent, in words. */

/** As a caller reads it, or as it is stored. */
type Trouble = Omit<RowTrouble, "candidates"> & { candidates?: readonly unknown[] | undefined };

const words: Record<TroubleKind, string> = {
  missing: "Missing",
  "not-a-number": "Not a number",
  "not-an-amount": "Not an amount",
  "not-a-date": "Not a date",
  "too-long": "Longer than 500 characters",
  "no-one-named": "No one is named",
  "not-on-file": "Not on file",
  "no-such-home": "No such home",
  "no-one-there": "No one lives there",
  "several-match": "Several homes match",
  disagree: "Someone else’s",
  twice: "The same person again",
};

/** The words in the cell: "Missing", "2 people match", "Also in row 12". */
export function troubleText({ kind, candidates, earlier }: Trouble): string {
  if (kind === "several-match" && candidates) return `${numberText(candidates.length)} people match`;
  if (kind === "twice" && earlier !== undefined) return `Also in row ${earlier}`;
  return words[kind];
}

/** How often there is one: "Amount is missing in 2 rows". `header`: the column's name; null for none. */
export function troubleCount(kind: TroubleKind, rows: number, header: string | null): string {
  const inRows = counted(rows, "row");
  const name = header ?? "A cell";
  switch (kind) {
    case "missing":
      return `${name} is missing in ${inRows}`;
    case "not-a-number":
      return `${name} isn’t a number in ${inRows}`;
    case "not-an-amount":
      return `${name} isn’t an amount in ${inRows}`;
    case "not-a-date":
      return `${name} isn’t a date in ${inRows}`;
    case "too-long":
      return `${name} is too long in ${inRows}`;
    case "no-one-named":
      return `No one is named in ${inRows}`;
    case "not-on-file":
      return `${name} isn’t on file in ${inRows}`;
    case "no-such-home":
      return `No home is called that in ${inRows}`;
    case "no-one-there":
      return `No one lives in the home of ${inRows}`;
    case "several-match":
      return `Several people or homes match ${inRows}`;
    case "disagree":
      return `${counted(rows, "row names", "rows name")} different people`;
    case "twice":
      return `${counted(rows, "row is", "rows are")} for someone who has an earlier row`;
    default:
      return kind satisfies never;
  }
}

/** All of a row's troubles, each with its column: "Amount: Missing; Unit: No such home". */
export const rowTroubles = (troubles: readonly Trouble[], headers: readonly string[]): string =>
  troubles
    .map((one) => {
      const header = one.column === null ? "" : (headers[one.column] ?? "");
      return header === "" ? troubleText(one) : `${header}: ${troubleText(one)}`;
    })
    .join("; ");
