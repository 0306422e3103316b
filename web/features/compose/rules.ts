import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldErrors, Resolver } from "react-hook-form";
import { notificationForm } from "#contract/notifications.ts";
import type { NotificationForm } from "#contract/notifications.ts";
import type { Template } from "#contract/templates.ts";
import { askedFieldsFor, fieldLabel } from "#web/features/compose/message-fields.ts";
import type { ClockReading } from "#web/features/compose/organisation-clock.ts";

/** What the rules need to know beside the form itself. */
export type RulesContext = {
  templates: readonly Template[];
  /** The organisation's clock; undefined while unknown, and then the server alone judges. */
  clock: { read: () => ClockReading } | undefined;
};

type Rules = Resolver<NotificationForm, RulesContext, NotificationForm>;

// The form always holds every field, so nothing that the schema would fill in is ever missing.
const contractRules = zodResolver(notificationForm) as unknown as Rules;

/** The contract's rules, and those that depend on the chosen template and on what time it is. */
export const composeRules: Rules = async (form, context, options) => {
  const result = await contractRules(form, context, options);
  const further = context ? furtherErrors(form, context) : {};
  if (Object.keys(further).length === 0) return result;
  return { values: {}, errors: { ...further, ...result.errors } };
};

/** A date before today, a time that is past, a field of the message that nobody has filled. */
function furtherErrors(form: NotificationForm, context: RulesContext): FieldErrors<NotificationForm> {
  const errors: FieldErrors<NotificationForm> = {};
  const asked = askedFieldsFor(form, context.templates);
  const missing = asked.filter((field) => !form.fieldValues[field]?.trim());
  if (missing.length > 0) {
    errors.fieldValues = Object.fromEntries(
      missing.map((field) => [field, { type: "custom", message: `${fieldLabel(field)} is required` }]),
    );
  }
  const clock = context.clock?.read();
  if (form.schedule === "later" && clock && form.scheduledDate !== "") {
    if (form.scheduledDate < clock.today) {
      errors.scheduledDate = { type: "custom", message: "Choose today or a later day" };
    } else if (form.scheduledDate === clock.today && form.scheduledTime < clock.time) {
      errors.scheduledTime = { type: "custom", message: "This time is already past today" };
    }
  }
  return errors;
}
