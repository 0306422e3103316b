import * as z from "zod";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { roles } from "#contract/calls/auth.ts";
import { badCellKinds, undecidedBetween } from "#contract/calls/csv.ts";
import { endpoint } from "#contract/endpoint.ts";
import { encodings } from "#contract/text/encodings.ts";
import { idParams, instant, line, requiredLine, wholeNumber } from "#contract/fields.ts";
import {
  type ColumnMeaning,
  csvFields,
  type DetailColumn,
  residentFields,
} from "#contract/text/csv-header.ts";

/** Spreadsheets that are being imported. Their rows are kept for a day, for who uploaded them. */

export const SHEET_FILE_MAX = 10 * MEGABYTE;
/** What an import screen offers to open. The content decides. */
export const sheetFileTypes = [".xlsx", ".xlsm", ".ods", ".xls", ".csv", ".tsv", ".txt"] as const;

/** Rows per call while checking or importing. */
export const SHEET_CHUNK = 1000;

/** Who lives there, by a status. */
export const statusMeanings = ["lives", "moving-in", "moved-out", "applicant", "evicted", "vacant"] as const;
export type StatusMeaning = (typeof statusMeanings)[number];

const MOST_RESIDENTS = 9;
const meanings: readonly ColumnMeaning[] = [
  ...csvFields,
  ...residentFields.flatMap((field) =>
    Array.from({ length: MOST_RESIDENTS - 1 }, (_, n) => `${field} ${n + 2}` as const),
  ),
];
const ofDetail = z
  .string()
  .regex(/^detail:[a-z][a-z0-9_]{0,63}$/)
  .transform((text) => text as DetailColumn);
const meaning = z.union([z.enum(meanings as [ColumnMeaning, ...ColumnMeaning[]]), ofDetail]).nullable();

export const lineNumber = wholeNumber(0, 10_000_000, "The row must be a whole number");

const fault = z.object({
  /** The row's number in the spreadsheet, and which of its residents. */
  line: z.number(),
  resident: z.number(),
  /** The place of the column, from 0; null if no column is at fault. */
  column: z.number().nullable(),
  value: z.string(),
  kind: z.enum(badCellKinds),
  reason: z.string(),
  candidates: undecidedBetween,
  /** The row as it is in the file, and the person in it as they would be imported. */
  cells: z.array(z.string()),
  person: z.record(z.string(), z.string()),
});
export type SheetFault = z.output<typeof fault>;

const counts = {
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  /** People left out because something in their row needs someone. */
  rejected: z.number(),
  /** Of those who are imported, who moves in on a day to come. */
  movingIn: z.number(),
  /** Past tenants who are on file, and who are moved out at the end. They aren't among those left out. */
  movedOut: z.number(),
  /** People left out because they don't live there, by why. */
  absent: z.partialRecord(z.enum(statusMeanings), z.number()),
};
const tally = z.object({ ...counts, homes: z.array(z.string()) });

const progress = z.object({ ...counts, lines: z.number(), done: z.boolean() });
export type ImportProgress = z.output<typeof progress>;

/** What holds for everyone in a file, as for POST /api/csv/import. */
const options = { existing: z.enum(["update", "skip"]), defaultRole: z.enum(roles) };

/** A file that was read, and the sheet that was chosen in it. */
export const stagedSheet = {
  size: z.number(),
  createdAt: instant,
  sheets: z.array(
    z.object({
      name: z.string(),
      rows: z.number(),
      /** Cells with an error such as #N/A, read as empty. */
      errors: z.number(),
      /** Why this sheet can't be imported. */
      trouble: z.enum(["too-many-rows", "too-many-columns"]).nullable(),
    }),
  ),
  /** The chosen sheet, by its place. */
  sheet: z.number(),
  /** The row with the columns' names; 0: none has them. */
  headerLine: z.number(),
  /** The first rows of the sheet as they are. */
  top: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
  headers: z.array(z.string()),
};

const overview = z.object({
  id: z.number(),
  name: z.string(),
  ...stagedSheet,
  mapping: z.array(meaning),
  /** The first rows with people. */
  examples: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
  /** Rows below the names, without totals and repeated names. */
  rows: z.number(),
  /** The values of the status column, the most frequent first. */
  statuses: z.array(z.object({ text: z.string(), rows: z.number(), meaning: z.enum(statusMeanings) })),
  /** How often each further resident has a name, by their number: "2" is the second one. */
  residents: z.record(z.string(), z.number()),
  /** Where everyone lives if no column says it, and the row that we took it from. */
  property: z.string(),
  propertyLine: z.number().nullable(),
  /** Why nothing can be imported with these columns. */
  trouble: z.string().nullable(),
  /** The columns were chosen in an earlier import of a file with the same names. */
  remembered: z.boolean(),
  decisions: z.record(z.string(), z.string()),
  /** How a text file was read: its encoding, and words that look as if it were another one. */
  text: z.object({ encoding: z.string(), garbled: z.array(z.string()) }).nullable(),
  options: z.object({
    ...options,
    groups: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
  /** Null: the import has not begun. */
  progress: progress.nullable(),
});
export type ImportOverview = z.output<typeof overview>;

const place = z.string().regex(/^\d{1,8}:\d$/, "Name a person by row and resident, such as 12:1");

export const imports = {
  upload: endpoint({
    method: "POST",
    path: "/api/imports",
    access: "people:write",
    summary:
      "Read a spreadsheet, sent as the body: Excel, OpenDocument or CSV up to 10 MB, told by its content. Its rows are kept for a day",
    query: z.object({
      name: requiredLine("File name", 255, "File name is required"),
      /** Read a text file in this encoding instead of the one that it seems to be in. */
      encoding: z.enum(encodings.map(({ label }) => label)).optional(),
    }),
    upload: { limit: SHEET_FILE_MAX, field: "file" },
    status: 201,
    reply: overview,
  }),
  list: endpoint({
    method: "GET",
    path: "/api/imports",
    access: "people:write",
    summary:
      "The spreadsheets that this person uploaded within a day and hasn't imported to the end, the newest first",
    answer: "list",
    reply: z.array(z.object({ id: z.number(), name: z.string(), createdAt: instant })),
  }),
  read: endpoint({
    method: "GET",
    path: "/api/imports/{id}",
    access: "people:write",
    summary: "A spreadsheet that this person uploaded, and how its columns are read",
    params: idParams,
    reply: overview,
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/imports/{id}",
    access: "people:write",
    summary:
      "Choose the sheet, the row with the names, what each column and status means, who is who, and the role and groups of everyone",
    params: idParams,
    body: z.object({
      sheet: wholeNumber(0, 100, "The sheet must be a whole number").optional(),
      headerLine: lineNumber.optional(),
      mapping: z.array(meaning).max(600).optional(),
      statuses: z.record(z.string().max(200), z.enum(statusMeanings)).optional(),
      property: line("Property", 100).optional(),
      /** Who a row is about, by "row:resident": a candidate's id, "new", or "out" to leave them out. */
      decisions: z
        .record(place, z.string().regex(/^(?:\d{1,15}|new|out|)$/, "Decide by an id, new or out"))
        .optional(),
      options: z
        .object({ ...options, groupIds: z.array(z.int().positive()).max(200, "Choose at most 200 groups") })
        .partial()
        .optional(),
    }),
    reply: overview,
  }),
  fix: endpoint({
    method: "POST",
    path: "/api/imports/{id}/cells",
    access: "people:write",
    summary: "Correct cells of the uploaded rows",
    params: idParams,
    body: z.object({
      cells: z
        .array(
          z.object({
            line: lineNumber,
            column: wholeNumber(0, 600, "The column must be a whole number"),
            text: line("The cell", 2000),
          }),
        )
        .min(1, "Name at least one cell")
        .max(5000, "Correct at most 5,000 cells in a call"),
    }),
    reply: z.object({ fixed: z.number() }),
  }),
  check: endpoint({
    method: "POST",
    path: "/api/imports/{id}/check",
    access: "people:write",
    summary: "What importing the next rows would do. Changes nothing",
    params: idParams,
    body: z.object({
      /** The last row of the call before; 0 to begin. */
      after: lineNumber.default(0),
      since: instant.optional(),
    }),
    reply: tally.extend({
      startedAt: instant,
      /** The last row that was checked; null: it was the end. */
      after: z.number().nullable(),
      rows: z.number(),
      faults: z.array(fault),
    }),
  }),
  run: endpoint({
    method: "POST",
    path: "/api/imports/{id}/run",
    access: "people:write",
    summary:
      "Import the next rows, in one transaction. Repeat it until it is done; it goes on where it was. Answers password-required as POST /api/csv/import does",
    params: idParams,
    reply: progress,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/imports/{id}",
    access: "people:write",
    summary: "Forget an uploaded spreadsheet. Who was imported stays",
    params: idParams,
    reply: z.object({ message: z.string() }),
  }),
};
