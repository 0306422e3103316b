import { sql } from "kysely";
import type { DeliveryStatus } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";

/** Where the kept counters and a recount of the deliveries differ. Empty: the books balance. */
export async function imbalance(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    WITH kept AS (
      SELECT run_id, channel, status, reason, sum(count)::int AS count FROM run_counts
      GROUP BY run_id, channel, status, reason
    ), recount AS (
      SELECT run_id, channel, status, coalesce(reason, '') AS reason, count(*)::int AS count
      FROM deliveries GROUP BY run_id, channel, status, coalesce(reason, '')
    )
    SELECT run_id, channel, status, reason, k.count AS kept, r.count AS counted
    FROM kept k FULL JOIN recount r USING (run_id, channel, status, reason)
    WHERE coalesce(k.count, 0) <> coalesce(r.count, 0)`.execute(db);
  return rows;
}

/** How many deliveries of the run stand where; states without any are absent. */
export async function statuses(db: Db, runId: number): Promise<Partial<Record<DeliveryStatus, number>>> {
  const { rows } = await sql<{ status: DeliveryStatus; count: number }>`
    SELECT status, count(*)::int AS count FROM deliveries WHERE run_id = ${runId} GROUP BY status`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
