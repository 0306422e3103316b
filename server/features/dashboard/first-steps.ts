import { sql } from "kysely";
import type { FirstSteps } from "#contract/dashboard.ts";
import type { Db } from "#server/db/database.ts";

type Row = Omit<FirstSteps, "canLoadSample"> & { closed: boolean; admin: boolean; sample: boolean };

/**
 * What an administrator has still to do before the first message can arrive; null once they dismissed it or had done
 * everything, and while the sample property is loaded.
 */
export async function readFirstSteps(db: Db, userId: number): Promise<FirstSteps | null> {
  const { rows } = await sql<Row>`
    SELECT u.first_steps_closed_at IS NOT NULL AS closed, u.role = 'admin' AS admin,
      EXISTS (SELECT FROM sample_rows) AS sample,
      EXISTS (SELECT FROM users p WHERE p.id <> u.id AND p.deleted_at IS NULL) AS people,
      EXISTS (SELECT FROM accounts WHERE enabled AND NOT simulated) AS channel,
      EXISTS (SELECT FROM notifications n WHERE n.kind = 'message'
        AND n.status IN ('Delivered', 'Partially Delivered')) AS delivered
    FROM users u WHERE u.id = ${userId}`.execute(db);
  const { closed, admin, sample, ...steps } = rows[0]!;
  if (closed || !admin || sample) return null;
  if (steps.people && steps.channel && steps.delivered) {
    await closeFirstSteps(db, userId);
    return null;
  }
  return { ...steps, canLoadSample: !steps.people && !steps.channel };
}

/** They don't come back, whatever is undone later. */
export async function closeFirstSteps(db: Db, userId: number): Promise<void> {
  await sql`UPDATE users SET first_steps_closed_at = now()
    WHERE id = ${userId} AND first_steps_closed_at IS NULL`.execute(db);
}
