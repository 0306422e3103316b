import { sql } from "kysely";
import { peopleOf, type NotificationStatus, type PersonOutcome } from "#contract/delivery.ts";
import { noOutcomes, outstandingStatuses } from "#contract/run-progress.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { outcomesOf } from "./run-totals.ts";
import { notifyPages } from "../hints.ts";

/**
 * Ends those of these runs (null: any) with nothing outstanding, and records on the notification how they ended. Safe
 * to call at any time from anywhere.
 */
export async function finishRuns(db: Db, runIds: readonly number[] | null): Promise<void> {
  const { rows } = await sql<{ id: number; notificationId: number }>`
    SELECT r.id, r.notification_id AS "notificationId" FROM runs r
    WHERE r.state = 'sending' AND ${runIds === null ? sql`true` : sql`r.id = ANY(${runIds}::bigint[])`}
      AND ${nothingOutstanding}
      AND NOT EXISTS (SELECT FROM resends s WHERE s.run_id = r.id AND s.finished_at IS NULL)`.execute(db);
  for (const run of rows) await finish(db, run);
}

/** A condition on `runs r`. */
export const nothingOutstanding = sql`NOT EXISTS (SELECT FROM run_counts c
  WHERE c.run_id = r.id AND c.status = ANY(${outstandingStatuses}::text[]) HAVING sum(c.count) > 0)`;

async function finish(db: Db, { id, notificationId }: { id: number; notificationId: number }): Promise<void> {
  await transaction(db, async (tx) => {
    // The same lock order as starting, cancelling and retrying.
    await sql`SELECT FROM notifications WHERE id = ${notificationId} FOR NO KEY UPDATE`.execute(tx);
    const open = await sql`SELECT FROM runs WHERE id = ${id} AND state = 'sending' FOR NO KEY UPDATE`.execute(
      tx,
    );
    if (open.rows.length === 0) return;
    const { rows } = await sql`
      UPDATE runs r SET state = 'finished', finished_at = now() WHERE r.id = ${id} AND ${nothingOutstanding}
      RETURNING r.id`.execute(tx);
    if (rows.length === 0) return;
    await recordStatus(tx, { id, notificationId });
    await notifyPages(tx, { type: "run", runId: id, notificationId }, { type: "notifications" });
  });
}

/** Records on the notification how its run, with nothing outstanding, ended. */
export async function recordStatus(
  tx: Db,
  { id, notificationId }: { id: number; notificationId: number },
): Promise<void> {
  const { rows } = await sql<{ outcome: PersonOutcome; count: number }>`${outcomesOf(sql`${id}`)}`.execute(
    tx,
  );
  const outcomes = noOutcomes();
  for (const { outcome, count } of rows) outcomes[outcome] += count;
  const status = statusOf(outcomes);
  await sql`UPDATE notifications SET status = ${status}, updated_at = now()
    WHERE id = ${notificationId} AND status <> ${status} AND status <> 'Cancelled'`.execute(tx);
}

/** What a run in which nothing is outstanding makes of its notification. */
function statusOf(
  outcomes: Readonly<Record<PersonOutcome, number>>,
): Extract<NotificationStatus, "Delivered" | "Partially Delivered" | "Failed"> {
  if (peopleOf(outcomes, "reached") === 0) return "Failed";
  return peopleOf(outcomes, "missed") === 0 ? "Delivered" : "Partially Delivered";
}
