import { AppError, fieldError } from "#contract/errors.ts";
import { fieldsOf, TemplateError } from "#contract/text/message-fields.ts";

/**
 * The placeholder for the one-time link in its message, and only there. It is filled when a worker sends the message
 * and never before, so no stored text holds a link.
 */
export const ONE_TIME_LINK_FIELD = "one_time_link";

/** The fields of what was written at `at`. Throws invalid-input there if braces hold no field. */
export function fieldsAt(at: string, text: string): string[] {
  try {
    return fieldsOf(text);
  } catch (error) {
    if (error instanceof TemplateError) throw fieldError("invalid-input", at, error.message);
    throw error;
  }
}

/** Those of the fields that have no value. */
export function missingFields(fields: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return fields.filter((field) => !Object.hasOwn(values, field));
}

/** Refuses to send until these fields are filled in, and names each at its place in the form. */
export function unfilled(fields: readonly string[]): AppError {
  const label = (field: string) => field.replaceAll("_", " ");
  return new AppError("missing-field-values", `Fill in ${fields.map(label).join(", ")} before sending.`, {
    fields: Object.fromEntries(fields.map((field) => [`fieldValues.${field}`, `Fill in ${label(field)}`])),
  });
}

/** The values typed for the fields the sender fills in. A blank answer counts as none. */
export function answered(answers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer.trim() !== ""));
}
