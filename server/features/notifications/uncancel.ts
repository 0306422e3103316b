import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { refuse } from "#contract/findings.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { readStored } from "#server/features/notifications/queries.ts";
import { check } from "#server/messages/gate.ts";
import type { By } from "#server/http/route.ts";

/**
 * Schedules a cancelled notification for its time again, checked as if it were scheduled now. Throws not-found, conflict
 * if it was not waiting for a time of its own when it was cancelled, and what scheduling it throws: date-in-the-past,
 * missing-field-values, unknown-recipient and invalid-input.
 */
export async function uncancel(
  db: Db,
  id: number,
  { by, zone, now }: { by: By; zone: string; now: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await readStored(tx, id, "FOR NO KEY UPDATE");
    if (!stored) throw refusal("no-such-notification");
    const { scheduled_time } = stored;
    if (stored.status !== "Cancelled") throw refusal("not-cancelled");
    if (stored.sent_time !== null) throw refusal("cancelled-under-way");
    if (scheduled_time === null) throw refusal("no-time-of-its-own");
    const context = { zone, now, moment: "writing", stored } as const;
    refuse(await check(tx, stored, { kind: "at", at: scheduled_time }, context));
    await tx
      .updateTable("notifications")
      .set({ status: "Scheduled", updated_at: sql<Date>`now()` })
      .where("id", "=", id)
      .execute();
    await recordAudit(tx, {
      by,
      action: "notification.uncancel",
      subject: { type: "notification", id },
    });
    await notifyPages(tx, { type: "notifications" });
  });
}
