import { detailCondition } from "#contract/calls/detail-conditions.ts";
import { comparisons } from "#contract/text/detail-conditions.ts";
import { conditionForm, conditionOf } from "#web/domain/conditions/condition-form.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldErrors, Resolver } from "react-hook-form";
import * as z from "zod";
import type { BodyIn } from "#contract/endpoint.ts";
import { messageClasses, type MessageClass } from "#contract/delivery.ts";
import { calendarDay } from "#contract/fields.ts";
import { messageForm, noChannels, noRecipients } from "#contract/calls/notification-fields.ts";
import type { MessageForm } from "#contract/calls/notifications.ts";
import { DAY_OFFSET_MAX, recurrenceKinds, residentDates, type Rule } from "#contract/recurrence.ts";
import { refOf } from "#contract/recipients.ts";
import { textsAndDates } from "#contract/text/relative-date.ts";
import { createScheduleBody, scheduleDefaults } from "#contract/calls/schedule-fields.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";
import { answersOfNextRun, repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import { canChange, classOf, emptyMessage, kindOf } from "#web/domain/message/values.ts";
import { missingAnswers } from "#web/domain/message/rules.ts";
import type { OrganizationClock } from "#web/domain/organization-clock.ts";
import type { Opened, OpenedMessage } from "#web/features/schedules/edit/open-schedule.ts";

const { shape } = createScheduleBody;

/**
 * The editor as a person fills it in. A message's `title` is the schedule's name, and custom text comes from a
 * notification.
 */
const scheduleForm = messageForm
  .extend({
    title: shape.name,
    customMessage: z.string(),
    /** Once it has gone out, its text can't be changed. */
    notification: z
      .object({
        id: z.number(),
        title: z.string(),
        canChange: z.boolean(),
        class: z.enum(messageClasses),
        perHome: z.boolean().default(false),
      })
      .nullable(),
    recipients: messageForm.shape.recipients.min(1, noRecipients),
    channels: messageForm.shape.channels.min(1, noChannels),
    attachments: z.array(z.never()),
    recurrence: z.enum(recurrenceKinds),
    dayOfWeek: z.number(),
    dayOfMonth: z.number(),
    date: calendarDay.or(z.literal("")),
    residentDate: z.enum(residentDates),
    dayOffset: z.number().or(z.nan()),
    time: shape.time,
    endTime: z.string(),
    active: z.boolean(),
    /** The condition of `skipIf` as it is typed. */
    skips: z.object({ detail: z.number(), is: z.enum(comparisons), value: z.string() }).nullable(),
  })
  .superRefine((form, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (form.messageType === "template" && form.templateId === "") wrong("templateId", "Choose a template");
    if (form.messageType === "custom" && !form.notification) wrong("notification", "Choose a notification");
    if (form.recurrence === "once" && form.date === "") wrong("date", "Choose a date");
    if (form.recurrence === "resident-date" && !(Math.abs(form.dayOffset) <= DAY_OFFSET_MAX)) {
      wrong("dayOffset", `Enter a number of days from 1 to ${DAY_OFFSET_MAX}`);
    }
    const skipIf = form.skips && detailCondition.safeParse(conditionOf(form.skips));
    if (skipIf?.error) wrong("skips", skipIf.error.issues[0]?.message ?? "Check this");
    if (form.endTime !== "" && form.endTime <= form.time) {
      wrong("endTime", "End time must be later than the start time");
    }
  });
export type ScheduleForm = z.output<typeof scheduleForm>;

/** A new schedule, without a message and recipients: nothing may go out that no one chose. */
export function newForm(name: string): ScheduleForm {
  return {
    ...emptyMessage,
    title: name,
    messageType: "template",
    notification: null,
    attachments: [],
    recurrence: scheduleDefaults.recurrence,
    dayOfWeek: scheduleDefaults.dayOfWeek,
    dayOfMonth: scheduleDefaults.dayOfMonth,
    date: "",
    residentDate: scheduleDefaults.residentDate,
    dayOffset: scheduleDefaults.dayOffset,
    time: scheduleDefaults.time,
    endTime: scheduleDefaults.endTime,
    active: scheduleDefaults.active,
    skips: null,
  };
}

/** The form fields that are filled in when a notification is selected. */
export function ofNotification(message: OpenedMessage | null) {
  const { texts, dates } = textsAndDates(message?.fieldValues ?? {});
  return {
    customMessage: message?.contentText ?? "",
    notification: message && {
      id: message.id,
      title: message.title,
      canChange: canChange(message),
      class: message.class,
      perHome: message.perHome,
    },
    fieldValues: texts,
    relativeDates: dates,
  };
}

export function formOf({ message, ...stored }: Opened): ScheduleForm {
  const { texts, dates } = textsAndDates(stored.fieldValues);
  const chosen = ofNotification(message);
  return {
    ...emptyMessage,
    title: stored.name,
    messageType: stored.templateId === null ? "custom" : "template",
    templateId: stored.templateId === null ? "" : String(stored.templateId),
    ...chosen,
    fieldValues: { ...chosen.fieldValues, ...texts },
    relativeDates: dates,
    recipientType: kindOf(stored.audience),
    recipients: stored.audience,
    perHome: stored.perHome ?? message?.perHome ?? false,
    channels: stored.channels,
    attachments: [],
    highPriority: stored.class === null ? null : stored.class === "emergency",
    recurrence: stored.recurrence,
    dayOfWeek: stored.dayOfWeek ?? scheduleDefaults.dayOfWeek,
    dayOfMonth: stored.dayOfMonth ?? scheduleDefaults.dayOfMonth,
    date: stored.date ?? "",
    residentDate: stored.residentDate ?? scheduleDefaults.residentDate,
    dayOffset: stored.dayOffset ?? scheduleDefaults.dayOffset,
    time: stored.time,
    endTime: stored.endTime ?? "",
    active: stored.active,
    skips: stored.skipIf && conditionForm(stored.skipIf),
  };
}

type When = Pick<
  ScheduleForm,
  "recurrence" | "dayOfWeek" | "dayOfMonth" | "date" | "residentDate" | "dayOffset" | "time" | "endTime"
>;

/** The rule; null while its day or time is missing. */
function ruleOf(form: When, zone: string): Rule | null {
  const { recurrence, dayOfWeek, dayOfMonth, date, time, endTime } = form;
  if (time === "" || (recurrence === "once" && date === "")) return null;
  return { recurrence, dayOfWeek, dayOfMonth, date: date || null, time, endTime: endTime || null, zone };
}

/** The message as the next run sends it, with the notification's title and the dates for that run. */
export function asSent(form: ScheduleForm, clock: OrganizationClock | undefined): MessageForm {
  const rule = clock && ruleOf(form, clock.zone);
  return {
    ...form,
    title: form.messageType === "custom" ? (form.notification?.title ?? "") : form.title,
    skipIf: form.skips && conditionOf(form.skips),
    fieldValues: answersOfNextRun(form, rule, clock),
  };
}

const rules = zodResolver(scheduleForm) as Resolver<ScheduleForm, Surroundings, ScheduleForm>;

/** The schema's rules and, while the schedule is active, a value for each field that the sender fills in. */
export const scheduleRules: typeof rules = async (form, surroundings, options) => {
  const result = await rules(form, surroundings, options);
  const clock = surroundings?.clock as OrganizationClock | undefined;
  const missing = surroundings && form.active ? missingAnswers(asSent(form, clock), surroundings, true) : {};
  if (Object.keys(missing).length === 0) return result;
  return { values: {}, errors: { ...(missing as FieldErrors<ScheduleForm>), ...result.errors } };
};

type Body = Omit<BodyIn<typeof schedules.create>, "clientKey">;

/** The body of the call for a valid form. */
export function bodyOf(
  form: ScheduleForm,
  { asked, templateClass }: { asked: readonly string[]; templateClass: MessageClass | undefined },
) {
  const byTemplate = form.messageType === "template";
  const source = byTemplate ? templateClass : form.notification?.class;
  const ofMessage = !byTemplate && (form.notification?.perHome ?? false);
  return {
    name: form.title,
    ...whenOf(form),
    active: form.active,
    ...(byTemplate ? { templateId: Number(form.templateId) } : {}),
    ...(!byTemplate && form.notification ? { notificationId: form.notification.id } : {}),
    channels: form.channels,
    class: form.highPriority === null ? null : (classOf(form, source) ?? null),
    perHome: form.perHome === ofMessage ? null : form.perHome,
    skipIf: form.skips && conditionOf(form.skips),
    fieldValues: repeatedAnswers(form, asked),
    recipients: form.recipients.map(refOf),
  } satisfies Body;
}

/** The part about the rule, shared by the save and the preview. */
export function whenOf({
  recurrence,
  dayOfWeek,
  dayOfMonth,
  date,
  residentDate,
  dayOffset,
  time,
  endTime,
}: When) {
  const byDate = recurrence === "resident-date" ? { residentDate, dayOffset } : {};
  return { recurrence, dayOfWeek, dayOfMonth, date, ...byDate, time, endTime };
}

const inputOf: Record<string, string> = {
  name: "title",
  notificationId: "notification",
  type: "channels",
  skipIf: "skips",
};

/** The input for a field name in the server's reply. */
export function fieldOf(path: string): string {
  const [root = "", part] = path.split(".");
  if (root === "fieldValues") return part ? path : "templateId";
  return inputOf[root] ?? root;
}
