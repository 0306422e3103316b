import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { tellPages } from "#server/delivery/hints.ts";
import type { By } from "#server/http/route.ts";

/**
 * Schedules a cancelled notification for its time again. Throws not-found, and conflict if it was not waiting for a time
 * of its own when it was cancelled, or if that time has passed.
 */
export async function uncancel(db: Db, id: number, { user, ip, now }: By & { now: Date }): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await sql`
      UPDATE notifications n SET status = 'Scheduled', updated_at = now()
      WHERE id = ${id} AND status = 'Cancelled' AND scheduled_time > ${now}
        AND NOT EXISTS (SELECT FROM runs r WHERE r.notification_id = n.id)
      RETURNING 1`.execute(tx);
    if (rows.length === 0) {
      const found = await sql`SELECT FROM notifications WHERE id = ${id}`.execute(tx);
      if (found.rows.length === 0) throw new AppError("not-found", "Notification not found");
      throw new AppError(
        "conflict",
        "It can't be scheduled again, because its time has passed or it has changed.",
      );
    }
    const subject = { type: "notification" as const, id };
    await recordAudit(tx, { actor: user, ip, action: "notification.uncancel", subject });
    await tellPages(tx, { type: "notifications" });
  });
}
