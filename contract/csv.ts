import * as z from "zod";
import { MEGABYTE } from "#contract/attachments.ts";
import { roles } from "#contract/auth.ts";
import { csvColumns, csvSentences } from "#contract/csv-header.ts";
import { endpoint } from "#contract/endpoint.ts";

/** Rows of one call; a larger file is sent in several, each told where it begins. */
export const IMPORT_CHUNK = 2000;
const IMPORT_MAX_ROWS = 10_000;

/**
 * What is wrong with a cell, so that a screen can count the kinds of trouble. "duplicate": an earlier row of the file
 * means the same person; "taken": it is somebody else's, of this house or of the file.
 */
const badCellKinds = ["missing", "invalid", "duplicate", "taken", "not-allowed"] as const;
export type BadCellKind = (typeof badCellKinds)[number];

/** One cell that cannot be imported. */
const badCell = z.object({
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

/** Somebody who exists already and gets another name; upper and lower case count as the same. */
const rename = z.object({
  row: z.number(),
  before: z.string(),
  after: z.string(),
  /** Only the address says so, and the first name is another one: `renames` decides, and it may be a housemate. */
  unsure: z.boolean(),
});
export type Rename = z.output<typeof rename>;

const importResult = z.object({
  created: z.number(),
  updated: z.number(),
  /** Rows that exist already and say nothing new. */
  unchanged: z.number(),
  /** Rows of people who exist already, left alone because `existing` says so. */
  skipped: z.number(),
  /** Rows that were left out; each has at least one bad cell. */
  rejected: z.number(),
  /** Rows that mean a person who exists already, whatever became of them. */
  existing: z.number(),
  /** Who gets another full name, and who would, once `renames` says so: what was matched may be somebody else. */
  renames: z.array(rename),
  badCells: z.array(badCell),
});
export type ImportResult = z.output<typeof importResult>;

const cell = z.union(
  [z.string(), z.number().transform(String), z.boolean().transform(String), z.null().transform(() => "")],
  {
    error: "Each value must be text",
  },
);

/** How a row is known to mean a person who exists already. */
export const importMatches = ["username", "email", "phone"] as const;

const rows = {
  query: z.object({
    /** The number of this call's first row in the whole file. */
    firstRow: z.coerce.number().int().min(1).default(1),
    /** By this cell; a row without it by full name and contact. */
    match: z.enum(importMatches).default("username"),
    /** What becomes of a person who exists already. */
    existing: z.enum(["update", "skip"]).default("update"),
    /** What becomes of a row that would give the only holder of its address another first name. */
    renames: z.enum(["leave-out", "update"]).default("leave-out"),
    /** Of a new person whose row names no role. */
    defaultRole: z.enum(roles).default("tenant"),
    /** Hand-picked groups that everyone in the file joins who is not left out or skipped: ids with commas between, or one by one. */
    groupIds: z
      .union([z.string(), z.array(z.string()).transform((ids) => ids.join(","))])
      .pipe(
        z
          .string()
          .max(2000)
          .regex(/^(\d{1,15}(,\d{1,15})*)?$/, "Groups are ids with commas between")
          .transform((text) => (text === "" ? [] : text.split(",").map(Number))),
      )
      .prefault(""),
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
      "Create or update people from rows keyed by the header's names; who exists already is updated, or skipped. Good rows are kept, bad cells are named",
    ...rows,
  }),
  export: endpoint({
    method: "GET",
    path: "/api/csv/export",
    access: "staff",
    summary: "Every person as an object keyed by the columns of an import",
    answer: "list",
    export: { action: "user.export", most: 20 },
    reply: z.array(z.record(z.enum(csvColumns), z.string())),
  }),
};
