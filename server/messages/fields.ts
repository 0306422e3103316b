import { finding, Refusal } from "#contract/findings.ts";
import { fieldsOf, TemplateError } from "#contract/text/message-fields.ts";

/**
 * The placeholder for the one-time link in its message, and only there. It is filled when a worker sends the message
 * and never before, so no stored text holds a link.
 */
export const ONE_TIME_LINK_FIELD = "one_time_link";
/** Until when that link works; filled in with it. */
export const LINK_EXPIRY_FIELD = "link_expires";

/** The fields of what was written at `at`. Throws invalid-input there if braces hold no field. */
export function fieldsAt(at: string, text: string): string[] {
  try {
    return fieldsOf(text);
  } catch (error) {
    if (error instanceof TemplateError) throw new Refusal(finding(error.code, at, { name: error.field }));
    throw error;
  }
}

/** Those of the fields that have no value. */
export function missingFields(fields: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return fields.filter((field) => !Object.hasOwn(values, field));
}

/**
 * The values typed for the fields the sender fills in. A blank answer counts as none, and so does one for a field that is
 * filled otherwise by now (`except`).
 */
export function answered(
  answers: Readonly<Record<string, string>>,
  except?: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answers).filter(([field, answer]) => answer.trim() !== "" && !except?.has(field)),
  );
}
