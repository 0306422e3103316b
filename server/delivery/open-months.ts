import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { IDS_PER_MONTH, monthOfId } from "#server/db/months.ts";
import { nothingOutstanding } from "./runs/finish-runs.ts";

/**
 * The months that can have something to send or to settle, each as its first id: those of open runs and of runs whose
 * cancelling was interrupted, and this month and the next, so that a new run never has to wait.
 */
export async function openMonths(db: Db): Promise<number[]> {
  const { rows } = await sql<{ month: number }>`
    SELECT ${monthOfId(sql`id`)} AS month FROM runs WHERE state IN ('fanning-out', 'sending')
    UNION SELECT ${monthOfId(sql`id`)} FROM open_cancellations
    UNION SELECT month_of(now() + make_interval(months => n)) FROM generate_series(0, 1) n
    ORDER BY month`.execute(db);
  return rows.map(({ month }) => month * IDS_PER_MONTH);
}

/** Of cancelled runs, only those that still have something outstanding are looked at again. */
export async function closeCancellations(db: Db): Promise<void> {
  await sql`DELETE FROM open_cancellations r WHERE ${nothingOutstanding}`.execute(db);
}
