import { type RawBuilder, sql } from "kysely";
import { cellOf } from "#contract/text/sheet-columns.ts";
import type { Db } from "#server/db/database.ts";
import type { ValueChoices } from "#server/db/schema.ts";

/** The columns of the file that a notification's values come from, which its report begins with. */
export type OwnColumns = {
  headers: readonly string[];
  /** A person's cells, of `deliveries d`, as a jsonb array; null: they have none. */
  cells: RawBuilder<string[] | null>;
};

const none: OwnColumns = { headers: [], cells: sql`NULL::jsonb` };

/**
 * Values of a call have a column for each field. So has a file whose rows went to the archive, with what a message that was
 * brought back has of it.
 */
export async function readOwnColumns(db: Db, notificationId: number): Promise<OwnColumns> {
  const { rows } = await sql<{ id: number; choices: ValueChoices; emptied: boolean; names: string[] | null }>`
    SELECT i.id, i.choices, i.emptied_at IS NOT NULL AS emptied, h.cells AS names FROM notifications n JOIN imports i ON i.id = n.values_id
    LEFT JOIN import_rows h ON h.import_id = i.id AND h.sheet = (i.choices ->> 'sheet')::smallint
      AND h.line = (i.choices ->> 'headerLine')::int
    WHERE n.id = ${notificationId}`.execute(db);
  const [values] = rows;
  if (!values) return none;
  const { id, choices, emptied, names } = values;
  const own = sql`FROM person_values v WHERE v.values_id = ${id} AND v.user_id = d.user_id`;
  if (emptied || !("columns" in choices)) {
    const given = emptied ? sql`d.field_values` : sql`(SELECT v.field_values ${own})`;
    const fields = choices.fills.map((field) => sql`coalesce(given.own ->> ${field}, '')`);
    const cells = sql<
      string[]
    >`(SELECT jsonb_build_array(${sql.join(fields)}) FROM (SELECT ${given} AS own) given)`;
    return { headers: choices.fills, cells };
  }
  return {
    headers: choices.columns.map((_, place) => cellOf(names?.[place]) || `Column ${place + 1}`),
    cells: sql`(SELECT r.cells FROM import_rows r WHERE r.import_id = ${id} AND r.sheet = ${choices.sheet}
      AND r.line = (SELECT v.line ${own}))`,
  };
}
