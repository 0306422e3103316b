import { dayAfter } from "#contract/homes.ts";
import { dayIn, type Rule } from "#contract/recurrence.ts";
import type { DueResidents } from "#contract/calls/schedule-replies.ts";
import { type DateQuestion, type DueResident, dueResidents } from "#server/audience/resident-dates.ts";
import type { Db } from "#server/db/database.ts";
import { nextDays } from "#server/delivery/schedules/date-plan.ts";
import {
  dateQuestion,
  ruleOf,
  settledStates,
  type StoredSchedule,
} from "#server/delivery/schedules/schedule.ts";
import { type Clock, storedSchedule } from "#server/features/schedules/queries.ts";

const RUNS = 6;
const NAMED = 5;
const LATE_LISTED = 100;
/** Whose run would have been longer ago gets nothing that would still make sense. */
const LATE_DAYS = 30;

const nobody: DueResidents = { next: [], late: [], lateTotal: 0 };

/** Whose dates make a schedule's next runs, by what is on file now, and whose came too late. */
export async function readResidents(db: Db, id: number, clock: Clock): Promise<DueResidents> {
  const schedule = await storedSchedule(db, id);
  const question = dateQuestion(schedule);
  if (!question) return nobody;
  const rule = ruleOf(schedule, clock.zone);
  const from = schedule.datesDay ?? dayIn(rule.zone, clock.now);
  const [next, late] = await Promise.all([
    nextResidents(db, question, rule, from),
    lateResidents(db, schedule, clock),
  ]);
  return { next, late: late.slice(0, LATE_LISTED).map(shown), lateTotal: late.length };
}

/** The next runs from a day on, with their first people. */
export async function nextResidents(
  db: Db,
  question: DateQuestion,
  rule: Rule,
  from: string,
): Promise<DueResidents["next"]> {
  const days = await nextDays(db, question, rule, { from, most: RUNS });
  return Promise.all(
    days.map(async ({ date, start, people }) => {
      const first = await dueResidents(db, question, { from: date, to: date, most: NAMED });
      return { occurrence: date, startsAt: start.toISOString(), people, first: first.map(shown) };
    }),
  );
}

/**
 * Whose run was before they or their date came on file: on a day that the active schedule has looked at, in the last 30.
 * A day that was skipped, or that waits for someone's decision, isn't among them.
 */
export async function lateResidents(
  db: Db,
  schedule: StoredSchedule,
  { zone, now }: Clock,
): Promise<DueResident[]> {
  const question = dateQuestion(schedule);
  if (!question || schedule.datesDay === null || schedule.datesSince === null) return [];
  const oldest = dayAfter(dayIn(schedule.zone ?? zone, now), -LATE_DAYS);
  const days = {
    from: oldest > schedule.datesSince ? oldest : schedule.datesSince,
    to: dayAfter(schedule.datesDay, -1),
  };
  if (days.from > days.to) return [];
  const states = await settledStates(db, schedule.id, days.from);
  const found = await dueResidents(db, question, days);
  return found.filter(({ day }) => (states.get(day) ?? "started") === "started");
}

function shown({ personId, name, home, date, day }: DueResident): DueResidents["late"][number] {
  return { personId, name, home, date, day };
}
