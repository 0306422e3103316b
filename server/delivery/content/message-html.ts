import { isLinkSlot, joined, type Slot, type Template, type Writing } from "./compiled.ts";
import { escapeHtml, htmlText } from "./writing.ts";

/**
 * HTML from text with slots. During conversion each slot is one character of a Unicode private plane, which no keyboard
 * types, so that a URL with a field in it, `https://pay.example/{{property_unit}}`, is still recognized as one URL.
 */
const FIRST_SLOT = 0xf0000;
const SLOTS = /[\u{f0000}-\u{ffffd}]/gu;
const PIECES = /([\u{f0000}-\u{ffffd}])/u;

const ADDRESS = /https?:\/\/[^\s<>"“”„«».,;:!?\u2066-\u2069][^\s<>"“”„«»\u2066-\u2069]*/gi;
const TRAILING = /[.,;:!?'’*…]/;
/** What begins an address, ends its host, or ends it; a parenthesis may belong to it. */
const SIGNS = /https?:\/\/|[/?#]|[()]|[\s<>"“”„«»\u2066-\u2069]/gi;
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** How a message's parts look. */
export type MessageStyle = {
  paragraph: string;
  link: string;
  /** Of a block of labels and values. `wide`: a row without a label. `line`: what is between two rows. */
  details?: Record<"table" | "label" | "value" | "wide" | "line", string>;
  /** What a one-time link becomes in a paragraph of its own. `table`: the tags that begin its table. */
  button?: { label: string; table: string; link: string };
};

/** A plain message as HTML: blank lines separate paragraphs, line breaks are kept, and http(s) URLs become links. */
export function messageHtml(text: Template, style: MessageStyle): Template {
  const { marked, fields } = markSlots(text);
  const writer = new HtmlWriter(fields, style.link);
  for (const paragraph of marked.split(/\n[^\S\n]*\n\s*/)) {
    if (paragraph.trim() === "") continue;
    if (style.button && writer.button(paragraph.trim(), style.button)) continue;
    writer.raw(`<p dir="auto" style="${style.paragraph}">`);
    writer.linkedText(paragraph);
    writer.raw("</p>");
  }
  return writer.template();
}

/** The text on one line as HTML, cut after this many characters and fields. */
export function lineHtml(text: Template, length = Number.POSITIVE_INFINITY): Template {
  const { marked, fields } = markSlots(text);
  const writer = new HtmlWriter(fields, "");
  const line = Array.from(marked.trim().replace(/\s+/g, " "));
  writer.line(line.slice(0, length).join(""));
  return writer.template();
}

/** The text for readers of plain text: a person's field inside an address is percent-encoded, as in a link. */
export function plainMessage(text: Template): Template {
  return mapSlots(text, (slot, place) =>
    place === "text" || isLinkSlot(slot.field) ? slot : { ...slot, as: "href" },
  );
}

/** Replaces each slot, knowing whether it is in an address's host, behind its host, or in other text, and what follows. */
export function mapSlots(
  text: Template,
  replace: (slot: Slot, place: "host" | "path" | "text", next: string | Slot | undefined) => string | Slot,
): Template {
  let place: "host" | "path" | "text" = "text";
  let opened = false;
  return text.map((piece, index) => {
    const written = typeof piece === "string" ? piece : replace(piece, place, text[index + 1]);
    if (typeof written !== "string") return written;
    for (const [sign] of written.matchAll(SIGNS)) {
      if (sign.length > 1) {
        if (place === "text") [place, opened] = ["host", false];
      } else if (place !== "text") {
        if ("/?#".includes(sign)) place = "path";
        else if (sign === "(") opened = true;
        else if (sign !== ")" || !opened) place = "text";
      }
    }
    return written;
  });
}

type Marked = Omit<Slot, "as">;

/** The text as one string, with the slot for each slot character. */
export function markSlots(text: Template): { marked: string; fields: Marked[] } {
  const fields: Marked[] = [];
  const marked = text.map((piece) => {
    if (typeof piece === "string") return piece.replaceAll(SLOTS, "");
    fields.push(piece);
    return String.fromCodePoint(FIRST_SLOT + fields.length - 1);
  });
  return { marked: marked.join(""), fields };
}

/** Splits marked text again into literals and the slots between them. */
export function markedPieces(marked: string, fields: readonly Marked[]): (string | Marked)[] {
  return marked
    .split(PIECES)
    .map((piece, index) =>
      index % 2 === 0 ? piece : (fields[piece.codePointAt(0)! - FIRST_SLOT] ?? { field: "" }),
    );
}

/** A period or bracket that ends the sentence, not the URL. */
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

/** Writes marked text as HTML with its slots. */
export class HtmlWriter {
  readonly #fields: readonly Marked[];
  readonly #linkStyle: string;
  readonly #pieces: (string | Slot)[] = [];

  constructor(fields: readonly Marked[], linkStyle: string) {
    this.#fields = fields;
    this.#linkStyle = linkStyle;
  }

  raw(html: string): void {
    this.#pieces.push(html);
  }

  text(marked: string): void {
    this.#write(marked, "html", (text) => htmlText(text).replaceAll("\n", "<br>\n"));
  }

  line(marked: string): void {
    this.#write(marked, "html-line", htmlText);
  }

  /** Text whose http(s) URLs become links. */
  linkedText(marked: string): void {
    let end = 0;
    for (const match of marked.matchAll(ADDRESS)) {
      const address = withoutTrailing(match[0]);
      this.text(marked.slice(end, match.index));
      this.openLink(address);
      this.text(address);
      this.raw("</a>");
      end = match.index + address.length;
    }
    this.text(marked.slice(end));
  }

  openLink(marked: string): void {
    this.raw('<a href="');
    this.#write(marked, "href", escapeHtml);
    this.raw(`" style="${this.#linkStyle}">`);
  }

  /** Writes a paragraph of nothing but the one-time link as a button. */
  button(marked: string, { label, table, link }: NonNullable<MessageStyle["button"]>): boolean {
    const pieces = markedPieces(marked, this.#fields).filter((piece) => piece !== "");
    const [only] = pieces;
    if (pieces.length !== 1 || typeof only !== "object" || only.field !== "@password") return false;
    this.#pieces.push(`${table}<a href="`, { field: only.field, as: "html-line" });
    this.#pieces.push(`" style="${link}">${escapeHtml(label)}</a></td></tr></table>`);
    return true;
  }

  template(): Template {
    return joined(this.#pieces);
  }

  /** The recipient's own link: clickable in the text, and left out of one-line previews, which others may see. */
  #recipientLink(field: string, as: Writing): void {
    if (as === "html-line") return;
    const slot: Slot = { field, as: "html-line" };
    this.#pieces.push('<a href="', slot, `" style="${this.#linkStyle}">`, slot, "</a>");
  }

  #write(marked: string, as: Writing, escape: (text: string) => string): void {
    for (const piece of markedPieces(marked, this.#fields)) {
      if (typeof piece === "string") this.raw(escape(piece));
      else if (isLinkSlot(piece.field)) this.#recipientLink(piece.field, as);
      else this.#pieces.push({ ...piece, as });
    }
  }
}
