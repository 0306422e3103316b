import { sql } from "kysely";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { openMonths } from "../open-months.ts";
import { updateTotals } from "./run-totals.ts";

const SOME = 500;

/**
 * Ends queued deliveries that are too old, of channels without an account that takes any: elsewhere, a claim does it.
 * Returns what it moved.
 */
export async function expireUnserved(db: Db): Promise<{ runId: number }[]> {
  const ofMonths = inMonthsOf(sql`d.run_id`, await openMonths(db));
  const moved: { runId: number }[] = [];
  for (let last = SOME; last === SOME;) {
    const { rows } = await sql<{ runId: number }>`
      WITH unserved AS MATERIALIZED (
        SELECT c.channel, s.simulated
        FROM unnest(${[...channels]}::text[]) c (channel), unnest(ARRAY[false, true]) s (simulated)
        WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.channel = c.channel AND a.simulated = s.simulated
          AND a.enabled AND a.state = 'ok' AND coalesce(a.retry_at <= now(), true))
      ), old AS (
        SELECT d.id, d.run_id, d.reason AS was_reason FROM unserved u, LATERAL (
          SELECT d.id, d.run_id, d.reason FROM deliveries d
          WHERE d.status = 'queued' AND d.channel = u.channel AND d.simulated = u.simulated AND d.expires_at <= now()
            AND ${ofMonths}
          LIMIT ${SOME} FOR UPDATE SKIP LOCKED) d
        LIMIT ${SOME}
      ), moves AS (
        UPDATE deliveries d SET status = 'expired', reason = 'expired', detail = NULL, updated_at = now()
        FROM old o WHERE d.id = o.id AND ${ofMonths}
        RETURNING d.*, 'queued' AS was_status, o.was_reason
      ), ${updateTotals({ moves: "moves" })}
      SELECT run_id AS "runId" FROM moves`.execute(db);
    last = rows.length;
    moved.push(...rows);
  }
  return moved;
}
