import type { NotificationForm } from "#contract/notifications.ts";
import { isAskedField, piecesOf } from "#contract/message-fields.ts";
import type { SelfFilledField } from "#contract/message-fields.ts";
import type { Template } from "#contract/templates.ts";

function fieldsOf(text: string): string[] {
  return piecesOf(text).flatMap(({ field }) => (field ? [field] : []));
}

/** A template is named by its slug, or by its id where a notification remembers that. */
export function findTemplate(list: readonly Template[], name: string): Template | undefined {
  return list.find((one) => one.slug === name || String(one.id) === name);
}

type Words = Pick<NotificationForm, "title" | "messageType" | "templateId" | "customMessage">;

/** Every field of this form's message, whoever fills it, in order of use. An unknown template has none here. */
export function usedFieldsFor(form: Words, templates: readonly Template[]): string[] {
  const ofMessage =
    form.messageType === "template"
      ? (findTemplate(templates, form.templateId)?.dynamicFields ?? [])
      : fieldsOf(form.customMessage);
  return [...new Set([...ofMessage, ...fieldsOf(form.title)])];
}

/** What the sender of this form has to fill in, in order of use. An unknown template asks for nothing here. */
export function askedFieldsFor(form: Words, templates: readonly Template[]): string[] {
  return usedFieldsFor(form, templates).filter(isAskedField);
}

/** "due_date" → "Due date" */
export function fieldLabel(field: string): string {
  const words = field.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How an answer is given, which a field's name tells: in a line, in several, or as a day. */
export function answerKind(field: string): "line" | "text" | "day" {
  if (/(^|_)date$/.test(field)) return "day";
  return /(^|_)(description|details|message|announcement|instructions|notes)$|^what_/.test(field)
    ? "text"
    : "line";
}

/** What the menu offers, in the order in which it is used most. */
export const insertableFields: { field: SelfFilledField; label: string }[] = [
  { field: "first_name", label: "First name" },
  { field: "last_name", label: "Last name" },
  { field: "tenant_name", label: "Full name" },
  { field: "property_name", label: "Property" },
  { field: "property_unit", label: "Unit" },
  { field: "email", label: "Email address" },
  { field: "phone", label: "Phone number" },
  { field: "today", label: "Today’s date" },
];
