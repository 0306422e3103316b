import { sql } from "kysely";
import type { ImportOverview, ImportProgress, StatusMeaning } from "#contract/calls/imports.ts";
import { missingColumns, residentOf } from "#contract/text/csv-header.ts";
import { absenceIn, isMovingIn } from "#contract/text/resident-status.ts";
import type { Db } from "#server/db/database.ts";
import type { ImportState } from "#server/db/schema.ts";
import { headersAt, readTop } from "#server/features/imports/guess.ts";
import { optionsOf } from "#server/features/imports/options.ts";
import { dataRows, type StagedImport } from "#server/features/imports/staged.ts";

const SHOWN_ROWS = 12;
const EXAMPLES = 12;
const MOST_STATUSES = 20;

export const meaningOfStatus = (text: string): StatusMeaning =>
  absenceIn(text) ?? (isMovingIn(text) ? "moving-in" : "lives");

/** A file, and how it is read. */
export async function readOverview(db: Db, staged: StagedImport): Promise<ImportOverview> {
  const { id, name, size, sheets, choices, progress } = staged;
  const { sheet, headerLine, mapping } = choices;
  const top = await readTop(db, { id, sheet });
  const data = dataRows(staged);
  const examples = await sql<{ line: number; cells: string[] }>`
    SELECT line, cells FROM import_rows r WHERE ${data} ORDER BY line LIMIT ${EXAMPLES}`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    SELECT count(*) AS rows FROM import_rows r WHERE ${data}`.execute(db);
  return {
    id,
    name,
    size,
    createdAt: staged.created_at.toISOString(),
    sheets,
    sheet,
    headerLine,
    top: top.slice(0, Math.max(SHOWN_ROWS, top.findIndex(({ line }) => line === headerLine) + 1)),
    headers: headersAt(top, headerLine),
    mapping,
    examples: examples.rows,
    rows: rows[0]?.rows ?? 0,
    statuses: await readStatuses(db, staged),
    residents: await countResidents(db, staged),
    property: choices.property,
    propertyLine: choices.propertyLine,
    trouble: missingColumns(mapping),
    remembered: choices.remembered,
    decisions: choices.decisions,
    text: choices.text ?? null,
    options: await readOptions(db, staged),
    progress: progress && progressOf(progress),
  };
}

async function readOptions(db: Db, staged: StagedImport): Promise<ImportOverview["options"]> {
  const { existing, defaultRole, groupIds } = optionsOf(staged);
  const groups = await db
    .selectFrom("user_groups")
    .select(["id", "name"])
    .where("id", "in", groupIds.length > 0 ? groupIds : [0])
    .orderBy("name")
    .execute();
  return { existing, defaultRole, groups };
}

/** How far an import is, as its caller reads it. */
export function progressOf(state: ImportState): ImportProgress {
  const { created, updated, unchanged, rejected, absent, lines, done } = state;
  // An import that a build before has begun doesn't have them.
  const { movingIn = 0, movedOut = 0 } = state as Partial<ImportState>;
  return { created, updated, unchanged, rejected, movingIn, movedOut, absent, lines, done };
}

async function readStatuses(db: Db, staged: StagedImport): Promise<ImportOverview["statuses"]> {
  const { mapping, statuses } = staged.choices;
  const place = mapping.indexOf("status");
  if (place === -1) return [];
  const { rows } = await sql<{ text: string; rows: number }>`
    SELECT coalesce(left(trim(r.cells ->> ${place}::int), 200), '') AS text, count(*) AS rows
    FROM import_rows r WHERE ${dataRows(staged)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_STATUSES}`.execute(
    db,
  );
  const chosen = new Map(Object.entries(statuses));
  return rows.map((row) => ({ ...row, meaning: chosen.get(row.text) ?? meaningOfStatus(row.text) }));
}

async function countResidents(db: Db, staged: StagedImport): Promise<Record<string, number>> {
  const named = staged.choices.mapping.flatMap((meaning, place) =>
    meaning && residentOf(meaning) > 1 && /name/i.test(meaning)
      ? [[residentOf(meaning), place] as const]
      : [],
  );
  const counts = new Map<string, number>();
  for (const [resident, place] of named) {
    const { rows } = await sql<{ rows: number }>`
      SELECT count(*) AS rows FROM import_rows r
      WHERE ${dataRows(staged)} AND trim(r.cells ->> ${place}::int) <> ''`.execute(db);
    counts.set(String(resident), Math.max(counts.get(String(resident)) ?? 0, rows[0]?.rows ?? 0));
  }
  return Object.fromEntries(counts);
}
