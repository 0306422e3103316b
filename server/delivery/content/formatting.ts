import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";
import { readDetails } from "#contract/text/details-block.ts";
import { piecesOf } from "#contract/text/message-fields.ts";
import { joined, type Slot, type Template } from "./compiled.ts";
import { HtmlWriter, markedPieces, markSlots, type MessageStyle } from "./message-html.ts";

/**
 * The text of an email template: a small subset of Markdown (bold, italic, links, lists) and blocks of details that stay
 * readable as plain text. Line breaks are kept. Everything else in Markdown is ordinary text here.
 */
const markdown = new MarkdownIt("zero", { breaks: true }).enable([
  "emphasis",
  "escape",
  "link",
  "list",
  "newline",
]);
// A URL may contain a field, which encoding would break; the writer escapes it in place.
markdown.block.ruler.before(...readDetails);
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
  let row: Row | null = null;
  for (const [index, token] of tokens.entries()) {
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
      case "details_close":
        writer.raw(`</${token.tag}>`);
        break;
      case "details_open":
        writer.raw(`<table class="details" dir="auto" style="${style.details?.table ?? ""}">`);
        break;
      case "detail_open":
        row = {
          first: tokens[index - 1]?.type === "details_open",
          labeled: tokens[index + 1]?.info === "label",
        };
        writer.raw(row.first ? "<tr>" : '<tr class="line">');
        break;
      case "detail_close":
        row = null;
        writer.raw("</tr>");
        break;
      default:
        if (row) cellHtml(token, row, style, writer);
        else inlineHtml(token.children ?? [], writer);
    }
  }
  return writer.template();
}

type Row = { first: boolean; labeled: boolean };

/** A label or a value of a block of details. */
function cellHtml(
  token: Token,
  { first, labeled }: Row,
  { details }: MessageStyle,
  writer: HtmlWriter,
): void {
  const line = first ? "" : `;${details?.line ?? ""}`;
  if (token.info === "label") writer.raw(`<th scope="row" style="${details?.label ?? ""}${line}">`);
  else if (labeled) writer.raw(`<td style="${details?.value ?? ""}${line}">`);
  else writer.raw(`<td class="wide" colspan="2" style="${details?.wide ?? ""}${line}">`);
  inlineHtml(token.children ?? [], writer);
  writer.raw(token.info === "label" ? "</th>" : "</td>");
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

/** Paragraphs separated by a blank line, list items with their bullet or number, details as "When: …", links followed by their URL. */
function plainOf(tokens: readonly Token[], fields: ReturnType<typeof markSlots>["fields"]): Template {
  const pieces: (string | Slot)[] = [];
  const lists: { next: number | null }[] = [];
  let before = "";
  let inDetails = false;
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
      case "detail_open":
        inDetails = true;
        break;
      case "details_close":
        inDetails = false;
        before = "\n\n";
        break;
      case "inline":
        pieces.push(before);
        inlinePlain(token.children ?? [], write);
        if (token.info === "label") before = ": ";
        else if (inDetails) before = "\n";
        else before = lists.length > 0 ? "\n" : "\n\n";
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
