import * as z from "zod";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { roles } from "#contract/calls/auth.ts";
import { type CsvColumn, csvColumns, csvSentences } from "#contract/text/csv-header.ts";
import { endpoint } from "#contract/endpoint.ts";
import { count, instant } from "#contract/fields.ts";
import { numberText } from "#contract/text/locale.ts";

/** Rows per call. A larger file is sent in several calls, each with the number of its first row. */
export const IMPORT_CHUNK = 2000;
export const IMPORT_MAX_ROWS = 10_000;
/** On average, in a call with that many rows. */
const IMPORT_MAX_COLUMNS = 30;

/**
 * What is wrong with a cell. "duplicate": an earlier row is the same person. "undecided": it may be one of
 * `candidates`, which only a manager can decide. "absent": by the row's status, they don't live there.
 */
export const badCellKinds = [
  "missing",
  "invalid",
  "duplicate",
  "undecided",
  "not-allowed",
  "absent",
] as const;
export type BadCellKind = (typeof badCellKinds)[number];

/** The people on file that an undecided row may be about. */
export const undecidedBetween = z
  .array(
    z.object({
      id: z.number(),
      name: z.string(),
      propertyUnit: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      /** The row has the same name, ignoring case, accents and further first names. */
      sameName: z.boolean(),
    }),
  )
  .optional();

/** One cell that cannot be imported. */
const badCell = z.object({
  /** The number of the data row, counted from `firstRow`, without the header. */
  row: z.number(),
  /** The column's header as the caller wrote it. */
  column: z.string(),
  /** The cell's text, truncated to 200 characters. */
  value: z.string(),
  kind: z.enum(badCellKinds),
  /** A sentence: what is wrong and how to fix it. */
  reason: z.string(),
  candidates: undecidedBetween,
});
export type BadCell = z.output<typeof badCell>;

/** Someone on file whose name changes, ignoring case. */
const rename = z.object({ row: z.number(), before: z.string(), after: z.string() });
export type Rename = z.output<typeof rename>;

/** An address that is imported, but about which there is something to know. */
const addressWarning = z.object({
  row: z.number(),
  value: z.string(),
  /** "opted-out": its recipient wants nothing there. "shared": someone else has it too. "several": its cell has others. */
  kind: z.enum(["opted-out", "shared", "several"]),
  /** A sentence that says so. */
  reason: z.string(),
});
export type AddressWarning = z.output<typeof addressWarning>;

const importResult = z.object({
  /** When the import began: the `since` of its next call. */
  startedAt: instant,
  created: z.number(),
  updated: z.number(),
  /** Rows about people on file that contain nothing new. */
  unchanged: z.number(),
  /** Rows about people on file, left alone because of `existing=skip`. */
  skipped: z.number(),
  /** Rows that were left out. Each has at least one bad cell. */
  rejected: z.number(),
  /** Rows about people on file, whatever happened to them. */
  existing: z.number(),
  /** Rows whose status says that no one lives there, or that the person doesn't, whatever happened to them. */
  absent: z.number(),
  renames: z.array(rename),
  /** The first 200. */
  warnings: z.array(addressWarning),
  badCells: z.array(badCell),
  /** Headers that are no column of an import. What is in them is not imported. */
  ignoredColumns: z.array(z.string()),
});
export type ImportResult = z.output<typeof importResult>;

const cell = z.union(
  [z.string(), z.number().transform(String), z.boolean().transform(String), z.null().transform(() => "")],
  {
    error: "Each value must be text",
  },
);

/**
 * The key of a row that answers "undecided": the id of the candidate to update, or "new" for someone who only shares
 * an address with them.
 */
export const DECISION = "decision";

const rows = {
  query: z.object({
    /** The number of this call's first row in the whole file. */
    firstRow: count(1_000_000_000, "The first row must be a whole number, starting at 1").default(1),
    /**
     * The `startedAt` of the import's first call. People created since then are not candidates, because rows of one
     * file that share an address are housemates.
     */
    since: instant.optional(),
    /** What to do with people who are already on file. */
    existing: z.enum(["update", "skip"]).default("update"),
    /** What to do with rows whose status is past, evicted, applicant or vacant. Those left out are bad cells. */
    absent: z.enum(["leave-out", "import"]).default("leave-out"),
    /** For new people with no role in the file. */
    defaultRole: z.enum(roles).default("tenant"),
    /** Hand-picked groups for everyone who is not left out or skipped: a comma-separated list, or repeated. */
    groupIds: z
      .union([z.string(), z.array(z.string()).transform((ids) => ids.join(","))])
      .pipe(
        z
          .string()
          .max(2000)
          .regex(/^(\d{1,15}(,\d{1,15})*)?$/, "Groups must be ids separated by commas")
          .transform((text) => (text === "" ? [] : text.split(",").map(Number))),
      )
      .prefault(""),
  }),
  /** One person per row. A username alone decides. Without one, people are matched by name with email, phone or home. */
  body: z
    .array(z.record(z.string(), cell), {
      error: "Send a list of rows, each an object keyed by the header's names",
    })
    .min(1, csvSentences.required)
    .max(IMPORT_MAX_ROWS, `At most ${numberText(IMPORT_MAX_ROWS)} rows per call. Send the rest in another`),
  bodyLimit: 16 * MEGABYTE,
  mostValues: IMPORT_MAX_ROWS * IMPORT_MAX_COLUMNS,
  reply: importResult,
};

const exportedColumns = Object.fromEntries(csvColumns.map((column) => [column, z.string()])) as Record<
  CsvColumn,
  z.ZodString
>;

export const csv = {
  check: endpoint({
    method: "POST",
    path: "/api/csv/check",
    access: "people:write",
    summary: "What an import of these rows would do. Changes nothing",
    ...rows,
  }),
  import: endpoint({
    method: "POST",
    path: "/api/csv/import",
    access: "people:write",
    summary:
      "Create or update people from rows keyed by the header's names. A change of anyone's email, phone or role, and new staff, answer password-required unless the password was entered within the last ten minutes. Good rows are imported, and bad cells are listed. A row that may be about someone on file is left out until its `decision` says who it is",
    ...rows,
    query: rows.query.extend({
      /** Rows of the file that the caller left out itself. The audit log counts them with the rejected ones. */
      leftOut: count(1_000_000_000, "The rows left out must be a whole number, starting at 1").optional(),
    }),
  }),
  export: endpoint({
    method: "GET",
    path: "/api/csv/export",
    access: "people:export",
    summary:
      "Every person as an object keyed by an import's columns, with otherContacts if anyone has other numbers or addresses, and one for each detail, by its name",
    answer: "list",
    export: { action: "user.export", most: 20 },
    reply: z.array(
      z.object({ ...exportedColumns, otherContacts: z.string().optional() }).catchall(z.string().optional()),
    ),
  }),
};
