import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** People's values by their ids, as a file leaves them behind. Answers the id of the set. */
export async function addValues(
  db: Db,
  values: Readonly<Record<number, Record<string, string>>>,
  name = "Rent.xlsx",
): Promise<number> {
  const fills = [...new Set(Object.values(values).flatMap((own) => Object.keys(own)))];
  const people = Object.entries(values);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO imports (name, size, purpose, choices, created_by)
    SELECT ${name}, 100, 'values', ${JSON.stringify({ fills })}, min(id) FROM users RETURNING id`.execute(db);
  const { id } = rows[0]!;
  await sql`
    INSERT INTO person_values (values_id, user_id, line, field_values)
    SELECT ${id}, user_id, 1 + place, own
    FROM unnest(${people.map(([userId]) => Number(userId))}::bigint[], ${people.map(([, own]) => JSON.stringify(own))}::jsonb[])
      WITH ORDINALITY AS t (user_id, own, place)`.execute(db);
  return id;
}
