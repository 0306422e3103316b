import type { Slot, Template } from "./compiled.ts";

/** Text as an author writes it, taken apart: literal strings and the `{{field}}`s between them. */
export type Piece = string | { field: string };

/** The author's text holds something in braces that is no field. `field` is what stood there. */
export class TemplateError extends Error {
  readonly code = "invalid_field";
  readonly field: string;
  constructor(message: string, field: string) {
    super(message);
    this.name = "TemplateError";
    this.field = field;
  }
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Splits at `{{field}}`; blanks inside the braces and capital letters do not matter. There is no other syntax.
 * Throws TemplateError for braces that hold anything else or never close: the alternative would be to send a
 * tenant the braces.
 */
export function parseTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", end)) {
    const close = text.indexOf("}}", open + 2);
    if (close === -1) {
      const rest = shown(text.slice(open + 2));
      throw new TemplateError(`The field “{{${rest}” is not closed. Write it as {{name}}.`, rest);
    }
    const inside = text.slice(open + 2, close);
    const field = inside.trim().toLowerCase();
    if (!NAME.test(field)) {
      const name = shown(inside);
      throw new TemplateError(
        `“{{${name}}}” is not a field. A field's name has letters, digits and underscores, like {{first_name}}.`,
        name,
      );
    }
    if (open > end) pieces.push(text.slice(end, open));
    pieces.push({ field });
    end = close + 2;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The names of the fields in the texts, each once, in the order of their appearance. Throws TemplateError. */
export function fieldsOf(...texts: readonly string[]): string[] {
  const fields = new Set<string>();
  for (const text of texts) {
    for (const piece of parseTemplate(text)) if (typeof piece !== "string") fields.add(piece.field);
  }
  return [...fields];
}

/** Adjacent strings joined: what a template looks like when it is stored. */
export function joined(pieces: Template): Template {
  const result: (string | Slot)[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === "string" && typeof last === "string") result[result.length - 1] = last + piece;
    else if (piece !== "") result.push(piece);
  }
  return result;
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
