import type { BadCellKind } from "#contract/csv.ts";
import { type ColumnMeaning, columnMeaning } from "#contract/csv-header.ts";

/** Why a row is left out: one of its cells, or all of it where it has not as many cells as the header. */
export type Fault = {
  /** The row's number in a spreadsheet. */
  line: number;
  /** The column's header; null for the row as a whole. */
  column: string | null;
  value: string;
  kind: BadCellKind | "cells";
  reason: string;
};

const things: Record<ColumnMeaning, [one: string, many: string]> = {
  username: ["user name", "user names"],
  email: ["email address", "email addresses"],
  firstName: ["first name", "first names"],
  lastName: ["last name", "last names"],
  phone: ["phone number", "phone numbers"],
  role: ["role", "roles"],
  propertyUnit: ["unit", "units"],
  property: ["property", "properties"],
};

const tasks: Record<Fault["kind"], (count: string, thing: string, rows: string) => string> = {
  invalid: (count, thing) => `fix ${count} ${thing}`,
  missing: (count, thing) => `enter ${count} missing ${thing}`,
  duplicate: (_count, _thing, rows) => `remove ${rows} that stand in the file twice`,
  "not-allowed": (_count, _thing, rows) => `ask an administrator to import ${rows}`,
  cells: (_count, _thing, rows) => `check the number of cells in ${rows}`,
};

/** What is to be done for every row to go in, one task for each kind of trouble, the most frequent first. */
export function tasksOf(faults: readonly Fault[]): string[] {
  const kinds = Map.groupBy(faults, ({ kind, column }) =>
    kind === "invalid" || kind === "missing" ? `${kind} ${column}` : kind,
  );
  return [...kinds.values()]
    .sort((a, b) => b.length - a.length)
    .map((alike) => {
      const [{ kind, column } = { kind: "cells" as const, column: null }] = alike;
      const [one, many] = things[columnMeaning(column ?? "") ?? "propertyUnit"];
      const count = alike.length;
      const rows = new Set(alike.map((fault) => fault.line)).size;
      return tasks[kind](
        number(count),
        count === 1 ? one : many,
        `${number(rows)} ${rows === 1 ? "row" : "rows"}`,
      );
    });
}

export function number(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 row", "2,000 rows". */
export function rowsOf(count: number): string {
  return `${number(count)} ${count === 1 ? "row" : "rows"}`;
}
