import { finding, storable } from "#contract/findings.ts";
import { sql } from "kysely";
import { audienceText } from "#contract/calls/notifications.ts";
import { dayIn, type Occurrence, occurrencesBetween, type Rule } from "#contract/recurrence.ts";
import { valuesForRun } from "#contract/text/relative-date.ts";
import type { Db } from "#server/db/database.ts";
import { replan } from "#server/delivery/schedules/plan.ts";
import { storedRule } from "#server/delivery/schedules/schedule.ts";
import type { SampleRecords } from "#server/features/sample/sample-records.ts";
import { type SampleClock, timeOf } from "#server/features/sample/clock.ts";
import type { Happening } from "#server/features/sample/history.ts";
import { insertNotification } from "#server/features/sample/insert-notification.ts";
import { playRun } from "#server/features/sample/play-run.ts";
import { markAsSample } from "#server/features/sample/rows.ts";
import { type SampleSchedule, sampleSchedules } from "#server/features/sample/schedules.ts";

const DAY = 86_400_000;

/** The schedules with their last runs. `plan` says when they run next, which is never before now. */
export async function insertSchedules(
  tx: Db,
  records: SampleRecords,
  clock: SampleClock,
): Promise<{ runs: Happening[]; plan: () => Promise<void> }> {
  const runs: Happening[] = [];
  const planned: { id: number; rule: Rule }[] = [];
  for (const schedule of sampleSchedules) {
    const rule = ruleOf(schedule, clock);
    const past = occurrencesBetween(rule, new Date(clock.now.getTime() - 40 * DAY), clock.now).toReversed();
    const id = await insertSchedule(tx, records, schedule, rule, createdAt(past, schedule, clock));
    if (!schedule.paused) planned.push({ id, rule });
    for (const [n, state] of schedule.runs.entries()) {
      const occurrence = past[n]!;
      runs.push(
        state === "started"
          ? starting(tx, records, clock, { id, schedule, occurrence })
          : missing(tx, { id, rule, occurrence }),
      );
    }
  }
  return {
    runs,
    async plan() {
      for (const { id, rule } of planned) await replan(tx, id, rule, { now: clock.now, before: null });
    },
  };
}

function ruleOf(schedule: SampleSchedule, clock: SampleClock): Rule {
  const { recurrence, dayOfWeek = null, dayOfMonth = null, time, endTime = null, inDays } = schedule;
  const { residentDate = null, dayOffset = null } = schedule;
  const day = inDays === undefined ? null : timeOf(clock, -inDays, "12:00");
  const date = day && dayIn(clock.zone, day);
  const byDate = residentDate && { residentDate, dayOffset };
  return { recurrence, dayOfWeek, dayOfMonth, date, ...byDate, time, endTime, zone: clock.zone };
}

/** After the last run that is not on record, and before the first that is. */
function createdAt(
  past: readonly Occurrence[],
  { runs, paused }: SampleSchedule,
  { now }: SampleClock,
): Date {
  if (paused) return new Date(now.getTime() - 50 * DAY);
  const before = past[runs.length]?.start ?? new Date(now.getTime() - 20 * DAY);
  const after = runs.length > 0 ? past[runs.length - 1]!.start : now;
  return new Date((before.getTime() + after.getTime()) / 2);
}

async function insertSchedule(
  tx: Db,
  records: SampleRecords,
  schedule: SampleSchedule,
  rule: Rule,
  at: Date,
): Promise<number> {
  const members = records.audience(schedule.to);
  const author = records.staff[schedule.by]!;
  const { residentDate = null, dayOffset = null } = schedule;
  const { recurrence, audience, resident_date, day_offset, date_audience } = storedRule({
    recurrence: rule.recurrence,
    residentDate,
    dayOffset,
    audience: members,
  });
  const { rows } = await sql<{ id: number }>`
    INSERT INTO schedules (name, recurrence, day_of_week, day_of_month, date, resident_date, day_offset, date_audience,
      time, end_time, active, template_id, channels, audience, audience_text, field_values, created_by, created_by_name, created_at, updated_at)
    VALUES (${schedule.name}, ${recurrence}, ${rule.dayOfWeek}, ${rule.dayOfMonth}, ${rule.date}, ${resident_date},
      ${day_offset}, ${date_audience}, ${rule.time}, ${rule.endTime}, ${!schedule.paused},
      ${records.template(schedule.template).id}, ${schedule.channels}, ${audience}, ${audienceText(members)},
      ${JSON.stringify(schedule.values ?? {})}, ${author.id}, ${author.name}, ${at}, ${at})
    RETURNING id`.execute(tx);
  const { id } = rows[0]!;
  await markAsSample(tx, "schedule", [id]);
  return id;
}

type Run = { id: number; schedule: SampleSchedule; occurrence: Occurrence };

function starting(
  tx: Db,
  records: SampleRecords,
  { now }: SampleClock,
  { id, schedule, occurrence }: Run,
): Happening {
  const at = occurrence.start;
  return {
    at,
    async happen() {
      const notificationId = await insertNotification(tx, records, {
        ...schedule,
        title: schedule.name,
        values: valuesForRun(schedule.values ?? {}, occurrence.date),
        at,
        status: "Scheduled",
        scheduledTime: at,
      });
      await playRun(tx, notificationId, { at, startedBy: null, now, opened: schedule.opened });
      await sql`
        INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, notification_id, at)
        VALUES (${id}, ${occurrence.date}, ${at}, 'started', ${notificationId}, ${at})`.execute(tx);
      return null;
    },
  };
}

function missing(
  tx: Db,
  { id, rule, occurrence }: { id: number; rule: Rule; occurrence: Occurrence },
): Happening {
  const { text, json } = storable([
    finding("window-missed", null, { endTime: rule.endTime ?? null, zone: rule.zone }),
  ]);
  return {
    at: occurrence.end,
    async happen() {
      await sql`
        INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, reason, findings, at)
        VALUES (${id}, ${occurrence.date}, ${occurrence.start}, 'missed', ${text}, ${json}, ${occurrence.end})`.execute(
        tx,
      );
      return null;
    },
  };
}
