import type { Slot, Template, Writing } from "./compiled.ts";
import { isLinkSlot } from "./compiled.ts";
import { joined } from "./compiled.ts";
import { escapeHtml } from "./writing.ts";

/**
 * A message is plain text: blank lines part its paragraphs, line breaks stay, and http(s) addresses become
 * links. This file makes HTML of it. Between its steps a slot is one NUL in the text (no clean text holds one),
 * so that an address with a field in it, `https://pay.example/{{property_unit}}`, is still one address.
 */
const SLOT = "\u0000";

const ADDRESS = /https?:\/\/[^\s<>"“”„«».,;:!?][^\s<>"“”„«»]*/gi;
const TRAILING = /[.,;:!?'’*…]/;
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The message's paragraphs as HTML. `text` is a plain template. */
export function messageHtml(text: Template, paragraphStyle: string, linkStyle: string): Template {
  const { marked, fields } = mark(text);
  const writer = new Writer(fields, linkStyle);
  for (const paragraph of marked.split(/\n[^\S\n]*\n\s*/)) {
    if (paragraph.trim() === "") continue;
    writer.raw(`<p dir="auto" style="${paragraphStyle}">`);
    let end = 0;
    for (const match of paragraph.matchAll(ADDRESS)) {
      const address = withoutTrailing(match[0]);
      writer.text(paragraph.slice(end, match.index));
      writer.link(address);
      end = match.index + address.length;
    }
    writer.text(paragraph.slice(end));
    writer.raw("</p>");
  }
  return writer.template();
}

/** The text on one line as HTML, no longer than so many characters and fields. */
export function lineHtml(text: Template, length = Number.POSITIVE_INFINITY): Template {
  const { marked, fields } = mark(text);
  const writer = new Writer(fields, "");
  const line = Array.from(marked.trim().replace(/\s+/g, " "));
  writer.line(line.slice(0, length).join(""));
  return writer.template();
}

function mark(text: Template): { marked: string; fields: string[] } {
  const fields: string[] = [];
  const marked = text.map((piece) => {
    if (typeof piece === "string") return piece;
    fields.push(piece.field);
    return SLOT;
  });
  return { marked: marked.join(""), fields };
}

/** A full stop or bracket that ends the sentence and not the address. */
function withoutTrailing(address: string): string {
  let end = address.length;
  for (;;) {
    const last = address[end - 1]!;
    const opening = BRACKETS[last];
    const unopened = opening !== undefined && !address.slice(0, end - 1).includes(opening);
    if (!unopened && !TRAILING.test(last)) return address.slice(0, end);
    end -= 1;
  }
}

/** Writes marked text, putting its slots back in their order. */
class Writer {
  readonly #fields: readonly string[];
  readonly #linkStyle: string;
  readonly #pieces: (string | Slot)[] = [];
  #next = 0;

  constructor(fields: readonly string[], linkStyle: string) {
    this.#fields = fields;
    this.#linkStyle = linkStyle;
  }

  raw(html: string): void {
    this.#pieces.push(html);
  }

  text(marked: string): void {
    this.#write(marked, "html", (text) => escapeHtml(text).replaceAll("\n", "<br>\n"));
  }

  line(marked: string): void {
    this.#write(marked, "html-line", escapeHtml);
  }

  link(marked: string): void {
    const first = this.#next;
    this.raw('<a href="');
    this.#write(marked, "href", escapeHtml);
    this.raw(`" style="${this.#linkStyle}">`);
    this.#next = first;
    this.text(marked);
    this.raw("</a>");
  }

  template(): Template {
    return joined(this.#pieces);
  }

  /** The recipient's own link: to be followed in the text, and kept out of lines, which others may see over a shoulder. */
  #recipientLink(field: string, as: Writing): void {
    if (as === "html-line") return;
    const slot: Slot = { field, as: "html-line" };
    this.#pieces.push('<a href="', slot, `" style="${this.#linkStyle}">`, slot, "</a>");
  }

  #write(marked: string, as: Writing, escape: (text: string) => string): void {
    const [head = "", ...rest] = marked.split(SLOT);
    this.raw(escape(head));
    for (const literal of rest) {
      const field = this.#fields[this.#next]!;
      if (isLinkSlot(field)) this.#recipientLink(field, as);
      else this.#pieces.push({ field, as });
      this.#next += 1;
      this.raw(escape(literal));
    }
  }
}
