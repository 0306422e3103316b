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

/** Values of a call have a column for each field. */
export async function readOwnColumns(db: Db, notificationId: number): Promise<OwnColumns> {
  const { rows } = await sql<{ id: number; choices: ValueChoices; names: string[] | null }>`
    SELECT i.id, i.choices, h.cells AS names FROM notifications n JOIN imports i ON i.id = n.values_id
    LEFT JOIN import_rows h ON h.import_id = i.id AND h.sheet = (i.choices ->> 'sheet')::smallint
      AND h.line = (i.choices ->> 'headerLine')::int
    WHERE n.id = ${notificationId}`.execute(db);
  const [values] = rows;
  if (!values) return none;
  const { id, choices, names } = values;
  const own = sql`FROM person_values v WHERE v.values_id = ${id} AND v.user_id = d.user_id`;
  if (!("columns" in choices)) {
    const fields = choices.fills.map((field) => sql`coalesce(v.field_values ->> ${field}, '')`);
    return { headers: choices.fills, cells: sql`(SELECT jsonb_build_array(${sql.join(fields)}) ${own})` };
  }
  return {
    headers: choices.columns.map((_, place) => cellOf(names?.[place]) || `Column ${place + 1}`),
    cells: sql`(SELECT r.cells FROM import_rows r WHERE r.import_id = ${id} AND r.sheet = ${choices.sheet}
      AND r.line = (SELECT v.line ${own}))`,
  };
}
