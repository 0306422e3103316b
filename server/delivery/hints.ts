import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/**
 * What NOTIFY carries. All of it only saves waiting for the next look at the tables; nothing depends on it. In a
 * transaction it is sent at commit.
 */

/** What open pages are told; the web role makes server-sent events of it. */
export const PAGES_CHANNEL = "porchlight";
/** Wakes workers and schedulers. */
export const WORK_CHANNEL = "porchlight_work";

export type PageHint =
  | { type: "run"; runId: number; notificationId: number }
  | { type: "notifications" }
  | { type: "providers" };

export async function tellPages(db: Db, ...hints: readonly PageHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`SELECT pg_notify(${PAGES_CHANNEL}, hint) FROM unnest(${hints.map((hint) => JSON.stringify(hint))}::text[]) hint`.execute(
    db,
  );
}

export async function hintWork(db: Db): Promise<void> {
  await sql`SELECT pg_notify(${WORK_CHANNEL}, '')`.execute(db);
}

export async function tellPagesOfRuns(db: Db, runIds: readonly number[]): Promise<void> {
  await sql`
    SELECT pg_notify(${PAGES_CHANNEL},
      jsonb_build_object('type', 'run', 'runId', id, 'notificationId', notification_id)::text)
    FROM runs WHERE id = ANY(${runIds}::bigint[])`.execute(db);
}
