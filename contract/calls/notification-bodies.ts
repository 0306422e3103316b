import * as z from "zod";
import { notificationStatuses } from "#contract/delivery.ts";
import { instant } from "#contract/fields.ts";
import {
  changedExtras,
  changedRecipients,
  channelList,
  draftChannels,
  draftRecipients,
  extras,
  hasMessage,
  hasOneSource,
  message,
  messageSentence,
  noChannels,
  noRecipients,
  oneSource,
  recipients,
  recurring,
  scheduledTime,
  title,
} from "#contract/calls/notification-fields.ts";
import { scheduleValues } from "#contract/calls/schedule-fields.ts";
import { templateTypes } from "#contract/calls/templates.ts";

/** The bodies of the calls that send, store and change a notification. */

export const sendBody = z
  .object({ title, message: message.optional(), recipients, channels: channelList, ...extras })
  .refine(hasMessage, { path: ["message"], message: messageSentence })
  .refine(hasOneSource, oneSource);

// Reported together with other errors. By default, a rule across fields only runs once each field is valid.
const whenListed =
  (field: "recipients" | "channels") =>
  ({ value }: z.core.ParsePayload) =>
    Array.isArray((value as Record<string, unknown> | null | undefined)?.[field]);

/** A draft needs only a title. Everything else needs recipients, channels and a message. */
export const createBody = z
  .object({
    title,
    content: message.optional(),
    recipients: draftRecipients.default([]),
    channels: draftChannels.default([]),
    status: z.enum(["Draft", "Scheduled", "Recurring"], {
      error: "Status must be Draft, Scheduled or Recurring",
    }),
    scheduled_time: scheduledTime.nullish(),
    ...recurring,
    ...extras,
    /** Of a recurring one also dates relative to the run. */
    fieldValues: scheduleValues.default({}),
  })
  .refine((body) => body.status === "Draft" || body.recipients.length !== 0, {
    path: ["recipients"],
    message: noRecipients,
    when: whenListed("recipients"),
  })
  .refine((body) => body.status === "Draft" || body.channels.length !== 0, {
    path: ["channels"],
    message: noChannels,
    when: whenListed("channels"),
  })
  .refine((body) => body.status === "Draft" || hasMessage(body), {
    path: ["content"],
    message: messageSentence,
  })
  .refine((body) => body.status !== "Scheduled" || typeof body.scheduled_time === "string", {
    path: ["scheduled_time"],
    message: "Choose a date and time",
  })
  .refine((body) => body.recurringDay === undefined || body.recurrence !== undefined, {
    path: ["recurrence"],
    message: "Recurrence must be daily, weekly or monthly",
  })
  .refine((body) => body.recurrence !== "weekly" || (body.recurringDay ?? 1) <= 6, {
    path: ["recurringDay"],
    message: "Day of Week must be 0 (Sunday) to 6 (Saturday)",
  })
  .refine((body) => body.recurrence !== "monthly" || (body.recurringDay ?? 1) >= 1, {
    path: ["recurringDay"],
    message: "Day of Month must be 1 to 31",
  })
  .refine(hasOneSource, oneSource);

/**
 * The edit dialog's body. A draft may lack recipients, channels and content, and keeps what is left out; any other
 * notification needs them. `channels` takes precedence over `type`. A `type` that names the first channel, as in
 * replies, leaves all channels as they are.
 */
export const updateBody = z
  .object({
    title,
    content: message.optional(),
    type: z.enum(templateTypes, { error: "Notification type is required" }).optional(),
    channels: draftChannels.optional(),
    recipients: changedRecipients.optional(),
    /** If left out or sent back as in replies, it stays, even if callers cannot set it. */
    status: z.enum(notificationStatuses).optional(),
    scheduled_time: scheduledTime.nullish(),
    ...changedExtras,
    /**
     * The version of the template that the sender has read: its subject and formatting are used as they are now (409
     * conflict if it isn't the current one). If left out, a template that stays the same also keeps those as they were.
     */
    templateVersion: extras.templateVersion,
    /** Of a recurring one also dates relative to the run. */
    fieldValues: scheduleValues.optional(),
    /** From when the dialog was opened, so that it does not overwrite someone else's change. */
    updatedAt: instant.optional(),
  })
  .refine(hasOneSource, oneSource);
