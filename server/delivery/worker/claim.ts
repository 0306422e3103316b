import { sql, type RawBuilder } from "kysely";
import type { Channel, DeliveryStatus } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { FieldValues } from "../content/compiled.ts";
import { EMERGENCY } from "../runs/departure.ts";
import { address, chosen, isOptOut, optOutDetail } from "#server/audience/person.ts";
import { updateTotals } from "../runs/run-totals.ts";

/** After this many processes died with a delivery in hand, the delivery may be the cause, so it is sent alone. */
export const SUSPECT_AFTER = 2;

/** For a mail to an address that is no longer the person's, and never had a link of its own: no link. */
const NO_KEY = "another-address";

export type Claimed = {
  id: number;
  runId: number;
  channel: Channel;
  status: DeliveryStatus;
  address: string;
  name: string;
  home: string | null;
  values: FieldValues;
  preferencesToken: string;
  priority: number;
  expiresAt: Date;
  attempts: number;
  /** How often it was claimed, this time included. */
  claim: number;
  round: number;
  failures: number;
  unconfirmed: number;
};

export type ClaimQuestion = {
  token: number;
  account: { id: number; channel: Channel; simulated: boolean; ratePerSecond: number | null };
  limit: number;
  /** Only looks in these months (`openMonths`), because planning for all of them takes longer than claiming. */
  months: readonly number[];
  /**
   * `any`: by priority; `urgent`: emergencies only; `suspects`: those that may have killed a process; `trial`: one for
   * an account on trial.
   */
  which: "any" | "urgent" | "suspects" | "trial";
};

/**
 * Claims what is due for this provider, urgent first, as far as its rate allows, and judges each delivery once more:
 * what was cancelled, is too old, or must no longer go to that person leaves the queue here. Committed when it returns.
 * The rows with status `sending` now belong to the worker; the others were only moved.
 */
export async function claim(
  db: Db,
  { token, account, limit, months, which }: ClaimQuestion,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`${PREPARED}
    WITH account AS MATERIALIZED (${usable(account, which)}), picked AS MATERIALIZED (
      -- What is read here is the row as it was locked; read again, it would be as the statement found it.
      SELECT d.id, d.run_id, d.user_id, d.channel, d.address, d.reason, d.due_at, d.expires_at FROM deliveries d
      WHERE d.status = 'queued' AND d.channel = ${account.channel} AND d.simulated = ${account.simulated}
        AND d.due_at <= now() AND ${wanted[which]} AND ${inMonthsOf(sql`d.run_id`, months)}
        AND d.run_id <> ALL (ARRAY(
          SELECT run_id FROM refused_contents WHERE account_id = ${account.id} AND retry_at > now()))
        AND EXISTS (SELECT FROM account)
        AND EXISTS (SELECT FROM workers w WHERE w.token = ${token} AND w.lease_until > now())
      ORDER BY d.priority, ${which === "trial" ? ANYONE : sql`d.due_at, d.id`}
      LIMIT least(${limit}, (SELECT allowed FROM account))
      FOR UPDATE OF d SKIP LOCKED
    ), judged AS (
      SELECT d.id, d.run_id, d.reason AS was_reason, d.due_at, s.reason AS barred, ${optOutDetail} AS opted_out,
        CASE WHEN d.channel = 'email' AND d.address IS DISTINCT FROM ${address.email} THEN coalesce((
            SELECT max(f.token) FROM former_preference_links f
            WHERE f.user_id = u.id AND f.address = d.address), ${NO_KEY})
          ELSE u.preferences_token END AS preferences_token,
        CASE WHEN r.state = 'cancelled' THEN 'cancelled'
          WHEN d.expires_at <= now() THEN 'expired'
          WHEN u.deleted_at IS NOT NULL THEN 'person-removed'
          WHEN r.answers_opt_out AND ${isOptOut("s")} THEN NULL
          WHEN NOT ${chosen[account.channel]} OR ${isOptOut("s")} THEN 'opted-out'
          WHEN s.address IS NOT NULL THEN 'suppressed'
        END AS reason
      FROM picked d
      JOIN runs r ON r.id = d.run_id
      JOIN users u ON u.id = d.user_id
      LEFT JOIN suppressions s ON s.channel = d.channel AND s.address = d.address
    ), moves AS (
      UPDATE deliveries d SET
        status = CASE WHEN j.reason IS NULL THEN 'sending' WHEN j.reason IN ('cancelled', 'expired') THEN j.reason
          ELSE 'skipped' END,
        reason = j.reason,
        detail = CASE j.reason WHEN 'suppressed' THEN j.barred WHEN 'opted-out' THEN j.opted_out END,
        lease_token = CASE WHEN j.reason IS NULL THEN ${token}::bigint END,
        account_id = CASE WHEN j.reason IS NULL THEN ${account.id}::bigint ELSE d.account_id END,
        begun_at = NULL,
        claims = d.claims + 1,
        updated_at = now()
      FROM judged j WHERE d.id = j.id AND ${inMonthsOf(sql`d.run_id`, months)}
      RETURNING d.*, 'queued' AS was_status, j.was_reason, j.preferences_token
    ), ${updateTotals({ moves: "moves", token })}, spent AS (${spend(account)})
    SELECT id, run_id AS "runId", channel, status, address, person_name AS name, person_unit AS home,
      field_values AS values, preferences_token AS "preferencesToken", priority,
      expires_at AS "expiresAt", attempts, claims AS claim, round, failures, unconfirmed
    FROM moves ORDER BY priority, due_at, id`.execute(db);
  return rows;
}

/**
 * Whether any delivery is due, whether an emergency, and whether one that must be sent alone. An idle worker asks often,
 * and a claim costs far more. Each is the first in the order of an index, because with EXISTS the planner reads the
 * table, in the hope that one of the next rows is due. `more`: takes for granted that some are, because to find the
 * first would mean passing everything that was claimed before it.
 */
export async function whatIsDue(
  db: Db,
  {
    account: { channel, simulated },
    months,
    more,
  }: Pick<ClaimQuestion, "account" | "months"> & { more: boolean },
): Promise<{ any: boolean; urgent: boolean; suspects: boolean }> {
  const due = (which: "any" | "urgent" | "suspects", order: RawBuilder<unknown>) => sql<number | null>`(
    SELECT d.priority FROM deliveries d
    WHERE d.status = 'queued' AND d.channel = ${channel} AND d.simulated = ${simulated}
      AND d.due_at <= now() AND ${wanted[which]} AND ${inMonthsOf(sql`d.run_id`, months)}
    ORDER BY ${order} LIMIT 1)`;
  const { rows } = await sql<{ first: number | null; suspects: number | null }>`${PREPARED}
    SELECT ${due(more ? "urgent" : "any", sql`d.priority, d.due_at, d.id`)} AS first,
      ${due("suspects", sql`d.due_at`)} AS suspects`.execute(db);
  const { first, suspects } = rows[0]!;
  return { any: more || first !== null, urgent: first === EMERGENCY, suspects: suspects !== null };
}

/** If one recipient is the problem, the next trial uses another. */
const ANYONE = sql`random()`;

const wanted: Record<ClaimQuestion["which"], RawBuilder<unknown>> = {
  any: sql`d.lost_leases < ${sql.lit(SUSPECT_AFTER)}`,
  urgent: sql`d.lost_leases < ${sql.lit(SUSPECT_AFTER)} AND d.priority = ${sql.lit(EMERGENCY)}`,
  suspects: sql`d.lost_leases >= ${sql.lit(SUSPECT_AFTER)}`,
  trial: sql`d.lost_leases < ${sql.lit(SUSPECT_AFTER)}`,
};

/** No row while the account may get nothing; `allowed`: how many messages its rate allows now. */
function usable(
  { id, ratePerSecond }: ClaimQuestion["account"],
  which: ClaimQuestion["which"],
): RawBuilder<unknown> {
  if (which === "trial") {
    return sql`SELECT 1 AS allowed FROM accounts WHERE id = ${id} AND enabled AND state <> 'ok' AND on_trial`;
  }
  const slowed = which === "urgent" ? sql`false` : sql`coalesce(retry_at > now(), false)`;
  const open = sql`id = ${id} AND enabled AND state = 'ok' AND NOT ${slowed}`;
  if (ratePerSecond === null) return sql`SELECT NULL::int AS allowed FROM accounts WHERE ${open}`;
  const kept = which === "urgent" ? 0 : reserve(ratePerSecond);
  return sql`SELECT greatest(0, floor(${filled(ratePerSecond)} - ${kept}::float8))::int AS allowed
    FROM accounts WHERE ${open} FOR NO KEY UPDATE`;
}

/**
 * The bucket fills at the provider's rate up to one second's worth. Only emergencies may use a reserve on top of it, so
 * they do not wait behind a bulk send for their first tokens.
 */
function filled(rate: number): RawBuilder<number> {
  return sql<number>`least(tokens + ${rate}::float8 * greatest(0, extract(epoch FROM now() - tokens_at)::float8),
    ${Math.max(1, rate) + reserve(rate)}::float8)`;
}

function reserve(rate: number): number {
  return Math.max(1, Math.ceil(rate / 5));
}

function spend({ id, ratePerSecond }: ClaimQuestion["account"]): RawBuilder<unknown> {
  if (ratePerSecond === null) return sql`SELECT`;
  return sql`UPDATE accounts SET tokens_at = greatest(tokens_at, now()),
      tokens = ${filled(ratePerSecond)} - (SELECT count(*) FROM moves WHERE status = 'sending')
    WHERE id = ${id} AND EXISTS (SELECT FROM moves)`;
}
