import { type RawBuilder, sql, type Selectable } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { ImportChoices, Schema } from "#server/db/schema.ts";
import { headersAt, readTop } from "#server/features/imports/guess.ts";

export type StagedImport = Omit<Selectable<Schema["imports"]>, "choices"> & { choices: ImportChoices };

/** Files of people are kept for a day, whenever they are removed. */
const kept = sql<boolean>`purpose = 'people' AND created_at > now() - interval '24 hours'`;

/** A file of this person. Throws not-found. @param lock until the transaction ends */
export async function findImport(db: Db, id: number, userId: number, lock = false): Promise<StagedImport> {
  let query = db
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", id)
    .where("created_by", "=", userId)
    .where(kept);
  if (lock) query = query.forUpdate();
  const found = await query.executeTakeFirst();
  if (!found) throw refusal("no-such-import");
  return { ...found, choices: found.choices as ImportChoices };
}

/** What this person has begun to import, the newest first. */
export async function listImports(db: Db, userId: number) {
  const found = await db
    .selectFrom("imports")
    .select(["id", "name", "created_at"])
    .where("created_by", "=", userId)
    .where(kept)
    .where(sql<boolean>`coalesce(progress ->> 'done', 'false') <> 'true'`)
    .orderBy("id", "desc")
    .execute();
  return found.map(({ id, name, created_at }) => ({ id, name, createdAt: created_at.toISOString() }));
}

export async function headersOf(db: Db, { id, choices }: StagedImport): Promise<string[]> {
  return headersAt(await readTop(db, { id, sheet: choices.sheet }), choices.headerLine);
}

/** What a row has to say something of to be about a person or a home. */
const TELLING = /name|email|phone|propertyUnit|status/i;

/**
 * The rows with people, as a condition on `import_rows r`. Of those with a single cell, the ones with a name. A row that
 * only continues the one above, such as one for each charge, is none.
 */
export function dataRows({ id, choices }: { id: number; choices: ImportChoices }): RawBuilder<boolean> {
  const places = (pattern: RegExp) =>
    choices.mapping.flatMap((meaning, place) => (meaning && pattern.test(meaning) ? [place] : []));
  const telling = places(TELLING).map((place) => sql`coalesce(r.cells ->> ${sql.lit(place)}, '')`);
  const says = telling.length > 0 ? sql`AND concat(${sql.join(telling)}) ~ '\\S'` : sql``;
  return sql`${rowsBelow({ id, ...choices }, places(/name/i))} ${says}`;
}

/** Of `import_rows r`: nothing is before its last cell. */
export const hasSingleCell = sql<boolean>`r.cells::text ~ ${String.raw`^\[("", )*"([^"\\]|\\.)*"\]$`}`;

/**
 * The rows below the names, as a condition on `import_rows r`: without totals, names that a page break repeats, and
 * headings, which have a single cell elsewhere than in the columns `alone`.
 */
export function rowsBelow(
  { id, sheet, headerLine }: { id: number; sheet: number; headerLine: number },
  alone: readonly number[],
): RawBuilder<boolean> {
  return sql<boolean>`r.import_id = ${id} AND r.sheet = ${sheet} AND r.line > ${headerLine}
    AND r.cells::text !~* ${String.raw`^\[("", )*"\s*((grand|sub)[ -]?)?totals?\M`}
    AND NOT (${hasSingleCell} AND NOT (jsonb_array_length(r.cells) - 1) = ANY(${[...alone]}::int[]))
    AND r.cells IS DISTINCT FROM (SELECT names.cells FROM import_rows names
      WHERE names.import_id = ${id} AND names.sheet = ${sheet} AND names.line = ${headerLine})`;
}

/** Writes other texts into cells. Answers how many rows there were for them. */
export async function writeCells(
  tx: Db,
  { id, sheet }: { id: number; sheet: number },
  cells: readonly { line: number; column: number; text: string }[],
): Promise<number> {
  let written = 0;
  for (const [column, own] of Map.groupBy(cells, (cell) => cell.column)) {
    const { numAffectedRows = 0n } = await sql`
      UPDATE import_rows r
      SET cells = ${cellsWith(column, sql`to_jsonb(f.text)`)}
      FROM unnest(${own.map(({ line }) => line)}::int[], ${own.map(({ text }) => text)}::text[]) AS f (line, text)
      WHERE r.import_id = ${id} AND r.sheet = ${sheet} AND r.line = f.line`.execute(tx);
    written += Number(numAffectedRows);
  }
  return written;
}

/** The cells of `import_rows r` with another one in this column, filled up to it where the row is shorter. */
export const cellsWith = (column: number, value: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  CASE WHEN jsonb_array_length(r.cells) > ${column}::int
    THEN jsonb_set(r.cells, ARRAY[${String(column)}]::text[], ${value})
    ELSE r.cells || array_to_json(array_fill(''::text, ARRAY[${column}::int - jsonb_array_length(r.cells)]))::jsonb
      || jsonb_build_array(${value}) END`;
