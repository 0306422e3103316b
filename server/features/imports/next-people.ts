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
  "moving-in": "Future",
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
  out: StagedPerson[];
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
  const meaningOf = (text: string) => chosen.get(text.slice(0, 200)) ?? meaningOfStatus(text);
  const decided = new Map(Object.entries(decisions));
  const statusPlace = mapping.indexOf("status");
  const people: StagedPerson[] = [];
  const out: StagedPerson[] = [];
  for (const { line, cells } of rows) {
    const text = statusPlace === -1 ? "" : cellOf(cells[statusPlace]);
    const status = meaningOf(text);
    for (const resident of reader.residentsIn(cells)) {
      const row = reader.rowOf(cells, resident);
      const decision = decided.get(`${line}:${resident}`);
      if (decision === "out") {
        out.push({ line, resident, cells, status, row });
        continue;
      }
      if (decision) row[DECISION] = decision;
      if (statusPlace !== -1 && status !== meaningOfStatus(text)) row["status"] = statusText[status];
      if (property !== "" && row["property"] === undefined && (row["propertyUnit"] ?? "x") !== "")
        row["property"] = property;
      people.push({ line, resident, cells, status, row });
    }
  }
  const known = await earlierUsernames(db, staged, { people, line: after, meaningOf });
  const isTwice = ({ row }: StagedPerson) => known.has(row["username"]?.toLowerCase() ?? "");
  return {
    people: people.filter((one) => !isTwice(one)),
    twice: people.filter(isTwice),
    out,
    rows: rows.length,
    after: rows.length < SHEET_CHUNK ? null : rows.at(-1)!.line,
  };
}

type Earlier = {
  people: readonly StagedPerson[];
  line: number;
  meaningOf: (status: string) => StatusMeaning;
};

/** Which usernames of these people stand in a row up to this line that isn't left out on purpose. */
async function earlierUsernames(
  db: Db,
  staged: StagedImport,
  { people, line, meaningOf }: Earlier,
): Promise<Set<string>> {
  const { mapping, decisions } = staged.choices;
  const place = mapping.indexOf("username");
  const names = people.map(({ row }) => row["username"]?.toLowerCase() ?? "").filter(Boolean);
  if (place === -1 || names.length === 0) return new Set();
  const out = Object.keys(decisions).flatMap((key) => {
    const [ofLine, resident] = key.split(":");
    return decisions[key] === "out" && resident === "1" ? [Number(ofLine)] : [];
  });
  const statusPlace = mapping.indexOf("status");
  const username = sql<string>`lower(trim(r.cells ->> ${place}::int))`;
  const status = statusPlace === -1 ? sql`''` : sql`coalesce(r.cells ->> ${statusPlace}::int, '')`;
  const { rows } = await sql<{ username: string; status: string }>`
    SELECT DISTINCT ${username} AS username, ${status} AS status FROM import_rows r
    WHERE ${dataRows(staged)} AND r.line <= ${line} AND NOT r.line = ANY(${out}::int[])
      AND ${username} = ANY(${names}::text[])`.execute(db);
  const counted = rows.filter((row) => ["lives", "moving-in"].includes(meaningOf(cellOf(row.status))));
  return new Set(counted.map((row) => row.username));
}
