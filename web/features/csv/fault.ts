import type { BadCellKind } from "#contract/csv.ts";
import { type ColumnMeaning, columnMeaning } from "#contract/csv-header.ts";

/**
 * Why a row is left out: one of its cells, or all of it where it has not as many cells as the header ("cells") or still
 * bears the reason for which an earlier import handed it back ("held").
 */
export type Fault = {
  /** The row's number in a spreadsheet. */
  line: number;
  /** The column's header; null for the row as a whole. */
  column: string | null;
  value: string;
  kind: BadCellKind | "cells" | "held";
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

const tasks: Record<
  Fault["kind"],
  (words: { count: string; thing: string; rows: string; one: boolean }) => string
> = {
  invalid: ({ count, thing }) => `fix ${count} ${thing}`,
  missing: ({ count, thing }) => `enter ${count} missing ${thing}`,
  duplicate: ({ rows, one }) => `remove ${rows} that ${one ? "stands" : "stand"} in the file twice`,
  taken: ({ count, thing, one }) => `fix ${count} ${thing} that ${one ? "is" : "are"} somebody else's`,
  "not-allowed": ({ rows }) => `ask an administrator to import ${rows}`,
  cells: ({ rows }) => `check the number of cells in ${rows}`,
  held: ({ rows, one }) => `look at ${rows} that ${one ? "was" : "were"} handed back`,
};

type MeaningOf = (header: string) => ColumnMeaning | undefined;

/** What is to be done for every row to go in: a task for each kind of trouble, the most frequent first. */
export function tasksOf(faults: readonly Fault[], meaningOf: MeaningOf = columnMeaning): string[] {
  const kinds = Map.groupBy(faults, ({ kind, column }) =>
    kind === "invalid" || kind === "missing" || kind === "taken" ? `${kind} ${column}` : kind,
  );
  return [...kinds.entries()]
    .sort(([a, many], [b, more]) => more.length - many.length || a.localeCompare(b))
    .map(([, alike]) => taskOf(alike, meaningOf));
}

function taskOf(alike: readonly Fault[], meaningOf: MeaningOf): string {
  const { kind, column } = alike[0] ?? { kind: "cells", column: null };
  const [one, many] = things[meaningOf(column ?? "") ?? "propertyUnit"];
  const rows = new Set(alike.map((fault) => fault.line)).size;
  return tasks[kind]({
    count: number(alike.length),
    thing: alike.length === 1 ? one : many,
    rows: rowsOf(rows),
    one: rows === 1,
  });
}

export function number(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 row", "2,000 rows". */
export function rowsOf(count: number): string {
  return `${number(count)} ${count === 1 ? "row" : "rows"}`;
}
