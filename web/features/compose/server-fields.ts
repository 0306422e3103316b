import type { FieldPath } from "react-hook-form";
import type { NotificationForm } from "#contract/notifications.ts";

type FieldError = { path: FieldPath<NotificationForm>; message: string };

// The calls name things as the specification does; the form has one input for each.
const inputOf: Record<string, keyof NotificationForm> = {
  title: "title",
  message: "templateId",
  content: "templateId",
  templateId: "templateId",
  recipients: "recipients",
  channels: "channels",
  scheduled_time: "scheduledDate",
  recurrence: "recurrence",
  recurringDay: "recurringDay",
  recurringTime: "recurringTime",
  attachments: "attachments",
  status: "schedule",
};

/**
 * Where the server's sentences belong: "recipients.0" is the recipients', "fieldValues.due_date" has an input
 * of its own. One that belongs nowhere in this form is left out; the toast says the whole message anyway.
 */
export function formErrors(fields: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(fields).flatMap(([name, message]): FieldError[] => {
    const [root = "", part] = name.split(".");
    if (root === "fieldValues") return [{ path: part ? `fieldValues.${part}` : "templateId", message }];
    const path = inputOf[root];
    return path ? [{ path, message }] : [];
  });
}
