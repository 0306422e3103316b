import { sql } from "kysely";
import { dayAfter } from "#contract/homes.ts";
import { beforeMinuteOf, dayIn, type Occurrence, occurrenceOn, type Rule } from "#contract/recurrence.ts";
import { type DateQuestion, daysWithResidents } from "#server/audience/resident-dates.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "../hints.ts";
import { dateQuestion, lockSchedule, ruleOf, settledStates, type StoredSchedule } from "./schedule.ts";

/**
 * A schedule by residents' dates looks every day, at its time, whose date it is. `dates_day` is the first day that it
 * hasn't looked at, `next_date_day` the next one for someone who is on file by now, which screens show.
 */

/** The first day whose run starts after `after`. */
export function firstDayAfter(rule: Rule, after: Date): string {
  // A time that daylight saving skips may start a day later.
  let day = dayAfter(dayIn(rule.zone, after), -2);
  while (occurrenceOn(rule, day).start <= after) day = dayAfter(day);
  return day;
}

/** The next days from `from` on that have someone and aren't settled. */
export async function nextDays(
  db: Db,
  question: DateQuestion,
  rule: Rule,
  { from, to, most }: { from: string; to?: string; most: number },
): Promise<(Occurrence & { people: number })[]> {
  const settled =
    question.scheduleId === null ? new Map() : await settledStates(db, question.scheduleId, from);
  const days = await daysWithResidents(db, question, { from, to, most: most + settled.size });
  return days
    .filter(({ day }) => !settled.has(day))
    .slice(0, most)
    .map(({ day, people }) => ({ ...occurrenceOn(rule, day), people }));
}

/** Has it look at `day` next, and stores its next run. Returns that. */
export async function storeDates(
  tx: Db,
  schedule: StoredSchedule,
  rule: Rule,
  { day, since }: { day: string; since: string },
): Promise<Occurrence | null> {
  const question = dateQuestion(schedule);
  const [next = null] = question ? await nextDays(tx, question, rule, { from: day, most: 1 }) : [];
  const { start: at } = occurrenceOn(rule, day);
  await sql`
    UPDATE schedules SET dates_since = ${since}, dates_day = ${day}, dates_at = ${at}, planned_zone = ${rule.zone},
      next_date_day = ${next?.date ?? null}, next_date_at = ${next?.start ?? null}, next_run_at = NULL,
      next_occurrence = NULL
    WHERE id = ${schedule.id} AND (dates_since, dates_day, dates_at, planned_zone, next_date_day, next_date_at, next_run_at)
      IS DISTINCT FROM (${since}, ${day}, ${at}::timestamptz, ${rule.zone}, ${next?.date ?? null},
        ${next?.start ?? null}::timestamptz, NULL)`.execute(tx);
  return next;
}

/** As `replan`. A day that was due and has not been looked at follows the new rule. */
export async function replanDates(
  tx: Db,
  id: number,
  rule: Rule,
  { now, before }: { now: Date; before: StoredSchedule | null },
): Promise<Occurrence | null> {
  const schedule = (await lockSchedule(tx, sql`s.id = ${id}`))!;
  const same = before?.residentDate === rule.residentDate && before?.dayOffset === rule.dayOffset;
  const due = before?.datesDay && before.datesAt && before.datesAt <= now ? before.datesDay : null;
  return storeDates(tx, schedule, rule, {
    day: due ?? firstDayAfter(rule, beforeMinuteOf(now)),
    since: (same && before?.datesSince) || dayIn(rule.zone, now),
  });
}

/** Every few seconds: people come on file, move and change their dates, so the next run may be another one by now. */
export async function keepNextDates(db: Db, organizationZone: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM schedules WHERE active AND deleted_at IS NULL AND dates_at IS NOT NULL ORDER BY id`.execute(
    db,
  );
  for (const { id } of rows) {
    await transaction(db, async (tx) => {
      const schedule = await lockSchedule(
        tx,
        sql`s.id = ${id} AND s.active AND s.dates_at IS NOT NULL`,
        "SKIP LOCKED",
      );
      if (!schedule?.datesDay || schedule.datesSince === null) return;
      const { datesDay: day, datesSince: since } = schedule;
      const next = await storeDates(tx, schedule, ruleOf(schedule, organizationZone), { day, since });
      if (next?.start.getTime() !== schedule.nextRunAt?.getTime())
        await notifyPages(tx, { type: "schedules" });
    });
  }
}
