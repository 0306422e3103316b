import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Values that people have for one message, from a file or from a call (docs/decisions/0220-a-value-for-each-person.md). */

/** A field that a set of values fills: `values` is its id. */
export type ValueField = { field: string; values: number };

/** The fields that a set of values fills; none without one. */
export async function readValueFields(db: Db, valuesId: number | null | undefined): Promise<ValueField[]> {
  if (valuesId === null || valuesId === undefined) return [];
  const { rows } = await sql<{ field: string }>`
    SELECT jsonb_array_elements_text(choices -> 'fills') AS field FROM imports
    WHERE id = ${valuesId} AND purpose = 'values'`.execute(db);
  return rows.map(({ field }) => ({ field, values: valuesId }));
}

export async function valuesExist(db: Db, valuesId: number): Promise<boolean> {
  const { rows } = await sql`SELECT FROM imports WHERE id = ${valuesId} AND purpose = 'values'`.execute(db);
  return rows.length > 0;
}

/** The value of a person of `users u`, as the message writes it; null if there is none. */
export const ownValue = ({ field, values }: ValueField): RawBuilder<string | null> =>
  sql`(SELECT v.field_values ->> ${sql.lit(field)} FROM person_values v
    WHERE v.values_id = ${sql.lit(values)} AND v.user_id = u.id)`;

/** Whether a person of `users u` has values in one of these sets. */
export const hasValues = (valuesIds: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`u.id IN (SELECT v.user_id FROM person_values v WHERE v.values_id = ANY(${[...valuesIds]}::bigint[]))`;

/** From now on, the values stay as they are: a message has them. */
export async function keepValues(tx: Db, valuesId: number | null): Promise<void> {
  if (valuesId === null) return;
  await sql`UPDATE imports SET kept_at = now() WHERE id = ${valuesId} AND kept_at IS NULL`.execute(tx);
}
