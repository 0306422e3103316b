import * as z from "zod";
import { attachment } from "#contract/calls/attachments.ts";
import { channelMeaning, channels, messageClasses, notificationStatuses } from "#contract/delivery.ts";
import { detailFigures, runProgress, sandboxOnly } from "#contract/run-progress.ts";
import { endpoint } from "#contract/endpoint.ts";
import {
  calendarDay,
  clockTime,
  count,
  instant,
  line,
  page,
  requiredId,
  wholeNumber,
} from "#contract/fields.ts";
import { createBody, sendBody, updateBody } from "#contract/calls/notification-bodies.ts";
import {
  audienceMember,
  messageForm,
  messageReply,
  messageSentence,
  noChannels,
  noRecipients,
  recurrences,
  valuesSummary,
} from "#contract/calls/notification-fields.ts";

export type AudienceMember = z.output<typeof audienceMember>;

/** "All Tenants, Mei Tanaka". Homes have commas of their own. */
export const audienceText = (audience: readonly Pick<AudienceMember, "type" | "name">[]): string =>
  audience.map(({ name }) => name).join(audience.some(({ type }) => type === "homes") ? "; " : ", ");

export type MessageForm = z.output<typeof messageForm>;

/** The create dialog as a person fills it in. The errors are in the order of the specification. */
export const notificationForm = messageForm
  .extend({
    recipients: messageForm.shape.recipients.min(1, noRecipients),
    channels: messageForm.shape.channels.min(1, noChannels),
    schedule: z.enum(["immediate", "later", "recurring"]),
    scheduledDate: calendarDay.or(z.literal("")).default(""),
    scheduledTime: clockTime.default("09:00"),
    recurrence: z.enum(recurrences).default("daily"),
    recurringDay: z.number().int().min(0).max(31).default(1),
    recurringTime: clockTime.default("09:00"),
  })
  .superRefine((form, context) => {
    const chosen = form.messageType === "template" ? form.templateId : form.customMessage.trim();
    if (chosen === "") context.addIssue({ code: "custom", path: ["templateId"], message: messageSentence });
    if (form.schedule === "later" && form.scheduledDate === "") {
      context.addIssue({
        code: "custom",
        path: ["scheduledDate"],
        message: "Choose a date and time",
      });
    }
  });
export type NotificationForm = z.output<typeof notificationForm>;

/** A notification as lists show it. */
const notificationRow = z.object({
  id: z.number(),
  /** The first channel, capitalized; Email if there is none. */
  type: z.enum(channels.map((channel) => channelMeaning[channel].label)),
  channels: z.array(z.enum(channels)),
  title: z.string(),
  content: z.string(),
  recipients: z.string(),
  audience: z.array(audienceMember),
  /** One of class "emergency" goes ahead of all others. */
  class: z.enum(messageClasses),
  status: z.enum(notificationStatuses),
  /** A sentence that says why it failed before anything was sent. */
  statusReason: z.string().nullable(),
  scheduled_time: instant.nullable(),
  sent_time: instant.nullable(),
  /** The sent or scheduled time in the organization's zone, as text. */
  sentTime: z.string(),
  updatedAt: instant,
  attachments: z.array(attachment),
  /** Null until a run has started. */
  progress: runProgress.nullable(),
  clientKey: z.string().nullable(),
  createdBy: z.string(),
});
export type NotificationRow = z.output<typeof notificationRow>;

/** A notification as its page shows it. The counts are of deliveries: one person on one channel each. */
export const notificationDetail = notificationRow.extend({
  /**
   * Any kind but `message` is for one person and cannot be edited or copied: a one-time link, a template test, a notice
   * about a change to their account.
   */
  kind: z.enum(["message", "credentials", "test", "notice", "confirmation"]),
  createdAt: instant,
  /** The last change a person made, and who made it; null if there was none, or none was recorded. */
  edited: z.object({ by: z.string(), at: instant }).nullable(),
  /** Who or what sent it; null before that, or if it was not recorded. */
  sentBy: z
    .discriminatedUnion("who", [
      z.object({ who: z.literal("person"), name: z.string() }),
      z.object({ who: z.literal("schedule") }),
    ])
    .nullable(),
  ...messageReply,
  /** The file with a value for each person, or what came with the call. */
  values: valuesSummary.nullable(),
  /** The fields in title, subject and content. */
  fields: z.array(z.string()),
  recurrence: z.enum(recurrences).nullable(),
  recurringDay: z.number().nullable(),
  recurringTime: z.string().nullable(),
  /** The schedule of a recurring notification; null otherwise, and once it has ended. */
  scheduleId: z.number().nullable(),
  ...detailFigures.shape,
});
export type NotificationDetail = z.output<typeof notificationDetail>;

/** The part of a row that the dashboard shows. */
export const recentRow = notificationRow.pick({
  id: true,
  type: true,
  channels: true,
  title: true,
  recipients: true,
  status: true,
  sentTime: true,
  progress: true,
});
export type RecentRow = z.output<typeof recentRow>;

const notificationParams = z.object({ id: requiredId("Notification ID is required") });

/** What a list can be filtered by: a status, or both statuses that mean someone was not reached. */
export const listStatuses = [...notificationStatuses, "Failures"] as const;
export type ListStatus = (typeof listStatuses)[number];

/** A period by the organization's calendar. Days include today. */
export const pastPeriods = ["today", "7-days", "30-days", "12-months"] as const;
export const periods = [...pastPeriods, "ahead"] as const;
export type Period = (typeof periods)[number];

export const notifications = {
  list: endpoint({
    method: "GET",
    path: "/api/notifications",
    access: "messages:read",
    summary:
      "Notifications: what has happened, newest first, then what is planned, next first. q searches title, recipients and status",
    query: z.object({
      q: line("Search", 200).optional(),
      status: z.enum(listStatuses).optional(),
      channel: z.enum(channels).optional(),
      /** When it was sent, will be sent, or was last edited. */
      time: z.enum(periods).optional(),
      /** The same for one day of the organization's calendar, instead of `time`. */
      day: z.iso.date("A day must be yyyy-MM-dd").optional(),
      /** Only notifications that a schedule can send: they have text, and are not themselves a schedule's run. */
      repeatable: z.stringbool().default(false),
      /** As the dashboard shows them: without those whose time is ahead. */
      recent: z.stringbool().default(false),
      ...page,
    }),
    answer: "list",
    reply: z.array(notificationRow),
  }),
  recentFour: endpoint({
    method: "GET",
    path: "/api/notifications/recent",
    access: "messages:read",
    summary: "The newest four that aren't still ahead, as the dashboard shows them",
    answer: "list",
    reply: z.array(recentRow),
  }),
  recent: endpoint({
    method: "GET",
    path: "/api/notifications/recent/{count}",
    access: "messages:read",
    summary: "The newest few that aren't still ahead, as the dashboard shows them",
    params: z.object({ count: count(100, "Ask for 1 to 100 notifications") }),
    answer: "list",
    reply: z.array(recentRow),
  }),
  send: endpoint({
    method: "POST",
    path: "/api/send-notification",
    access: "messages:send",
    summary: "Send immediately",
    body: sendBody,
    reply: notificationRow.extend({ sandboxOnly }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/notifications",
    access: "messages:send",
    summary: "Store a draft, a scheduled or a recurring notification",
    body: createBody,
    status: 201,
    reply: notificationRow,
  }),
  detail: endpoint({
    method: "GET",
    path: "/api/notifications/{id}",
    access: "messages:read",
    summary: "One notification with its counts",
    params: notificationParams,
    reply: notificationDetail,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/notifications/{id}",
    access: "messages:send",
    summary: "Change a notification that hasn't been sent",
    params: notificationParams,
    body: updateBody,
    reply: notificationDetail,
  }),
  patch: endpoint({
    method: "PATCH",
    path: "/api/notifications/{id}",
    access: "messages:send",
    summary: "Change a notification that has not gone out, as PUT does",
    params: notificationParams,
    body: updateBody,
    reply: notificationDetail,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/notifications/{id}",
    access: "messages:send",
    summary: "Delete a draft. 409 if it is not a draft, has been sent, or a schedule sends it",
    params: notificationParams,
    reply: z.object({ message: z.string() }),
  }),
  cancel: endpoint({
    method: "POST",
    path: "/api/notifications/{id}/cancel",
    access: "messages:send",
    summary:
      "Cancel it. Messages that are already on their way are finished and recorded, and the rest aren't sent",
    params: notificationParams,
    reply: notificationDetail,
  }),
  uncancel: endpoint({
    method: "POST",
    path: "/api/notifications/{id}/uncancel",
    access: "messages:send",
    summary: "Undo the cancellation of a scheduled notification, as long as its time is ahead",
    params: notificationParams,
    reply: notificationDetail,
  }),
  dismiss: endpoint({
    method: "POST",
    path: "/api/notifications/{id}/dismiss",
    access: "messages:send",
    summary:
      "Dismiss a notification that didn't reach everyone from the dashboard, until it misses more people",
    params: notificationParams,
    body: z.object({
      /** The people not reached, as the caller saw them. 409 if there are more by now; null undoes the dismissal. */
      missed: wholeNumber(0, 1_000_000_000, "Say how many people it missed, or null").nullable(),
    }),
    reply: z.object({ dismissed: z.boolean() }),
  }),
  sendNow: endpoint({
    method: "POST",
    path: "/api/notifications/{id}/send",
    access: "messages:send",
    summary: "Send a draft, a scheduled or a missed notification now",
    params: notificationParams,
    query: z.object({
      /** Although the same message went out with the same values within a day. */
      again: z.stringbool("again must be true or false").default(false),
    }),
    reply: notificationDetail.extend({ sandboxOnly }),
  }),
  sendAgain: endpoint({
    method: "POST",
    path: "/api/notifications/{id}/send-again",
    access: "messages:send",
    summary: "Retry the undelivered messages of everyone who was not reached",
    params: notificationParams,
    body: z.object({
      /** Also messages whose provider never answered, which may have arrived. */
      unconfirmed: z.boolean().default(false),
      /** Also messages of people who were reached on another channel. */
      includeReached: z.boolean().default(false),
    }),
    reply: z.object({ requeued: z.number(), stillUnreachable: z.number(), sandboxOnly }),
  }),
};
