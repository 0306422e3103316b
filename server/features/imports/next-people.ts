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
  /** Left out, because an earlier row has the same username. The import sees a thousand rows at a time. */
  twice: StagedPerson[];
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
    SELECT line, cells FROM import_rows r WHERE ${dataRows(staged)} AND r.line > ${after}
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
  const known = await earlierUsernames(db, staged, people, after);
  const isTwice = ({ row }: StagedPerson) => known.has(row["username"]?.toLowerCase() ?? "");
  return {
    people: people.filter((one) => !isTwice(one)),
    twice: people.filter(isTwice),
    out,
    rows: rows.length,
    after: rows.length < SHEET_CHUNK ? null : rows.at(-1)!.line,
  };
}

/** Which usernames of these people stand in a row up to this line. */
async function earlierUsernames(
  db: Db,
  staged: StagedImport,
  people: readonly StagedPerson[],
  line: number,
): Promise<Set<string>> {
  const place = staged.choices.mapping.indexOf("username");
  const names = people.map(({ row }) => row["username"]?.toLowerCase() ?? "").filter(Boolean);
  if (place === -1 || names.length === 0) return new Set();
  const username = sql<string>`lower(trim(r.cells ->> ${place}::int))`;
  const { rows } = await sql<{ username: string }>`
    SELECT DISTINCT ${username} AS username FROM import_rows r
    WHERE ${dataRows(staged)} AND r.line <= ${line} AND ${username} = ANY(${names}::text[])`.execute(db);
  return new Set(rows.map((row) => row.username));
}
