import { sql } from "kysely";
import { DECISION } from "#contract/calls/csv.ts";
import { SHEET_CHUNK, type StatusMeaning } from "#contract/calls/imports.ts";
import { type PersonRow, rowReader, cellOf } from "#contract/text/sheet-columns.ts";
import type { Db } from "#server/db/database.ts";
import { meaningOfStatus } from "#server/features/imports/overview.ts";
import { dataRows, headersOf, type StagedImport } from "#server/features/imports/staged.ts";

export type StagedPerson = {
  line: number;
  resident: number;
  cells: string[];
  status: StatusMeaning;
  /** As the import takes them. */
  row: PersonRow;
};

/** A status that the import's own words have this meaning of. */
const statusText: Record<StatusMeaning, string> = {
  lives: "Current",
  "moved-out": "Past",
  applicant: "Applicant",
  evicted: "Eviction",
  vacant: "Vacant",
};

/** What the import calls the people in the next rows. */
export type NextPeople = {
  people: StagedPerson[];
  /** Left out by someone's decision. */
  out: number;
  rows: number;
  /** The last row; null: there is none after it. */
  after: number | null;
};

/** The people in the next rows after a line, as they would be imported. */
export async function nextPeople(db: Db, staged: StagedImport, after: number): Promise<NextPeople> {
  const { mapping, statuses, property, decisions } = staged.choices;
  const { rows } = await sql<{ line: number; cells: string[] }>`
    SELECT line, cells FROM import_rows r WHERE ${dataRows(staged)} AND line > ${after}
    ORDER BY line LIMIT ${SHEET_CHUNK}`.execute(db);
  const reader = rowReader(await headersOf(db, staged), mapping);
  const chosen = new Map(Object.entries(statuses));
  const decided = new Map(Object.entries(decisions));
  const statusPlace = mapping.indexOf("status");
  const people: StagedPerson[] = [];
  let out = 0;
  for (const { line, cells } of rows) {
    const text = statusPlace === -1 ? "" : cellOf(cells[statusPlace]);
    const status = chosen.get(text.slice(0, 200)) ?? meaningOfStatus(text);
    for (const resident of reader.residentsIn(cells)) {
      const row = reader.rowOf(cells, resident);
      const decision = decided.get(`${line}:${resident}`);
      if (decision === "out") {
        out += 1;
        continue;
      }
      if (decision) row[DECISION] = decision;
      if (statusPlace !== -1 && status !== meaningOfStatus(text)) row["status"] = statusText[status];
      if (property !== "" && row["property"] === undefined && (row["propertyUnit"] ?? "x") !== "")
        row["property"] = property;
      people.push({ line, resident, cells, status, row });
    }
  }
  return { people, out, rows: rows.length, after: rows.length < SHEET_CHUNK ? null : rows.at(-1)!.line };
}
