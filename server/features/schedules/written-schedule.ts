import { type Channel, channelMeaning, channels as allChannels } from "#contract/delivery.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { fieldError } from "#contract/errors.ts";
import { noChannels, noRecipients } from "#contract/calls/notification-fields.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { dayIn } from "#contract/recurrence.ts";
import { valuesForRun } from "#contract/text/relative-date.ts";
import { scheduleDefaults } from "#contract/calls/schedule-fields.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import type { Db } from "#server/db/database.ts";
import type { StoredSchedule } from "#server/delivery/schedules/schedule.ts";
import { checkFields, refuseOffChannels } from "#server/features/notifications/compose.ts";
import { findMessage } from "#server/features/schedules/message.ts";
import type { Clock } from "#server/features/schedules/queries.ts";

/** Everything a person decides about a schedule. */
export type Written = Pick<
  StoredSchedule,
  | "name"
  | "recurrence"
  | "dayOfWeek"
  | "dayOfMonth"
  | "date"
  | "time"
  | "endTime"
  | "zone"
  | "active"
  | "templateId"
  | "notificationId"
  | "channels"
  | "audience"
  | "class"
  | "fieldValues"
>;

/** The body on top of what is stored, or of a new schedule's defaults. */
export async function complete(
  tx: Db,
  body: Omit<BodyOf<typeof schedules.update>, "updatedAt">,
  { audience, stored }: { audience: AudienceMember[]; stored: StoredSchedule | null },
): Promise<Written> {
  const recurrence = body.recurrence ?? stored?.recurrence ?? scheduleDefaults.recurrence;
  const dayOfWeek = body.dayOfWeek ?? stored?.dayOfWeek ?? scheduleDefaults.dayOfWeek;
  const dayOfMonth = body.dayOfMonth ?? stored?.dayOfMonth ?? scheduleDefaults.dayOfMonth;
  const date = (body.date ?? stored?.date) || null;
  if (recurrence === "once" && date === null) throw fieldError("invalid-input", "date", "Choose a date");
  const endTime = body.endTime === undefined ? (stored?.endTime ?? null) : body.endTime || null;
  const message = await findMessage(tx, body, stored);
  const channels = body.channels ?? channelsOf(body.type) ?? stored?.channels ?? message.channels;
  if (channels.length === 0) throw fieldError("invalid-input", "channels", noChannels);
  return {
    name: body.name,
    recurrence,
    dayOfWeek: recurrence === "weekly" ? dayOfWeek : null,
    dayOfMonth: recurrence === "monthly" ? dayOfMonth : null,
    date: recurrence === "once" ? date : null,
    time: body.time,
    endTime,
    zone: body.zone === undefined ? (stored?.zone ?? null) : body.zone,
    active: body.active ?? stored?.active ?? scheduleDefaults.active,
    templateId: message.templateId,
    notificationId: message.notificationId,
    channels,
    audience,
    class: body.class === undefined ? (stored?.class ?? null) : body.class,
    fieldValues: ownValues(body.fieldValues ?? stored?.fieldValues ?? {}, message.message.fieldValues),
  };
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
  throw fieldError("invalid-input", "type", "Type must be Email, SMS, Push, or several of them");
}

/** What must be right before it may run. A paused schedule may still lack values. */
export async function check(
  tx: Db,
  { name, active, endTime, time, templateId, notificationId, channels, audience, fieldValues }: Written,
  { zone, now }: Clock,
): Promise<void> {
  if (endTime !== null && endTime <= time) {
    throw fieldError("invalid-input", "endTime", "End time must be later than the start time");
  }
  if (audience.length === 0) throw fieldError("invalid-input", "recipients", noRecipients);
  if (!active) return;
  const { message, title } = await findMessage(tx, { templateId, notificationId }, null);
  const values = valuesForRun(fieldValues, dayIn(zone, now));
  const at = templateId === null ? "notificationId" : "templateId";
  checkFields([title === null ? ["name", name] : [at, title], [at, message.subject], [at, message.content]], {
    ...message.fieldValues,
    ...values,
  });
  await refuseOffChannels(tx, channels);
}

/** What a recurring notification's own schedule cannot become. */
export function refuseForOwn(stored: StoredSchedule, written: Written): void {
  if (written.notificationId !== stored.notificationId || written.templateId !== null) {
    const sentence = "It repeats a recurring notification. Edit that notification to change what it says.";
    throw fieldError(
      "invalid-input",
      written.templateId === null ? "notificationId" : "templateId",
      sentence,
    );
  }
  if (written.recurrence === "once") {
    const sentence = "A recurring notification repeats daily, weekly or monthly";
    throw fieldError("invalid-input", "recurrence", sentence);
  }
}
