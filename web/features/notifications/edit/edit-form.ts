import { zodResolver } from "@hookform/resolvers/zod";
import type { Resolver } from "react-hook-form";
import * as z from "zod";
import { attachment } from "#contract/attachments.ts";
import { channels } from "#contract/delivery.ts";
import { audienceMember, notificationForm, updateBody } from "#contract/notifications.ts";
import type { NotificationDetail, notifications } from "#contract/notifications.ts";
import { selfFilledFields } from "#contract/message-fields.ts";
import type { Template } from "#contract/templates.ts";
import type { Input } from "#web/api/client.ts";
import { clockIn } from "#web/features/notifications/edit/planned-time.ts";

const messageSentence = "Either template or custom message is required";

/** The edit dialog as a person fills it; the sentences are the contract's. */
export const editForm = z
  .object({
    title: updateBody.shape.title,
    channels: z.array(z.enum(channels)).min(1, "Notification type is required"),
    messageType: z.enum(["template", "custom"]),
    /** A template's id; "" for none. */
    templateId: z.string(),
    content: updateBody.shape.content,
    fieldValues: z.record(z.string(), z.string()),
    recipients: z.array(audienceMember).min(1, "Recipients are required"),
    status: z.enum(["Draft", "Scheduled", "Recurring"]),
    scheduledDate: notificationForm.shape.scheduledDate.unwrap(),
    scheduledTime: notificationForm.shape.scheduledTime.unwrap(),
    attachments: z.array(attachment),
  })
  .superRefine((form, context) => {
    if (form.messageType === "template" && form.templateId === "") {
      context.addIssue({ code: "custom", path: ["templateId"], message: messageSentence });
    }
    if (form.status === "Scheduled" && form.scheduledDate === "") {
      const message = "Choose the date and time to send at";
      context.addIssue({ code: "custom", path: ["scheduledDate"], message });
    }
  });
export type EditForm = z.output<typeof editForm>;

export const editRules = zodResolver(editForm) as unknown as Resolver<EditForm>;

/** The form as a stored notification fills it. `zone` is the organisation's. */
export function formOf(stored: NotificationDetail, zone: string | undefined): EditForm {
  const planned = stored.scheduled_time ? clockIn(stored.scheduled_time, zone) : { day: "", time: "09:00" };
  return {
    title: stored.title,
    channels: stored.channels,
    messageType: stored.messageType,
    templateId:
      stored.messageType === "template" && stored.templateId !== null ? String(stored.templateId) : "",
    content: stored.content,
    fieldValues: stored.fieldValues,
    recipients: stored.audience,
    // A cancelled one is mended as a draft.
    status: stored.status === "Scheduled" || stored.status === "Recurring" ? stored.status : "Draft",
    scheduledDate: planned.day,
    scheduledTime: planned.time,
    attachments: stored.attachments,
  };
}

type Body = NonNullable<Input<typeof notifications.update>["body"]>;

/** The call that a filled form makes. `asked` are the fields that its message still asks for. */
export function bodyOf(
  form: EditForm,
  { stored, asked, zone }: { stored: NotificationDetail; asked: readonly string[]; zone: string | undefined },
): Body {
  return {
    title: form.title,
    content: form.content,
    channels: form.channels,
    recipients: form.recipients.map(({ type, id }) => ({ type, id })),
    status: form.status,
    scheduled_time: form.status === "Scheduled" ? plannedTime(form, stored, zone) : null,
    templateId: form.messageType === "template" ? Number(form.templateId) : null,
    fieldValues: Object.fromEntries(
      asked.flatMap((field) => (form.fieldValues[field]?.trim() ? [[field, form.fieldValues[field]]] : [])),
    ),
    attachments: form.attachments.map(({ id }) => ({ id })),
    updatedAt: stored.updatedAt,
  };
}

/**
 * Without an offset: the server reads it by the organisation's clock. A time that nobody touched goes back as
 * it came, since a clock time can stand for two instants when daylight saving ends.
 */
function plannedTime(form: EditForm, stored: NotificationDetail, zone: string | undefined): string {
  const before = formOf(stored, zone);
  const same = before.scheduledDate === form.scheduledDate && before.scheduledTime === form.scheduledTime;
  return same && stored.scheduled_time
    ? stored.scheduled_time
    : `${form.scheduledDate}T${form.scheduledTime}:00`;
}

const FIELD = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;
const filled: ReadonlySet<string> = new Set(selfFilledFields);

/** The fields that nobody's record fills, in order of use: the template's own, then those of title and text. */
export function askedFields(
  form: Pick<EditForm, "title" | "content">,
  template: Template | undefined,
): string[] {
  const written = [...`${form.title}\n${form.content}`.matchAll(FIELD)].map((found) =>
    (found[1] ?? "").toLowerCase(),
  );
  const fields = [...(template?.askedFields ?? []), ...written];
  return [...new Set(fields)].filter((field) => !filled.has(field));
}

type FieldError = { name: keyof EditForm | `fieldValues.${string}`; message: string };

/** Where the server's sentences belong: "recipients.0" is the recipients', "fieldValues.due_date" its own input's. */
export function fieldErrors(fields: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(fields).flatMap(([path, message]): FieldError[] => {
    const [root = "", part] = path.split(".");
    if (root === "fieldValues" && part) return [{ name: `fieldValues.${part}`, message }];
    const name = inputOf[root] ?? root;
    return name in editForm.shape ? [{ name: name as keyof EditForm, message }] : [];
  });
}

const inputOf: Record<string, keyof EditForm> = { scheduled_time: "scheduledDate", type: "channels" };

/** What has gone out cannot change; the server holds to the same rule. */
export function canChange({ status, sent_time }: Pick<NotificationDetail, "status" | "sent_time">): boolean {
  return (
    status === "Draft" ||
    status === "Scheduled" ||
    status === "Recurring" ||
    ((status === "Cancelled" || status === "Failed") && sent_time === null)
  );
}
