import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Notifications that did not reach somebody since the person last looked: failed, bounced, expired or missed. */
export async function countUnseenFailures(db: Db, userId: number): Promise<{ count: number; since: Date }> {
  const found = await sql<{ count: number; since: Date }>`
    SELECT u.failures_seen_at AS since, (
      SELECT count(*) FROM notifications n
      WHERE n.kind = 'message' AND n.status IN ('Failed', 'Partially Delivered') AND n.updated_at > u.failures_seen_at
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
