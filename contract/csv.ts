import * as z from "zod";
import { MEGABYTE } from "#contract/attachments.ts";
import { csvColumns, csvSentences } from "#contract/csv-header.ts";
import { endpoint } from "#contract/endpoint.ts";

/** Rows of one call; a larger file is sent in several, each told where it begins. */
export const IMPORT_CHUNK = 2000;
const IMPORT_MAX_ROWS = 10_000;

/** What is wrong with a cell, so that a screen can count the kinds of trouble. */
export const badCellKinds = ["missing", "invalid", "duplicate", "not-allowed"] as const;
export type BadCellKind = (typeof badCellKinds)[number];

/** One cell that cannot be imported. */
export const badCell = z.object({
  /** Counts data rows from `firstRow`, the header not counted. */
  row: z.number(),
  /** The column's header as the caller wrote it. */
  column: z.string(),
  /** The cell's text, cut short after 200 characters. */
  value: z.string(),
  kind: z.enum(badCellKinds),
  /** A sentence: what is wrong and what mends it. */
  reason: z.string(),
});
export type BadCell = z.output<typeof badCell>;

export const importResult = z.object({
  created: z.number(),
  updated: z.number(),
  /** Rows that exist already and say nothing new. */
  unchanged: z.number(),
  /** Rows that were left out; each has at least one bad cell. */
  rejected: z.number(),
  badCells: z.array(badCell),
});
export type ImportResult = z.output<typeof importResult>;

const cell = z.union(
  [z.string(), z.number().transform(String), z.boolean().transform(String), z.null().transform(() => "")],
  {
    error: "Each value must be text",
  },
);

const rows = {
  query: z.object({
    /** The number of this call's first row in the whole file. */
    firstRow: z.coerce.number().int().min(1).default(1),
  }),
  body: z
    .array(z.record(z.string(), cell), {
      error: "Send a list of rows, each an object keyed by the header's names",
    })
    .min(1, csvSentences.required)
    .max(
      IMPORT_MAX_ROWS,
      `At most ${IMPORT_MAX_ROWS.toLocaleString("en-US")} rows fit in one call; send the rest in another`,
    ),
  bodyLimit: 16 * MEGABYTE,
  reply: importResult,
};

export const csv = {
  check: endpoint({
    method: "POST",
    path: "/api/csv/check",
    access: "staff",
    summary: "What an import of these rows would do; nothing is changed",
    ...rows,
  }),
  import: endpoint({
    method: "POST",
    path: "/api/csv/import",
    access: "staff",
    summary:
      "Create or update people from rows keyed by the header's names; a user name that exists is updated. Good rows are kept, bad cells are named",
    ...rows,
  }),
  export: endpoint({
    method: "GET",
    path: "/api/csv/export",
    access: "staff",
    summary: "Every person as an object keyed by the columns of an import",
    answer: "list",
    reply: z.array(z.record(z.enum(csvColumns), z.string())),
  }),
};
