import * as z from "zod";
import { imports, lineNumber, SHEET_FILE_MAX, stagedSheet } from "#contract/calls/imports.ts";
import { recipientRef, valuesSummary } from "#contract/calls/notification-fields.ts";
import { endpoint } from "#contract/endpoint.ts";
import { idParams, line, page, requiredLine, wholeNumber } from "#contract/fields.ts";
import { detailKinds } from "#contract/text/kept-details.ts";

/** Files with a value for each person of a message: a row per person or home, and a column per field. */

/**
 * The columns by which a row finds its people. A home is "Harbor View C-104", or "C-104" where another column or the title
 * names the property. A name only tells those apart who share an address or a home.
 */
export const findingColumns = ["username", "email", "phone", "home", "property", "name"] as const;
export type FindingColumn = (typeof findingColumns)[number];

const fieldName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "A field's name has small letters, digits and underscores");

/** What a column is for. `as`: how its cells are read and written; `text` is as they stand in the file. */
const column = z
  .union([
    z.strictObject({ finds: z.enum(findingColumns) }),
    z.strictObject({ field: fieldName, as: z.enum(detailKinds) }),
  ])
  .nullable();
export type ValueColumn = z.output<typeof column>;

/** The same as someone chooses it; by default, the name and the cells say how they are read. */
const chosenColumn = z
  .union([
    z.strictObject({ finds: z.enum(findingColumns) }),
    z.strictObject({ field: fieldName, as: z.enum(detailKinds).optional() }),
  ])
  .nullable();
export type ChosenColumn = z.output<typeof chosenColumn>;

/** What keeps a row from being sent; the words are in contract/text/value-troubles.ts. */
export const troubleKinds = [
  /** The cell is empty. */
  "missing",
  "not-a-number",
  "not-an-amount",
  "not-a-date",
  "too-long",
  /** No cell of the row says whom it is for. */
  "no-one-named",
  /** No one has this username, email or phone. */
  "not-on-file",
  /** No home is called this, or the property isn't. */
  "no-such-home",
  /** No one lives there. */
  "no-one-there",
  "several-match",
  /** Its cells mean different people. */
  "disagree",
  /** An earlier row is for the same person. */
  "twice",
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

/** Why a file can't be used as it is read. */
export const valuesProblems = ["no-one-found", "no-field"] as const;
export type ValuesProblem = (typeof valuesProblems)[number];

const candidate = z.object({ id: z.number(), name: z.string(), propertyUnit: z.string().nullable() });
export const rowTrouble = z.object({
  kind: z.enum(troubleKinds),
  /** The place of the cell, from 0; null if no cell is at fault. */
  column: z.number().nullable(),
  /** Who may be meant, or who the cells mean. At most ten. */
  candidates: z.array(candidate).optional(),
  /** The earlier row for the same person. */
  earlier: z.number().optional(),
});
export type RowTrouble = z.output<typeof rowTrouble>;

const overview = valuesSummary.extend({
  /** Rows below the names, without totals and repeated names. */
  rows: z.number(),
  ...stagedSheet,
  /** A message has it, so nothing can be changed any longer. */
  kept: z.boolean(),
  columns: z.array(column),
  /** Where all homes are if no column says it. */
  property: z.string(),
  /** Rows that can be sent, that need someone, and that someone left out. */
  ready: z.number(),
  toFix: z.number(),
  leftOut: z.number(),
  /** The kinds of trouble, the most frequent first. `column`: its place; null for none. */
  troubles: z.array(
    z.object({ kind: z.enum(troubleKinds), column: z.number().nullable(), rows: z.number() }),
  ),
  /** No column finds people, or none fills a field. */
  problem: z.enum(valuesProblems).nullable(),
  /** The message's fields that could be filled. */
  open: z.array(z.string()),
  /** Who was chosen for a row, by its number: a person's id, or "out". */
  decisions: z.record(z.string(), z.string()),
});
export type ValuesOverview = z.output<typeof overview>;

const valueRow = z.object({
  /** Its number in the file. */
  line: z.number(),
  cells: z.array(z.string()),
  state: z.enum(["ready", "to-fix", "left-out"]),
  troubles: z.array(rowTrouble),
  /** Whom it is for, and what the message has for each. */
  people: z.array(z.object({ userId: z.number(), name: z.string(), propertyUnit: z.string().nullable() })),
  values: z.record(z.string(), z.string()),
});
export type ValueRow = z.output<typeof valueRow>;

/** The message's fields, separated by commas. */
const fields = line("The fields", 8000).default("");

export const values = {
  upload: endpoint({
    method: "POST",
    path: "/api/values",
    access: "messages:send",
    summary:
      "Read a file with a value for each person, sent as the body: Excel, OpenDocument or CSV up to 10 MB. Kept for a day, and for as long as a message has it",
    query: z.object({ name: requiredLine("File name", 255, "File name is required"), fields }),
    upload: { limit: SHEET_FILE_MAX, field: "file" },
    status: 201,
    reply: overview,
  }),
  read: endpoint({
    method: "GET",
    path: "/api/values/{id}",
    access: "messages:read",
    summary: "A file with values: how it is read, and how many of its rows can be sent",
    params: idParams,
    reply: overview,
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/values/{id}",
    access: "messages:send",
    summary:
      "Choose the sheet, the row with the names, what each column is for, and whom a row is for. 409 once a message has it",
    params: idParams,
    body: z.object({
      sheet: wholeNumber(0, 100, "The sheet must be a whole number").optional(),
      headerLine: lineNumber.optional(),
      columns: z.array(chosenColumn).max(600).optional(),
      property: line("Property", 100).optional(),
      /** The message's fields, if they have changed. */
      fields: z.array(fieldName).max(100).optional(),
      decisions: z
        .record(
          z.string().regex(/^\d{1,8}$/),
          z.string().regex(/^(?:\d{1,15}|out|)$/, "Decide by an id or out"),
        )
        .optional(),
    }),
    reply: overview,
  }),
  fix: endpoint({
    method: "POST",
    path: "/api/values/{id}/cells",
    access: "messages:send",
    summary: "Correct cells of a file with values. 409 once a message has it",
    params: idParams,
    body: imports.fix.body,
    reply: overview,
  }),
  rows: endpoint({
    method: "GET",
    path: "/api/values/{id}/rows",
    access: "messages:read",
    summary: "The rows of a file with values, 25 per page, by their numbers",
    params: idParams,
    query: z.object({
      only: z.enum(["to-fix", "ready", "all"]).default("all"),
      q: line("Search", 200).optional(),
      ...page,
    }),
    answer: "list",
    reply: z.array(valueRow),
  }),
  toFix: endpoint({
    method: "GET",
    path: "/api/values/{id}/to-fix.csv",
    access: "messages:read",
    summary: "The rows that can't be sent, as a file whose first column says why",
    params: idParams,
    answer: "file",
    export: { action: "values.export", most: 60 },
    reply: z.instanceof(Uint8Array),
  }),
  blank: endpoint({
    method: "POST",
    path: "/api/values/blank.csv",
    access: "people:export",
    summary: "A sheet to fill in: a row for each of the recipients and a column for each field, as CSV",
    body: z.object({
      recipients: z.array(recipientRef).max(500).default([]),
      fields: z.array(fieldName).max(100),
    }),
    answer: "file",
    export: { action: "values.blank", most: 60 },
    reply: z.instanceof(Uint8Array),
  }),
};
