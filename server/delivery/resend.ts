import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { lifetime } from "./expiry.ts";
import { hintWork, tellPages } from "./hints.ts";
import { judged, personValuesSql } from "#server/audience/person.ts";
import { countMoves } from "./run-counts.ts";

const CHUNK = 2000;

export type RepeatableRun = {
  id: number;
  notificationId: number;
  class: string;
  channels: Channel[];
  fields: string[];
};

/** The run that these conditions find, unless it was stopped. */
export async function repeatableRun(
  db: Db,
  where: RawBuilder<unknown>,
  { lock }: { lock: boolean },
): Promise<RepeatableRun | undefined> {
  const { rows } = await sql<RepeatableRun>`
    SELECT r.id, r.notification_id AS "notificationId", r.class, r.channels,
      ARRAY(SELECT jsonb_array_elements_text(v.compiled -> 'fields')) AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.state <> 'cancelled' AND ${where} ${lock ? sql`FOR NO KEY UPDATE OF r` : sql``}`.execute(db);
  return rows[0];
}

/** Writes down that a run is to be sent again, and answers the wish's id. */
export async function addResend(tx: Db, runId: number, unconfirmed: boolean): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO resends (run_id, unconfirmed) VALUES (${runId}, ${unconfirmed}) RETURNING id`.execute(tx);
  return rows[0]!.id;
}

/** What has come of a wish so far. */
export async function resendTotals(
  db: Db,
  id: number,
): Promise<{ requeued: number; stillUnreachable: number }> {
  const { rows } = await sql<{ requeued: number; stillUnreachable: number }>`
    SELECT requeued, unreachable AS "stillUnreachable" FROM resends WHERE id = ${id}`.execute(db);
  return rows[0]!;
}

type Resend = { id: number; runId: number; notificationId: number; unconfirmed: boolean; cursor: number };
type Step = { last: number | null; judged: number; requeued: number; unreachable: number };

/**
 * One step of this wish, or of any that nobody is at: judges the next few thousand messages anew, puts those that can
 * go into the queue, and notes how far it came in the same transaction. The last step then judges all who share an
 * address, for only then it is known which addresses are used no more. Null when there is nothing to do.
 */
export async function resendSome(
  db: Db,
  id?: number,
  most: number = CHUNK,
): Promise<{ runId: number; done: boolean } | null> {
  return db.transaction().execute(async (tx) => {
    const resend = await openResend(tx, id);
    if (!resend) return null;
    const { runId, notificationId, unconfirmed, cursor } = resend;
    // The same order of locks as starting, cancelling and finishing. Cancelled meanwhile: nothing is left to do.
    await sql`SELECT FROM notifications WHERE id = ${notificationId} FOR NO KEY UPDATE`.execute(tx);
    const run = await repeatableRun(tx, sql`r.id = ${runId}`, { lock: true });
    const next = sql`AND NOT ${sharing} AND id > ${cursor} ORDER BY id LIMIT ${most} FOR UPDATE`;
    const step = run ? await requeue(tx, run, unconfirmed, next) : NOTHING;
    const done = step.judged < most;
    const last = sql`AND ${sharing} ORDER BY id FOR UPDATE`;
    const shared = run && done ? await requeue(tx, run, unconfirmed, last) : NOTHING;
    const requeued = step.requeued + shared.requeued;
    const unreachable = step.unreachable + shared.unreachable;
    await sql`
      UPDATE resends SET cursor = coalesce(${step.last}, cursor), requeued = requeued + ${requeued},
        unreachable = unreachable + ${unreachable}, finished_at = ${done ? sql`now()` : sql`NULL`}
      WHERE id = ${resend.id}`.execute(tx);
    if (requeued > 0) {
      await sql`UPDATE runs SET state = 'sending', finished_at = NULL
        WHERE id = ${runId} AND state = 'finished'`.execute(tx);
      const begins = await sql`UPDATE notifications SET status = 'Sending', updated_at = now()
        WHERE id = ${notificationId} AND status <> 'Sending' RETURNING id`.execute(tx);
      if (begins.rows.length > 0) await tellPages(tx, { type: "notifications" });
      await hintWork(tx);
    }
    await tellPages(tx, { type: "run", runId, notificationId });
    return { runId, done };
  });
}

const sharing = sql`coalesce(reason = 'same-address', false)`;
const NOTHING: Step = { last: null, judged: 0, requeued: 0, unreachable: 0 };

async function openResend(tx: Db, id: number | undefined): Promise<Resend | undefined> {
  const which = id === undefined ? sql`true` : sql`s.id = ${id}`;
  const { rows } = await sql<Resend>`
    SELECT s.id, s.run_id AS "runId", r.notification_id AS "notificationId", s.unconfirmed, s.cursor
    FROM resends s JOIN runs r ON r.id = s.run_id
    WHERE s.finished_at IS NULL AND ${which}
    -- In turn, so that one that cannot go on holds up no other.
    ORDER BY random() LIMIT 1 FOR UPDATE OF s ${id === undefined ? sql`SKIP LOCKED` : sql``}`.execute(tx);
  return rows[0];
}

async function requeue(
  tx: Db,
  run: RepeatableRun,
  unconfirmed: boolean,
  which: RawBuilder<unknown>,
): Promise<Step> {
  const { rows } = await sql<Step>`
    WITH ${judgedAgain(run, unconfirmed, which)}, moves AS (
      UPDATE deliveries d SET
        status = CASE WHEN goes THEN 'queued' ELSE 'skipped' END,
        reason = CASE WHEN goes THEN NULL WHEN p.holder IS NOT NULL THEN 'same-address' ELSE p.reason END,
        detail = CASE WHEN goes THEN NULL ELSE coalesce(p.holder, p.detail) END,
        address = p.address, field_values = p.field_values,
        failures = 0, unconfirmed = 0, lost_leases = 0, lease_token = NULL, begun_at = NULL,
        due_at = now(), expires_at = now() + ${lifetime(run.class, sql`d.channel`)}, updated_at = now()
      FROM judged_again p CROSS JOIN LATERAL (SELECT p.reason IS NULL AND p.holder IS NULL AS goes) g
      -- A failure keeps its own reason, unless others wait for the address that it holds and will not use again; a
      -- skipped person gets the present one.
      WHERE d.id = p.id AND (goes OR CASE WHEN d.status = 'skipped' THEN
        (d.reason, d.detail, d.address) IS DISTINCT FROM
        (CASE WHEN p.holder IS NOT NULL THEN 'same-address' ELSE p.reason END, coalesce(p.holder, p.detail), p.address)
        ELSE p.leaves AND (d.channel, d.address) IN (
          SELECT channel, address FROM deliveries WHERE run_id = ${run.id} AND status = 'skipped' AND ${sharing})
        END)
      RETURNING d.id, d.run_id, d.channel, p.status AS was_status, p.was_reason, d.status, d.reason
    ), counted AS (${countMoves("moves")}), told AS (
      INSERT INTO delivery_events (delivery_id, kind) SELECT id, 'sent-again' FROM moves WHERE status = 'queued'
    )
    SELECT (SELECT max(id) FROM chosen) AS last, (SELECT count(*) FROM chosen) AS judged,
      (SELECT count(*) FROM moves WHERE status = 'queued') AS requeued,
      (SELECT count(*) FROM judged_again WHERE reason IS NOT NULL) AS unreachable`.execute(tx);
  return rows[0]!;
}

/**
 * CTEs that end in `judged_again`: each message that did not arrive beside what stands in its way now: `reason` and
 * `detail`, or the `holder` of the same address. Both null: it can go. `leaves`: it does not go to where it went
 * before. `which` ends the choice of messages.
 */
export function judgedAgain(
  run: RepeatableRun,
  unconfirmed: boolean,
  which: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const statuses = ["failed", "bounced", "expired", "skipped", ...(unconfirmed ? ["uncertain"] : [])];
  // Without the wish for it, what may have arrived is left alone, also after we gave up waiting.
  const wanted = unconfirmed ? sql`true` : sql`reason IS DISTINCT FROM 'unconfirmed'`;
  return sql`chosen AS (
      SELECT id, user_id, channel, address, status, reason FROM deliveries
      WHERE run_id = ${run.id} AND status = ANY(${statuses}::text[]) AND ${wanted}
      ${which}
    ), present AS (
      SELECT d.id, d.channel, d.status, d.reason AS was_reason, a.address,
        ${personValuesSql(run.fields)} AS field_values, w.reason, j.detail,
        -- An address that must not be used is used up for all who share it.
        a.address IS DISTINCT FROM d.address OR coalesce(w.reason <> 'suppressed', false) AS leaves
      FROM ${judged(run.channels, run.fields)}
      JOIN chosen d ON d.user_id = u.id AND d.channel = c.channel
      CROSS JOIN LATERAL (
        SELECT CASE WHEN u.deleted_at IS NOT NULL THEN 'person-removed' ELSE j.reason END AS reason) w
    ), placed AS (
      -- Who shares an address is judged last.
      SELECT p.*, CASE WHEN p.was_reason = 'same-address' AND other.id IN (SELECT id FROM present WHERE leaves)
          THEN NULL ELSE other.person_name END AS other
      FROM present p
      LEFT JOIN deliveries other ON other.run_id = ${run.id} AND other.channel = p.channel
        AND other.address = p.address AND other.status <> 'skipped' AND other.id <> p.id AND p.reason IS NULL
    ), judged_again AS (
      SELECT p.*, coalesce(p.other, twin.person_name) AS holder
      FROM (SELECT placed.*, min(id) FILTER (WHERE reason IS NULL AND other IS NULL)
              OVER (PARTITION BY channel, address, reason) AS first
            FROM placed) p
      LEFT JOIN deliveries twin ON twin.id = p.first AND p.first <> p.id
    )`;
}
