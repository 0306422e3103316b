import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";
import { piecesOf } from "#contract/text/message-fields.ts";
import { joined, type Slot, type Template } from "./compiled.ts";
import { HtmlWriter, markedPieces, markSlots, type MessageStyle } from "./message-html.ts";

/**
 * The text of an email template: a small subset of Markdown (bold, italic, links, lists) that stays readable as plain
 * text. Line breaks are kept. Everything else in Markdown is ordinary text here.
 */
const markdown = new MarkdownIt("zero", { breaks: true }).enable([
  "emphasis",
  "escape",
  "link",
  "list",
  "newline",
]);
// A URL may contain a field, which encoding would break; the writer escapes it in place.
markdown.normalizeLink = (url) => url;
markdown.validateLink = (url) => /^(https?:\/\/|mailto:|tel:)[^\s]/i.test(url);

/** Escapes a typed value so that it is taken literally inside formatted text. */
export function escapeFormatting(value: string): string {
  return value.replaceAll(/[\\*_[\]()<>#+\-.!`~|&]/g, (sign) => `\\${sign}`);
}

/** Formatted text without its marks, as a text message has it. Its fields stay in braces. */
export function withoutMarks(text: string): string {
  const slots = piecesOf(text).map(({ raw, field }): string | Slot =>
    field === null ? raw : { field: raw, as: "plain" },
  );
  return formatted(slots)
    .plain.map((piece) => (typeof piece === "string" ? piece : piece.field))
    .join("");
}

type Formatted = {
  /** For text messages, push messages and the plain part of an email. */
  plain: Template;
  html: (style: MessageStyle) => Template;
};

/** Parses formatted text once, for both outputs. */
export function formatted(text: Template): Formatted {
  const { marked, fields } = markSlots(text);
  const tokens = markdown.parse(marked, {});
  return { plain: plainOf(tokens, fields), html: (style) => htmlOf(tokens, fields, style) };
}

function htmlOf(
  tokens: readonly Token[],
  fields: ReturnType<typeof markSlots>["fields"],
  style: MessageStyle,
): Template {
  const writer = new HtmlWriter(fields, style.link);
  for (const token of tokens) {
    switch (token.type) {
      case "paragraph_open":
        writer.raw(token.hidden ? "" : `<p dir="auto" style="${style.paragraph}">`);
        break;
      case "paragraph_close":
        writer.raw(token.hidden ? "" : "</p>");
        break;
      case "bullet_list_open":
      case "ordered_list_open":
        writer.raw(`<${token.tag}${startOf(token)} dir="auto" style="${style.paragraph};padding-left:24px">`);
        break;
      case "list_item_open":
        writer.raw('<li style="margin:0 0 4px">');
        break;
      case "bullet_list_close":
      case "ordered_list_close":
      case "list_item_close":
        writer.raw(`</${token.tag}>`);
        break;
      default:
        inlineHtml(token.children ?? [], writer);
    }
  }
  return writer.template();
}

function startOf(token: Token): string {
  const start = token.attrGet("start");
  return start === null ? "" : ` start="${Number(start)}"`;
}

function inlineHtml(tokens: readonly Token[], writer: HtmlWriter): void {
  let inLink = false;
  for (const token of tokens) {
    switch (token.type) {
      case "link_open":
        inLink = true;
        writer.openLink(token.attrGet("href") ?? "");
        break;
      case "link_close":
        inLink = false;
        writer.raw("</a>");
        break;
      case "strong_open":
      case "strong_close":
      case "em_open":
      case "em_close":
        writer.raw(`<${token.nesting < 0 ? "/" : ""}${token.tag}>`);
        break;
      case "softbreak":
      case "hardbreak":
        writer.raw("<br>\n");
        break;
      default:
        if (inLink) writer.text(token.content);
        else writer.linkedText(token.content);
    }
  }
}

/** Paragraphs separated by a blank line, list items with their bullet or number, links followed by their URL. */
function plainOf(tokens: readonly Token[], fields: ReturnType<typeof markSlots>["fields"]): Template {
  const pieces: (string | Slot)[] = [];
  const lists: { next: number | null }[] = [];
  let before = "";
  const write = (marked: string) => {
    for (const piece of markedPieces(marked, fields)) {
      pieces.push(typeof piece === "string" ? piece : { ...piece, as: "plain" });
    }
  };
  for (const token of tokens) {
    switch (token.type) {
      case "bullet_list_open":
        lists.push({ next: null });
        break;
      case "ordered_list_open":
        lists.push({ next: Number(token.attrGet("start") ?? 1) });
        break;
      case "bullet_list_close":
      case "ordered_list_close":
        lists.pop();
        before = lists.length > 0 ? "\n" : "\n\n";
        break;
      case "list_item_open": {
        const list = lists.at(-1)!;
        const sign = list.next === null ? "-" : `${list.next++}.`;
        pieces.push(before, "  ".repeat(lists.length - 1), sign, " ");
        before = "";
        break;
      }
      case "list_item_close":
        before = "\n";
        break;
      case "inline":
        pieces.push(before);
        inlinePlain(token.children ?? [], write);
        before = lists.length > 0 ? "\n" : "\n\n";
        break;
      default:
    }
  }
  return joined(pieces);
}

function inlinePlain(tokens: readonly Token[], write: (marked: string) => void): void {
  let link = { address: "", text: "" };
  for (const token of tokens) {
    switch (token.type) {
      case "link_open":
        link = { address: token.attrGet("href") ?? "", text: "" };
        break;
      case "link_close":
        if (link.text !== link.address) write(` (${link.address})`);
        break;
      case "softbreak":
      case "hardbreak":
        write("\n");
        break;
      default:
        link.text += token.content;
        write(token.content);
    }
  }
}
