import { sql } from "kysely";
import { dayAfter } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import { notifyPages } from "../hints.ts";
import type { StartDependencies } from "../runs/start-run.ts";
import { firstDayAfter, nextDays, storeDates } from "./date-plan.ts";
import { type Due, MOST_AT_ONCE, recordMissed, start } from "./run-due.ts";
import { dateQuestion, lockSchedule, ruleOf } from "./schedule.ts";

/**
 * As `runNextDue`, for the schedule by residents' dates that should have looked whose date it is the longest ago. Each day
 * that has someone is a run, or is missed once its window is over. A day without anyone is nothing.
 */
export async function runNextDueDates(
  tx: Db,
  dependencies: StartDependencies,
  { organizationZone, now, putOff }: Due,
): Promise<boolean> {
  const schedule = await lockSchedule(
    tx,
    sql`s.active AND s.dates_at <= ${now} AND s.id <> ALL(${putOff}::bigint[]) ORDER BY s.dates_at, s.id`,
    "SKIP LOCKED",
  );
  if (!schedule?.datesDay || schedule.datesSince === null) return false;
  const { datesDay: from, datesSince: since } = schedule;
  const rule = ruleOf(schedule, organizationZone);
  // The zone may have changed since: then no day may be due yet.
  const day = [firstDayAfter(rule, now), from].toSorted().at(-1)!;
  const question = dateQuestion(schedule);
  const days =
    question && day > from
      ? await nextDays(tx, question, rule, { from, to: dayAfter(day, -1), most: MOST_AT_ONCE })
      : [];
  await recordMissed(
    tx,
    schedule.id,
    rule,
    days.filter(({ end }) => end < now),
  );
  for (const open of days.filter(({ end }) => end >= now)) {
    await start(tx, schedule, open, { rule, dependencies });
  }
  const last = days.length === MOST_AT_ONCE ? days.at(-1) : undefined;
  await storeDates(tx, schedule, rule, { day: last ? dayAfter(last.date) : day, since });
  if (days.length > 0) await notifyPages(tx, { type: "schedules" });
  return true;
}
