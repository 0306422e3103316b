import { sql } from "kysely";
import { livingRoles } from "#contract/homes.ts";
import { fold } from "#contract/text/fold.ts";
import type { Db } from "#server/db/database.ts";
import type { Did } from "#server/features/csv/import-people.ts";
import { noteDid } from "#server/features/imports/note-did.ts";

/** Forgets whom an earlier check found in the file. */
export async function forgetChecked(db: Db, id: number): Promise<void> {
  // Not of an import that another tab has just begun.
  await sql`
    WITH open AS (UPDATE imports SET covers = NULL WHERE id = ${id} AND progress IS NULL RETURNING id)
    DELETE FROM import_people p USING open WHERE p.import_id = open.id`.execute(db);
}

/** The import begins: whom its rows are about is noted anew. Who was said to leave stays noted. */
export async function forgetSeen(tx: Db, id: number): Promise<void> {
  await sql`DELETE FROM import_people WHERE import_id = ${id} AND kind = 'seen'`.execute(tx);
}

/** Notes whom the checked rows are about, and of which properties they are, to know who is missing. */
export async function noteChecked(
  db: Db,
  id: number,
  { updated, unchanged, mentioned, leaving, properties }: Did,
): Promise<void> {
  await noteDid(db, id, {
    created: [],
    updated: [],
    unchanged: [],
    mentioned: [...updated, ...unchanged, ...mentioned, ...leaving.map((one) => one.id)],
    joined: [],
    properties: [],
    movingIn: 0,
    leaving: [],
  });
  if (properties.length === 0) return;
  await sql`
    WITH named AS (
      SELECT array_agg(DISTINCT property_id) AS ids FROM property_names WHERE folded = ANY(${properties.map(fold)}::text[]))
    UPDATE imports i SET covers = ARRAY(SELECT DISTINCT unnest(coalesce(i.covers, '{}') || named.ids))
    FROM named WHERE i.id = ${id} AND NOT named.ids <@ coalesce(i.covers, '{}')`.execute(db);
}

/**
 * Who lives now in a property that the file covers, as rows of person and property: `missing` if no row is about them. Who
 * has a last day there already, or has registered and isn't confirmed, is not.
 */
export const livingInCovered = (id: number) => sql`
  SELECT h.property_id, r.person_id,
    bool_and(r.last_day IS NULL) AND u.address_confirmed_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM import_people p
        WHERE p.import_id = ${id} AND p.person_id = r.person_id AND p.kind <> 'leaving') AS missing
  FROM imports i
  JOIN units h ON h.property_id = ANY(i.covers)
  JOIN residencies r ON r.unit_id = h.id AND r.role = ANY(${[...livingRoles]}::text[])
    AND (r.during IS NULL OR r.during @> now())
  JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
  WHERE i.id = ${id}
  GROUP BY h.property_id, r.person_id, u.address_confirmed_at`;
