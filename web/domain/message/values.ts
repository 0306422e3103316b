import { textsAndDates } from "#contract/relative-date.ts";
import type { MessageClass } from "#contract/delivery.ts";
import type { MessageForm, NotificationDetail, NotificationForm } from "#contract/notifications.ts";

export const emptyMessage: MessageForm = {
  title: "",
  messageType: "custom",
  templateId: "",
  customMessage: "",
  fieldValues: {},
  relativeDates: {},
  recipientType: "groups",
  recipients: [],
  channels: [],
  attachments: [],
  highPriority: null,
};

export const emptyForm: NotificationForm = {
  ...emptyMessage,
  schedule: "immediate",
  scheduledDate: "",
  scheduledTime: "09:00",
  recurrence: "daily",
  recurringDay: 1,
  recurringTime: "09:00",
};

/** A stored notification's message as form values. */
export function messageOf(stored: NotificationDetail): MessageForm {
  const { texts, dates } = textsAndDates(stored.fieldValues);
  const byTemplate = stored.messageType === "template" && stored.templateId !== null;
  return {
    title: stored.title,
    messageType: byTemplate ? "template" : "custom",
    templateId: byTemplate ? String(stored.templateId) : "",
    customMessage: stored.content,
    fieldValues: texts,
    relativeDates: dates,
    recipientType: stored.audience[0]?.type === "user" ? "individuals" : "groups",
    recipients: stored.audience,
    channels: stored.channels,
    attachments: stored.attachments,
    highPriority: stored.class === "emergency",
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
    const answer = fieldValues[field]?.trim();
    return answer ? [[field, answer] as const] : [];
  });
  return Object.fromEntries(answers);
}

/** The part of every call about the message. `asked`: as for `answersOf`. */
export function messageBody(form: MessageForm, asked: readonly string[]) {
  return {
    title: form.title,
    recipients: form.recipients.map(({ type, id }) => ({ type, id })),
    channels: form.channels,
    fieldValues: answersOf(form, asked),
    attachments: form.attachments.map(({ id }) => ({ id })),
  };
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
