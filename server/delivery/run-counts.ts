import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * The statement that moves a run's counters beside its deliveries. `moves` names a CTE with run_id, channel,
 * was_status, was_reason, status, reason: one row a delivery that moved, was_status null for a new one.
 *
 * The rows are locked in one order, after the deliveries', by everybody: two statements never wait for each other.
 */
export function countMoves(moves: string): RawBuilder<unknown> {
  const rows = sql.table(moves);
  return sql`
    INSERT INTO run_counts AS c (run_id, channel, status, reason, count)
    SELECT run_id, channel, status, reason, sum(n) FROM (
      SELECT run_id, channel, was_status AS status, coalesce(was_reason, '') AS reason, -1 AS n
      FROM ${rows} WHERE was_status IS NOT NULL
      UNION ALL
      SELECT run_id, channel, status, coalesce(reason, ''), 1 FROM ${rows}
    ) m
    GROUP BY run_id, channel, status, reason HAVING sum(n) <> 0
    ORDER BY run_id, channel, status, reason
    ON CONFLICT (run_id, channel, status, reason) DO UPDATE SET count = c.count + excluded.count`;
}
