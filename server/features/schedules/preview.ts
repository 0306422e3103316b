import type { BodyOf } from "#contract/endpoint.ts";
import { problemIn } from "#contract/findings.ts";
import {
  askedFields,
  type DetailFields,
  fieldsOf,
  TemplateError,
  withoutTyped,
} from "#contract/text/message-fields.ts";
import {
  beforeMinuteOf,
  dayIn,
  nextRuns,
  type Occurrence,
  occurrenceOn,
  type Rule,
} from "#contract/recurrence.ts";
import { valuesForRun } from "#contract/text/relative-date.ts";
import { ruleNotes, ruleText, runNote } from "#contract/text/rule-text.ts";
import { scheduleDefaults } from "#contract/calls/schedule-fields.ts";
import type { DueResidents, SchedulePreview } from "#contract/calls/schedule-replies.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import { detailFields, withPersonal } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import { settledDays } from "#server/delivery/schedules/schedule.ts";
import { firstDayAfter } from "#server/delivery/schedules/date-plan.ts";
import { reachNow } from "#server/features/audience/reach-now.ts";
import { formatTime } from "#contract/text/time-text.ts";
import type { Clock } from "#server/features/schedules/queries.ts";
import { nextResidents, readResidents } from "#server/features/schedules/residents.ts";
import { answered } from "#server/messages/fields.ts";
import { check } from "#server/messages/gate.ts";
import type { Message } from "#server/messages/message.ts";
import { readSource } from "#server/messages/source.ts";

type Draft = BodyOf<typeof schedules.preview>;

const RUNS = 6;

/** What an unfinished schedule would do, as far as that is known. */
export async function previewSchedule(db: Db, draft: Draft, { zone, now }: Clock): Promise<SchedulePreview> {
  const rule = ruleOf(draft, zone);
  const { recipients, fieldValues, skipIf } = draft;
  const byDate = rule?.recurrence === "resident-date";
  const residents = byDate ? await nextByDate(db, draft, rule, { zone, now }) : null;
  const runs = residents
    ? residents.next.map(({ occurrence }) => occurrenceOn(rule!, occurrence))
    : rule
      ? await nextSix(db, draft, rule, now)
      : [];
  const { message, source } = await readSource(db, draft);
  const { kind } = source;
  const outgoing = {
    ...message,
    title: kind === "notification" ? message.title : draft.name,
    content: kind === "none" ? (draft.content ?? "") : message.content,
    channels: draft.channels ?? message.channels,
    perHome: draft.perHome ?? message.perHome,
  };
  const values = (date: string) => ({ ...message.fieldValues, ...valuesForRun(fieldValues, date) });
  const found = await check(
    db,
    { ...outgoing, fieldValues: values(runs[0]?.date ?? dayIn(zone, now)) },
    rule ? { kind: "rule", rule } : { kind: "now" },
    { zone, now, moment: "writing", ...(kind !== "none" && { source }), gone: [] },
  );
  const typed = values(runs[0]?.date ?? dayIn(zone, now));
  const { fields, asked } = fieldsIn({ ...outgoing, fieldValues: typed }, await detailFields(db));
  const { channels, perHome } = outgoing;
  return {
    rule: rule && ruleText(rule),
    zone: draft.zone ?? zone,
    runs: rule
      ? runs.map((run) => ({
          occurrence: run.date,
          startsAt: run.start.toISOString(),
          endsAt: run.end.toISOString(),
          when: formatTime(run.start, rule.zone, now),
          note: runNote(rule, run),
          values: only(asked, answered(values(run.date))),
        }))
      : [],
    residents,
    notes: rule ? ruleNotes(rule, runs) : [],
    askedFields: asked,
    missingFields: found.flatMap((one) => (one.code === "unfilled" ? one.params.fields : [])),
    problem: problemIn(found),
    reach:
      recipients.length > 0 && channels.length > 0 && !byDate
        ? await reachNow(db, {
            audience: recipients,
            channels,
            fields: await withPersonal(db, fields, { typed }),
            perHome,
            skipIf,
          })
        : null,
  };
}

/** None while its braces hold no field. */
function fieldsIn(
  { title, subject, content, fieldValues }: Message,
  details: DetailFields,
): { fields: string[]; asked: string[] } {
  try {
    const texts = [title, subject, content];
    return {
      fields: withoutTyped(fieldsOf(...texts), fieldValues),
      asked: askedFields(texts, details),
    };
  } catch (error) {
    if (error instanceof TemplateError) return { fields: [], asked: [] };
    throw error;
  }
}

/** Null while part of it is missing. */
function ruleOf(draft: Draft, organizationZone: string): Rule | null {
  const { recurrence = scheduleDefaults.recurrence, date, time, endTime, zone } = draft;
  if (time === "" || (recurrence === "once" && !date)) return null;
  return {
    recurrence,
    dayOfWeek: draft.dayOfWeek ?? scheduleDefaults.dayOfWeek,
    dayOfMonth: draft.dayOfMonth ?? scheduleDefaults.dayOfMonth,
    date: date || null,
    ...(recurrence === "resident-date" && {
      residentDate: draft.residentDate ?? scheduleDefaults.residentDate,
      dayOffset: draft.dayOffset ?? scheduleDefaults.dayOffset,
    }),
    time,
    endTime: endTime && endTime > time ? endTime : null,
    zone: zone ?? organizationZone,
  };
}

/** Of a stored schedule that already goes by this date also whose came too late. */
async function nextByDate(
  db: Db,
  { scheduleId, recipients: audience }: Draft,
  rule: Rule,
  clock: Clock,
): Promise<DueResidents> {
  const { residentDate, dayOffset } = rule;
  const question = {
    residentDate: residentDate ?? scheduleDefaults.residentDate,
    dayOffset: dayOffset ?? 0,
    audience,
    scheduleId: scheduleId ?? null,
  };
  const from = firstDayAfter(rule, beforeMinuteOf(clock.now));
  const next = audience.length > 0 ? await nextResidents(db, question, rule, from) : [];
  const stored = scheduleId === undefined ? null : await readResidents(db, scheduleId, clock);
  return { next, late: stored?.late ?? [], lateTotal: stored?.lateTotal ?? 0 };
}

async function nextSix(db: Db, { scheduleId }: Draft, rule: Rule, now: Date): Promise<Occurrence[]> {
  // In no zone is a next run named for an earlier day.
  const firstDay = new Date(now.getTime() - 2 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const settled = scheduleId === undefined ? undefined : await settledDays(db, scheduleId, firstDay);
  return nextRuns(rule, now, RUNS, settled);
}

function only(names: readonly string[], values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] ?? ""]] : [])),
  );
}
