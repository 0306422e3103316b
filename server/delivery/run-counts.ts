import { sql } from "kysely";
import type { RawBuilder } from "kysely";

const SHARDS = 16;

/**
 * The statement that moves a run's counters beside its deliveries. `moves` names a CTE with run_id, channel,
 * was_status, was_reason, status, reason: one row a delivery that moved, was_status null for a new one. Whoever
 * moves many deliveries gives a token of its own, and waits for nobody else who counts.
 *
 * The rows are locked in one order, after the deliveries', by everybody: no two statements wait for each other.
 */
export function countMoves(moves: string, token = 0): RawBuilder<unknown> {
  const rows = sql.table(moves);
  return sql`
    INSERT INTO run_counts AS c (run_id, channel, status, reason, shard, count)
    SELECT run_id, channel, status, reason, ${token % SHARDS}, sum(n) FROM (
      SELECT run_id, channel, was_status AS status, coalesce(was_reason, '') AS reason, -1 AS n
      FROM ${rows} WHERE was_status IS NOT NULL
      UNION ALL
      SELECT run_id, channel, status, coalesce(reason, ''), 1 FROM ${rows}
    ) m
    GROUP BY run_id, channel, status, reason HAVING sum(n) <> 0
    ORDER BY run_id, channel, status, reason
    ON CONFLICT (run_id, channel, status, reason, shard) DO UPDATE SET count = c.count + excluded.count`;
}

/** A run's counters, its shards summed: channel, status, reason, count; rows that have come to nothing are absent. */
export function countsOf(runId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT channel, status, reason, sum(count)::int AS count FROM run_counts
    WHERE run_id = ${runId} GROUP BY channel, status, reason HAVING sum(count) <> 0`;
}
