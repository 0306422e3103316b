import { InputRule, Node, PasteRule, mergeAttributes, type Extensions } from "@tiptap/core";
import { Bold } from "@tiptap/extension-bold";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Italic } from "@tiptap/extension-italic";
import { Link } from "@tiptap/extension-link";
import { BulletList, ListItem, OrderedList } from "@tiptap/extension-list";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Text } from "@tiptap/extension-text";
import { Placeholder, UndoRedo } from "@tiptap/extensions";
import { fieldNamed, isAskedField, WRITTEN_FIELD } from "#contract/text/message-fields.ts";

const TYPED = new RegExp(`\\{\\{\\s*(${WRITTEN_FIELD})\\s*\\}\\}$`);
const PASTED = new RegExp(TYPED.source.slice(0, -1), "g");

/** A `{{field}}` as one unit: it is moved, selected and deleted as a whole. */
const Field = Node.create({
  name: "field",
  group: "inline",
  inline: true,
  atom: true,
  selectable: true,
  draggable: true,
  addAttributes: () => ({ name: { default: "" } }),
  parseHTML: () => [
    {
      tag: "span[data-field]",
      getAttrs: (element) => ({ name: element.getAttribute("data-field") ?? "" }),
    },
  ],
  renderHTML({ node, HTMLAttributes }) {
    const name = String(node.attrs["name"]);
    return [
      "span",
      mergeAttributes(HTMLAttributes, {
        "data-field": name,
        class: isAskedField(name) ? "field-chip field-chip-asked" : "field-chip",
      }),
      name.replaceAll("_", " "),
    ];
  },
  // A typed or pasted field becomes a chip, too.
  addInputRules() {
    return [
      new InputRule({
        find: TYPED,
        handler: ({ state, range, match }) => {
          state.tr.replaceWith(
            range.from,
            range.to,
            this.type.create(nameIn(match), null, state.doc.resolve(range.to).marks()),
          );
        },
      }),
    ];
  },
  addPasteRules() {
    return [
      new PasteRule({
        find: PASTED,
        handler: ({ state, range, match }) => {
          state.tr.replaceWith(
            range.from,
            range.to,
            this.type.create(nameIn(match), null, state.doc.resolve(range.to).marks()),
          );
        },
      }),
    ];
  },
  renderText: ({ node }) => `{{${String(node.attrs["name"])}}}`,
});

const nameIn = (match: RegExpMatchArray) => ({ name: fieldNamed(match[1] ?? "") ?? "" });

/** Everything that an email template can contain. */
export const letterExtensions: Extensions = [
  Document,
  Paragraph,
  Text,
  Bold,
  Italic,
  Link.configure({
    openOnClick: false,
    autolink: false,
    linkOnPaste: true,
    protocols: ["http", "https", "mailto", "tel"],
  }),
  BulletList,
  OrderedList,
  ListItem,
  HardBreak,
  UndoRedo,
  Placeholder.configure({ placeholder: "Write your message." }),
  Field,
];
