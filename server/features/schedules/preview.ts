import type { BodyOf } from "#contract/endpoint.ts";
import { AppError } from "#contract/errors.ts";
import { askedFields, fieldsOf, TemplateError } from "#contract/text/message-fields.ts";
import { dayIn, nextRuns, type Occurrence, type Rule } from "#contract/recurrence.ts";
import { valuesForRun } from "#contract/text/relative-date.ts";
import { ruleNotes, ruleText, runNote } from "#contract/text/rule-text.ts";
import { scheduleDefaults } from "#contract/calls/schedule-fields.ts";
import type { SchedulePreview } from "#contract/calls/schedule-replies.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import type { Db } from "#server/db/database.ts";
import { answered, missingFields } from "#server/messages/fields.ts";
import { settledDays } from "#server/delivery/schedules/plan.ts";
import { reachNow } from "#server/features/audience/reach-now.ts";
import { formatTime } from "#contract/time-text.ts";
import { findMessage } from "#server/features/schedules/message.ts";
import type { Clock } from "#server/features/schedules/queries.ts";

type Draft = BodyOf<typeof schedules.preview>;

const RUNS = 6;

/** What an unfinished schedule would do, as far as that is known. */
export async function previewSchedule(db: Db, draft: Draft, { zone, now }: Clock): Promise<SchedulePreview> {
  const rule = ruleOf(draft, zone);
  const runs = rule ? await nextSix(db, draft, rule, now) : [];
  const message = await readMessage(db, draft);
  const { name, fieldValues } = draft;
  const values = (date: string) => answered({ ...message.fieldValues, ...valuesForRun(fieldValues, date) });
  const texts = [message.title ?? name, message.subject, message.content];
  let fields: string[] = [];
  let asked: string[] = [];
  let { problem } = message;
  try {
    fields = fieldsOf(...texts);
    asked = askedFields(...texts);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    problem = error.message;
  }
  const today = values(runs[0]?.date ?? dayIn(zone, now));
  const channels = draft.channels ?? message.channels;
  const { recipients } = draft;
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
          values: only(asked, values(run.date)),
        }))
      : [],
    notes: rule ? ruleNotes(rule, runs) : [],
    askedFields: asked,
    missingFields: missingFields(asked, today),
    problem,
    reach:
      recipients.length > 0 && channels.length > 0
        ? await reachNow(db, { audience: recipients, channels, fields })
        : null,
  };
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
    time,
    endTime: endTime && endTime > time ? endTime : null,
    zone: zone ?? organizationZone,
  };
}

async function nextSix(db: Db, { scheduleId }: Draft, rule: Rule, now: Date): Promise<Occurrence[]> {
  // In no zone is a next run named for an earlier day.
  const firstDay = new Date(now.getTime() - 2 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const settled = scheduleId === undefined ? undefined : await settledDays(db, scheduleId, firstDay);
  return nextRuns(rule, now, RUNS, settled);
}

type Known = {
  title: string | null;
  subject: string;
  content: string;
  fieldValues: Record<string, string>;
  channels: NonNullable<Draft["channels"]>;
  problem: string | null;
};

const nothing: Known = {
  title: null,
  subject: "",
  content: "",
  fieldValues: {},
  channels: [],
  problem: null,
};

async function readMessage(db: Db, draft: Draft): Promise<Known> {
  if (!draft.templateId && !draft.notificationId) return { ...nothing, content: draft.content ?? "" };
  try {
    const { message, title, channels } = await findMessage(db, draft, null);
    return { ...message, title, channels, problem: null };
  } catch (error) {
    if (error instanceof AppError) return { ...nothing, problem: error.message };
    throw error;
  }
}

function only(names: readonly string[], values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] ?? ""]] : [])),
  );
}
