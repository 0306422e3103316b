import type { MessageForm, NotificationDetail, NotificationForm } from "#contract/notifications.ts";

export const emptyForm: NotificationForm = {
  title: "",
  messageType: "custom",
  templateId: "",
  customMessage: "",
  fieldValues: {},
  recipientType: "groups",
  recipients: [],
  channels: [],
  schedule: "immediate",
  scheduledDate: "",
  scheduledTime: "09:00",
  recurrence: "daily",
  recurringDay: 1,
  recurringTime: "09:00",
  attachments: [],
};

/** The message of a stored notification, as a form holds it. */
export function messageOf(stored: NotificationDetail): MessageForm {
  const byTemplate = stored.messageType === "template" && stored.templateId !== null;
  return {
    title: stored.title,
    messageType: byTemplate ? "template" : "custom",
    templateId: byTemplate ? String(stored.templateId) : "",
    customMessage: stored.content,
    fieldValues: stored.fieldValues,
    recipientType: stored.audience[0]?.type === "user" ? "individuals" : "groups",
    recipients: stored.audience,
    channels: stored.channels,
    attachments: stored.attachments,
  };
}

/** What every call says of a message. Answers to what it does not ask (`asked`) stay at home. */
export function messageBody(form: MessageForm, asked: readonly string[]) {
  const answers = asked.flatMap((field) => {
    const answer = form.fieldValues[field]?.trim();
    return answer ? [[field, answer] as const] : [];
  });
  return {
    title: form.title,
    recipients: form.recipients.map(({ type, id }) => ({ type, id })),
    channels: form.channels,
    fieldValues: Object.fromEntries(answers),
    attachments: form.attachments.map(({ id }) => ({ id })),
  };
}
