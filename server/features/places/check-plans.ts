import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";

/** Marks at once what is planned for homes of this property, or of one that became a part of it, and can't go out as it is. */
export async function checkPlansFor(tx: Db, propertyId: number): Promise<void> {
  await checkNextRuns(
    tx,
    sql`coalesce(s.audience, n.audience) @> ANY(ARRAY(
      WITH RECURSIVE meant AS (
        SELECT ${propertyId}::bigint AS id
        UNION SELECT p.id FROM meant JOIN properties p ON p.merged_into = meant.id
      )
      SELECT jsonb_build_array(jsonb_build_object('type', 'homes', 'id', id)) FROM meant))`,
  );
}
