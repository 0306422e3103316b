import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { tellPages } from "./hints.ts";
import { keepHouse } from "./housekeeping.ts";
import type { StartDependencies } from "./start-run.ts";
import { startRun } from "./start-run.ts";
import { startLoop } from "./worker/loop.ts";

export type SchedulerOptions = {
  db: Db;
  dependencies: StartDependencies;
  log: Record<"info" | "warn" | "error", (fields: Record<string, unknown>, message: string) => void>;
};

export type Scheduler = { stop(): Promise<void> };

const LONGEST_MS = 1000;
/** While another scheduler is starting what is due. */
const SHORTEST_MS = 100;
const HOUSEKEEPING_MS = 10 * 60_000;
/** Planned so long ago, a message may be wrong by now: a person decides. */
const MISSED_HOURS = 24;
/** How long one whose start met a fault waits for its next try, and the others go first. */
const PUT_OFF_MS = 60_000;

/**
 * Starts what is due, by the database's clock, beside any number of other schedulers: one of them gets each
 * notification. What was due while no server ran starts late, and its run says so.
 */
export function startScheduler({ db, dependencies, log }: SchedulerOptions): Scheduler {
  const onError = (error: unknown) => log.error({ err: error }, "the scheduler met an error and goes on");
  const putOff = new Map<number, number>();
  const due = startLoop(async () => {
    for (const [id, until] of putOff) if (until <= performance.now()) putOff.delete(id);
    try {
      while (await startNextDue(db, dependencies, [...putOff.keys()]));
    } catch (error) {
      if (!(error instanceof StartFault)) throw error;
      log.error({ err: error.cause, notificationId: error.notificationId }, error.message);
      putOff.set(error.notificationId, performance.now() + PUT_OFF_MS);
    }
    return untilNext(db, [...putOff.keys()]);
  }, onError);
  const house = startLoop(async () => {
    await keepHouse(db);
    return HOUSEKEEPING_MS;
  }, onError);
  return {
    async stop() {
      await Promise.all([due.stop(), house.stop()]);
    },
  };
}

/** The start of a notification met a fault that is not its own; it stays planned. */
class StartFault extends Error {
  override name = "StartFault";
  readonly notificationId: number;
  constructor(notificationId: number, cause: unknown) {
    super("A planned notification could not be started and will be tried again", { cause });
    this.notificationId = notificationId;
  }
}

/**
 * Starts the notification that has been due the longest, that no other scheduler is starting and that is not among
 * `putOff` (ids). One that cannot be started becomes Failed, with the reason, and holds up nobody.
 *
 * @returns false when nothing is due
 * @throws {StartFault} the server met an error while it started one
 */
export function startNextDue(
  db: Db,
  dependencies: StartDependencies,
  putOff: readonly number[] = [],
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; missed: boolean }>`
      SELECT id, scheduled_time < now() - ${MISSED_HOURS} * interval '1 hour' AS missed FROM notifications
      WHERE status = 'Scheduled' AND scheduled_time <= now() AND id <> ALL(${putOff}::bigint[])
      ORDER BY scheduled_time, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
    const next = rows[0];
    if (!next) return false;
    const problem = next.missed
      ? "It was missed: it could not be started at its time, and that is more than a day ago. Send it now, or leave it."
      : await tryToStart(tx, next.id, dependencies);
    if (problem !== null) {
      await sql`UPDATE notifications SET status = 'Failed', status_reason = ${problem}, updated_at = now()
        WHERE id = ${next.id}`.execute(tx);
      await tellPages(tx, { type: "notifications" });
    }
    return true;
  });
}

/** Null when it runs, else the reason in words. What it had written is undone. */
async function tryToStart(tx: Db, id: number, dependencies: StartDependencies): Promise<string | null> {
  await sql`SAVEPOINT start`.execute(tx);
  try {
    await startRun(tx, id, dependencies);
    await sql`RELEASE SAVEPOINT start`.execute(tx);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw new StartFault(id, error);
    await sql`ROLLBACK TO SAVEPOINT start`.execute(tx);
    return error.message;
  }
}

/** Milliseconds to the next planned time; not long, because another may be planned before it at any moment. */
async function untilNext(db: Db, putOff: readonly number[]): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT (extract(epoch FROM min(scheduled_time) - clock_timestamp()) * 1000)::float8 AS ms
    FROM notifications WHERE status = 'Scheduled' AND id <> ALL(${putOff}::bigint[])`.execute(db);
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, rows[0]?.ms ?? LONGEST_MS));
}
