import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { type Audience, inAudience } from "#server/audience/audience.ts";

/** How many people are in the audience of each unsent notification. Each audience is counted once. */
export async function plannedPeople(
  db: Db,
  notificationIds: readonly number[],
): Promise<{ notificationId: number; people: number }[]> {
  const { rows } = await sql<{ audience: Audience; ids: number[] }>`
    SELECT audience, array_agg(id) AS ids FROM notifications
    WHERE id = ANY(${notificationIds}::bigint[]) AND status IN ('Draft', 'Scheduled', 'Recurring')
      AND audience <> '[]'
    GROUP BY audience`.execute(db);
  const counted = [];
  for (const { audience, ids } of rows) {
    const among = await inAudience(db, audience);
    const found = await sql<{
      people: number;
    }>`SELECT count(*) AS people FROM users u WHERE ${among}`.execute(db);
    const people = found.rows[0]?.people ?? 0;
    counted.push(...ids.map((notificationId) => ({ notificationId, people })));
  }
  return counted;
}
