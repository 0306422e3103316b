import { messageForm } from "#contract/calls/notification-fields.ts";
import * as z from "zod";
import { notificationForm, type NotificationForm } from "#contract/calls/notifications.ts";
import { emptyForm } from "#web/domain/message/values.ts";

const { shape } = notificationForm;

// A draft restores invalid values too, so texts are accepted as they are; validation comes later.
const restorable: { [Field in keyof NotificationForm]: z.ZodType<NotificationForm[Field]> } = {
  ...messageForm.shape,
  title: z.string(),
  customMessage: z.string(),
  formatted: z.boolean(),
  schedule: shape.schedule,
  scheduledDate: z.string(),
  scheduledTime: z.string(),
  recurrence: z.enum(["daily", "weekly", "monthly"]),
  recurringDay: z.number(),
  recurringTime: z.string(),
};

/** A form stored by an earlier page, perhaps of another version. A field that makes no sense is reset. */
export function restoredForm(stored: unknown): NotificationForm {
  const source = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const fields = Object.entries(restorable).map(([field, schema]) => {
    const result = schema.safeParse(source[field]);
    return [field, result.success ? result.data : emptyForm[field as keyof NotificationForm]];
  });
  return Object.fromEntries(fields) as NotificationForm;
}

/** Nothing in it would be missed. */
export function isBlank(form: NotificationForm): boolean {
  return (
    [form.title, form.customMessage, form.templateId].every((text) => text.trim() === "") &&
    [form.recipients, form.channels, form.attachments].every((list) => list.length === 0)
  );
}
