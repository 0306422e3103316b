import type { MessageForm } from "#contract/calls/notifications.ts";
import {
  isAskedField,
  isHomeField,
  isSelfFilled,
  piecesOf,
  type SelfFilledField,
} from "#contract/text/message-fields.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import type { Template } from "#contract/calls/templates.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";

export function findTemplate(list: readonly Template[], id: string): Template | undefined {
  return list.find((one) => String(one.id) === id);
}

type Texts = Pick<MessageForm, "title" | "messageType" | "templateId" | "customMessage" | "ownTemplate">;
type Answers = Pick<MessageForm, "fieldValues" | "relativeDates" | "ownValues">;
type Known = Pick<Surroundings, "templates" | "ownText">;

/** The subject that its emails have instead of the title; undefined or empty if there is none. */
export function templateSubject(form: Texts, { templates, ownText }: Known): string | undefined {
  if (form.messageType !== "template") return undefined;
  return ownText ? form.ownTemplate?.subject : findTemplate(templates, form.templateId)?.subject;
}

/** Subject, text and title of this form's message; a template's text as it is stored or as it reads. */
function textsOf(form: Texts, known: Known, as: "content" | "contentText"): [string, string, string] {
  const { templates, ownText } = known;
  const byTemplate = form.messageType === "template";
  const template = byTemplate ? findTemplate(templates, form.templateId) : undefined;
  const text = !byTemplate || ownText ? form.customMessage : (template?.[as] ?? "");
  return [templateSubject(form, known) ?? "", text, form.title];
}

/** Every field in this form's message, in order of appearance. Of an unknown template, only the title's. */
export function usedFields(form: Texts, known: Known): string[] {
  const pieces = textsOf(form, known, "content").flatMap((one) => piecesOf(one));
  return [...new Set(pieces.flatMap(({ field }) => field ?? []))];
}

const AROUND = 40;

/** The words before and after a field where the message first has it; null if it stands alone. */
export function wordsAround(
  field: string,
  form: Texts,
  known: Known,
): [before: string, after: string] | null {
  const [subject, text, title] = textsOf(form, known, "contentText");
  for (const pieces of [text, subject, title].map((one) => piecesOf(one))) {
    const at = pieces.findIndex((piece) => piece.field === field);
    if (at === -1) continue;
    // Names aren't cut.
    const words = (some: typeof pieces) =>
      some
        .map(({ raw, field }) => (field === null ? raw : inFieldNames(raw).replaceAll(" ", "\u00a0")))
        .join("");
    const [, before = ""] = /([^\n]*)$/.exec(words(pieces.slice(0, at))) ?? [];
    const [after = ""] = words(pieces.slice(at + 1)).split("\n");
    if (!/\p{L}/u.test(before + after)) return null;
    return [
      before.length > AROUND ? before.slice(-AROUND).replace(/^[^ ]* /, "… ") : before,
      after.length > AROUND ? after.slice(0, AROUND).replace(/ [^ ]*$/, " …") : after,
    ];
  }
  return null;
}

/** The fields that a file can have a value of for each person: those that the sender fills in, and those of details. */
export function fileFields(form: Texts, known: Known): string[] {
  return usedFields(form, known).filter((field) => !isSelfFilled(field));
}

/**
 * The fields that the sender fills in on this form, in order of appearance, without those of the file. Those of a home
 * and of details, which people's own fill otherwise, only where someone has filled them in.
 */
export function askedFields(form: Texts & Answers, known: Known): string[] {
  const has = (field: string) =>
    Object.hasOwn(form.fieldValues, field) || Object.hasOwn(form.relativeDates, field);
  const mayBeTyped = (field: string) =>
    isHomeField(field) || personDetails().some((detail) => detail.field === field);
  const ofFile = form.ownValues?.fields ?? [];
  return usedFields(form, known).filter(
    (field) => !ofFile.includes(field) && (isAskedField(field) || (mayBeTyped(field) && has(field))),
  );
}

/**
 * The fields whose values a save keeps: those that are asked for. Until the chosen template has been read, no one knows
 * which those are, so all values are kept.
 */
export function savedFields(form: Texts & Answers, known: Known): string[] {
  const unread =
    form.messageType === "template" &&
    form.templateId !== "" &&
    !findTemplate(known.templates, form.templateId);
  return unread && !known.ownText
    ? Object.keys({ ...form.fieldValues, ...form.relativeDates })
    : askedFields(form, known);
}

/** "due_date" → "Due date"; a detail's own name. */
export function fieldLabel(field: string): string {
  const detail = personDetails().find((one) => one.field === field);
  if (detail) return detail.label;
  const text = field.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text with the names of its fields: "Rent for [property unit]". */
export function inFieldNames(text: string): string {
  return piecesOf(text)
    .map(({ raw, field }) => (field === null ? raw : `[${field.replaceAll("_", " ")}]`))
    .join("");
}

/** How a value is entered, judging by the field's name: one line, several lines, or a date. */
export function answerKind(field: string): "line" | "text" | "day" {
  if (/(^|_)(date|day|deadline)$/.test(field)) return "day";
  return /(^|_)(description|details|message|announcement|instructions|notes)$|^what_/.test(field)
    ? "text"
    : "line";
}

/** What the menu offers: its fields, and then what is kept of people. */
export const fieldsToInsert = (): { field: string; label: string }[] => [
  ...insertableFields,
  ...personDetails().map(({ field, label }) => ({ field, label })),
];

/** The menu's fields, most used first. */
export const insertableFields: { field: SelfFilledField; label: string }[] = [
  { field: "first_name", label: "First name" },
  { field: "last_name", label: "Last name" },
  { field: "tenant_name", label: "Full name" },
  { field: "property_name", label: "Property" },
  { field: "property_unit", label: "Unit" },
  { field: "unit", label: "Unit without the property" },
  { field: "building", label: "Building" },
  { field: "floor", label: "Floor" },
  { field: "move_in_date", label: "Move-in date" },
  { field: "move_out_date", label: "Move-out date" },
  { field: "lease_end", label: "Lease end" },
  { field: "email", label: "Email address" },
  { field: "phone", label: "Phone number" },
  { field: "today", label: "Today's date" },
];
