import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { PIPELINED } from "#server/db/pipelined.ts";
import { PAGES_CHANNEL, WORK_CHANNEL } from "#server/db/notify-channels.ts";

/**
 * What NOTIFY carries. It only saves waiting for the next poll; nothing depends on it. In a transaction it is sent at
 * commit.
 */

type PageHint =
  | { type: "run"; runId: number; notificationId: number }
  | { type: "notifications" }
  | { type: "schedules" }
  | { type: "templates" }
  | { type: "providers" }
  | { type: "settings" }
  /** Sent by the tables themselves (0050_people_changed.sql). */
  | { type: "people" };

export async function notifyPages(db: Db, ...hints: readonly PageHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`${PIPELINED}SELECT pg_notify(${PAGES_CHANNEL}, hint) FROM unnest(${hints.map((hint) => JSON.stringify(hint))}::text[]) hint`.execute(
    db,
  );
}

const workHints = ["run", "queue", "grown", "any"] as const;
/** What workers may have to do now: a run to fan out, deliveries to claim, many more deliveries to claim, or anything. */
type WorkHint = (typeof workHints)[number];

/**
 * Workers may have something to do now. Planned work is up to the schedulers, which check on their own. `token`: the
 * worker that says so, and knows already.
 */
export async function hintWork(db: Db, what: WorkHint = "any", token?: number): Promise<void> {
  await sql`${PIPELINED}SELECT pg_notify(${WORK_CHANNEL}, ${`${what} ${token ?? ""}`})`.execute(db);
}

/** Reads what `hintWork` wrote. */
export function readWorkHint(payload: string): { what: WorkHint; token: number | undefined } {
  const [what, token] = payload.split(" ");
  return {
    what: workHints.find((one) => one === what) ?? "any",
    token: token ? Number(token) : undefined,
  };
}

export async function notifyPagesOfRuns(db: Db, runIds: readonly number[]): Promise<void> {
  await sql`
    SELECT pg_notify(${PAGES_CHANNEL},
      jsonb_build_object('type', 'run', 'runId', id, 'notificationId', notification_id)::text)
    FROM runs WHERE id = ANY(${runIds}::bigint[])`.execute(db);
}
