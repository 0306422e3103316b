import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { readStored } from "#server/features/notifications/queries.ts";
import type { By } from "#server/http/route.ts";

/**
 * Deletes a draft and returns its title. Throws not-found, and conflict for anything planned or sent, and for drafts
 * that a schedule sends.
 */
export async function removeDraft(db: Db, id: number, by: By): Promise<string> {
  return transaction(db, async (tx) => {
    const stored = await readStored(tx, id, "FOR UPDATE");
    if (!stored) throw refusal("no-such-notification");
    if (stored.status !== "Draft") {
      throw refusal("not-a-draft");
    }
    await releaseSchedules(tx, id);
    await sql`DELETE FROM notifications WHERE id = ${id}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: "notification.delete",
      subject: { type: "notification", id },
      detail: { title: stored.title },
    });
    await notifyPages(tx, { type: "notifications" });
    return stored.title;
  });
}

/** A draft that was a recurring notification still has its old rule, which is deleted with it unless it has run. */
async function releaseSchedules(tx: Db, id: number): Promise<void> {
  const { rows } = await sql<{ name: string | null; own: boolean; deleted: boolean; ran: boolean }>`
    SELECT name, own_notification AS own, deleted_at IS NOT NULL AS deleted,
      EXISTS (SELECT FROM schedule_occurrences o WHERE o.schedule_id = s.id) AS ran
    FROM schedules s WHERE notification_id = ${id} ORDER BY s.id FOR UPDATE`.execute(tx);
  const using = rows.find(({ own, deleted }) => !own && !deleted);
  if (using) throw refusal("draft-in-schedule", { schedule: using.name ?? "" });
  if (rows.some(({ own, ran }) => own && ran)) {
    throw refusal("draft-was-recurring");
  }
  await sql`DELETE FROM schedules WHERE notification_id = ${id} AND own_notification`.execute(tx);
  await sql`UPDATE schedules SET notification_id = NULL WHERE notification_id = ${id}`.execute(tx);
}
