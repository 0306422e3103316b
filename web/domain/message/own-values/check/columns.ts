import type { FindingColumn, ValueColumn, ValuesOverview } from "#contract/calls/values.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";

/** What the columns of a message's file are for. */

/** At a glance, and as a choice. */
export const findsText: Record<FindingColumn, [brief: string, choice: string]> = {
  username: ["finds the person", "Finds the person by username"],
  email: ["finds the person", "Finds the person by email"],
  phone: ["finds the person", "Finds the person by phone"],
  home: ["finds the home", "Finds the home"],
  property: ["names the property", "Names the property"],
  name: ["tells people apart", "Tells people apart by name"],
};

export const kindText: Record<DetailKind, string> = {
  text: "As in the file",
  amount: "Amount",
  number: "Number",
  date: "Date",
};

const fills = (column: ValueColumn | undefined, field: string) =>
  column !== undefined && column !== null && "field" in column && column.field === field;
const finds = (column: ValueColumn | undefined, what: FindingColumn) =>
  column !== undefined && column !== null && "finds" in column && column.finds === what;

/** The columns with another use for one of them. No two have the same. */
export function withColumn(columns: readonly ValueColumn[], place: number, next: ValueColumn): ValueColumn[] {
  return columns.map((column, index) => {
    if (index === place) return next;
    const taken = next && ("field" in next ? fills(column, next.field) : finds(column, next.finds));
    return taken ? null : column;
  });
}

/** A column's letter in spreadsheets: A, B, …, Z, AA. */
export function columnLetter(place: number): string {
  const before = place >= 26 ? columnLetter(Math.floor(place / 26) - 1) : "";
  return before + String.fromCodePoint(65 + (place % 26));
}

export const columnName = ({ headers }: Pick<ValuesOverview, "headers">, place: number): string =>
  headers[place]?.trim() || `Column ${columnLetter(place)}`;

/** The places of the columns that have a name, a use, or a text in the first rows. */
export function filledColumns({ headers, columns, top, headerLine }: ValuesOverview): number[] {
  const samples = top.filter(({ line }) => line > headerLine);
  return headers.flatMap((header, place) =>
    header.trim() !== "" || columns[place] || samples.some(({ cells }) => (cells[place] ?? "").trim() !== "")
      ? [place]
      : [],
  );
}

/** What a table of rows has room for. */
const SHOWN = 5;

/**
 * The places of the columns that a table of rows shows, as in the file: those with something `wrong`, then those that are
 * used, and others that tell who it is.
 */
export function shownColumns(overview: ValuesOverview, wrong: ReadonlySet<number> = new Set()): number[] {
  const { columns } = overview;
  const rank = (place: number) => (wrong.has(place) ? 0 : columns[place] ? 1 : 2);
  return filledColumns(overview)
    .toSorted((one, other) => rank(one) - rank(other))
    .filter((place, index) => index < SHOWN || wrong.has(place))
    .toSorted((one, other) => one - other);
}

/** The places of all columns that are used, those with values first, and of others that there is room for. */
export function columnsAtAGlance(overview: ValuesOverview): number[] {
  const { columns } = overview;
  const used = new Set(columns.flatMap((column, place) => (column ? [place] : [])));
  const rank = (column: ValueColumn | undefined) => (!column ? 2 : "field" in column ? 0 : 1);
  return shownColumns(overview, used).toSorted((one, other) => rank(columns[one]) - rank(columns[other]));
}
