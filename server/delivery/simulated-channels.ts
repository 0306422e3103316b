import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";

/**
 * Of each of these runs that also goes out for real, by its id, the channels that went to the Sandbox alone: nobody
 * was reached there. A run that went only to the Sandbox has none, and is a rehearsal as a whole. What waits for a
 * real provider goes out for real.
 */
export async function simulatedChannelsOf(
  db: Db,
  runIds: readonly number[],
): Promise<Map<number, Channel[]>> {
  const { rows } = await sql<{ runId: number; channels: Channel[] }>`
    WITH served AS MATERIALIZED (
      SELECT r.id AS run_id, c.channel, c.place,
        -- Where no real provider was ever known, no delivery is looked at to find none.
        CASE WHEN NOT known.real THEN false WHEN known.serving AND counted.waiting > 0 THEN true
          ELSE EXISTS (SELECT FROM deliveries d WHERE d.run_id = r.id AND d.channel = c.channel
            AND d.account_id = ANY(ARRAY(SELECT id FROM accounts p
              WHERE p.channel = c.channel AND NOT p.simulated))) END AS real,
        counted.handed > 0 AS handed
      FROM runs r CROSS JOIN unnest(r.channels) WITH ORDINALITY AS c (channel, place)
      CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(NOT p.simulated), false) AS real,
          coalesce(bool_or(NOT p.simulated AND p.enabled), false) AS serving
        FROM accounts p WHERE p.channel = c.channel) known
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(n.count) FILTER (WHERE n.status = 'queued'), 0) AS waiting,
          coalesce(sum(n.count) FILTER (WHERE n.status NOT IN ('queued', 'skipped', 'cancelled', 'expired')), 0) AS handed
        FROM run_counts n WHERE n.run_id = r.id AND n.channel = c.channel) counted
      WHERE r.id = ANY(${runIds}::bigint[]) AND r.simulated AND cardinality(r.channels) > 1
    )
    SELECT run_id AS "runId", array_agg(channel ORDER BY place) FILTER (WHERE handed AND NOT real) AS channels
    FROM served GROUP BY run_id HAVING bool_or(real) AND bool_or(handed AND NOT real)`.execute(db);
  return new Map(rows.map(({ runId, channels }) => [runId, channels]));
}
