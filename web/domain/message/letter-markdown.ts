import MarkdownIt from "markdown-it";
import Token from "markdown-it/lib/token.mjs";
import { MarkdownParser, MarkdownSerializer } from "prosemirror-markdown";
import type { Node, Schema } from "@tiptap/pm/model";
import { readDetails } from "#contract/text/details-block.ts";
import { piecesOf } from "#contract/text/message-fields.ts";

/**
 * Converts between the text of an email template and its editor, using the same subset of Markdown that the server uses
 * when it sends.
 */
const markdown = new MarkdownIt("zero", { breaks: true }).enable([
  "emphasis",
  "escape",
  "link",
  "list",
  "newline",
]);
markdown.block.ruler.before(...readDetails);
markdown.normalizeLink = (url) => url;
markdown.validateLink = (url) => /^(https?:\/\/|mailto:|tel:)[^\s]/i.test(url);

// While Markdown is parsed, a field is a private-use character, so that formatting next to it works as next to a word.
const FIRST_FIELD = 0xf0000;
const FIELDS = /([\u{f0000}-\u{ffffd}])/u;

/** Parses text into a document. */
export function parseLetter(schema: Schema, text: string): Node {
  const fields: string[] = [];
  const marked = piecesOf(text).map(({ raw, field }) => {
    if (field === null) return raw;
    fields.push(field);
    return String.fromCodePoint(FIRST_FIELD + fields.length - 1);
  });
  const nameOf = (letter: string) => fields[letter.codePointAt(0)! - FIRST_FIELD] ?? "";
  const tokenizer = {
    parse(source: string, env: object) {
      const tokens = markdown.parse(source, env);
      for (const token of tokens) {
        token.children = token.children && splitFields(token.children, nameOf);
        if (token.info === "label") token.children?.push(textToken("text", ": "));
      }
      return tokens;
    },
  };
  const parser = new MarkdownParser(schema, tokenizer as MarkdownIt, {
    paragraph: { block: "paragraph" },
    bullet_list: { block: "bulletList" },
    ordered_list: {
      block: "orderedList",
      getAttrs: (token) => ({ start: Number(token.attrGet("start") ?? 1) }),
    },
    list_item: { block: "listItem" },
    details: { block: "details" },
    detail: { block: "detail" },
    strong: { mark: "bold" },
    em: { mark: "italic" },
    link: {
      mark: "link",
      getAttrs: (token) => ({
        href: (token.attrGet("href") ?? "").replaceAll(
          new RegExp(FIELDS, "gu"),
          (letter) => `{{${nameOf(letter)}}}`,
        ),
      }),
    },
    softbreak: { node: "hardBreak" },
    hardbreak: { node: "hardBreak" },
    field: { node: "field", getAttrs: (token) => ({ name: token.content }) },
  });
  return parser.parse(marked.join(""));
}

function splitFields(tokens: readonly Token[], nameOf: (letter: string) => string): Token[] {
  return tokens.flatMap((token) => {
    if (token.type !== "text" || !FIELDS.test(token.content)) return [token];
    return token.content.split(FIELDS).flatMap((piece, index) => {
      if (piece === "") return [];
      const isField = index % 2 === 1;
      return [isField ? textToken("field", nameOf(piece)) : textToken("text", piece)];
    });
  });
}

function textToken(type: "field" | "text", content: string): Token {
  return Object.assign(new Token(type, "", 0), { content });
}

const serializer = new MarkdownSerializer(
  {
    paragraph(state, node) {
      state.renderInline(node);
      state.closeBlock(node);
    },
    bulletList: (state, node) => state.renderList(node, "  ", () => "- "),
    orderedList(state, node) {
      const start = Number(node.attrs["start"] ?? 1);
      state.renderList(node, "   ", (index) => `${start + index}. `);
    },
    listItem: (state, node) => state.renderContent(node),
    details(state, node) {
      for (const row of node.children) {
        state.ensureNewLine();
        state.write("| ");
        state.renderInline(row);
      }
      state.closeBlock(node);
    },
    hardBreak: (state) => state.write("\n"),
    field: (state, node) => state.write(`{{${String(node.attrs["name"])}}}`),
    text(state, node, parent, index) {
      const lineStart = index === 0 || parent.child(index - 1).type.name === "hardBreak";
      const escaped = state.esc(node.text ?? "", lineStart);
      state.text(lineStart ? escaped.replace(/^\|/, "\\|") : escaped, false);
    },
  },
  {
    bold: { open: "**", close: "**", mixable: true, expelEnclosingWhitespace: true },
    italic: { open: "*", close: "*", mixable: true, expelEnclosingWhitespace: true },
    link: { open: "[", close: (_state, mark) => `](${String(mark.attrs["href"])})` },
  },
);

/** Writes a document as text. */
export function serializeLetter(doc: Node): string {
  return serializer.serialize(doc, { tightLists: true });
}

/** Parses text without formatting: blank lines separate paragraphs. */
export function parsePlain(schema: Schema, text: string): Node {
  const { nodes } = schema;
  const inline = (line: string) =>
    piecesOf(line).map(({ raw, field }) =>
      field === null ? schema.text(raw) : nodes["field"]!.create({ name: field }),
    );
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const lines = paragraph.split("\n").map(inline);
    const content = lines.flatMap((line, index) =>
      index === 0 ? line : [nodes["hardBreak"]!.create(), ...line],
    );
    return nodes["paragraph"]!.create(null, content);
  });
  return nodes["doc"]!.create(null, paragraphs);
}

/** A document without formatting, as a text message has it: list items keep their bullet or number, links their address. */
export function plainOf(node: Node): string {
  if (node.isText) {
    const text = node.text ?? "";
    const href: unknown = node.marks.find(({ type }) => type.name === "link")?.attrs["href"];
    return typeof href === "string" && href !== text ? `${text} (${href})` : text;
  }
  if (node.type.name === "hardBreak") return "\n";
  if (node.type.name === "field") return `{{${String(node.attrs["name"])}}}`;
  const parts = node.children.map((child) => plainOf(child));
  switch (node.type.name) {
    case "bulletList":
      return parts.map((part) => `- ${part.replaceAll("\n", "\n  ")}`).join("\n");
    case "orderedList": {
      const start = Number(node.attrs["start"] ?? 1);
      return parts.map((part, index) => `${start + index}. ${part.replaceAll("\n", "\n   ")}`).join("\n");
    }
    case "doc":
      return parts.join("\n\n");
    default:
      return parts.join(node.inlineContent ? "" : "\n");
  }
}
