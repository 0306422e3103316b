import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { ImportFigures } from "#server/db/schema.ts";
import { countChanged } from "#server/features/imports/changes.ts";
import { readLeftOut } from "#server/features/imports/left-out.ts";
import type { StagedImport } from "#server/features/imports/staged.ts";

const FIRST_LEFT = 20;

/** Keeps what a finished import did, and of its rows only those that it left out, and the names of the columns. */
export async function finishImport(tx: Db, { id, choices }: StagedImport): Promise<void> {
  const first = await readLeftOut(tx, id, 0, FIRST_LEFT);
  await sql`
    DELETE FROM import_rows WHERE import_id = ${id} AND troubles IS NULL
      AND NOT (${first.length > 0} AND sheet = ${choices.sheet} AND line = ${choices.headerLine})`.execute(
    tx,
  );
  const result: ImportFigures = {
    homes: await countHomes(tx, id),
    changed: await countChanged(tx, id),
    left: {
      rows: await countLeft(tx, id),
      first: first.map(({ line, reasons }) => ({ line, reasons })),
    },
  };
  await sql`UPDATE imports SET finished_at = now(), result = ${JSON.stringify(result)} WHERE id = ${id}`.execute(
    tx,
  );
}

async function countHomes(tx: Db, id: number): Promise<number> {
  const { rows } = await sql<{ homes: number }>`
    SELECT count(DISTINCT r.unit_id) AS homes FROM import_people p JOIN residencies r ON r.person_id = p.person_id AND r.shown
    WHERE p.import_id = ${id} AND p.kind IN ('new', 'changed', 'same')`.execute(tx);
  return rows[0]!.homes;
}

async function countLeft(tx: Db, id: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    SELECT count(*) AS rows FROM import_rows WHERE import_id = ${id} AND troubles IS NOT NULL`.execute(tx);
  return rows[0]!.rows;
}
