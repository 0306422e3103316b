import { sql } from "kysely";
import type { Channel, DeliveryStatus } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { tellPages } from "./hints.ts";
import { noCounts, outcomeOf, outstanding, outstandingStatuses } from "./run-outcome.ts";
import { simulatedChannelsOf } from "./simulated-channels.ts";

/**
 * Ends those of these runs (null: of all) in which nothing is outstanding, and says on the notification how they
 * ended. Safe to call at any time by anybody.
 */
export async function finishRuns(db: Db, runIds: readonly number[] | null): Promise<void> {
  const { rows } = await sql<{ id: number; notificationId: number }>`
    SELECT r.id, r.notification_id AS "notificationId" FROM runs r
    WHERE r.state = 'sending' AND ${runIds === null ? sql`true` : sql`r.id = ANY(${runIds}::bigint[])`}
      AND NOT EXISTS (SELECT FROM run_counts c
        WHERE c.run_id = r.id AND c.status = ANY(${outstandingStatuses}::text[]) HAVING sum(c.count) > 0)
      AND NOT EXISTS (SELECT FROM resends s WHERE s.run_id = r.id AND s.finished_at IS NULL)`.execute(db);
  for (const run of rows) await finish(db, run);
}

async function finish(db: Db, { id, notificationId }: { id: number; notificationId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The same order of locks as starting, cancelling and sending again.
    await sql`SELECT FROM notifications WHERE id = ${notificationId} FOR NO KEY UPDATE`.execute(tx);
    const open = await sql`SELECT FROM runs WHERE id = ${id} AND state = 'sending' FOR NO KEY UPDATE`.execute(
      tx,
    );
    if (open.rows.length === 0) return;
    const { rows } = await sql<{ channel: Channel; status: DeliveryStatus; count: number }>`
      SELECT channel, status, sum(count)::int AS count FROM run_counts WHERE run_id = ${id}
      GROUP BY channel, status`.execute(tx);
    const simulated = (await simulatedChannelsOf(tx, [id])).get(id) ?? [];
    const [all, figures] = [noCounts(), noCounts()];
    for (const { channel, status, count } of rows) {
      all[status] += count;
      if (!simulated.includes(channel)) figures[status] += count;
    }
    if (outstanding(all) > 0) return;
    await sql`UPDATE runs SET state = 'finished', finished_at = now() WHERE id = ${id}`.execute(tx);
    await sql`UPDATE notifications SET status = ${outcomeOf(figures)}, updated_at = now()
      WHERE id = ${notificationId} AND status = 'Sending'`.execute(tx);
    await tellPages(tx, { type: "run", runId: id, notificationId }, { type: "notifications" });
  });
}
