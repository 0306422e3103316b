import { refOf } from "#contract/recipients.ts";
import { valueOf } from "#contract/text/message-fields.ts";
import { textsAndDates } from "#contract/text/relative-date.ts";
import type { MessageClass } from "#contract/delivery.ts";
import type { OutgoingMessage } from "#contract/calls/schedule-replies.ts";
import type { MessageForm, NotificationDetail, NotificationForm } from "#contract/calls/notifications.ts";

export const emptyMessage: MessageForm = {
  title: "",
  messageType: "custom",
  templateId: "",
  customMessage: "",
  fieldValues: {},
  relativeDates: {},
  recipientType: "groups",
  recipients: [],
  ownValues: null,
  perHome: false,
  channels: [],
  attachments: [],
  highPriority: null,
};

export const emptyForm: NotificationForm = {
  ...emptyMessage,
  formatted: false,
  schedule: "immediate",
  scheduledDate: "",
  scheduledTime: "09:00",
  recurrence: "daily",
  recurringDay: 1,
  recurringTime: "09:00",
};

type Stored = Pick<
  NotificationDetail,
  | "title"
  | "messageType"
  | "templateId"
  | "content"
  | "formatted"
  | "fieldValues"
  | "audience"
  | "perHome"
  | "channels"
  | "attachments"
  | "class"
> &
  // Runs of a schedule have none.
  Partial<Pick<NotificationDetail, "values">>;

const kinds = { group: "groups", user: "individuals", homes: "homes", file: "groups" } as const;

/** The kind of recipients that a form with these shows first. */
export const kindOf = ([first]: Stored["audience"]): MessageForm["recipientType"] =>
  kinds[first?.type ?? "group"];

/** A stored message as form values. */
export function messageOf(stored: Stored): MessageForm {
  const { texts, dates } = textsAndDates(stored.fieldValues);
  const byTemplate = stored.messageType === "template" && stored.templateId !== null;
  return {
    title: stored.title,
    messageType: byTemplate ? "template" : "custom",
    templateId: byTemplate ? String(stored.templateId) : "",
    customMessage: stored.content,
    formatted: !byTemplate && stored.formatted,
    fieldValues: texts,
    relativeDates: dates,
    recipientType: kindOf(stored.audience),
    recipients: stored.audience,
    ownValues: stored.values ?? null,
    perHome: stored.perHome,
    channels: stored.channels,
    attachments: stored.attachments,
    highPriority: stored.class === "emergency",
    sourceClass: stored.class,
  };
}

/** The class of the message. `source`: that of its template or of what it was. Undefined: the server decides. */
export function classOf(
  { highPriority }: Pick<MessageForm, "highPriority">,
  source: MessageClass | undefined,
): MessageClass | undefined {
  if (highPriority === null) return source;
  if (highPriority) return "emergency";
  return source === "transactional" ? source : "general";
}

/** The values for the fields that the message needs. Values for other fields are left out. */
export function answersOf({ fieldValues }: Pick<MessageForm, "fieldValues">, asked: readonly string[]) {
  const answers = asked.flatMap((field) => {
    const answer = valueOf(fieldValues, field)?.trim();
    return answer ? [[field, answer] as const] : [];
  });
  return Object.fromEntries(answers);
}

/** The part of every call about the message. `asked`: as for `answersOf`. */
export function messageBody(form: MessageForm, asked: readonly string[]) {
  return {
    title: form.title,
    recipients: form.recipients.map(refOf),
    channels: form.channels,
    fieldValues: answersOf(form, asked),
    attachments: form.attachments.map(({ id }) => ({ id })),
  };
}

/**
 * When a message was written that is used now. A `run` was written for the day on which it should have gone out, or went
 * out, so "tomorrow" meant the day after it. A `draft` is the same, but what was written today means what it says. A
 * `text` goes out again and again: only its dates can have passed.
 */
export type Written = {
  /** An instant. */
  at: string;
  as: "run" | "draft" | "text";
};

/** When a notification went out or should have, or was last changed. */
export function writtenOf({
  status,
  sent_time,
  scheduled_time,
  updatedAt,
}: Pick<NotificationDetail, "status" | "sent_time" | "scheduled_time" | "updatedAt">): Written {
  if (sent_time) return { at: sent_time, as: "run" };
  if (status === "Failed" && scheduled_time) return { at: scheduled_time, as: "run" };
  return { at: updatedAt, as: "draft" };
}

/** When the message of a schedule's run was written, or should have gone out. */
export function writtenFor({ plannedFor, writtenAt }: OutgoingMessage): Written {
  return plannedFor === null ? { at: writtenAt, as: "text" } : { at: plannedFor, as: "run" };
}

/** What has gone out cannot change; the server enforces the same rule. */
export function canChange({ status, sent_time }: Pick<NotificationDetail, "status" | "sent_time">): boolean {
  return (
    status === "Draft" ||
    status === "Scheduled" ||
    status === "Recurring" ||
    ((status === "Cancelled" || status === "Failed") && sent_time === null)
  );
}
