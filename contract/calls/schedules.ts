import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { calendarDay, count, id, instant, line, page, requiredLine } from "#contract/fields.ts";
import { sandboxOnly } from "#contract/run-progress.ts";
import { createScheduleBody, scheduleDraft, updateScheduleBody } from "#contract/calls/schedule-fields.ts";
import {
  calendarLinkReply,
  calendarRun,
  dueResidents,
  outgoingMessage,
  scheduleAttention,
  schedulePreview,
  scheduleReply,
  scheduleRun,
  upcomingRun,
} from "#contract/calls/schedule-replies.ts";

const scheduleParams = z.object({ id });
const occurrenceParams = z.object({ id, occurrence: requiredLine("Occurrence", 120, "Name the occurrence") });
const occurrenceBody = z.object({ occurrence: calendarDay });

const CALENDAR_DAYS_MAX = 62;
const DAY_MS = 24 * 60 * 60_000;

export const schedules = {
  list: endpoint({
    method: "GET",
    path: "/api/schedules",
    access: "messages:read",
    summary:
      "Schedules, and scheduled notifications with their id raised by 10000, next run first. q searches name and recipients",
    query: z.object({
      tab: z.enum(["active", "all"], { error: "Tab must be active or all" }).default("all"),
      q: line("Search", 200).optional(),
      ...page,
    }),
    answer: "list",
    reply: z.array(scheduleReply),
  }),
  today: endpoint({
    method: "GET",
    path: "/api/schedules/today",
    access: "messages:read",
    summary: "Active schedules with a run today by the organization's calendar, in order of time",
    answer: "list",
    reply: z.array(scheduleRun),
  }),
  calendar: endpoint({
    method: "GET",
    path: "/api/schedules/calendar",
    access: "messages:read",
    summary: `Planned and past runs, and what was sent without a schedule, from one day to another of the organization's calendar, at most ${CALENDAR_DAYS_MAX} days`,
    query: z
      .object({
        from: calendarDay,
        to: calendarDay,
        /**
         * The most runs of one day to return: missed and failed ones, then its first. If left out, all of them, but of what
         * was sent without a schedule at most 500.
         */
        perDay: count(100, "Ask for 1 to 100 runs per day").optional(),
        /** The same for each hour, instead of for each day. */
        perHour: count(100, "Ask for 1 to 100 runs per hour").optional(),
      })
      .refine(({ from, to }) => from <= to, { path: ["to"], message: "The last day is before the first" })
      .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < CALENDAR_DAYS_MAX * DAY_MS, {
        path: ["to"],
        message: `Ask for at most ${CALENDAR_DAYS_MAX} days`,
      }),
    answer: "list",
    reply: z.array(calendarRun),
  }),
  missed: endpoint({
    method: "GET",
    path: "/api/schedules/missed",
    access: "messages:read",
    summary:
      "Runs that were missed or couldn't start, and haven't been sent or dismissed, latest settledAt first",
    query: z.object({ ...page }),
    answer: "list",
    reply: z.array(scheduleRun),
  }),
  dismissMissed: endpoint({
    method: "POST",
    path: "/api/schedules/missed/dismiss",
    access: "messages:send",
    summary: "Dismiss all runs that you have seen of those that were missed or couldn't start",
    body: z.object({
      /** The latest settledAt of what was seen. Later ones stay. */
      until: instant,
    }),
    reply: z.object({ dismissed: z.number() }),
  }),
  attention: endpoint({
    method: "GET",
    path: "/api/schedules/attention",
    access: "messages:read",
    summary:
      "Schedules that need attention, latest first: those that can't run as they are, or have runs that were missed or couldn't start",
    query: z.object({ ...page }),
    answer: "list",
    reply: z.array(scheduleAttention),
  }),
  calendarLink: endpoint({
    method: "GET",
    path: "/api/schedules/calendar-link",
    access: "messages:read",
    summary: "Whether you have a secret calendar link, and when a calendar app last read it",
    reply: calendarLinkReply,
  }),
  createCalendarLink: endpoint({
    method: "POST",
    path: "/api/schedules/calendar-link",
    access: "messages:read",
    summary: "Create your secret calendar link. An earlier one stops working. Only this reply shows it",
    reply: calendarLinkReply.extend({ url: z.url() }),
  }),
  removeCalendarLink: endpoint({
    method: "DELETE",
    path: "/api/schedules/calendar-link",
    access: "messages:read",
    summary: "Revoke your secret calendar link. Calendar apps stop getting updates",
    reply: calendarLinkReply,
  }),
  upcoming: endpoint({
    method: "GET",
    path: "/api/schedules/upcoming",
    access: "messages:read",
    summary: "What goes out next: each schedule's next run, and scheduled notifications",
    query: z.object({ ...page }),
    answer: "list",
    reply: z.array(upcomingRun),
  }),
  people: endpoint({
    method: "POST",
    path: "/api/schedules/people",
    access: "messages:read",
    summary: "How many people are in the audience of each of these schedules today",
    body: z.object({ ids: z.array(id).max(100) }),
    reply: z.array(z.object({ id: z.number(), people: z.number() })),
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/schedules/preview",
    access: "messages:read",
    summary:
      "What an unfinished schedule would do: its next six runs with their values, and who would get it today",
    body: scheduleDraft,
    reply: schedulePreview,
  }),
  create: endpoint({
    method: "POST",
    path: "/api/schedules",
    access: "messages:send",
    summary: "Create a schedule",
    body: createScheduleBody,
    status: 201,
    reply: scheduleReply,
  }),
  read: endpoint({
    method: "GET",
    path: "/api/schedules/{id}",
    access: "messages:read",
    summary: "One schedule",
    params: scheduleParams,
    reply: scheduleReply,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/schedules/{id}",
    access: "messages:send",
    summary: "Change a schedule. This applies to future runs. Runs that have started stay as they were",
    params: scheduleParams,
    body: updateScheduleBody,
    reply: scheduleReply,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/schedules/{id}",
    access: "messages:send",
    summary: "Delete a schedule. What it has sent stays on record",
    params: scheduleParams,
    reply: z.object({ message: z.string() }),
  }),
  pause: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/pause",
    access: "messages:send",
    summary: "Pause a schedule until it is activated",
    params: scheduleParams,
    reply: scheduleReply,
  }),
  activate: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/activate",
    access: "messages:send",
    summary: "Activate a schedule, starting with its next run",
    params: scheduleParams,
    reply: scheduleReply,
  }),
  run: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/run",
    access: "messages:send",
    summary: "Run a schedule now. Its next scheduled run stays",
    params: scheduleParams,
    body: z.object({
      /** Created once per click. The server runs it once per key. */
      clientKey: requiredLine("Client key", 100, "A client key must not be empty").optional(),
    }),
    reply: scheduleRun.extend({ sandboxOnly }),
  }),
  outgoing: endpoint({
    method: "GET",
    path: "/api/schedules/{id}/outgoing",
    access: "messages:read",
    summary:
      "What a run started now would send: that of an occurrence that was missed or couldn't start, or one out of turn",
    params: scheduleParams,
    query: z.object({ occurrence: occurrenceParams.shape.occurrence.optional() }),
    reply: outgoingMessage,
  }),
  residents: endpoint({
    method: "GET",
    path: "/api/schedules/{id}/residents",
    access: "messages:read",
    summary:
      "Whose dates make the next runs of a schedule by residents' dates, and whose came on file too late",
    params: scheduleParams,
    reply: dueResidents,
  }),
  sendLate: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/residents/send",
    access: "messages:send",
    summary:
      "Send a schedule's message now to residents whose date came on file too late. Who got it for that date stays out",
    params: scheduleParams,
    body: z.object({
      /** Ids of people that `residents` lists as late. */
      people: z.array(id).min(1, "Choose at least one person").max(500),
    }),
    reply: scheduleRun.extend({ sandboxOnly }),
  }),
  skip: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/skip",
    access: "messages:send",
    summary: "Skip its next run, identified by its day",
    params: scheduleParams,
    body: occurrenceBody,
    reply: scheduleReply,
  }),
  unskip: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/unskip",
    access: "messages:send",
    summary: "Undo a skip, identified by its day",
    params: scheduleParams,
    body: occurrenceBody,
    reply: scheduleReply,
  }),
  history: endpoint({
    method: "GET",
    path: "/api/schedules/{id}/history",
    access: "messages:read",
    summary: "The outcome of each of its runs, newest first",
    params: scheduleParams,
    query: z.object({ ...page }),
    answer: "list",
    reply: z.array(scheduleRun),
  }),
  sendMissed: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/occurrences/{occurrence}/send",
    access: "messages:send",
    summary: "Send a run now that was missed or couldn't start",
    params: occurrenceParams,
    reply: scheduleRun.extend({ sandboxOnly }),
  }),
  dismiss: endpoint({
    method: "POST",
    path: "/api/schedules/{id}/occurrences/{occurrence}/dismiss",
    access: "messages:send",
    summary: "Dismiss a run that was missed or couldn't start. No one is reminded of it again",
    params: occurrenceParams,
    reply: scheduleRun,
  }),
};
