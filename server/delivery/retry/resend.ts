import { sql, type RawBuilder } from "kysely";
import { neededFields } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { outcomeOf } from "../runs/run-totals.ts";
import { recordStatus } from "../runs/finish-runs.ts";
import { hintWork, notifyPages } from "../hints.ts";
import { retryDeliveries, undelivered, type RepeatableRun, type RetryOptions } from "./retry-deliveries.ts";

const CHUNK = 2000;

/** The run these conditions find, unless it was stopped. */
export async function repeatableRun(
  db: Db,
  where: RawBuilder<unknown>,
  { lock }: { lock: boolean },
): Promise<RepeatableRun | undefined> {
  const { rows } = await sql<RepeatableRun>`
    SELECT r.id, r.notification_id AS "notificationId", r.class, r.channels,
      r.simulated_channels AS "simulatedChannels", r.per_home AS "perHome", r.skip_if AS "skipIf", ${neededFields(sql`v.compiled`)} AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.state <> 'cancelled' AND ${where} ${lock ? sql`FOR NO KEY UPDATE OF r` : sql``}`.execute(db);
  return rows[0];
}

/** A condition on `deliveries d`: its person is part of this step. */
export function isSelected({ unconfirmed, includeReached }: RetryOptions): RawBuilder<unknown> {
  if (includeReached) return sql`true`;
  const outcomes = ["failed", "skipped", ...(unconfirmed ? ["unconfirmed"] : [])];
  // By place, which has an index: few people are looked at, where the whole run would be.
  return sql`(d.run_id, d.user_id) IN (
    SELECT p.run_id, p.user_id FROM run_people p
    WHERE p.place <= ${unconfirmed ? 2 : 1} AND ${outcomeOf(sql`p.tally`)} = ANY(${outcomes}::text[]))`;
}

/**
 * Records that a run is to be retried, and for whom, so that the result for one of a person's messages does not decide
 * whether their others are looked at. Returns the resend's id.
 */
export async function addResend(tx: Db, runId: number, options: RetryOptions): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH resend AS (
      INSERT INTO resends (run_id, unconfirmed, include_reached)
      VALUES (${runId}, ${options.unconfirmed}, ${options.includeReached}) RETURNING id
    ), people AS (
      INSERT INTO resend_people (resend_id, sharing, user_id)
      SELECT resend.id, coalesce(bool_or(d.reason IN ('same-address', 'same-home')), false), d.user_id
      FROM resend, deliveries d WHERE d.run_id = ${runId} AND ${undelivered(options)} AND ${isSelected(options)}
      GROUP BY resend.id, d.user_id
    )
    SELECT id FROM resend`.execute(tx);
  return rows[0]!.id;
}

/** The results of a resend so far. */
export async function resendTotals(
  db: Db,
  id: number,
): Promise<{ requeued: number; stillUnreachable: number }> {
  const { rows } = await sql<{ requeued: number; stillUnreachable: number }>`
    SELECT requeued, unreachable AS "stillUnreachable" FROM resends WHERE id = ${id}`.execute(db);
  return rows[0]!;
}

/** Whether a resend has queued a message on a channel that has an account. */
export async function leavesSandbox(db: Db, id: number, run: RepeatableRun): Promise<boolean> {
  const real = run.channels.filter((channel) => !run.simulatedChannels.includes(channel));
  if (real.length === 0 || real.length === run.channels.length) return real.length > 0;
  const { rows } = await sql`
    SELECT FROM deliveries d JOIN delivery_events e ON e.delivery_id = d.id
    WHERE d.run_id = ${run.id} AND d.channel = ANY(${real}::text[]) AND d.round > 0 AND e.kind = 'sent-again'
      AND ${inMonthsOf(sql`e.delivery_id`, [run.id])} AND e.at >= (SELECT created_at FROM resends WHERE id = ${id})
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

type Resend = RetryOptions & { id: number; runId: number; notificationId: number };

/**
 * One step of this resend, or of any that no one is working on: judges the next people's messages again, queues those
 * that can be sent, and records how far it came in the same transaction. Null when there is nothing to do.
 */
export async function resendSome(
  db: Db,
  id?: number,
  most: number = CHUNK,
): Promise<{ runId: number; done: boolean } | null> {
  return db.transaction().execute(async (tx) => {
    const resend = await openResend(tx, id);
    if (!resend) return null;
    const { runId, notificationId } = resend;
    // The same lock order as starting, cancelling and finishing. If the run was cancelled meanwhile, nothing is left to
    // do.
    await sql`SELECT FROM notifications WHERE id = ${notificationId} FOR NO KEY UPDATE`.execute(tx);
    const run = await repeatableRun(tx, sql`r.id = ${runId}`, { lock: true });
    const { people, done } = run ? await nextPeople(tx, resend.id, most) : { people: [], done: true };
    const { requeued, unreachable } =
      run && people.length > 0
        ? await retryDeliveries(tx, run, resend, people)
        : { requeued: 0, unreachable: 0 };
    await sql`
      UPDATE resends SET requeued = requeued + ${requeued}, unreachable = unreachable + ${unreachable},
        finished_at = ${done ? sql`now()` : sql`NULL`}
      WHERE id = ${resend.id}`.execute(tx);
    if (requeued > 0) await reopenRun(tx, { runId, notificationId });
    else if (run && done) await recordStatusIfFinished(tx, { runId, notificationId });
    await notifyPages(tx, { type: "run", runId, notificationId });
    return { runId, done };
  });
}

async function openResend(tx: Db, id: number | undefined): Promise<Resend | undefined> {
  const which = id === undefined ? sql`true` : sql`s.id = ${id}`;
  const { rows } = await sql<Resend>`
    SELECT s.id, s.run_id AS "runId", r.notification_id AS "notificationId", s.unconfirmed,
      s.include_reached AS "includeReached"
    FROM resends s JOIN runs r ON r.id = s.run_id
    WHERE s.finished_at IS NULL AND ${which}
    -- In random order, so that one that fails doesn't block the others.
    ORDER BY random() LIMIT 1 FOR UPDATE OF s ${id === undefined ? sql`SKIP LOCKED` : sql``}`.execute(tx);
  return rows[0];
}

/** People who share an address come last and separately: only then is it known which addresses are no longer used. */
async function nextPeople(
  tx: Db,
  resendId: number,
  most: number,
): Promise<{ people: number[]; done: boolean }> {
  const { rows } = await sql<{ userId: number }>`
    WITH next AS (
      SELECT sharing, user_id FROM resend_people WHERE resend_id = ${resendId} AND sharing = (
        SELECT sharing FROM resend_people WHERE resend_id = ${resendId} ORDER BY sharing LIMIT 1)
      ORDER BY user_id LIMIT ${most}
    )
    DELETE FROM resend_people p USING next n
    WHERE p.resend_id = ${resendId} AND p.sharing = n.sharing AND p.user_id = n.user_id
    RETURNING p.user_id AS "userId"`.execute(tx);
  const left = await sql`SELECT FROM resend_people WHERE resend_id = ${resendId} LIMIT 1`.execute(tx);
  return { people: rows.map(({ userId }) => userId), done: left.rows.length === 0 };
}

type RunOf = { runId: number; notificationId: number };

/** Part of this run is queued again. */
export async function reopenRun(tx: Db, { runId, notificationId }: RunOf): Promise<void> {
  await sql`UPDATE runs SET state = 'sending', finished_at = NULL
    WHERE id = ${runId} AND state = 'finished'`.execute(tx);
  const begins =
    await sql`UPDATE notifications SET status = 'Sending', missed_when_dismissed = NULL, updated_at = now()
    WHERE id = ${notificationId} AND status <> 'Sending' RETURNING id`.execute(tx);
  if (begins.rows.length > 0) await notifyPages(tx, { type: "notifications" });
  await hintWork(tx);
}

/** Nothing is sent again, but someone may have opted out since, which can change the run's outcome. */
async function recordStatusIfFinished(tx: Db, { runId, notificationId }: RunOf): Promise<void> {
  const { rows } = await sql`SELECT FROM runs WHERE id = ${runId} AND state = 'finished'`.execute(tx);
  if (rows.length > 0) await recordStatus(tx, { id: runId, notificationId });
}
