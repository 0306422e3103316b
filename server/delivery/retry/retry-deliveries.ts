import type { SkipIf } from "#contract/calls/detail-conditions.ts";
import { sql, type RawBuilder } from "kysely";
import type { Channel, DeliveryStatus } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { NeededField } from "#server/audience/details.ts";
import { eligibility } from "#server/audience/person.ts";
import { updateTotals } from "../runs/run-totals.ts";
import { timesOf } from "../runs/departure.ts";
import { joinAddresses, leaveAddresses } from "../runs/shared-addresses.ts";

export type RepeatableRun = {
  id: number;
  notificationId: number;
  class: string;
  channels: Channel[];
  simulatedChannels: Channel[];
  fields: NeededField[];
  perHome: boolean;
  skipIf: SkipIf | null;
};

/** Which of a run's undelivered messages to retry. Messages of people who got nothing are always included. */
export type RetryOptions = {
  /** Also messages whose provider never answered, so they may have arrived. */
  unconfirmed: boolean;
  /** Also messages of people who were reached on another channel. */
  includeReached: boolean;
};

/** A condition on `deliveries d`: it was not delivered and may be retried. */
export function undelivered({ unconfirmed }: RetryOptions): RawBuilder<unknown> {
  const statuses = ["failed", "bounced", "expired", "skipped", ...(unconfirmed ? ["uncertain"] : [])];
  // Unless asked for, what may have arrived is left alone, even after we stopped waiting.
  const wanted = unconfirmed ? sql`true` : sql`d.reason IS DISTINCT FROM 'unconfirmed'`;
  // Whom the run left out on purpose stays out, whatever is true of them by now.
  return sql`(d.status = ANY(${statuses}::text[]) AND ${wanted} AND d.reason IS DISTINCT FROM 'settled')`;
}

/** An undelivered message and what prevents sending it now. */
type Judged = {
  id: number;
  userId: number;
  channel: Channel;
  status: DeliveryStatus;
  wasReason: Reason | null;
  wasDetail: string | null;
  wasAddress: string | null;
  sharedWith: number | null;
  sharers: number[] | null;
  address: string | null;
  fieldValues: Record<string, string>;
  /** Both null and no `holder`: it can be sent. */
  reason: Reason | null;
  detail: string | null;
  /** The delivery to the same address. */
  holder: number | null;
  holderName: string | null;
  /** Who gets it for their home, if that is someone else. */
  headName: string | null;
  /** It no longer goes to the address it was sent to before. */
  leaves: boolean;
  /** Another undelivered message goes to that address now. */
  wanted: boolean;
};

/** The columns written for a message that is judged again. */
type Change = Pick<Judged, "id" | "wasAddress" | "address" | "fieldValues" | "holder" | "wanted"> & {
  was: DeliveryStatus;
  wasReason: Reason | null;
  status: "queued" | "skipped";
  reason: Reason | null;
  detail: string | null;
};

/** Judges these people's undelivered messages again and queues those that can be sent. */
export async function retryDeliveries(
  tx: Db,
  run: RepeatableRun,
  options: RetryOptions,
  people: readonly number[],
): Promise<{ requeued: number; unreachable: number }> {
  const among = sql`d.user_id = ANY(${people}::bigint[])`;
  await sql`SELECT FROM deliveries d WHERE d.run_id = ${run.id} AND ${among} AND ${undelivered(options)}
    ORDER BY d.user_id, d.channel FOR UPDATE`.execute(tx);
  const { rows } = await sql<Judged>`
    WITH ${judgedAgain(run, options, among)}
    SELECT j.id, j.user_id AS "userId", j.channel, j.status, j.was_reason AS "wasReason", j.was_detail AS "wasDetail",
      j.was_address AS "wasAddress", j.shared_with AS "sharedWith", ${sharers(run)} AS sharers, j.address,
      j.field_values AS "fieldValues", j.reason, j.detail, j.holder, h.person_name AS "holderName",
      ${run.perHome ? sql`(SELECT person_name FROM deliveries WHERE run_id = ${run.id} AND id = j.head)` : sql`NULL`} AS "headName",
      j.leaves, j.wanted
    FROM judged_again j LEFT JOIN deliveries h ON h.run_id = ${run.id} AND h.id = j.holder ORDER BY j.id`.execute(
    tx,
  );
  const changes = rows.flatMap((row) => ({ row, change: changeOf(row) })).filter(isChange);
  // Deliveries are locked before people, and all of these before counters, as everywhere.
  const others = changes.flatMap(({ row, change }) => [row.sharedWith, change.holder]);
  await sql`SELECT FROM deliveries WHERE run_id = ${run.id} AND id = ANY(${others}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  const moving = changes.flatMap(({ row: { userId, sharers } }) => [userId, ...(sharers ?? [])]);
  await sql`SELECT FROM run_people WHERE run_id = ${run.id} AND user_id = ANY(${moving}::bigint[])
    ORDER BY user_id FOR NO KEY UPDATE`.execute(tx);
  await leaveAddresses(tx, changes.flatMap(leavers));
  await write(
    tx,
    run,
    changes.map(({ change }) => change),
  );
  await joinAddresses(
    tx,
    changes.flatMap(({ change: { id, holder } }) => (holder === null ? [] : [{ id, holder }])),
  );
  return {
    requeued: changes.filter(({ change }) => change.status === "queued").length,
    unreachable: rows.filter(({ reason }) => reason !== null).length,
  };
}

type Changing = { row: Judged; change: Change };
const isChange = (one: { row: Judged; change: Change | null }): one is Changing => one.change !== null;

/** Null: it stays as it is. */
function changeOf(row: Judged): Change | null {
  const { id, status: was, wasReason, wasAddress, address, fieldValues, holder, wanted } = row;
  const base = { id, was, wasReason, wasAddress, address, fieldValues, wanted };
  if (row.reason === null && holder === null) {
    return { ...base, holder, status: "queued", reason: null, detail: null };
  }
  const shared = row.headName === null ? ("same-address" as const) : ("same-home" as const);
  const reason = holder === null ? row.reason : shared;
  const detail = holder === null ? row.detail : (row.headName ?? row.holderName);
  const changed =
    was === "skipped"
      ? reason !== wasReason ||
        detail !== row.wasDetail ||
        address !== wasAddress ||
        holder !== row.sharedWith
      : // A failure keeps its own reason, unless others wait for the address that it will not use again.
        row.leaves && (row.sharers !== null || wanted);
  return changed ? { ...base, holder, status: "skipped", reason, detail } : null;
}

/** Who no longer shares an address: this delivery, and those that shared an address it no longer uses. */
function leavers({ row, change }: Changing): { holder: number; userId: number }[] {
  const { id, userId, sharedWith, sharers } = row;
  const left = change.status === "queued" ? change.address !== row.wasAddress : row.leaves;
  return [
    ...(sharedWith === null ? [] : [{ holder: sharedWith, userId }]),
    ...(left ? (sharers ?? []).map((sharer) => ({ holder: id, userId: sharer })) : []),
  ];
}

/**
 * Of the judged `j`: who shares its address. Who only shares its home stays with it wherever it goes, and is judged after
 * it.
 */
function sharers(run: RepeatableRun): RawBuilder<unknown> {
  if (!run.perHome) return sql`j.sharers`;
  return sql`(SELECT array_agg(d.user_id) FROM deliveries d WHERE d.run_id = ${run.id}
    AND d.user_id = ANY(j.sharers) AND d.channel = j.channel AND d.reason = 'same-address')`;
}

async function write(tx: Db, run: RepeatableRun, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  // No two have one address, not even while two of them swap theirs.
  const wanted = changes.filter((change) => change.wanted).map(({ id }) => id);
  if (wanted.length > 0) {
    await sql`UPDATE deliveries SET address = NULL WHERE run_id = ${run.id} AND id = ANY(${wanted}::bigint[])`.execute(
      tx,
    );
  }
  const { dueAt, expiresAt } = timesOf(run.class, sql`d.channel`);
  await sql`
    WITH reported AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS t (
        id bigint, was text, "wasReason" text, "wasAddress" text, status text, reason text, detail text, address text,
        "fieldValues" jsonb)
    ), before AS MATERIALIZED (
      SELECT id, round, attempts, opened_at, clicked_at FROM deliveries
      WHERE ${inMonthsOf(sql`run_id`, [run.id])} AND id IN (SELECT id FROM reported)
    ), moves AS (
      UPDATE deliveries d SET
        status = t.status, reason = t.reason, detail = t.detail, address = t.address, field_values = t."fieldValues",
        failures = 0, unconfirmed = 0, lost_leases = 0, lease_token = NULL, begun_at = NULL, round = d.round + 1,
        provider_message_id = NULL, accepted_at = NULL, delivered_at = NULL, opened_at = NULL, clicked_at = NULL,
        due_at = ${dueAt}, expires_at = ${expiresAt}, updated_at = now()
      FROM reported t WHERE ${inMonthsOf(sql`d.run_id`, [run.id])} AND d.id = t.id
      RETURNING d.id, d.run_id, d.user_id, d.channel, d.counted, d.sharers, t.was AS was_status,
        t."wasReason" AS was_reason, d.status, d.reason
    ), ${updateTotals({ moves: "moves" })}, noted AS (
      INSERT INTO delivery_events (delivery_id, kind) SELECT id, 'sent-again' FROM moves WHERE status = 'queued'
    ), kept AS (
      INSERT INTO earlier_addresses (delivery_id, round, address)
      SELECT b.id, b.round, t."wasAddress" FROM before b JOIN reported t ON t.id = b.id
      WHERE b.attempts > 0 AND t."wasAddress" IS NOT NULL
    ), figures AS (
      UPDATE runs r SET opened = r.opened - f.opened, clicked = r.clicked - f.clicked
      FROM (SELECT count(opened_at)::int AS opened, count(clicked_at)::int AS clicked FROM before) f
      WHERE r.id = ${run.id} AND f.opened + f.clicked > 0
    )
    SELECT`.execute(tx);
}

/**
 * CTEs that end in `judged_again`: each undelivered message of a run selected by `which`, with what prevents sending it
 * now: `reason` and `detail`, or the `holder` of the same address. All null: it can be sent. `leaves`: it no longer
 * goes to the address it was sent to before; `wanted`: where another of them goes.
 */
export function judgedAgain(
  run: RepeatableRun,
  options: RetryOptions,
  which: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`chosen AS MATERIALIZED (
      SELECT d.* FROM deliveries d WHERE d.run_id = ${run.id} AND ${undelivered(options)} AND ${which}
    ), ${run.perHome ? sql`alone` : sql`present`} AS MATERIALIZED (
      SELECT d.id, d.user_id, d.channel, d.status, d.reason AS was_reason, d.detail AS was_detail,
        d.address AS was_address, d.shared_with, d.sharers, a.address,
        f.values AS field_values, w.reason, j.detail,
        -- A suppressed address stays with its holder, because no one who shares it can use it either.
        a.address IS DISTINCT FROM d.address OR coalesce(w.reason <> 'suppressed', false) AS leaves
      FROM ${eligibility(run.channels, run.fields, run)}
      JOIN chosen d ON d.user_id = u.id AND d.channel = c.channel
      CROSS JOIN LATERAL (
        SELECT CASE WHEN u.deleted_at IS NOT NULL THEN 'person-removed' ELSE j.reason END AS reason) w
    )${run.perHome ? inTheirHomes(run) : sql``}, placed AS (
      -- An address is free if the message that has it goes elsewhere now.
      SELECT p.*, CASE WHEN l.id IS NULL THEN other.id END AS other, l.id AS leaver
      FROM present p
      LEFT JOIN LATERAL (
        SELECT h.id FROM deliveries h WHERE h.run_id = ${run.id} AND h.channel = p.channel
          AND h.address = p.address AND h.status <> 'skipped' AND h.id <> p.id AND p.reason IS NULL OFFSET 0
      ) other ON true
      LEFT JOIN present l ON l.id = other.id AND l.leaves
    ), judged_again AS (
      SELECT p.*, coalesce(p.other, nullif(p.first, p.id)) AS holder,
        p.id IN (SELECT leaver FROM placed WHERE leaver IS NOT NULL) AS wanted
      FROM (SELECT placed.*, CASE WHEN reason IS NULL AND other IS NULL
              THEN min(id) FILTER (WHERE reason IS NULL AND other IS NULL ${run.perHome ? sql`AND head IS NULL` : sql``})
                OVER (PARTITION BY channel, address, reason) END AS first
            FROM placed) p
    )`;
}

/**
 * CTEs from `alone` to `present` for one message per home: whoever was reached through someone else still is, as long as
 * that message can go out, and otherwise through the first of them who can be reached. That one's delivery is the
 * `head`; null: it is their own.
 */
function inTheirHomes(run: RepeatableRun): RawBuilder<unknown> {
  return sql`, through AS MATERIALIZED (
      SELECT p.id, CASE WHEN stays THEN h.id ELSE min(p.id) FILTER (WHERE p.reason IS NULL AND NOT stays)
        OVER (PARTITION BY p.channel, coalesce(p.shared_with, p.id)) END AS head
      FROM alone p
      LEFT JOIN deliveries h ON h.run_id = ${run.id} AND h.id = p.shared_with
      LEFT JOIN alone a ON a.id = h.id
      CROSS JOIN LATERAL (SELECT CASE WHEN h.id IS NULL THEN false WHEN a.id IS NOT NULL THEN a.reason IS NULL
        ELSE h.status NOT IN ('failed', 'bounced', 'expired', 'skipped') OR h.reason = 'unconfirmed' END AS stays) s
      WHERE p.was_reason = 'same-home'
    ), present AS MATERIALIZED (
      SELECT p.id, p.user_id, p.channel, p.status, p.was_reason, p.was_detail, p.was_address, p.shared_with, p.sharers,
        CASE WHEN t.id IS NULL THEN p.address ELSE coalesce(a.address, h.address) END AS address, p.field_values,
        CASE WHEN t.id IS NULL THEN p.reason END AS reason, CASE WHEN t.id IS NULL THEN p.detail END AS detail,
        p.leaves, t.head
      FROM alone p
      LEFT JOIN through t ON t.id = p.id AND t.head <> p.id
        AND coalesce(p.reason NOT IN ('opted-out', 'person-removed', 'settled'), true)
      LEFT JOIN deliveries h ON h.run_id = ${run.id} AND h.id = t.head
      LEFT JOIN alone a ON a.id = t.head
    )`;
}
