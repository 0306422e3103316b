import { isDeepStrictEqual } from "node:util";
import { type RawBuilder, sql } from "kysely";
import type { ErrorCode } from "#contract/errors.ts";
import type { Finding, FindingCode } from "#contract/findings.ts";
import { dayIn } from "#contract/recurrence.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { type Clock, readClock } from "#server/messages/clock.ts";
import { check } from "#server/messages/gate.ts";
import { scheduledMessage } from "#server/messages/scheduled-message.ts";
import { notifyPages } from "../hints.ts";
import { noteProblem } from "./run-due.ts";
import {
  lockSchedule,
  mayRun,
  ruleOf,
  scheduleColumns,
  scheduleSource,
  type StoredSchedule,
} from "./schedule.ts";

/** What only the start of a run finds, such as an empty group. It stays until a run starts or someone saves the schedule. */
const foundAtStart: readonly FindingCode[] = [
  "nobody-in",
  "nobodys-date",
  "people-deleted",
  "unreachable",
  "other",
];

/** Of problems that are stored as text alone, those that show before the run. */
const foundBeforeStart: readonly (ErrorCode | null)[] = [
  "not-found",
  "unavailable",
  "missing-field-values",
  null,
];

/**
 * Marks active schedules whose next run could not start or would go without some of its recipients, as far as that can
 * be known, and unmarks those that are fixed. `which` is a condition on `s`: whoever removes something checks the
 * schedules that use it, and the scheduler checks all of them regularly.
 */
export async function checkNextRuns(db: Db, which: RawBuilder<unknown> = sql`true`): Promise<void> {
  const { rows } = await sql<StoredSchedule>`
    SELECT ${scheduleColumns} FROM ${scheduleSource}
    WHERE s.active AND s.deleted_at IS NULL AND ${mayRun} AND ${which} ORDER BY s.id`.execute(db);
  if (rows.length === 0) return;
  const clock = await readClock(db);
  const doubtful: number[] = [];
  for (const schedule of rows) {
    if (differs(schedule, await nextRunFindings(db, schedule, clock))) doubtful.push(schedule.id);
  }
  for (const id of doubtful) {
    await transaction(db, async (tx) => {
      // A schedule that someone is changing or starting right now is checked next time.
      const schedule = await lockSchedule(tx, sql`s.id = ${id} AND s.active AND ${mayRun}`, "SKIP LOCKED");
      if (!schedule) return;
      const found = await nextRunFindings(tx, schedule, clock);
      if (!differs(schedule, found)) return;
      await noteProblem(tx, id, found);
      await notifyPages(tx, { type: "schedules" });
    });
  }
}

function differs({ problem, findings, problemCode }: StoredSchedule, found: readonly Finding[]): boolean {
  if (problem === null) return found.length > 0;
  const stays = findings
    ? findings.some(({ code }) => foundAtStart.includes(code))
    : !foundBeforeStart.includes(problemCode);
  return !stays && !isDeepStrictEqual(findings, found);
}

/** Why its next run can't start, or what it would go without. */
async function nextRunFindings(db: Db, schedule: StoredSchedule, { zone, now }: Clock): Promise<Finding[]> {
  const rule = ruleOf(schedule, zone);
  const day = schedule.nextOccurrence ?? dayIn(rule.zone, now);
  const { message, ...context } = await scheduledMessage(db, schedule, day);
  const found = await check(
    db,
    message,
    { kind: "rule", rule },
    { ...context, zone, now, moment: "unseen", connected: schedule.connectedChannels },
  );
  const first = found.find(({ blocks }) => blocks);
  return first ? [first] : found;
}
