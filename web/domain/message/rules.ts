import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldErrors, Resolver } from "react-hook-form";
import type * as z from "zod";
import type { MessageForm, NotificationForm } from "#contract/calls/notifications.ts";
import { isAskedField } from "#contract/text/message-fields.ts";
import { repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import { answersOf } from "#web/domain/message/values.ts";
import { askedFields, fieldLabel } from "#web/domain/message/fields.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";

type Planned = MessageForm & Pick<NotificationForm, "scheduledDate" | "scheduledTime">;

type When = {
  /** It is sent without another check, so every field must be filled in. */
  goesOut: boolean;
  /** It is sent at `scheduledDate` and `scheduledTime`. */
  planned: boolean;
  /** It recurs, so its dates may be relative to the run. */
  repeats: boolean;
};

/** The schema's rules, and those that depend on the selected template and the current time. */
export function messageRules<Form extends Planned>(
  schema: z.ZodType<Form>,
  when: (form: Form) => When,
): Resolver<Form, Surroundings, Form> {
  // The form always has every field, so the schema never has to fill in defaults.
  const rules: Resolver<Form, Surroundings, Form> = zodResolver(schema as z.ZodType<Form, Form>);
  return async (form, surroundings, options) => {
    const result = await rules(form, surroundings, options);
    const further = surroundings ? furtherErrors(form, when(form), surroundings) : {};
    if (Object.keys(further).length === 0) return result;
    return { values: {}, errors: { ...(further as FieldErrors<Form>), ...result.errors } };
  };
}

/** Errors for a date before today, a time that has passed, and fields of the message that are empty. */
function furtherErrors(form: Planned, { goesOut, planned, repeats }: When, surroundings: Surroundings) {
  const errors: FieldErrors<Planned> = {};
  if (goesOut) Object.assign(errors, missingAnswers(form, surroundings, repeats));
  const now = surroundings.clock?.read();
  if (planned && now && form.scheduledDate !== "") {
    if (form.scheduledDate < now.day) {
      errors.scheduledDate = { type: "custom", message: "Choose today or a later day" };
    } else if (form.scheduledDate === now.day && form.scheduledTime < now.time) {
      errors.scheduledTime = { type: "custom", message: "This time has already passed today" };
    }
  }
  return errors;
}

/** An error for each field of the message that is empty. */
export function missingAnswers(
  form: MessageForm,
  surroundings: Surroundings,
  repeats: boolean,
): FieldErrors<MessageForm> {
  const asked = askedFields(form, surroundings);
  const answers = repeats ? repeatedAnswers(form, asked) : answersOf(form, asked);
  const missing = asked.filter((field) => isAskedField(field) && !Object.hasOwn(answers, field));
  if (missing.length === 0) return {};
  const sentences = missing.map((field) => [
    field,
    { type: "custom", message: `${fieldLabel(field)} is required` },
  ]);
  return { fieldValues: Object.fromEntries(sentences) as Record<string, { type: string; message: string }> };
}

// The calls use the specified names. The form has one input for each.
const inputOf: Record<string, string> = {
  message: "customMessage",
  content: "customMessage",
  type: "channels",
  scheduled_time: "scheduledDate",
  valuesId: "ownValues",
};

/**
 * The input for a path in the server's reply: "recipients.0" belongs to the recipients, "fieldValues.due_date" has its
 * own input.
 */
export function fieldOf(path: string): string {
  const [root = "", part] = path.split(".");
  if (root === "fieldValues") return part ? path : "templateId";
  return inputOf[root] ?? root;
}
