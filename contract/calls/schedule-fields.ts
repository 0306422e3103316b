import * as z from "zod";
import { messageClasses } from "#contract/delivery.ts";
import { calendarDay, id, instant, line, requiredLine, text, wholeNumber } from "#contract/fields.ts";
import {
  changedScheduleRecipients,
  channelList,
  MESSAGE_MAX,
  recipientRef,
  scheduleRecipients,
  templateRef,
} from "#contract/calls/notification-fields.ts";
import { detailCondition } from "#contract/calls/detail-conditions.ts";
import { DAY_OFFSET_MAX, recurrenceKinds, residentDates } from "#contract/recurrence.ts";
import { relativeDate } from "#contract/text/relative-date.ts";
import { timeZone } from "#contract/calls/settings.ts";

/** The fields of a schedule's form and calls. */

/** What a new schedule's form shows. It has no message and no recipients, so that nothing goes out that no one chose. */
export const scheduleDefaults = {
  name: "",
  recurrence: "daily",
  dayOfWeek: 1,
  dayOfMonth: 1,
  residentDate: "move-in",
  dayOffset: 0,
  time: "09:00",
  endTime: "17:00",
  active: true,
} as const;

const dayOfWeekSentence = "Day of week must be 0 (Sunday) to 6 (Saturday)";
const dayOfMonthSentence = "Day of month must be 1 to 31";
const dayOffsetSentence = `Days must be 0 to ${DAY_OFFSET_MAX}, or negative for days before the date`;

const clock = (sentence: string) =>
  z.string({ error: sentence }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
    error: ({ input }) => (input === "" ? sentence : "Enter a time like 09:00"),
  });

/** When it runs. Fields that are left out keep their values, or have the form's defaults in a new schedule. */
const ruleFields = {
  recurrence: z
    .enum(recurrenceKinds, { error: "Recurrence must be daily, weekly, monthly, once or resident-date" })
    .optional(),
  dayOfWeek: wholeNumber(0, 6, dayOfWeekSentence).nullish(),
  dayOfMonth: wholeNumber(1, 31, dayOfMonthSentence).nullish(),
  /** For a one-time schedule. */
  date: calendarDay.or(z.literal("")).nullish(),
  /** For resident-date: whose date it is, this many days after it; before it if negative. */
  residentDate: z.enum(residentDates, { error: "The date must be move-in, move-out or lease-end" }).nullish(),
  dayOffset: wholeNumber(-DAY_OFFSET_MAX, DAY_OFFSET_MAX, dayOffsetSentence).nullish(),
  time: clock("Start time is required"),
  /** The latest a run may start; null: until the day ends. */
  endTime: clock("Enter a time like 17:00").or(z.literal("")).nullish(),
  /** Null: the organization's. */
  zone: timeZone.nullish(),
};

/** Values for the fields that the sender fills in, by field name: text, or a date relative to the run. */
export const scheduleValues = z.record(
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "A field name can have letters, digits and underscores")
    .toLowerCase(),
  z.union([text("The value", 1000), relativeDate], {
    error: "A value must be text, or a date relative to the run: { daysAfter }, or { day, monthsAfter }",
  }),
);

const shared = {
  name: requiredLine("Name", 200, "Name is required"),
  ...ruleFields,
  active: z.boolean({ error: "Active must be true or false" }).optional(),
  /** What it sends: either a template as it is at each run, or the text of an existing notification. */
  templateId: templateRef.nullish(),
  notificationId: id.nullish(),
  /** Defaults to those of the template or notification. */
  channels: channelList.optional(),
  /** How urgent its runs are; null: as the message. If left out, it stays. */
  class: z.enum(messageClasses).nullish(),
  /** Each home gets one message on each channel; null: as the message says. If left out, it stays. */
  perHome: z.boolean({ error: "perHome must be true, false or null" }).nullish(),
  /** Leaves out people of whom this is true at the moment of a run; null: no one. If left out, it stays. */
  skipIf: detailCondition.nullish(),
  /** "Email, SMS": the same as text, used if `channels` is left out. */
  type: line("Type", 50).optional(),
  fieldValues: scheduleValues.optional(),
};

type Rule = { recurrence?: string; date?: string | null; time: string; endTime?: string | null };

type Message = { templateId?: unknown; notificationId?: unknown };
const oneMessage = ({ templateId, notificationId }: Message) => !templateId || !notificationId;
const messageSentence = {
  path: ["templateId"],
  message: "Choose a template or a notification, not both",
};

const laterEnd = ({ time, endTime }: Rule) => !endTime || endTime > time;
const endSentence = { path: ["endTime"], message: "End time must be later than the start time" };

export const createScheduleBody = z
  .object({
    ...shared,
    recipients: scheduleRecipients,
    /** Created once per dialog. The server accepts a key once and refuses any other call with it (409 already-taken). */
    clientKey: requiredLine("Client key", 100, "A client key must not be empty").optional(),
  })
  .refine(laterEnd, endSentence)
  .refine(oneMessage, messageSentence);

export const updateScheduleBody = z
  .object({
    ...shared,
    recipients: changedScheduleRecipients,
    /** From when the dialog was opened, so that it does not overwrite someone else's change. */
    updatedAt: instant.optional(),
  })
  .refine(laterEnd, endSentence)
  .refine(oneMessage, messageSentence);

/** A schedule that is still being typed: anything may be missing. */
export const scheduleDraft = z.object({
  /** The schedule that is being edited. Its past runs are taken into account. */
  scheduleId: id.optional(),
  name: z.string().max(1000).default(""),
  ...ruleFields,
  time: ruleFields.time.or(z.literal("")).default(""),
  templateId: templateRef.or(z.literal("")).nullish(),
  notificationId: id.nullish(),
  /** The text of a recurring notification that is not stored yet, instead of a template or a notification. */
  content: text("Message", MESSAGE_MAX).optional(),
  recipients: z.array(recipientRef).max(500).default([]),
  perHome: shared.perHome,
  skipIf: shared.skipIf,
  channels: channelList.or(z.array(z.never()).length(0)).optional(),
  fieldValues: scheduleValues.default({}),
});
