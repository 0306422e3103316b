import type { MessageForm } from "#contract/notifications.ts";
import { isAskedField, piecesOf, type SelfFilledField } from "#contract/message-fields.ts";
import type { Template } from "#contract/templates.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";

export function findTemplate(list: readonly Template[], id: string): Template | undefined {
  return list.find((one) => String(one.id) === id);
}

type Texts = Pick<MessageForm, "title" | "messageType" | "templateId" | "customMessage" | "ownTemplate">;
type Known = Pick<Surroundings, "templates" | "ownText">;

/** The subject that its emails have instead of the title; undefined or empty if there is none. */
export function templateSubject(form: Texts, { templates, ownText }: Known): string | undefined {
  if (form.messageType !== "template") return undefined;
  return ownText ? form.ownTemplate?.subject : findTemplate(templates, form.templateId)?.subject;
}

/** Every field in this form's message, in order of appearance. None for an unknown template. */
export function usedFields(form: Texts, known: Known): string[] {
  const { templates, ownText } = known;
  const byTemplate = form.messageType === "template";
  const template = byTemplate ? findTemplate(templates, form.templateId) : undefined;
  const text = !byTemplate || ownText ? form.customMessage : (template?.content ?? "");
  const pieces = [templateSubject(form, known) ?? "", text, form.title].flatMap((one) => piecesOf(one));
  return [...new Set(pieces.flatMap(({ field }) => field ?? []))];
}

/** The fields that the sender fills in on this form, in order of appearance. */
export function askedFields(form: Texts, known: Known): string[] {
  return usedFields(form, known).filter(isAskedField);
}

/** "due_date" → "Due date" */
export function fieldLabel(field: string): string {
  const text = field.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text with its fields replaced by their names: "Rent for property unit". */
export function inFieldNames(text: string): string {
  return piecesOf(text)
    .map(({ raw, field }) => field?.replaceAll("_", " ") ?? raw)
    .join("");
}

/** How a value is entered, judging by the field's name: one line, several lines, or a date. */
export function answerKind(field: string): "line" | "text" | "day" {
  if (/(^|_)(date|day|deadline)$/.test(field)) return "day";
  return /(^|_)(description|details|message|announcement|instructions|notes)$|^what_/.test(field)
    ? "text"
    : "line";
}

/** The menu's fields, most used first. */
export const insertableFields: { field: SelfFilledField; label: string }[] = [
  { field: "first_name", label: "First name" },
  { field: "last_name", label: "Last name" },
  { field: "tenant_name", label: "Full name" },
  { field: "property_name", label: "Property" },
  { field: "property_unit", label: "Unit" },
  { field: "email", label: "Email address" },
  { field: "phone", label: "Phone number" },
  { field: "today", label: "Today's date" },
];
