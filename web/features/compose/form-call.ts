import type { MessageClass } from "#contract/delivery.ts";
import type { NotificationForm, notifications } from "#contract/calls/notifications.ts";
import type { Input } from "#web/api/client.ts";
import { repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import { classOf, messageBody } from "#web/domain/message/values.ts";

type SendBody = Input<typeof notifications.send>["body"];
type CreateBody = Input<typeof notifications.create>["body"];

/** The call that a filled form becomes. */
export type NotificationCall = { to: "send"; body: SendBody } | { to: "create"; body: CreateBody };

type Context = {
  /** Created once per dialog: the server accepts it once. */
  clientKey: string;
  /** The fields that the message asks for; other values are not sent. */
  askedFields: readonly string[];
  /** Of the chosen template, as it is shown. */
  templateVersion?: number | undefined;
  templateClass?: MessageClass | undefined;
};

/** A valid form as the call that sends, schedules or saves it. */
export function callOf(form: NotificationForm, context: Context): NotificationCall {
  const { clientKey, templateVersion } = context;
  const read = usesText(form) || templateVersion === undefined ? {} : { templateVersion };
  const common = { ...commonOf(form, context), ...read, clientKey };
  if (form.schedule === "immediate") {
    return { to: "send", body: { ...common, ...(usesText(form) ? { message: form.customMessage } : {}) } };
  }
  return { to: "create", body: { ...common, ...contentOf(form), ...planOf(form, context.askedFields) } };
}

function planOf(form: NotificationForm, askedFields: readonly string[]) {
  if (form.schedule === "later") {
    // Without an offset: the server reads it in the organization's zone, whatever the browser's is.
    const scheduled_time = `${form.scheduledDate}T${form.scheduledTime}`;
    return { status: "Scheduled" as const, scheduled_time };
  }
  const { recurrence, recurringDay, recurringTime } = form;
  const day = recurrence === "daily" ? {} : { recurringDay };
  const fieldValues = repeatedAnswers(form, askedFields);
  return { status: "Recurring" as const, recurrence, ...day, recurringTime, fieldValues };
}

/**
 * The form as a draft on the server, visible on other computers and to colleagues. Its client key is not the one for
 * sending: the server would answer a send under a draft's key with the draft.
 */
export function draftBodyOf(form: NotificationForm, context: Context): CreateBody {
  const { clientKey } = context;
  return { ...commonOf(form, context), ...contentOf(form), status: "Draft", clientKey };
}

const usesText = (form: NotificationForm) => form.messageType === "custom";
const contentOf = (form: NotificationForm) => (usesText(form) ? { content: form.customMessage } : {});

function commonOf(form: NotificationForm, { askedFields, templateClass }: Context) {
  // Without a decision, the server takes the template's.
  const source = usesText(form) ? form.sourceClass : templateClass;
  const decided = form.highPriority === null ? undefined : classOf(form, source);
  return {
    ...messageBody(form, askedFields),
    ...(form.perHome && { perHome: true }),
    ...(form.ownValues && { valuesId: form.ownValues.id }),
    ...(decided && { class: decided }),
    ...(usesText(form) && form.formatted && { formatted: true }),
    ...(usesText(form) || form.templateId === "" ? {} : { templateId: Number(form.templateId) }),
  };
}
