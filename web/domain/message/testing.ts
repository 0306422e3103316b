import type { NotificationDetail, NotificationForm } from "#contract/calls/notifications.ts";
import type { Template } from "#contract/calls/templates.ts";
import { emptyForm } from "#web/domain/message/values.ts";

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
    class: "general",
    subject: "Rent is due on {{due_date}}",
    content: "Hello {{first_name}}, {{amount}} is due on {{due_date}}.",
    contentText: "Hello {{first_name}}, {{amount}} is due on {{due_date}}.",
    dynamicFields: ["due_date", "first_name", "amount"],
    askedFields: ["due_date", "amount"],
    lastUsed: null,
    schedules: { total: 0, first: [] },
    createdBy: "Ana Ortiz",
    archived: false,
    version: 1,
    updatedAt: "2026-11-01T09:00:00Z",
    ...over,
  };
}

/** A scheduled notification, as its page reads it. */
export function storedNotification(over: Partial<NotificationDetail> = {}): NotificationDetail {
  return {
    id: 7,
    type: "Email",
    channels: ["email", "sms"],
    title: "Water shut-off",
    content: "No water on {{day}}.",
    subject: "",
    formatted: false,
    fields: ["day"],
    contentText: "No water on {{day}}.",
    recipients: "Building C",
    audience: [{ type: "group", id: 3, name: "Building C" }],
    perHome: false,
    valuesId: null,
    values: null,
    skipIf: null,
    status: "Scheduled",
    statusReason: null,
    scheduled_time: "2026-11-25T14:00:00.000Z",
    sent_time: null,
    sentTime: "Wed, Nov 25, 9:00 AM",
    updatedAt: "2026-11-20T09:00:00.000Z",
    attachments: [
      { id: 4, name: "plan.pdf", type: "application/pdf", url: "/api/attachments/4", size: 1000 },
    ],
    progress: null,
    clientKey: null,
    createdBy: "Ada Owner",
    kind: "message",
    createdAt: "2026-11-19T09:00:00.000Z",
    edited: null,
    sentBy: null,
    messageType: "custom",
    templateId: null,
    fieldValues: { day: "Thursday" },
    class: "general",
    recurrence: null,
    recurringDay: null,
    recurringTime: null,
    scheduleId: null,
    sent_count: 0,
    delivered_count: 0,
    opened_count: null,
    clicked_count: null,
    failed_count: 0,
    ...over,
  };
}
