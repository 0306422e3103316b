import { sql } from "kysely";
import type { FirstSteps } from "#contract/calls/dashboard.ts";
import { rolesWith } from "#contract/permissions.ts";
import type { Db } from "#server/db/database.ts";

/**
 * What an administrator has still to do before the first message can arrive; null once they dismissed it or had done
 * everything, and while the sample property is loaded.
 */
export async function readFirstSteps(db: Db, userId: number): Promise<FirstSteps | null> {
  const { rows } = await sql<Omit<FirstSteps, "canLoadSample"> & { account: boolean }>`
    SELECT EXISTS (SELECT FROM settings WHERE key = 'siteName') AS introduced,
      NOT (EXISTS (SELECT FROM users WHERE role = 'tenant' AND deleted_at IS NULL)
        OR EXISTS (SELECT FROM notifications WHERE kind = 'message')
        OR EXISTS (SELECT FROM schedules)) AS "nothingYet",
      EXISTS (SELECT FROM users p WHERE p.id <> u.id AND p.deleted_at IS NULL) AS people,
      EXISTS (SELECT FROM accounts WHERE enabled AND NOT simulated) AS account,
      EXISTS (SELECT FROM accounts WHERE enabled AND NOT simulated AND state <> 'paused') AS channel,
      EXISTS (SELECT FROM runs r JOIN notifications n ON n.id = r.notification_id JOIN run_counts c ON c.run_id = r.id
        WHERE n.kind = 'message' AND c.status IN ('delivered', 'accepted') AND c.channel <> ALL(r.simulated_channels)
        GROUP BY r.id HAVING sum(c.count) > 0) AS delivered
    FROM users u WHERE u.id = ${userId} AND u.first_steps_closed_at IS NULL
      AND u.role = ANY(${rolesWith("settings:write")}::text[]) AND NOT EXISTS (SELECT FROM sample_rows)`.execute(
    db,
  );
  if (!rows[0]) return null;
  const { account, ...steps } = rows[0];
  if (steps.introduced && steps.people && steps.channel && steps.delivered) {
    await closeFirstSteps(db, userId);
    return null;
  }
  return { ...steps, canLoadSample: !steps.people && !account };
}

/** They don't come back, even if a step is undone later. */
export async function closeFirstSteps(db: Db, userId: number): Promise<void> {
  await sql`UPDATE users SET first_steps_closed_at = now()
    WHERE id = ${userId} AND first_steps_closed_at IS NULL`.execute(db);
}
