import * as z from "zod";
import type { MessageClass } from "#contract/delivery.ts";
import { messageForm, messageSentence, noRecipients } from "#contract/calls/notification-fields.ts";
import {
  notificationForm,
  type NotificationDetail,
  type notifications,
} from "#contract/calls/notifications.ts";
import type { Input } from "#web/api/client.ts";
import { answersOfNextRun, recurringRule, repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import { messageRules } from "#web/domain/message/rules.ts";
import { classOf, messageBody, messageOf } from "#web/domain/message/values.ts";
import { readClock, type OrganizationClock } from "#web/domain/organization-clock.ts";

const { shape } = notificationForm;

/** The edit dialog's form; the error texts are the contract's. */
export const editForm = messageForm
  .extend({
    status: z.enum(["Draft", "Scheduled", "Recurring"]),
    scheduledDate: shape.scheduledDate.unwrap(),
    scheduledTime: shape.scheduledTime.unwrap(),
  })
  .check(({ value: form, issues }) => {
    const need = (field: string, message: string, is: boolean) => {
      if (!is) issues.push({ code: "custom", path: [field], message, input: form });
    };
    need("templateId", messageSentence, form.messageType === "custom" || form.templateId !== "");
    // A draft only needs a title.
    if (form.status === "Draft") return;
    need("channels", "Notification type is required", form.channels.length > 0);
    need("customMessage", "Content is required", form.customMessage.trim() !== "");
    need("recipients", noRecipients, form.recipients.length > 0);
    if (form.status === "Scheduled") {
      need("scheduledDate", "Choose a date and time", form.scheduledDate !== "");
    }
  });
export type EditForm = z.output<typeof editForm>;

export const editRules = messageRules<EditForm>(editForm, ({ status }) => ({
  goesOut: status !== "Draft",
  planned: status === "Scheduled",
  repeats: status === "Recurring",
}));

/** The form of a stored notification. `zone` is the organization's. */
export function formOf(stored: NotificationDetail, zone: string | undefined): EditForm {
  const planned = stored.scheduled_time
    ? readClock(Date.parse(stored.scheduled_time), zone)
    : { day: "", time: "09:00" };
  return {
    ...messageOf(stored),
    messageType: stored.messageType,
    ownTemplate: { subject: stored.subject, formatted: stored.formatted },
    // A cancelled one is edited as a draft.
    status: stored.status === "Scheduled" || stored.status === "Recurring" ? stored.status : "Draft",
    scheduledDate: planned.day,
    scheduledTime: planned.time,
  };
}

/** The message as the next run sends it, where it recurs. */
export function asSent(
  form: EditForm,
  { recurrence, recurringDay, recurringTime }: NotificationDetail,
  clock: OrganizationClock | undefined,
): EditForm {
  if (form.status !== "Recurring") return form;
  const rule =
    recurrence && recurringTime && clock
      ? recurringRule({ recurrence, recurringDay: recurringDay ?? 1, recurringTime }, clock.zone)
      : null;
  return { ...form, fieldValues: answersOfNextRun(form, rule, clock) };
}

type Body = NonNullable<Input<typeof notifications.update>["body"]>;

type BodyContext = {
  stored: NotificationDetail;
  asked: readonly string[];
  zone: string | undefined;
  templateClass: MessageClass | undefined;
};

/** The call for a filled form. `asked` are the fields that its message still asks for. */
export function bodyOf(form: EditForm, { stored, asked, zone, templateClass }: BodyContext): Body {
  return {
    ...messageBody(form, asked),
    ...(form.status === "Recurring" ? { fieldValues: repeatedAnswers(form, asked) } : {}),
    content: form.customMessage,
    ...(form.perHome !== stored.perHome && { perHome: form.perHome }),
    ...((form.ownValues?.id ?? null) !== stored.valuesId && { valuesId: form.ownValues?.id ?? null }),
    class: classOf(form, templateClass ?? stored.class),
    status: form.status,
    scheduled_time: form.status === "Scheduled" ? plannedTime(form, stored, zone) : null,
    ...(form.messageType === "template"
      ? { templateId: Number(form.templateId), templateVersion: form.ownTemplate?.version }
      : {
          templateId: null,
          ...((form.formatted ?? false) !== stored.formatted && { formatted: form.formatted ?? false }),
        }),
    updatedAt: stored.updatedAt,
  };
}

/**
 * Without an offset: the server reads it in the organization's zone. An unchanged time is sent back as it came, since a
 * clock time can mean two instants when daylight saving ends.
 */
function plannedTime(form: EditForm, stored: NotificationDetail, zone: string | undefined): string {
  const before = formOf(stored, zone);
  const same = before.scheduledDate === form.scheduledDate && before.scheduledTime === form.scheduledTime;
  return same && stored.scheduled_time
    ? stored.scheduled_time
    : `${form.scheduledDate}T${form.scheduledTime}:00`;
}
