import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { NotificationStatus } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { hintWork, notifyPages } from "../hints.ts";
import { updateTotals } from "./run-totals.ts";
import { endOwnSchedule } from "../schedules/plan.ts";

const CHUNK = 5000;

/**
 * Stops a notification that is planned or under way. When it returns, nothing more is sent: waiting messages are
 * cancelled, including those in a worker's memory; messages already being transmitted are finished and recorded.
 * `alongside` is written in the deciding transaction. Throws AppError: not-found, conflict (nothing to stop).
 */
export async function cancelRun(
  db: Db,
  notificationId: number,
  alongside: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const runId = await db.transaction().execute(async (tx) => {
    const stopped = await stop(tx, notificationId);
    await alongside(tx);
    return stopped;
  });
  if (runId !== null) {
    await cancelDeliveries(db, runId);
    await notifyPages(db, { type: "run", runId, notificationId });
  }
  await notifyPages(db, { type: "notifications" });
  await hintWork(db);
}

/** Cancels what is still queued of runs whose cancelling process failed halfway. Returns these runs. */
export async function finishCancelling(db: Db): Promise<{ runId: number }[]> {
  const { rows } = await sql<{ runId: number }>`
    SELECT r.id AS "runId" FROM open_cancellations r WHERE EXISTS (
      SELECT FROM run_counts c WHERE c.run_id = r.id AND c.status = 'queued' HAVING sum(c.count) > 0)`.execute(
    db,
  );
  for (const { runId } of rows) await cancelDeliveries(db, runId);
  return rows;
}

/** Once this commits, no worker claims any more of the run. Returns the run that was under way, or null. */
async function stop(tx: Db, notificationId: number): Promise<number | null> {
  // A separate statement: one that waited for this lock would not see a run that was started in the meantime.
  await sql`SELECT FROM notifications WHERE id = ${notificationId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<{ runId: number | null }>`
    WITH stopped AS (
      UPDATE notifications SET status = 'Cancelled', updated_at = now()
      WHERE id = ${notificationId} AND status IN ('Scheduled', 'Recurring', 'Sending') RETURNING id
    ), run AS (
      UPDATE runs r SET state = 'cancelled', finished_at = now() FROM stopped
      WHERE r.notification_id = stopped.id AND r.state IN ('fanning-out', 'sending') RETURNING r.id
    )
    SELECT run.id AS "runId" FROM stopped LEFT JOIN run ON true`.execute(tx);
  if (!rows[0]) return refuse(tx, notificationId);
  await endOwnSchedule(tx, notificationId);
  return rows[0].runId;
}

async function refuse(db: Db, notificationId: number): Promise<never> {
  const found = await sql<{ status: NotificationStatus }>`
    SELECT status FROM notifications WHERE id = ${notificationId}`.execute(db);
  const status = found.rows[0]?.status;
  if (status === undefined) throw refusal("no-such-notification");
  throw refusal("nothing-to-stop", { status });
}

/**
 * A worker that claimed a message asks before it sends it, and is refused. A row that a worker holds right now is
 * skipped and checked again later. Each chunk commits on its own: the worker may be waiting for the counters, so in one
 * transaction the two would deadlock.
 */
async function cancelDeliveries(db: Db, runId: number): Promise<void> {
  // Waits for the entries that are being written: what began before the run was cancelled is in a journal from here on.
  await sql`SELECT FROM workers ORDER BY token FOR UPDATE`.execute(db);
  for (let left = true; left;) {
    for (let after: Place | undefined = { userId: 0, channel: "" }; after;)
      after = await cancelSome(db, runId, after);
    const { rows } =
      await sql`SELECT FROM deliveries WHERE run_id = ${runId} AND ${stoppable} LIMIT 1`.execute(db);
    left = rows.length > 0;
    if (left) await sleep(10);
  }
}

const stoppable = sql`(status = 'queued' OR (status = 'sending' AND begun_at IS NULL
  AND (lease_token, id) NOT IN (SELECT token, unnest(begun) FROM worker_journal)))`;

type Place = { userId: number; channel: string };

/** In the order of an index. Returns how far it came, or undefined at the end. */
async function cancelSome(db: Db, runId: number, after: Place): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    WITH chosen AS (
      SELECT id, user_id, channel, status, reason FROM deliveries
      WHERE run_id = ${runId} AND (user_id, channel) > (${after.userId}, ${after.channel}) AND ${stoppable}
      ORDER BY user_id, channel LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED
    ), moves AS (
      UPDATE deliveries d SET status = 'cancelled', reason = 'cancelled', lease_token = NULL, updated_at = now()
      FROM chosen c WHERE ${inMonthsOf(sql`d.run_id`, [runId])} AND d.id = c.id
      RETURNING d.run_id, d.user_id, d.channel, d.counted, d.sharers, c.status AS was_status, c.reason AS was_reason,
        d.status, d.reason
    ), ${updateTotals({ moves: "moves" })}
    SELECT user_id AS "userId", channel FROM chosen ORDER BY user_id DESC, channel DESC LIMIT 1`.execute(db);
  return rows[0];
}
