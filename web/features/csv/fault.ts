import { compareNames } from "#contract/text/fold.ts";
import { counted } from "#contract/text/count-text.ts";
import type { BadCell } from "#contract/calls/csv.ts";
import type { CsvField } from "#contract/text/csv-header.ts";
import { numberText } from "#contract/text/locale.ts";

/**
 * Why a row is left out: because of one cell, or as a whole if its number of cells differs from the header's ("cells").
 */
export type Fault = {
  /** The row's number in a spreadsheet. */
  line: number;
  /** The cell's field, and the file's header of its column; null for the row as a whole. */
  field: CsvField | null;
  column: string | null;
  value: string;
  kind: BadCell["kind"] | "cells";
  reason: string;
  /** Of an undecided person: the place among the people sent, and who on file they may be. */
  place?: number;
  candidates?: BadCell["candidates"];
};

const things: Record<CsvField, [one: string, many: string]> = {
  username: ["username", "usernames"],
  email: ["email", "emails"],
  firstName: ["first name", "first names"],
  lastName: ["last name", "last names"],
  fullName: ["name", "names"],
  phone: ["phone number", "phone numbers"],
  role: ["role", "roles"],
  propertyUnit: ["unit", "units"],
  property: ["property", "properties"],
  status: ["status", "statuses"],
  moveIn: ["move-in date", "move-in dates"],
  moveOut: ["move-out date", "move-out dates"],
  leaseStart: ["lease start", "lease starts"],
  leaseEnd: ["lease end", "lease ends"],
  homeRole: ["role in the home", "roles in homes"],
  otherContacts: ["other contact", "other contacts"],
};

const tasks: Record<Fault["kind"], (words: { count: string; thing: string; rows: string }) => string> = {
  invalid: ({ count, thing }) => `fix ${count} ${thing}`,
  missing: ({ count, thing }) => `enter ${count} missing ${thing}`,
  duplicate: ({ rows }) => `remove ${rows} about someone in an earlier row`,
  undecided: ({ rows }) => `decide who ${rows} ${rows === "1 row" ? "is" : "are"} about`,
  absent: ({ rows }) => `decide whether to import ${rows} of people who don't live there`,
  "not-allowed": ({ rows }) => `ask an administrator to import ${rows}`,
  cells: ({ rows }) => `check the number of cells in ${rows}`,
};

/** What to do to import every row: one task per kind of problem, the most frequent first. */
export function tasksOf(faults: readonly Fault[]): string[] {
  const kinds = Map.groupBy(faults, ({ kind, field }) =>
    kind === "invalid" || kind === "missing" ? `${kind} ${field}` : kind,
  );
  return [...kinds.entries()]
    .sort(([a, many], [b, more]) => more.length - many.length || compareNames(a, b))
    .map(([, alike]) => {
      const { kind, field } = alike[0] ?? { kind: "cells", field: null };
      const thing = things[field ?? "propertyUnit"][alike.length === 1 ? 0 : 1];
      const rows = counted(new Set(alike.map(({ line }) => line)).size, "row");
      return tasks[kind]({ count: numberText(alike.length), thing, rows });
    });
}
