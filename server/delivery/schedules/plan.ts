import { sql } from "kysely";
import {
  beforeMinuteOf,
  dayIn,
  nextOccurrence,
  occurrencesFrom,
  type Occurrence,
  type Rule,
} from "#contract/recurrence.ts";
import type { Db } from "#server/db/database.ts";
import { replanDates } from "./date-plan.ts";
import { lockSchedule, ruleOf, settledDays, type StoredSchedule } from "./schedule.ts";

/** The first occurrence after `after` that is not settled yet. */
export async function nextUnsettled(tx: Db, id: number, rule: Rule, after: Date): Promise<Occurrence | null> {
  // An occurrence may start a day after the day it is named for.
  const from = Temporal.PlainDate.from(dayIn(rule.zone, after)).subtract({ days: 2 }).toString();
  return nextOccurrence(rule, after, await settledDays(tx, id, from));
}

export async function storeNext(
  tx: Db,
  id: number,
  { zone }: Rule,
  next: Pick<Occurrence, "start" | "date"> | null,
): Promise<void> {
  await sql`UPDATE schedules SET next_run_at = ${next?.start ?? null}, next_occurrence = ${next?.date ?? null},
    planned_zone = ${zone}, dates_since = NULL, dates_day = NULL, dates_at = NULL, next_date_day = NULL, next_date_at = NULL
    WHERE id = ${id}`.execute(tx);
}

/** It has no next run while it is paused. */
export async function unplan(tx: Db, id: number): Promise<void> {
  await sql`
    UPDATE schedules SET next_run_at = NULL, next_occurrence = NULL, dates_since = NULL, dates_day = NULL, dates_at = NULL,
      next_date_day = NULL, next_date_at = NULL
    WHERE id = ${id}`.execute(tx);
}

/**
 * Calculates the next run again after the schedule was created, changed or activated, or its zone changed. `before` is
 * the schedule as it was: a run that was due then and has not started follows the new rule.
 */
export async function replan(
  tx: Db,
  id: number,
  rule: Rule,
  { now, before }: { now: Date; before: StoredSchedule | null },
): Promise<Occurrence | null> {
  if (rule.recurrence === "resident-date") return replanDates(tx, id, rule, { now, before });
  const next = await (before?.nextRunAt && before.nextOccurrence && before.nextRunAt <= now
    ? firstUnsettledFrom(tx, id, rule, before.nextOccurrence)
    : nextUnsettled(tx, id, rule, beforeMinuteOf(now)));
  await storeNext(tx, id, rule, next);
  return next;
}

async function firstUnsettledFrom(tx: Db, id: number, rule: Rule, day: string): Promise<Occurrence | null> {
  const settled = await settledDays(tx, id, day);
  for (const occurrence of occurrencesFrom(rule, day)) if (!settled.has(occurrence.date)) return occurrence;
  return null;
}

/**
 * Plans one active schedule that was not planned yet, or was planned for another zone because the organization moved.
 * False when there is none.
 */
export async function replanOne(tx: Db, organizationZone: string, now: Date): Promise<boolean> {
  const schedule = await lockSchedule(
    tx,
    sql`s.active AND s.planned_zone IS DISTINCT FROM coalesce(s.zone, ${organizationZone})`,
    "SKIP LOCKED",
  );
  if (!schedule) return false;
  await replan(tx, schedule.id, ruleOf(schedule, organizationZone), { now, before: schedule });
  return true;
}

/** Has all of them planned again. */
export async function forgetPlans(db: Db): Promise<void> {
  await sql`UPDATE schedules SET planned_zone = NULL WHERE active AND deleted_at IS NULL`.execute(db);
}

/** A recurring notification stops; what it has sent stays on record. */
export async function endOwnSchedule(tx: Db, notificationId: number): Promise<void> {
  await sql`
    UPDATE schedules SET deleted_at = now(), next_run_at = NULL, next_occurrence = NULL, updated_at = now()
    WHERE notification_id = ${notificationId} AND own_notification AND deleted_at IS NULL`.execute(tx);
}
