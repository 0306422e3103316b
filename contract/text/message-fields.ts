import { detailFieldsKept } from "#contract/text/kept-details.ts";

/** The `{{field}}` syntax of messages and templates, for browser and server. */

/** Fields filled from the person and the settings. The sender fills in all others. */
export const selfFilledFields = [
  "tenant_name",
  "first_name",
  "last_name",
  "email",
  "phone",
  "property_unit",
  "property_name",
  "unit",
  "building",
  "floor",
  "move_in_date",
  "move_out_date",
  "lease_end",
  "today",
] as const;
export type SelfFilledField = (typeof selfFilledFields)[number];

/**
 * Fields filled from the home that a run is about, or that the person's details name. Senders used to fill them in
 * themselves, and what one has typed still counts for everyone.
 */
export const homeFields = [
  "unit",
  "building",
  "floor",
  "move_in_date",
  "move_out_date",
  "lease_end",
] as const satisfies readonly SelfFilledField[];
export type HomeField = (typeof homeFields)[number];

export function isHomeField(field: string): field is HomeField {
  return homeFields.some((one) => one === field);
}

/** The fields without those of a home, and of this page's details, that the sender has typed. */
export function withoutTyped(fields: readonly string[], values: Readonly<Record<string, unknown>>): string[] {
  return fields.filter((field) => !isTyped(field, values));
}

/** Whether the sender has typed a value for a field that fills itself otherwise. */
function isTyped(field: string, values: Readonly<Record<string, unknown>>): boolean {
  const value = isHomeField(field) || detailFieldsKept().has(field) ? valueOf(values, field) : undefined;
  return typeof value === "string" ? value.trim() !== "" : value !== undefined;
}

/** Fields filled from the person's record. */
export type PersonField = Exclude<SelfFilledField, "today">;

const selfFilled: ReadonlySet<string> = new Set(selfFilledFields);

/** Whether a person's record or the run fills it, whatever else there is. */
export const isSelfFilled = (field: string): boolean => selfFilled.has(field);

export function isPersonField(field: string): field is PersonField {
  return field !== "today" && selfFilled.has(field);
}

const personFieldTexts: Record<PersonField, string> = {
  tenant_name: "name",
  first_name: "first name",
  last_name: "last name",
  email: "email address",
  phone: "phone number",
  property_unit: "property/unit",
  property_name: "property",
  unit: "unit",
  building: "building",
  floor: "floor",
  move_in_date: "move-in date",
  move_out_date: "move-out date",
  lease_end: "lease end",
};

/** A field in the middle of a sentence: "property/unit", "due date". */
export function fieldText(field: string): string {
  return isPersonField(field) ? personFieldTexts[field] : field.replaceAll("_", " ");
}

/** The fields of the details that are kept of each person. A page has them (`kept-details.ts`); the server reads them each time. */
export type DetailFields = ReadonlySet<string>;

/** Whether the sender fills it in when sending. */
export function isAskedField(field: string, details: DetailFields = detailFieldsKept()): boolean {
  return !selfFilled.has(field) && !details.has(field);
}

/** A part of parsed text: a literal string or a `{{field}}`. */
type Piece = string | { field: string };

/** The text has something in braces that is not a field. `field` is what was there; for the words, see findings.ts. */
export class TemplateError extends Error {
  override name = "TemplateError";
  readonly code: "field-not-closed" | "not-a-field";
  readonly field: string;
  constructor(code: TemplateError["code"], field: string) {
    super(`${code}: ${field}`);
    this.code = code;
    this.field = field;
  }
}

/** A field's value, if there is one. People name fields, so a name may be one that every object has: "constructor". */
export function valueOf<Value>(values: Readonly<Record<string, Value>>, field: string): Value | undefined {
  return Object.hasOwn(values, field) ? values[field] : undefined;
}

/** What people write between the braces: a name, with spaces or dashes instead of underscores. */
export const WRITTEN_FIELD = "[A-Za-z][A-Za-z0-9_ \\u00a0\\u2010\\u2011-]{0,63}";
const WRITTEN = new RegExp(`^${WRITTEN_FIELD}$`);
// The home's fields were the sender's own before, and "leaseend" was another one than "lease_end".
const bySpelling = new Map(
  selfFilledFields.filter((field) => !isHomeField(field)).map((field) => [field.replaceAll("_", ""), field]),
);

/** No form holds a value by these names, because every object or function has them. */
const TAKEN: ReadonlySet<string> = new Set(["constructor", "prototype"]);

/**
 * The field that is meant, however it is spelled: "first_name", "First Name", "first-name" and "firstName" are one. Null
 * if it can't be a field.
 */
export function fieldNamed(written: string): string | null {
  const text = written.trim();
  if (!WRITTEN.test(text)) return null;
  const name = text.toLowerCase().replaceAll(/[ \u00a0\u2010\u2011-]+/g, "_");
  return bySpelling.get(name.replaceAll("_", "")) ?? (TAKEN.has(name) ? `${name}_name` : name);
}

/**
 * Splits text at `{{field}}`, however the field is spelled (`fieldNamed`). There is no other syntax. Throws TemplateError
 * for braces that contain anything else or never close; otherwise a tenant would get the braces.
 */
export function parseTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", end)) {
    const close = text.indexOf("}}", open + 2);
    if (close === -1) throw new TemplateError("field-not-closed", shown(text.slice(open + 2)));
    const inside = text.slice(open + 2, close);
    const field = fieldNamed(inside);
    if (field === null) throw new TemplateError("not-a-field", shown(inside));
    if (open > end) pieces.push(text.slice(end, open));
    pieces.push({ field });
    end = close + 2;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The names of the fields in the texts, each once, in order of appearance. Throws TemplateError. */
export function fieldsOf(...texts: readonly string[]): string[] {
  const fields = new Set<string>();
  for (const text of texts) {
    for (const piece of parseTemplate(text)) if (typeof piece !== "string") fields.add(piece.field);
  }
  return [...fields];
}

/** The fields of the texts that the sender fills in. Throws TemplateError. */
export function askedFields(texts: readonly string[], details?: DetailFields): string[] {
  return fieldsOf(...texts).filter((field) => isAskedField(field, details));
}

// Braces with anything else stay plain text here.
const FIELD = new RegExp(`\\{\\{\\s*(${WRITTEN_FIELD})\\s*\\}\\}`, "g");

/** Splits unfinished text for display and never throws. `raw` is the original text, `field` the field's name. */
export function piecesOf(text: string): { raw: string; field: string | null }[] {
  const pieces: { raw: string; field: string | null }[] = [];
  let end = 0;
  for (const found of text.matchAll(FIELD)) {
    if (found.index > end) pieces.push({ raw: text.slice(end, found.index), field: null });
    pieces.push({ raw: found[0], field: fieldNamed(found[1] ?? "") });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ raw: text.slice(end), field: null });
  return pieces;
}

/** The fields of unfinished text that are spelled in another way, as written and as they are read. */
export function respelledFields(text: string): { written: string; field: string }[] {
  const found = piecesOf(text).flatMap(({ raw, field }) => {
    const written = raw.slice(2, -2).trim();
    return field === null || written.toLowerCase() === field ? [] : [[written, field] as const];
  });
  return [...new Map(found)].map(([written, field]) => ({ written, field }));
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
