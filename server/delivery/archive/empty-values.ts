import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { beginsWith, monthOfId } from "#server/db/months.ts";

/**
 * Removes the values that only messages of archived months have, with the rows of their files. What each person got is in
 * the month's files, so their personal data leaves the database with it.
 */
export async function emptyValuesOf(tx: Db, month: number): Promise<void> {
  await sql`
    WITH emptied AS (
      UPDATE imports i SET emptied_at = now()
      WHERE i.emptied_at IS NULL AND i.id IN (
        SELECT n.values_id FROM notifications n JOIN runs r ON r.notification_id = n.id
        WHERE ${beginsWith(sql`r.id`, month)})
      AND NOT EXISTS (
        -- It still needs them.
        SELECT FROM notifications n WHERE n.values_id = i.id AND NOT EXISTS (
          SELECT FROM runs r JOIN archived_months a ON a.month = ${monthOfId(sql`r.id`)}
          WHERE r.notification_id = n.id AND a.archived_at IS NOT NULL AND a.restored_at IS NULL))
      RETURNING i.id
    ), rows AS (
      DELETE FROM import_rows r USING emptied WHERE r.import_id = emptied.id
    )
    DELETE FROM person_values v USING emptied WHERE v.values_id = emptied.id`.execute(tx);
}
