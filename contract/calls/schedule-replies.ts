import * as z from "zod";
import { reach } from "#contract/calls/audience.ts";
import { channels, messageClasses, notificationStatuses } from "#contract/delivery.ts";
import { instant } from "#contract/fields.ts";
import { detailCondition } from "#contract/calls/detail-conditions.ts";
import { audienceMember, messageReply } from "#contract/calls/notification-fields.ts";
import { recurrenceKinds, residentDates } from "#contract/recurrence.ts";
import { noReceipts } from "#contract/run-progress.ts";
import { runNotes } from "#contract/text/rule-text.ts";
import { scheduleValues } from "#contract/calls/schedule-fields.ts";

/** Replies about schedules and their runs. */

/** The outcome of an occurrence of a schedule. */
const occurrenceStates = ["started", "missed", "failed", "skipped"] as const;
export type OccurrenceState = (typeof occurrenceStates)[number];

/** `passed`: its time today had passed before the schedule was saved or activated, so it does not run today. */
const scheduleRunStates = ["planned", "passed", ...occurrenceStates] as const;

/** Added to the id of a scheduled notification in a list of schedules, which have their own ids. */
export const SCHEDULED_NOTIFICATION_OFFSET = 10_000;

/** The screen for one schedule, or for a scheduled notification by its raised id. */
export const schedulePath = (id: number) => `/schedules?schedule=${id}`;

/** One past or future run, for the calendar, today's list and the history. */
export const scheduleRun = z.object({
  /** For a scheduled notification, its id plus 10000. */
  scheduleId: z.number(),
  kind: z.enum(["schedule", "notification"]),
  /** A notification that someone sent right away, for the calendar. */
  unscheduled: z.boolean(),
  name: z.string(),
  channels: z.array(z.enum(channels)),
  recipients: z.string(),
  /** The rule's day, which identifies the run; "now …" if a person started it manually. */
  occurrence: z.string(),
  /** When it starts or should have started, and that day and time in the organization's zone. */
  startsAt: instant,
  day: z.iso.date(),
  time: z.string(),
  state: z.enum(scheduleRunStates),
  /** When a schedule's run started or was sent, missed, failed or skipped; null for any other. */
  settledAt: instant.nullable(),
  /** A sentence that says why it was missed or could not start. */
  reason: z.string().nullable(),
  /** Someone has dismissed the missed or failed run. */
  dismissed: z.boolean(),
  /** Who started, skipped or sent it; null if the schedule did. */
  by: z.string().nullable(),
  /** What it sent. */
  notificationId: z.number().nullable(),
  status: z.enum(notificationStatuses).nullable(),
  /** People in its audience, and how many of them got it on at least one channel; null before it starts. */
  people: z.number().nullable(),
  reached: z.number().nullable(),
  /** All of it went to the Sandbox. `simulatedChannels`: the channels that did, in a run that also has real ones. */
  simulated: z.boolean(),
  simulatedChannels: z.array(z.enum(channels)),
  noReceipts,
});
export type ScheduleRun = z.output<typeof scheduleRun>;

export const calendarRun = scheduleRun.extend({
  /** How many runs its day has, including those that the reply leaves out. */
  runsThatDay: z.number(),
  /** The same of its hour by the organization's clock. */
  runsThatHour: z.number(),
});
export type CalendarRun = z.output<typeof calendarRun>;

/** As many runs as there is room for: those that went wrong, then the first ones. */
export function wrongFirst<Run extends Pick<ScheduleRun, "state" | "status">>(
  runs: readonly Run[],
  room: number | undefined,
): Run[] {
  const isWrong = ({ state, status }: Run) =>
    Number(state === "missed" || state === "failed" || status === "Failed");
  return runs.toSorted((a, b) => isWrong(b) - isWrong(a)).slice(0, room);
}

export const scheduleReply = z.object({
  id: z.number(),
  /** `notification`: a scheduled notification in the list, which is edited as a notification. */
  kind: z.enum(["schedule", "notification"]),
  name: z.string(),
  recurrence: z.enum(recurrenceKinds),
  dayOfWeek: z.number().nullable(),
  dayOfMonth: z.number().nullable(),
  date: z.iso.date().nullable(),
  /** For resident-date: whose date it is, this many days after it; before it if negative. */
  residentDate: z.enum(residentDates).nullable(),
  dayOffset: z.number().nullable(),
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
  /** `finished`: active, with no runs left. */
  state: z.enum(["active", "paused", "finished"]),
  templateId: z.number().nullable(),
  notificationId: z.number().nullable(),
  /** It belongs to a recurring notification, where its text is edited. */
  ownNotification: z.boolean(),
  /** The template's name or the notification's title; null if it was deleted. */
  message: z.string().nullable(),
  /** How urgent its runs are; null: as the message. */
  class: z.enum(messageClasses).nullable(),
  /** Each home gets one message on each channel; null: as the message says. */
  perHome: z.boolean().nullable(),
  /** People of whom this is true at the moment of a run are left out. */
  skipIf: detailCondition.nullable(),
  /** The same in words: "Balance is at most $0.00". */
  leavesOut: z.string().nullable(),
  /** Its runs go to each home once, because of its own choice or that of its message. */
  oncePerHome: z.boolean(),
  /** Its runs go ahead of all other messages, because of its own class or that of its message. */
  highPriority: z.boolean(),
  fieldValues: scheduleValues,
  nextRunAt: instant.nullable(),
  nextOccurrence: z.iso.date().nullable(),
  /** Future days that it skips. */
  skips: z.array(z.iso.date()),
  /** The newest run that started. */
  lastRun: scheduleRun.nullable(),
  /** Runs that were missed or could not start, and that no one has sent or dismissed. Newest first, at most three. */
  missed: z.array(scheduleRun),
  /** A sentence that says why it cannot run as it is. */
  problem: z.string().nullable(),
  clientKey: z.string().nullable(),
  createdBy: z.string(),
  updatedAt: instant,
});
export type Schedule = z.output<typeof scheduleReply>;

/** A schedule that needs attention, for the dashboard and the bell. */
export const scheduleAttention = z.object({
  scheduleId: z.number(),
  name: z.string(),
  active: z.boolean(),
  /** Why it cannot run as it is, or what its last run left out, in a sentence; null if its next run starts as planned. */
  problem: z.string().nullable(),
  /** Runs that were missed or could not start, and that no one has sent or dismissed. */
  waitingRuns: z.number(),
  newest: scheduleRun.nullable(),
  nextRunAt: instant.nullable(),
  /** When the newest of this happened. */
  since: instant,
});
export type ScheduleAttention = z.output<typeof scheduleAttention>;

/** The caller's secret link for calendar apps. The link itself is shown only once. */
export const calendarLinkReply = z.object({
  /** Null if there is none. */
  createdAt: instant.nullable(),
  /** When a calendar app last used it; null if none has. */
  lastReadAt: instant.nullable(),
});
export type CalendarLink = z.output<typeof calendarLinkReply>;

/** Someone whose date makes a run of a schedule by residents' dates. */
const dueResident = z.object({
  personId: z.number(),
  name: z.string(),
  /** As their details would name it. */
  home: z.string(),
  date: z.iso.date(),
  /** The day on which they are written to. */
  day: z.iso.date(),
});

/** Whose date is next, by what is on file now. */
export const dueResidents = z.object({
  /** The next runs that someone's date makes, up to six, each with its first people. */
  next: z.array(
    z.object({
      occurrence: z.iso.date(),
      startsAt: instant,
      people: z.number(),
      first: z.array(dueResident),
    }),
  ),
  /** Whose run was in the last 30 days, before they or their date came on file. They get nothing unless someone says so. */
  late: z.array(dueResident),
  /** How many those are in all; `late` has at most 100 of them. */
  lateTotal: z.number(),
});
export type DueResidents = z.output<typeof dueResidents>;

export const schedulePreview = z.object({
  /** The rule as text; null while part of it is missing. */
  rule: z.string().nullable(),
  zone: z.string(),
  /** The next six runs. */
  runs: z.array(
    z.object({
      occurrence: z.iso.date(),
      startsAt: instant,
      /** The last moment at which it may start. */
      endsAt: instant,
      /** "Mon, Nov 30, 9:00 AM EST". */
      when: z.string(),
      note: z.enum(runNotes).nullable(),
      /** The values that this run would use for the fields the sender fills in. */
      values: z.record(z.string(), z.string()),
    }),
  ),
  /** Whose date makes these runs; null of a schedule that goes by the calendar. */
  residents: dueResidents.nullable(),
  /** Notes about short months, and nights when the clocks change. */
  notes: z.array(z.string()),
  /** The fields that the sender fills in, and those of them that are still empty. */
  askedFields: z.array(z.string()),
  missingFields: z.array(z.string()),
  /** A sentence that says what is wrong with the message or the rule. */
  problem: z.string().nullable(),
  /** Who would get it today; null if there are no recipients or channels yet, or if it goes by residents' dates. */
  reach: reach.nullable(),
});
export type SchedulePreview = z.output<typeof schedulePreview>;

/** One message that will be sent, for the dashboard. */
export const upcomingRun = z.object({
  id: z.number(),
  kind: z.enum(["schedule", "notification"]),
  /** For a scheduled notification. */
  notificationId: z.number().nullable(),
  /** When it is by the organization's calendar: "Today", "Tomorrow", "In 3 days". */
  timeframe: z.string(),
  title: z.string(),
  /** Channels, audience and time: "Email, SMS · All Tenants · Wed, Nov 25, 9:00 AM EST". */
  details: z.string(),
});
export type Upcoming = z.output<typeof upcomingRun>;

/** What a run that someone starts now would send. */
export const outgoingMessage = z.object({
  ...messageReply,
  /** Of the run's day. */
  fieldValues: z.record(z.string(), z.string()),
  /** When a run that was missed or couldn't start should have gone out; null for one out of turn. */
  plannedFor: instant.nullable(),
  /** The last change of the text. */
  writtenAt: instant,
});
export type OutgoingMessage = z.output<typeof outgoingMessage>;
