import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DeliveryStatus, Reason } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import type { Outcome } from "../channels/channel.ts";
import { countMoves } from "../run-counts.ts";

/**
 * One step of one delivery. It is written only if the delivery still stands as it is said to stand here: under
 * this token, in this state, begun or not. Whoever comes late, or twice, writes nothing.
 */
export type Change = {
  id: number;
  token: number;
  was: "sending" | "uncertain";
  begun: boolean;
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  delayMs: number | null;
  failure?: boolean;
  unconfirmed?: boolean;
  lostLease?: boolean;
  suppress?: boolean;
  messageId?: string | undefined;
  /** The try that ended, with the provider's words. */
  attempt?: { providerId: number; outcome: Outcome["kind"]; code: string | null; words: string | null };
  event?: "taken-over" | "repeated";
};

export type Recorded = { id: number; runId: number; notificationId: number; status: DeliveryStatus };

/**
 * Writes the changes with their attempts, counters and suppressions, and marks as begun those deliveries of `token`
 * that are still its to begin, all in one statement. Answers what was really moved and marked.
 */
export async function record(
  db: Db,
  changes: readonly Change[],
  begin: { token: number; ids: readonly number[] } = { token: 0, ids: [] },
): Promise<{ moved: Recorded[]; begun: number[] }> {
  if (changes.length === 0) return { moved: [], begun: await markBegun(db, begin) };
  const { rows } = await sql<Recorded & { begun: boolean }>`
    WITH told AS MATERIALIZED (
      SELECT c.*, delay * interval '1 millisecond' AS pause
      FROM jsonb_to_recordset(${JSON.stringify(changes.map(flat))}::jsonb) AS c (
        id bigint, token bigint, was text, begun boolean, status text, reason text, detail text, delay float8,
        failures int, unconfirmed int, lost int, suppress boolean, message_id text,
        provider_id bigint, outcome text, code text, words text, event text)
    ), judged AS (
      SELECT t.*, d.reason AS was_reason, r.notification_id,
        CASE WHEN t.status <> 'queued' THEN t.status
          WHEN r.state = 'cancelled' THEN 'cancelled'
          WHEN now() + t.pause >= d.expires_at THEN 'expired'
          ELSE 'queued' END AS final
      FROM told t JOIN deliveries d ON d.id = t.id JOIN runs r ON r.id = d.run_id
    ), moves AS (
      UPDATE deliveries d SET
        status = j.final,
        reason = CASE WHEN j.final IN ('cancelled', 'expired') THEN j.final ELSE j.reason END,
        detail = j.detail,
        due_at = coalesce(now() + j.pause, d.due_at),
        attempts = d.attempts + (j.outcome IS NOT NULL)::int,
        failures = d.failures + j.failures,
        unconfirmed = d.unconfirmed + j.unconfirmed,
        lost_leases = d.lost_leases + j.lost,
        provider_message_id = coalesce(j.message_id, d.provider_message_id),
        accepted_at = CASE WHEN j.final IN ('accepted', 'delivered') THEN now() ELSE d.accepted_at END,
        delivered_at = CASE WHEN j.final = 'delivered' THEN now() ELSE d.delivered_at END,
        updated_at = now()
      FROM judged j
      WHERE d.id = j.id AND d.status = j.was AND d.lease_token = j.token AND (d.begun_at IS NOT NULL) = j.begun
      RETURNING d.id, d.run_id, j.notification_id, d.channel, d.address, j.was AS was_status, j.was_reason, d.status,
        d.reason, d.attempts, d.lease_token, d.begun_at, d.due_at, j.provider_id, j.outcome, j.code, j.words,
        j.suppress, j.event
    ), counted AS (${countMoves("moves")}), tried AS (
      INSERT INTO attempts (delivery_id, n, provider_id, lease_token, started_at, outcome, code, detail, next_try_at)
      SELECT id, attempts, provider_id, lease_token, coalesce(begun_at, now()), outcome, code, words,
        CASE WHEN status = 'queued' THEN due_at END
      FROM moves WHERE outcome IS NOT NULL
    ), barred AS (
      INSERT INTO suppressions (channel, address, reason, source, delivery_id)
      SELECT m.channel, m.address, coalesce(m.words, m.code, m.reason), p.kind, m.id
      FROM moves m JOIN providers p ON p.id = m.provider_id WHERE m.suppress
      ORDER BY m.channel, m.address
      ON CONFLICT (channel, address) DO NOTHING
    ), noted AS (
      INSERT INTO delivery_events (delivery_id, kind) SELECT id, event FROM moves WHERE event IS NOT NULL
    ), begun AS (${begunRows(begin)})
    SELECT id, run_id AS "runId", notification_id AS "notificationId", status, false AS begun FROM moves
    UNION ALL SELECT id, NULL, NULL, NULL, true FROM begun`.execute(db);
  return {
    moved: rows.filter((row) => !row.begun),
    begun: rows.filter((row) => row.begun).map((row) => row.id),
  };
}

async function markBegun(db: Db, begin: { token: number; ids: readonly number[] }): Promise<number[]> {
  if (begin.ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`${begunRows(begin)}`.execute(db);
  return rows.map((row) => row.id);
}

/** The fence: a delivery that was cancelled, or taken over by others, is not among the answers. */
function begunRows({ token, ids }: { token: number; ids: readonly number[] }): RawBuilder<unknown> {
  return sql`UPDATE deliveries SET begun_at = clock_timestamp()
    WHERE id = ANY(${ids}::bigint[]) AND lease_token = ${token} AND status = 'sending'
    RETURNING id`;
}

function flat({ attempt, ...change }: Change) {
  return {
    id: change.id,
    token: change.token,
    was: change.was,
    begun: change.begun,
    status: change.status,
    reason: change.reason,
    detail: change.detail,
    delay: change.delayMs,
    failures: change.failure ? 1 : 0,
    unconfirmed: change.unconfirmed ? 1 : 0,
    lost: change.lostLease ? 1 : 0,
    suppress: change.suppress ?? false,
    message_id: change.messageId,
    provider_id: attempt?.providerId,
    outcome: attempt?.outcome,
    code: attempt?.code,
    words: attempt?.words,
    event: change.event,
  };
}
