import { type RawBuilder, sql } from "kysely";
import { accountReasonText } from "#contract/refusals/account-reasons.ts";
import { optOutReason } from "#server/audience/opt-outs.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf, monthOfId } from "#server/db/months.ts";
import { departure } from "../runs/departure.ts";
import { updateTotals } from "../runs/run-totals.ts";
import { nextProbe } from "../accounts/check-account.ts";
import { hintWork, notifyPages, notifyPagesOfRuns } from "../hints.ts";
import { reopenRun } from "../retry/resend.ts";
import { besideOtherCauses, blockedKind, saysAlready } from "../runs/suppressed.ts";
import { SAME_ANSWER } from "./failure-streak.ts";
import type { Recorded } from "./record.ts";

/** Within this many seconds an acceptance is on disk, whichever process had it. */
const ACCEPTANCE_WRITTEN_SECONDS = 15;

/** Refusals that may be the account's fault: it accepted no one since, and none of them was put back before. */
const open = sql`NOT r.of_content AND r.requeued_at IS NULL AND r.at > now() - interval '1 hour'
  AND (a.accepted_at IS NULL OR r.at > a.accepted_at)
  AND NOT EXISTS (SELECT FROM refusals e WHERE e.delivery_id = r.delivery_id AND e.requeued_at IS NOT NULL)`;

/** Not one whose later try may have arrived. */
const mayGo = sql`d.status = 'failed' AND d.reason IS DISTINCT FROM 'unconfirmed' AND d.expires_at > now()`;

/**
 * Decides what can now be concluded from refusals. Safe to run anywhere, at any time, twice at once. Returns what it
 * moved.
 */
export async function judgeRefusals(db: Db): Promise<Recorded[]> {
  const { rows } = await sql`
    SELECT WHERE EXISTS (SELECT FROM accounts a WHERE EXISTS (
      SELECT FROM refusals r WHERE r.account_id = a.id AND r.at > now() - interval '1 hour')) OR EXISTS (SELECT FROM refused_contents)`.execute(
    db,
  );
  if (rows.length === 0) return [];
  await pauseRefusing(db);
  const moved = await holdRefused(db);
  await suppressBounced(db);
  return moved;
}

/**
 * Pauses each account that gave several different recipients the same refusal and accepted no one since.
 * `olderThanSeconds`: only looks at refusals of that age, by which any process would have recorded an acceptance.
 */
export async function pauseRefusing(db: Db, olderThanSeconds = ACCEPTANCE_WRITTEN_SECONDS): Promise<void> {
  const code = "refused-in-a-row";
  const { rows } = await sql`
    UPDATE accounts a SET state = 'paused', on_trial = true, state_at = now(), setbacks = setbacks + 1,
      retry_at = ${nextProbe.trial},
      state_reason = format(${accountReasonText({ code, params: { count: "%1$s", detail: "%2$s" } })}, f.count, f.detail),
      state_because = jsonb_build_object('code', ${code}::text,
        'params', jsonb_build_object('count', f.count, 'detail', f.detail))
    FROM (
      SELECT r.account_id, r.code, count(DISTINCT r.address) AS count, min(coalesce(r.detail, r.code)) AS detail
      FROM refusals r JOIN accounts a ON a.id = r.account_id
      WHERE ${open} AND r.at <= now() - ${olderThanSeconds}::float8 * interval '1 second'
      GROUP BY r.account_id, r.code HAVING count(DISTINCT r.address) >= ${SAME_ANSWER}
    ) f
    WHERE a.id = f.account_id AND a.state = 'ok' RETURNING a.id`.execute(db);
  if (rows.length === 0) return;
  await hintWork(db);
  await notifyPages(db, { type: "providers" });
}

/** True of the deliveries `d` that were refused within an hour, or whose run is held: planned for their months alone. */
async function inRefusedMonths(db: Db): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ id: number }>`
    SELECT min(r.delivery_id) AS id FROM accounts a
      JOIN refusals r ON r.account_id = a.id AND r.at > now() - interval '1 hour'
      GROUP BY ${monthOfId(sql`r.delivery_id`)}
    UNION SELECT run_id FROM refused_contents`.execute(db);
  return inMonthsOf(
    sql`d.run_id`,
    rows.map(({ id }) => id),
  );
}

/**
 * Keeps the messages of a run from an account that gave a handful of different recipients the same refusal of what it
 * says and accepted it for no one since: for ten seconds, then up to a quarter of an hour. What it accepts after all
 * goes on. Queues the people it refused again, and returns them.
 */
export async function holdRefused(db: Db): Promise<Recorded[]> {
  // Before an acceptance ends the hold, because those refused in the same round are part of it.
  const before = await requeueRefused(db);
  const inMonths = await inRefusedMonths(db);
  await sql`
    DELETE FROM refused_contents h USING runs r WHERE r.id = h.run_id AND (
      r.state NOT IN ('fanning-out', 'sending') OR EXISTS (
        SELECT FROM deliveries d
        WHERE ${inMonths} AND d.run_id = h.run_id AND d.account_id = h.account_id AND d.accepted_at > h.at))`.execute(
    db,
  );
  // Tried again and refused again, however few are left to try with.
  await sql`
    UPDATE refused_contents h SET tries = h.tries + 1,
      retry_at = now() + least(10 * power(2, least(h.tries, 10)), 900) * interval '1 second'
    WHERE h.retry_at <= now() AND EXISTS (
      SELECT FROM refusals r JOIN deliveries d ON ${inMonths} AND d.id = r.delivery_id
      WHERE r.of_content AND r.at > h.retry_at AND r.account_id = h.account_id AND d.run_id = h.run_id)`.execute(
    db,
  );
  const { rows } = await sql<{ runId: number }>`
    INSERT INTO refused_contents (run_id, account_id, reason, retry_at)
    SELECT DISTINCT ON (f.run_id, f.account_id) f.run_id, f.account_id, f.detail, now() + interval '10 seconds'
    FROM (
      SELECT d.run_id, r.account_id, (array_agg(r.at ORDER BY r.at DESC))[${SAME_ANSWER}] AS since,
        max(r.at) AS last, (array_agg(coalesce(r.detail, r.code) ORDER BY r.at DESC))[1] AS detail
      FROM refusals r JOIN deliveries d ON ${inMonths} AND d.id = r.delivery_id
      WHERE r.of_content AND r.requeued_at IS NULL AND r.at > now() - interval '1 hour'
      GROUP BY d.run_id, r.account_id, r.code HAVING count(DISTINCT r.address) >= ${SAME_ANSWER}
    ) f
    WHERE NOT EXISTS (SELECT FROM deliveries d
      WHERE ${inMonths} AND d.run_id = f.run_id AND d.account_id = f.account_id AND d.accepted_at >= f.since)
    ORDER BY f.run_id, f.account_id, f.last DESC
    ON CONFLICT (run_id, account_id) DO NOTHING
    RETURNING run_id AS "runId"`.execute(db);
  if (rows.length > 0)
    await notifyPagesOfRuns(
      db,
      rows.map(({ runId }) => runId),
    );
  return [...before, ...(await requeueRefused(db))];
}

const heldContent = sql`r.of_content AND r.requeued_at IS NULL AND EXISTS (
  SELECT FROM refused_contents h WHERE h.run_id = d.run_id AND h.account_id = r.account_id)`;

/** People refused by an account that was then found to refuse everyone, or everyone of that run. */
const toRequeue = sql`(a.state = 'paused' AND a.on_trial AND ${open} OR ${heldContent}) AND ${mayGo}`;

/** Queues again the people an account refused before it was known to refuse everyone. */
export async function requeueRefused(db: Db): Promise<Recorded[]> {
  const inMonths = await inRefusedMonths(db);
  const { rows } = await sql<{ runId: number; notificationId: number }>`
    SELECT DISTINCT n.id AS "runId", n.notification_id AS "notificationId"
    FROM accounts a JOIN refusals r ON r.account_id = a.id JOIN deliveries d ON ${inMonths} AND d.id = r.delivery_id
      JOIN runs n ON n.id = d.run_id
    WHERE ${toRequeue} ORDER BY n.id`.execute(db);
  const moved: Recorded[] = [];
  for (const run of rows) moved.push(...(await requeueOf(db, run)));
  return moved;
}

/** Later than what has not been tried: that shows first whether the account works again. */
const putOff = { pause: sql`interval '30 seconds'`, dueAt: sql`d.due_at`, expiresAt: sql`d.expires_at` };

async function requeueOf(db: Db, run: { runId: number; notificationId: number }): Promise<Recorded[]> {
  return db.transaction().execute(async (tx) => {
    // The same lock order as starting, cancelling and retrying.
    await sql`SELECT FROM notifications WHERE id = ${run.notificationId} FOR NO KEY UPDATE`.execute(tx);
    const going = await sql`
      SELECT FROM runs WHERE id = ${run.runId} AND state <> 'cancelled' FOR NO KEY UPDATE`.execute(tx);
    if (going.rows.length === 0) return [];
    const { rows } = await sql<Recorded>`
      WITH taken AS MATERIALIZED (
        SELECT d.id, d.reason AS was_reason, r.id AS refusal, r.of_content
        FROM accounts a JOIN refusals r ON r.account_id = a.id
          JOIN deliveries d ON d.run_id = ${run.runId} AND d.id = r.delivery_id
        WHERE ${toRequeue}
        ORDER BY d.id FOR UPDATE OF d
      ), moves AS (
        UPDATE deliveries d SET status = 'queued', reason = CASE WHEN t.of_content THEN 'retrying' ELSE 'provider-paused' END, lease_token = NULL, begun_at = NULL,
          due_at = ${departure.notBefore(putOff)}, updated_at = now()
        FROM taken t WHERE ${inMonthsOf(sql`d.run_id`, [run.runId])} AND d.id = t.id
        RETURNING d.*, 'failed' AS was_status, t.was_reason
      ), ${updateTotals({ moves: "moves" })}, marked AS (
        UPDATE refusals SET requeued_at = now() WHERE id IN (SELECT refusal FROM taken)
      ), lifted AS (
        DELETE FROM suppressions s USING moves m WHERE s.delivery_id = m.id AND s.opted_out_by IS NULL
      ), still_opted_out AS (
        UPDATE suppressions s SET kind = 'unsubscribe', reason = ${optOutReason(sql`s.opted_out_by`)}, delivery_id = NULL
        FROM moves m WHERE s.delivery_id = m.id AND s.opted_out_by IS NOT NULL
      ), noted AS (
        INSERT INTO delivery_events (delivery_id, kind) SELECT id, 'requeued' FROM moves
      )
      SELECT id, run_id AS "runId" FROM moves`.execute(tx);
    if (rows.length > 0) await reopenRun(tx, run);
    return rows;
  });
}

/**
 * Suppresses addresses whose mailbox does not exist, or that are on the provider's own list: once their account has accepted someone else at about that time,
 * or once they bounced again days later.
 */
async function suppressBounced(db: Db): Promise<void> {
  const bounced = sql`
    SELECT r.channel, r.address, coalesce(r.detail, r.code), a.kind, r.delivery_id,
      ${blockedKind(sql`r.code`)}
    FROM refusals r JOIN accounts a ON a.id = r.account_id
    WHERE r.bounced AND r.requeued_at IS NULL AND r.at > now() - interval '15 minutes' AND (
      a.accepted_at BETWEEN r.at - interval '1 minute' AND r.at + interval '10 minutes'
      OR EXISTS (SELECT FROM refusals e WHERE e.channel = r.channel AND e.address = r.address AND e.bounced
        AND e.requeued_at IS NULL AND e.at < r.at - interval '2 days'))
      AND NOT EXISTS (SELECT FROM suppressions s WHERE s.channel = r.channel AND s.address = r.address
        AND ${saysAlready("s", blockedKind(sql`r.code`))})`;
  // An insert tells every open page to read its people again, even if it has nothing to insert.
  const { rows } = await sql`SELECT WHERE EXISTS (${bounced})`.execute(db);
  if (rows.length === 0) return;
  await sql`
    INSERT INTO suppressions AS o (channel, address, reason, source, delivery_id, kind)
    SELECT DISTINCT ON (channel, address) * FROM (${bounced}) b (channel, address, reason, source, delivery_id, kind)
    ORDER BY channel, address, kind <> 'unsubscribe'
    ${besideOtherCauses}`.execute(db);
}
