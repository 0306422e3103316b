import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import { type Finding, findingsOf, storable } from "#contract/findings.ts";
import type { Db } from "#server/db/database.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { archiveNext } from "../archive/archive-month.ts";
import { notifyPages } from "../hints.ts";
import { runMaintenance } from "../maintenance.ts";
import { type Start, startRun, type StartDependencies } from "../runs/start-run.ts";
import { checkNextRuns } from "./check-next-runs.ts";
import { withoutRepeats } from "../without-repeats.ts";
import { forgetPlans, replanOne } from "./plan.ts";
import { keepNextDates } from "./date-plan.ts";
import { runNextDue, ScheduleFault } from "./run-due.ts";
import { runNextDueDates } from "./run-due-dates.ts";
import { movingWith, startLoop, STUCK_MS, type Turn } from "../worker/loop.ts";

/** The current time, asked in the transaction that uses it. */
type Clock = (tx: Db) => Promise<Date>;

/** All schedulers use the database's clock, whatever their machines say. */
export const databaseClock: Clock = async (tx) => {
  const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(tx);
  return rows[0]!.now;
};

type SchedulerOptions = {
  db: Db;
  dependencies: StartDependencies;
  clock?: Clock;
  /** In milliseconds, see `startLoop`. */
  stuckMs?: number;
  /** Where old months go, on which connection, and after how many months; without it all stay. */
  archive?: { db: Db; folder: string | undefined; keepMonths: (db: Db) => Promise<number> };
  log: Record<"info" | "warn" | "error", (fields: Record<string, unknown>, message: string) => void>;
};

type Scheduler = { stop(): Promise<void> };

const LONGEST_MS = 1000;
/** How long to wait while another scheduler starts what is due. */
const SHORTEST_MS = 100;
/** As many as the scheduler has connections. */
const STARTS_AT_ONCE = 2;
const MAINTENANCE_MS = 10 * 60_000;
/** Someone who lives in another home since midnight is written to by its name soon after. */
const HOMES_MS = 60_000;
/** Who comes on file makes another next run, which screens show soon after. What is due is looked at anew in any case. */
const DATES_MS = 10_000;
/** How many times longer than a step of anything else a month may take without moving. */
const ARCHIVE_TIMES = 60;
/** How long a start that failed waits for its next attempt while others go first. */
const PUT_OFF_MS = 60_000;

/**
 * Starts what is due, beside any number of other schedulers: each notification and each schedule's run is started by
 * exactly one. What was due while no server ran starts late, and its run says so.
 */
export function startScheduler({
  db,
  dependencies,
  log,
  archive,
  clock = databaseClock,
  stuckMs = STUCK_MS,
}: SchedulerOptions): Scheduler {
  const onError = withoutRepeats("error", (error, times) =>
    log.error({ err: error, times }, "the scheduler hit an error and keeps running"),
  );
  const notifications = putOffs();
  const schedules = putOffs();
  const putOff = (error: unknown) => {
    if (error instanceof StartFault) {
      log.error({ err: error.cause, notificationId: error.notificationId }, error.message);
      notifications.add(error.notificationId);
    } else if (error instanceof ScheduleFault) {
      log.error({ err: error.cause, scheduleId: error.scheduleId }, error.message);
      schedules.add(error.scheduleId);
    } else throw error;
  };
  let plansChecked = false;
  let caughtUp = false;
  const start = (name: string, step: (db: Db, turn: Turn) => Promise<number>) =>
    startLoop((turn) => step(movingWith(db, turn), turn), { name, onError, stuckMs });
  const due = start("schedules", async (db, { signal }) => {
    // A newer build may have newer time zone rules than the one that planned.
    if (!plansChecked) await forgetPlans(db);
    plansChecked = true;
    const startNext = async () => {
      try {
        // They take turns, so that neither waits for many of the other.
        const notification = await startNextDue(db, dependencies, clock, notifications.ids());
        const run = await runNextSchedule(db, dependencies, clock, schedules.ids());
        return notification || run;
      } catch (error) {
        putOff(error);
        return false;
      }
    };
    const startAll = async () => {
      while (!signal.aborted && (await startNext()));
    };
    // When one is due, hundreds may be, and sending them keeps the database busy.
    if (await startNext()) await allSettled(Array.from({ length: STARTS_AT_ONCE }, startAll), onError);
    caughtUp = true;
    return untilNext(db, clock, { notifications: notifications.ids(), schedules: schedules.ids() });
  });
  const regularly = (name: string, duty: (db: Db) => Promise<void>, every = MAINTENANCE_MS) =>
    start(name, async (db) => {
      // Until then a schedule may have no next run to look at, and would be looked at ten minutes later.
      if (!caughtUp) return SHORTEST_MS;
      await duty(db);
      return every;
    });
  // Apart, so that one that keeps failing doesn't stop the other.
  const maintenance = regularly("maintenance", runMaintenance);
  const lookahead = regularly("lookahead", checkNextRuns);
  const homes = regularly("homes", keepHomes, HOMES_MS);
  const dates = regularly(
    "dates",
    async (db) => keepNextDates(db, (await dependencies.organization(db)).timeZone),
    DATES_MS,
  );
  const archiveMonth = async ({ signal }: Turn) => {
    if (!archive) return MAINTENANCE_MS;
    if (!caughtUp) return SHORTEST_MS;
    try {
      const keepMonths = await archive.keepMonths(db);
      const { folder } = archive;
      const month = await archiveNext(archive.db, { folder, keepMonths, signal });
      if (month === null) return MAINTENANCE_MS;
      log.info({ month, folder }, "a month's delivery details were archived");
      return 0;
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "a month could not be archived; it will be retried");
      return MAINTENANCE_MS;
    }
  };
  // A large month takes minutes, and some of its statements do.
  const months = startLoop(archiveMonth, { name: "archive", onError, stuckMs: stuckMs * ARCHIVE_TIMES });
  return {
    async stop() {
      // Whatever else is due waits for the next scheduler.
      await Promise.all([
        due.stop(),
        maintenance.stop(),
        lookahead.stop(),
        homes.stop(),
        dates.stop(),
        months.stop(),
      ]);
    },
  };
}

/** Waits for all of them, even if some fail. Then throws the first failure, and reports the others. */
async function allSettled(starts: Promise<void>[], onError: (error: unknown) => void): Promise<void> {
  const failed = (await Promise.allSettled(starts)).filter((start) => start.status === "rejected");
  const [first, ...others] = failed;
  for (const { reason } of others) onError(reason);
  if (first) throw first.reason;
}

/** Ids that wait for their next attempt after a fault. */
function putOffs(): { add(id: number): void; ids(): number[] } {
  const until = new Map<number, number>();
  return {
    add: (id) => void until.set(id, performance.now() + PUT_OFF_MS),
    ids() {
      for (const [id, time] of until) if (time <= performance.now()) until.delete(id);
      return [...until.keys()];
    },
  };
}

/** Plans a schedule again if one needs it, otherwise settles the one that is due. False when there is nothing to do. */
export function runNextSchedule(
  db: Db,
  dependencies: StartDependencies,
  clock: Clock,
  putOff: readonly number[] = [],
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = await clock(tx);
    const { timeZone: organizationZone } = await dependencies.organization(tx);
    return (
      (await replanOne(tx, organizationZone, now)) ||
      (await runNextDue(tx, dependencies, { organizationZone, now, putOff })) ||
      runNextDueDates(tx, dependencies, { organizationZone, now, putOff })
    );
  });
}

/** Starting a notification failed for a reason outside it, so it stays planned. */
class StartFault extends Error {
  override name = "StartFault";
  readonly notificationId: number;
  constructor(notificationId: number, cause: unknown) {
    super("A scheduled notification could not be started. It will be retried", { cause });
    this.notificationId = notificationId;
  }
}

/**
 * Starts the notification that has been due the longest, unless another scheduler is starting it or it is in `putOff`
 * (ids). One that cannot be started becomes Failed, with the reason, and holds up no other.
 * @returns false when nothing is due
 * @throws {StartFault} the server failed while starting one
 */
export function startNextDue(
  db: Db,
  dependencies: StartDependencies,
  clock: Clock,
  putOff: readonly number[] = [],
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = await clock(tx);
    const { rows } = await sql<{ id: number; at: Date }>`
      SELECT id, scheduled_time AS at FROM notifications
      WHERE status = 'Scheduled' AND scheduled_time <= ${now} AND id <> ALL(${putOff}::bigint[])
      ORDER BY scheduled_time, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
    const next = rows[0];
    if (!next) return false;
    const start: Start = { plan: { kind: "at", at: next.at }, context: { now } };
    const { text, json } = storable(await tryToStart(tx, next.id, { dependencies, start }));
    if (text !== null) {
      await sql`UPDATE notifications SET status = 'Failed', status_reason = ${text}, findings = ${json},
        updated_at = now() WHERE id = ${next.id}`.execute(tx);
      await notifyPages(tx, { type: "notifications" });
    }
    return true;
  });
}

/** Nothing when it runs, otherwise why it doesn't. Its partial writes are rolled back. */
async function tryToStart(
  tx: Db,
  id: number,
  { dependencies, start }: { dependencies: StartDependencies; start: Start },
): Promise<readonly Finding[]> {
  await sql`SAVEPOINT start`.execute(tx);
  try {
    await startRun(tx, id, dependencies, start);
    await sql`RELEASE SAVEPOINT start`.execute(tx);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw new StartFault(id, error);
    await sql`ROLLBACK TO SAVEPOINT start`.execute(tx);
    return findingsOf(error);
  }
}

type PutOff = { notifications: readonly number[]; schedules: readonly number[] };

/** Milliseconds to the next planned time. Kept short, because another may be planned before it at any moment. */
async function untilNext(db: Db, clock: Clock, { notifications, schedules }: PutOff): Promise<number> {
  const now = await clock(db);
  const { rows } = await sql<{ at: Date | null }>`
    SELECT least(
      (SELECT min(scheduled_time) FROM notifications
        WHERE status = 'Scheduled' AND id <> ALL(${notifications}::bigint[])),
      (SELECT min(next_run_at) FROM schedules
        WHERE active AND deleted_at IS NULL AND id <> ALL(${schedules}::bigint[])),
      (SELECT min(dates_at) FROM schedules
        WHERE active AND deleted_at IS NULL AND id <> ALL(${schedules}::bigint[]))) AS at`.execute(db);
  const at = rows[0]?.at;
  return at ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, at.getTime() - now.getTime())) : LONGEST_MS;
}
