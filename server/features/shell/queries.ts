import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/**
 * What went wrong since the person last looked: notifications that did not reach somebody (failed, bounced, expired or
 * missed), runs of schedules that were missed, and schedules that cannot run as they are.
 */
export async function countUnseenFailures(db: Db, userId: number): Promise<{ count: number; since: Date }> {
  const found = await sql<{ count: number; since: Date }>`
    SELECT u.failures_seen_at AS since, (
      SELECT count(*) FROM notifications n
      WHERE n.kind = 'message' AND n.status IN ('Failed', 'Partially Delivered') AND n.updated_at > u.failures_seen_at
    ) + (
      SELECT count(*) FROM schedule_occurrences o JOIN schedules s ON s.id = o.schedule_id
      WHERE o.state IN ('missed', 'failed') AND o.dismissed_at IS NULL AND o.at > u.failures_seen_at
        AND o.state = 'missed' AND s.deleted_at IS NULL
    ) + (
      SELECT count(*) FROM schedules s WHERE s.problem_at > u.failures_seen_at AND s.deleted_at IS NULL
    ) AS count
    FROM users u WHERE u.id = ${userId}`.execute(db);
  return found.rows[0] ?? { count: 0, since: new Date() };
}

export async function markFailuresSeen(db: Db, userId: number): Promise<Date> {
  const found = await sql<{ at: Date }>`
    UPDATE users SET failures_seen_at = now() WHERE id = ${userId} RETURNING failures_seen_at AS at`.execute(
    db,
  );
  return found.rows[0]?.at ?? new Date();
}
