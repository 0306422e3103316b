import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import { errorCodeOf, type Finding, finding, findingsOf, storable } from "#contract/findings.ts";
import { occurrenceOn, occurrencesBetween, type Occurrence, type Rule } from "#contract/recurrence.ts";
import type { Db } from "#server/db/database.ts";
import { notifyPages } from "../hints.ts";
import { startRun, type StartDependencies } from "../runs/start-run.ts";
import { nextUnsettled, storeNext } from "./plan.ts";
import { insertRunNotification } from "./run-notification.ts";
import { lockSchedule, ruleOf, type StoredSchedule } from "./schedule.ts";

/** For a schedule that was due for years, this many occurrences are settled per transaction. */
export const MOST_AT_ONCE = 500;

/** Starting a run failed for a reason outside the schedule, so it stays due. */
export class ScheduleFault extends Error {
  override name = "ScheduleFault";
  readonly scheduleId: number;
  constructor(scheduleId: number, cause: unknown) {
    super("A schedule's run could not be started. It will be retried", { cause });
    this.scheduleId = scheduleId;
  }
}

export type Due = { organizationZone: string; now: Date; putOff: readonly number[] };

/**
 * Settles the schedule that has been due the longest, unless someone else is settling it or it is in `putOff` (ids), in
 * the caller's transaction. Its last occurrence starts if its window is open; all earlier or late ones are missed. Each
 * occurrence is a row with a unique key, so none can run twice.
 * @returns false when nothing is due
 * @throws {ScheduleFault} the server failed while starting one
 */
export async function runNextDue(
  tx: Db,
  dependencies: StartDependencies,
  { organizationZone, now, putOff }: Due,
): Promise<boolean> {
  const schedule = await lockSchedule(
    tx,
    sql`s.active AND s.next_run_at <= ${now} AND s.id <> ALL(${putOff}::bigint[]) ORDER BY s.next_run_at, s.id`,
    "SKIP LOCKED",
  );
  if (!schedule?.nextRunAt || schedule.nextOccurrence === null) return false;
  const rule = ruleOf(schedule, organizationZone);
  const first = { ...occurrenceOn(rule, schedule.nextOccurrence), start: schedule.nextRunAt };
  const due = [first, ...occurrencesBetween(rule, first.start, now)].slice(0, MOST_AT_ONCE);
  const last = due.at(-1) ?? first;
  const late = due.filter((occurrence) => occurrence !== last || occurrence.end < now);
  await recordMissed(tx, schedule.id, rule, late);
  if (!late.includes(last)) await start(tx, schedule, last, { rule, dependencies });
  await storeNext(tx, schedule.id, rule, await nextUnsettled(tx, schedule.id, rule, last.start));
  await notifyPages(tx, { type: "schedules" });
  return true;
}

export async function recordMissed(
  tx: Db,
  id: number,
  rule: Rule,
  missed: readonly Occurrence[],
): Promise<void> {
  if (missed.length === 0) return;
  const { text, json } = storable([
    finding("window-missed", null, { endTime: rule.endTime ?? null, zone: rule.zone }),
  ]);
  await sql`
    INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, reason, findings)
    SELECT ${id}, occurrence, planned_for, 'missed', ${text}, ${json}::jsonb
    FROM unnest(${missed.map(({ date }) => date)}::text[], ${missed.map(({ start }) => start)}::timestamptz[])
      m (occurrence, planned_for)
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** Starts a run, or records why it could not start and rolls back its partial writes. */
export async function start(
  tx: Db,
  schedule: StoredSchedule,
  { date, start: plannedFor }: Occurrence,
  { rule, dependencies }: { rule: Rule; dependencies: StartDependencies },
): Promise<void> {
  const settled = await sql`
    SELECT FROM schedule_occurrences WHERE schedule_id = ${schedule.id} AND occurrence = ${date}`.execute(tx);
  if (settled.rows.length > 0) return;
  await sql`SAVEPOINT start`.execute(tx);
  try {
    const { id, context } = await insertRunNotification(tx, schedule, { date, plannedFor });
    const plan = { kind: "rule", rule } as const;
    const { warnings } = await startRun(tx, id, dependencies, { day: date, plan, context });
    await sql`
      INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, notification_id)
      VALUES (${schedule.id}, ${date}, ${plannedFor}, 'started', ${id})`.execute(tx);
    await noteProblem(tx, schedule.id, warnings);
    await sql`RELEASE SAVEPOINT start`.execute(tx);
  } catch (error) {
    if (!(error instanceof AppError)) throw new ScheduleFault(schedule.id, error);
    await sql`ROLLBACK TO SAVEPOINT start`.execute(tx);
    const found = findingsOf(error);
    // It was someone's date until a moment ago.
    if (found.some(({ code }) => code === "nobodys-date")) return;
    const { text, json } = storable(found);
    await sql`
      INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, reason, findings)
      VALUES (${schedule.id}, ${date}, ${plannedFor}, 'failed', ${text}, ${json})`.execute(tx);
    await noteProblem(tx, schedule.id, found);
  }
}

/** Someone has looked at the schedule: clears its problem and the recipients that are gone. */
export async function forgetProblem(tx: Db, id: number): Promise<void> {
  await noteProblem(tx, id, []);
  await sql`UPDATE schedules SET gone_recipients = '[]' WHERE id = ${id}`.execute(tx);
}

/** What is wrong with a schedule, as its run met it or would meet it; nothing anymore if that is empty. */
export async function noteProblem(tx: Db, id: number, findings: readonly Finding[]): Promise<void> {
  const { text, json } = storable(findings);
  await sql`
    UPDATE schedules SET problem = ${text}, problem_code = ${errorCodeOf(findings)}, findings = ${json},
      problem_at = ${text === null ? null : sql`now()`}
    WHERE id = ${id} AND (problem IS NOT NULL OR ${text}::text IS NOT NULL)`.execute(tx);
}
