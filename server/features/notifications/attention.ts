import { sql } from "kysely";
import { personOutcomeMeaning, personOutcomes } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import type { By } from "#server/http/route.ts";

/** Of `notifications n`: it didn't reach everyone, or couldn't be sent at all. */
export const isFailure = sql`n.kind = 'message' AND n.status IN ('Failed', 'Partially Delivered')`;

const missedOutcomes = personOutcomes.filter((outcome) => personOutcomeMeaning[outcome] === "missed");

/** Of `notifications n`: the people it didn't reach. */
export const missedPeople = sql`(SELECT coalesce(sum(o.count), 0)::int FROM runs r JOIN run_outcomes o ON o.run_id = r.id
  WHERE r.notification_id = n.id AND o.outcome = ANY(${missedOutcomes}::text[]))`;

/** Of `notifications n`: a failure that no one has dismissed, or that missed more people afterwards. */
export const needsAttention = sql`${isFailure} AND (n.missed_when_dismissed IS NULL OR n.missed_when_dismissed < ${missedPeople})`;

/**
 * Dismisses a failure for everyone, until it misses more people than `missed`, which the person saw; null undoes that.
 * Throws not-found, and conflict if it missed more people by now or is no failure.
 */
export async function dismissFailure(db: Db, id: number, missed: number | null, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ failure: boolean; missed: number; before: number | null }>`
      SELECT ${isFailure} AS failure, ${missedPeople} AS missed, n.missed_when_dismissed AS before
      FROM notifications n WHERE n.id = ${id} FOR NO KEY UPDATE OF n`.execute(tx);
    const [found] = rows;
    if (!found) throw refusal("no-such-notification");
    if (missed !== null && !found.failure) throw refusal("needs-no-attention");
    if (missed !== null && missed < found.missed) {
      throw refusal("more-unreached", { missed: found.missed });
    }
    const after = missed === null ? null : found.missed;
    if (after === found.before) return;
    await sql`UPDATE notifications SET missed_when_dismissed = ${after} WHERE id = ${id}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: after === null ? "notification.undismiss" : "notification.dismiss",
      subject: { type: "notification", id },
      detail: { missed: after ?? found.before },
    });
    await notifyPages(tx, { type: "notifications" });
  });
}
