import * as z from "zod";
import { reach } from "#contract/audience.ts";
import { channels, notificationStatuses } from "#contract/delivery.ts";
import { instant } from "#contract/fields.ts";
import { audienceMember } from "#contract/notifications.ts";
import { recurrenceKinds } from "#contract/recurrence.ts";
import { runNotes } from "#contract/rule-text.ts";
import { scheduleValues } from "#contract/schedule-fields.ts";

/** What replies about schedules and their runs hold. */

/** What became of an occurrence of a schedule. */
export const occurrenceStates = ["started", "missed", "failed", "skipped"] as const;
export type OccurrenceState = (typeof occurrenceStates)[number];

/** `passed`: its time today had passed before the schedule was saved or activated, so it does not run today. */
export const scheduleRunStates = ["planned", "passed", ...occurrenceStates] as const;

/** Added to the id of a scheduled notification where it stands among schedules, which have ids of their own. */
export const SCHEDULED_NOTIFICATION_OFFSET = 10_000;

/** The screen that shows one schedule; a scheduled notification by its raised id. */
export const schedulePath = (id: number) => `/schedules?schedule=${id}`;

/** One run, planned or past, as calendar, today's list and history show it. */
export const scheduleRun = z.object({
  /** A scheduled notification's is raised by 10000. */
  scheduleId: z.number(),
  kind: z.enum(["schedule", "notification"]),
  name: z.string(),
  channels: z.array(z.enum(channels)),
  recipients: z.string(),
  /** The day in the rule, which names it among the schedule's runs; "now …" where a person ran it out of turn. */
  occurrence: z.string(),
  /** When it starts, or should have, and that day and time by the organization's calendar. */
  startsAt: instant,
  day: z.iso.date(),
  time: z.string(),
  state: z.enum(scheduleRunStates),
  /** Why it was missed or could not start, in words. */
  reason: z.string().nullable(),
  /** Someone has seen that it was missed or failed, and leaves it. */
  dismissed: z.boolean(),
  /** Who ran, skipped or sent it; null: no one but the schedule. */
  by: z.string().nullable(),
  /** What it sent. */
  notificationId: z.number().nullable(),
  status: z.enum(notificationStatuses).nullable(),
  /** Persons in its audience, and those of them who got it on at least one channel; null before it starts. */
  people: z.number().nullable(),
  reached: z.number().nullable(),
  /** All of it went to the Sandbox; `simulatedChannels`: those that did, of a run that went out for real, too. */
  simulated: z.boolean(),
  simulatedChannels: z.array(z.enum(channels)),
});
export type ScheduleRun = z.output<typeof scheduleRun>;

export const scheduleReply = z.object({
  id: z.number(),
  /** `notification`: a scheduled notification among the schedules; it is changed as a notification. */
  kind: z.enum(["schedule", "notification"]),
  name: z.string(),
  recurrence: z.enum(recurrenceKinds),
  dayOfWeek: z.number().nullable(),
  dayOfMonth: z.number().nullable(),
  date: z.iso.date().nullable(),
  time: z.string(),
  endTime: z.string().nullable(),
  /** Null: the organization's. */
  zone: z.string().nullable(),
  /** "Every Tuesday, 2:00 PM ET". */
  rule: z.string(),
  /** "Email, SMS". */
  type: z.string(),
  channels: z.array(z.enum(channels)),
  recipients: z.string(),
  audience: z.array(audienceMember),
  active: z.boolean(),
  /** `finished`: active, and nothing is left to run. */
  state: z.enum(["active", "paused", "finished"]),
  templateId: z.number().nullable(),
  notificationId: z.number().nullable(),
  /** It is a recurring notification, whose text is edited there. */
  ownNotification: z.boolean(),
  /** The template's name or the notification's title; null: it is gone. */
  message: z.string().nullable(),
  fieldValues: scheduleValues,
  nextRunAt: instant.nullable(),
  nextOccurrence: z.iso.date().nullable(),
  /** Days ahead that it leaves out. */
  skips: z.array(z.iso.date()),
  /** The newest that started. */
  lastRun: scheduleRun.nullable(),
  /** Those that were missed or could not start and that no one has sent or dismissed, the newest first, at most three. */
  missed: z.array(scheduleRun),
  /** Why it cannot run as it is, in words. */
  problem: z.string().nullable(),
  clientKey: z.string().nullable(),
  createdBy: z.string(),
  updatedAt: instant,
});
export type Schedule = z.output<typeof scheduleReply>;

/** A schedule that someone has to look at, as dashboard and bell show it. */
export const scheduleAttention = z.object({
  scheduleId: z.number(),
  name: z.string(),
  active: z.boolean(),
  /** Why it cannot run as it is, or what its last run went without, in words; null: its next run starts as planned. */
  problem: z.string().nullable(),
  /** Runs that were missed or could not start and that no one has sent or dismissed, and the newest of them. */
  waitingRuns: z.number(),
  newest: scheduleRun.nullable(),
  nextRunAt: instant.nullable(),
  /** When the newest of this happened. */
  since: instant,
});
export type ScheduleAttention = z.output<typeof scheduleAttention>;

/** The caller's secret link by which calendar apps read the schedules. The link itself is shown only once. */
export const calendarLinkReply = z.object({
  /** Null: there is none. */
  createdAt: instant.nullable(),
  /** When a calendar app last asked by it; null: none has. */
  lastReadAt: instant.nullable(),
});
export type CalendarLink = z.output<typeof calendarLinkReply>;

export const schedulePreview = z.object({
  /** The rule in words; null while something of it is missing. */
  rule: z.string().nullable(),
  zone: z.string(),
  /** The next six. */
  runs: z.array(
    z.object({
      occurrence: z.iso.date(),
      startsAt: instant,
      /** The last moment at which it may start. */
      endsAt: instant,
      /** "Mon 30 Nov, 9:00 AM EST". */
      when: z.string(),
      note: z.enum(runNotes).nullable(),
      /** What the fields say that no person fills, as this run would use them. */
      values: z.record(z.string(), z.string()),
    }),
  ),
  /** What is worth knowing of short months and of nights when the clocks change. */
  notes: z.array(z.string()),
  /** The fields of the message that no person fills, and those of them that no one has filled. */
  askedFields: z.array(z.string()),
  missingFields: z.array(z.string()),
  /** What is wrong with the message or the rule, in words. */
  problem: z.string().nullable(),
  /** Who would get it today; null while no one or no channel is chosen. */
  reach: reach.nullable(),
});
export type SchedulePreview = z.output<typeof schedulePreview>;

/** One thing that will go out, as the dashboard shows it. */
export const upcomingRun = z.object({
  id: z.number(),
  kind: z.enum(["schedule", "notification"]),
  /** Of a scheduled notification. */
  notificationId: z.number().nullable(),
  /** How far away it is by the organization's calendar: "Today", "Tomorrow", "In 3 days". */
  timeframe: z.string(),
  title: z.string(),
  /** Channels, audience and time: "Email, SMS · All Tenants · Wed 25 Nov, 9:00 AM EST". */
  details: z.string(),
});
export type Upcoming = z.output<typeof upcomingRun>;
