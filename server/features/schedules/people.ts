import { sql } from "kysely";
import { SCHEDULED_NOTIFICATION_OFFSET } from "#contract/schedules.ts";
import { type Audience, inAudience } from "#server/audience/audience.ts";
import type { Db } from "#server/db/database.ts";
import { scheduleSource } from "#server/delivery/schedules/schedule.ts";

/** How many people are in the audience of each of these schedules now. Each audience is counted once. */
export async function schedulePeople(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; people: number }[]> {
  const { rows } = await sql<{ audience: Audience; ids: number[] }>`
    SELECT audience, array_agg(id) AS ids FROM (
      SELECT s.id, coalesce(s.audience, n.audience) AS audience FROM ${scheduleSource} WHERE s.deleted_at IS NULL
      UNION ALL
      SELECT ${SCHEDULED_NOTIFICATION_OFFSET}::bigint + id, audience FROM notifications
      WHERE kind = 'message' AND status = 'Scheduled'
        AND id = ANY(${ids.map((id) => id - SCHEDULED_NOTIFICATION_OFFSET)}::bigint[])
    ) listed WHERE id = ANY(${ids}::bigint[]) GROUP BY audience`.execute(db);
  const counted = [];
  for (const { audience, ids: same } of rows) {
    const among = await inAudience(db, audience);
    const found = await sql<{ people: number }>`
      SELECT count(*) AS people FROM users u WHERE ${among}`.execute(db);
    counted.push(...same.map((id) => ({ id, people: found.rows[0]?.people ?? 0 })));
  }
  return counted;
}
