import { AppError, fieldError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { answered, askedFields, missingFields } from "#server/delivery/content/fields.ts";
import { TemplateError } from "#server/delivery/content/template.ts";
import { findTemplate } from "#server/features/templates/queries.ts";

export type Message = {
  messageType: "template" | "custom";
  templateId: number | null;
  subject: string;
  content: string;
  fieldValues: Record<string, string>;
  class: "emergency" | "transactional" | "general";
};

export type WrittenMessage = {
  templateId?: string | number | null | undefined;
  text: string;
  fieldValues: Record<string, string>;
  class?: Message["class"] | undefined;
};

/**
 * What is to be said: a template's text as it is now, or the person's own words. A text given beside the
 * template is the template as the person changed it for this once.
 */
export async function composeMessage(db: Db, written: WrittenMessage): Promise<Message> {
  const { fieldValues, text } = written;
  if (written.templateId === undefined || written.templateId === null) {
    return {
      messageType: "custom",
      templateId: null,
      subject: "",
      content: text,
      fieldValues,
      class: written.class ?? "general",
    };
  }
  const template = await findTemplate(db, written.templateId);
  return {
    messageType: "template",
    templateId: template.id,
    subject: template.subject,
    content: text.trim() === "" ? template.content : text,
    fieldValues,
    class: written.class ?? template.class,
  };
}

/** Refuses a message with fields that nobody fills, or with braces that are no field. `at` is the text's field. */
export function checkFields(message: Message, title: string, at: string): void {
  let missing: string[];
  try {
    missing = missingFields(
      askedFields(title, message.subject, message.content),
      answered(message.fieldValues),
    );
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw fieldError("invalid-input", at, error.message);
  }
  if (missing.length === 0) return;
  const human = (field: string) => field.replaceAll("_", " ");
  throw new AppError("missing-field-values", `Fill in ${missing.map(human).join(", ")} before sending.`, {
    fields: Object.fromEntries(missing.map((field) => [`fieldValues.${field}`, `Fill in ${human(field)}`])),
  });
}
