import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { PAGES_CHANNEL, WORK_CHANNEL } from "#server/db/notify-channels.ts";

/**
 * What NOTIFY carries. It only saves waiting for the next poll; nothing depends on it. In a transaction it is sent at
 * commit.
 */

export type PageHint =
  | { type: "run"; runId: number; notificationId: number }
  | { type: "notifications" }
  | { type: "schedules" }
  | { type: "providers" }
  | { type: "settings" }
  /** Sent by the tables themselves (0050_people_changed.sql). */
  | { type: "people" };

export async function tellPages(db: Db, ...hints: readonly PageHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`SELECT pg_notify(${PAGES_CHANNEL}, hint) FROM unnest(${hints.map((hint) => JSON.stringify(hint))}::text[]) hint`.execute(
    db,
  );
}

/** Workers may have something to do now. Planned work is up to the schedulers, which check on their own. */
export async function hintWork(db: Db): Promise<void> {
  await sql`SELECT pg_notify(${WORK_CHANNEL}, '')`.execute(db);
}

export async function tellPagesOfRuns(db: Db, runIds: readonly number[]): Promise<void> {
  await sql`
    SELECT pg_notify(${PAGES_CHANNEL},
      jsonb_build_object('type', 'run', 'runId', id, 'notificationId', notification_id)::text)
    FROM runs WHERE id = ANY(${runIds}::bigint[])`.execute(db);
}
