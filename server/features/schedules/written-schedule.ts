import { settledCondition } from "#server/audience/settled-conditions.ts";
import { type Channel, channelMeaning, channels as allChannels } from "#contract/delivery.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { refuse } from "#contract/findings.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { dayIn } from "#contract/recurrence.ts";
import { scheduleDefaults } from "#contract/calls/schedule-fields.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import type { Db } from "#server/db/database.ts";
import { ruleOf, type ScheduleRule, type StoredSchedule } from "#server/delivery/schedules/schedule.ts";
import type { Clock } from "#server/features/schedules/queries.ts";
import { check } from "#server/messages/gate.ts";
import type { Plan } from "#server/messages/plan.ts";
import { scheduledMessage } from "#server/messages/scheduled-message.ts";
import { readSource, type Source, type SourceRef } from "#server/messages/source.ts";

/** Everything a person decides about a schedule. */
export type Written = ScheduleRule &
  Pick<
    StoredSchedule,
    | "name"
    | "active"
    | "templateId"
    | "notificationId"
    | "channels"
    | "audience"
    | "class"
    | "perHome"
    | "skipIf"
    | "fieldValues"
  >;

/** The body on top of what is stored, or of a new schedule's defaults. */
export async function complete(
  tx: Db,
  body: Omit<BodyOf<typeof schedules.update>, "updatedAt">,
  { audience, stored }: { audience: AudienceMember[]; stored: StoredSchedule | null },
): Promise<{ written: Written; source: Source }> {
  const recurrence = body.recurrence ?? stored?.recurrence ?? scheduleDefaults.recurrence;
  const dayOfWeek = body.dayOfWeek ?? stored?.dayOfWeek ?? scheduleDefaults.dayOfWeek;
  const dayOfMonth = body.dayOfMonth ?? stored?.dayOfMonth ?? scheduleDefaults.dayOfMonth;
  const date = (body.date ?? stored?.date) || null;
  if (recurrence === "once" && date === null) throw refusal("no-date-chosen");
  const residentDate = body.residentDate ?? stored?.residentDate ?? scheduleDefaults.residentDate;
  const dayOffset = body.dayOffset ?? stored?.dayOffset ?? scheduleDefaults.dayOffset;
  const endTime = body.endTime === undefined ? (stored?.endTime ?? null) : body.endTime || null;
  const chosen: SourceRef = body.templateId || body.notificationId ? body : (stored ?? body);
  const { message, source } = await readSource(tx, chosen);
  const channels = body.channels ?? channelsOf(body.type) ?? stored?.channels ?? message.channels;
  const written = {
    name: body.name,
    recurrence,
    dayOfWeek: recurrence === "weekly" ? dayOfWeek : null,
    dayOfMonth: recurrence === "monthly" ? dayOfMonth : null,
    date: recurrence === "once" ? date : null,
    residentDate: recurrence === "resident-date" ? residentDate : null,
    dayOffset: recurrence === "resident-date" ? dayOffset : null,
    time: body.time,
    endTime,
    zone: body.zone === undefined ? (stored?.zone ?? null) : body.zone,
    active: body.active ?? stored?.active ?? scheduleDefaults.active,
    templateId: source.kind === "template" ? message.templateId : null,
    notificationId: source.kind === "notification" ? (chosen.notificationId ?? null) : null,
    channels,
    audience,
    class: body.class === undefined ? (stored?.class ?? null) : body.class,
    perHome: body.perHome === undefined ? (stored?.perHome ?? null) : body.perHome,
    skipIf: body.skipIf === undefined ? (stored?.skipIf ?? null) : await settled(tx, body.skipIf),
    fieldValues: ownValues(body.fieldValues ?? stored?.fieldValues ?? {}, message.fieldValues),
  };
  return { written, source };
}

async function settled(tx: Db, skipIf: StoredSchedule["skipIf"]): Promise<StoredSchedule["skipIf"]> {
  return skipIf && settledCondition(tx, skipIf, "skipIf");
}

/** Without what the notification itself holds: later changes there also apply to the next run. */
function ownValues(
  written: StoredSchedule["fieldValues"],
  ofMessage: Record<string, string>,
): StoredSchedule["fieldValues"] {
  return Object.fromEntries(Object.entries(written).filter(([field, value]) => value !== ofMessage[field]));
}

/** "Email, SMS" as channels; undefined if nothing is said. */
function channelsOf(type: string | undefined): Channel[] | undefined {
  if (!type) return undefined;
  const said = type.toLowerCase().split(/[^a-z]+/);
  const found = allChannels.filter((channel) => said.includes(channelMeaning[channel].label.toLowerCase()));
  if (found.length > 0) return found;
  throw refusal("type-unknown");
}

/** What must be right before it may run. A paused schedule may still lack values. `source`: what the call names. */
export async function refuseUnfit(
  tx: Db,
  written: Written,
  { zone, now }: Clock,
  source?: Source,
): Promise<void> {
  const rule = ruleOf(written, zone);
  const { message, ...context } = await scheduledMessage(tx, written, dayIn(zone, now));
  const plan: Plan = written.active ? { kind: "rule", rule } : { kind: "draft", rule };
  const known = { ...context, ...(source && { source }), zone, now, moment: "writing" } as const;
  refuse(await check(tx, message, plan, known));
}

/** What a recurring notification's own schedule cannot become. */
export function refuseForOwn(stored: StoredSchedule, written: Written): void {
  if (written.notificationId !== stored.notificationId || written.templateId !== null) {
    const field = written.templateId === null ? "notificationId" : "templateId";
    throw refusal("text-of-a-notification", {}, { field });
  }
  if (written.recurrence === "once" || written.recurrence === "resident-date")
    throw refusal("recurring-once");
}
