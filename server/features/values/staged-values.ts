import { type RawBuilder, sql, type Selectable } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { isReadable, isSet } from "#server/audience/values.ts";
import type { Db } from "#server/db/database.ts";
import type { Schema, SheetOfValues } from "#server/db/schema.ts";
import { findsAlone } from "#server/features/values/columns.ts";
import { hasSingleCell, rowsBelow } from "#server/features/imports/staged.ts";

/** A file with values, as it is read. */
export type StagedValues = Omit<Selectable<Schema["imports"]>, "choices"> & { choices: SheetOfValues };

/**
 * A file with values: its uploader's for a day, and everyone's once a message has it. Throws not-found.
 * @param lock until the transaction ends
 */
export async function findValues(db: Db, id: number, userId: number, lock = false): Promise<StagedValues> {
  let query = db
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", id)
    .where(isSet)
    .where("name", "<>", "")
    .where(isReadable(userId));
  if (lock) query = query.forUpdate();
  const found = await query.executeTakeFirst();
  if (!found) throw refusal("no-such-values");
  return { ...found, choices: found.choices as SheetOfValues };
}

/** The same, to be changed. Throws conflict if a message has it. */
export async function findChangeable(tx: Db, id: number, userId: number): Promise<StagedValues> {
  const values = await findValues(tx, id, userId, true);
  if (values.kept_at !== null) throw refusal("values-kept");
  return values;
}

/**
 * The rows of people, as a condition on `import_rows r`. One with nothing but a home lacks its value. One with nothing but a
 * value names no one, and below all others it is a sum.
 */
export function rowsOf({ id, choices }: { id: number; choices: SheetOfValues }): RawBuilder<boolean> {
  const used = [...choices.columns.keys()].filter((place) => choices.columns[place]);
  const finding = used.filter((place) => findsAlone(choices.columns[place]!));
  const named = finding.map((place) => sql<boolean>`coalesce(r.cells ->> ${place}::int, '') <> ''`);
  const isValue = (place: number) => "field" in choices.columns[place]!;
  const below = rowsBelow({ id, ...choices }, [...finding, ...used.filter(isValue)]);
  const last = sql`(SELECT r.line FROM import_rows r WHERE ${below} AND (${sql.join([...named, sql`false`], sql` OR `)})
    ORDER BY r.line DESC LIMIT 1)`;
  return sql<boolean>`${below} AND NOT (${hasSingleCell} AND r.line > coalesce(${last}, 0))`;
}
