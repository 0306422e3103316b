import type { NotificationForm, NotificationRow } from "#contract/notifications.ts";
import type { Template } from "#contract/templates.ts";
import { emptyForm } from "#web/features/compose/form.ts";

/** A form that may be sent as it is. */
export function filledForm(over: Partial<NotificationForm> = {}): NotificationForm {
  return {
    ...emptyForm,
    title: "Water shut-off",
    customMessage: "Hello {{first_name}}, no water on Thursday.",
    recipients: [
      { type: "group", id: 3, name: "Building C" },
      { type: "user", id: 7, name: "Ana Ortiz" },
    ],
    channels: ["email", "sms"],
    ...over,
  };
}

export function template(over: Partial<Template> = {}): Template {
  return {
    id: 1,
    slug: "rent-reminder",
    name: "Rent Reminder",
    type: "Email",
    subject: "Rent is due on {{due_date}}",
    content: "Hello {{first_name}}, {{amount}} is due on {{due_date}}.",
    dynamicFields: ["due_date", "first_name", "amount"],
    askedFields: ["due_date", "amount"],
    lastUsed: null,
    createdBy: "Ana Ortiz",
    archived: false,
    version: 1,
    updatedAt: "2026-11-01T09:00:00Z",
    ...over,
  };
}

/** What the server answers when it has taken a form. */
export function takenRow(form: NotificationForm, over: Partial<NotificationRow> = {}): NotificationRow {
  return {
    id: 1,
    type: "Email",
    channels: form.channels,
    title: form.title,
    content: form.customMessage,
    recipients: "Building C, Ana Ortiz",
    audience: form.recipients,
    status: "Sending",
    statusReason: null,
    scheduled_time: null,
    sent_time: null,
    sentTime: "",
    updatedAt: "2026-11-24T14:00:00Z",
    attachments: [],
    progress: null,
    clientKey: "key",
    createdBy: "Ana Ortiz",
    ...over,
  };
}
