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
import { TextSelection } from "@tiptap/pm/state";
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

/** When, where, what to do: rows of a label and its value. A colon ends the label. */
const Details = Node.create({
  name: "details",
  group: "block",
  content: "detail+",
  defining: true,
  parseHTML: () => [{ tag: "div[data-details]" }],
  renderHTML: ({ HTMLAttributes }) => ["div", mergeAttributes(HTMLAttributes, { "data-details": "" }), 0],
});

const Detail = Node.create({
  name: "detail",
  content: "inline*",
  parseHTML: () => [{ tag: "p[data-detail]", priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ["p", mergeAttributes(HTMLAttributes, { "data-detail": "" }), 0],
  // An empty row is the way out: the only one becomes a paragraph, the last one a paragraph below.
  addKeyboardShortcuts() {
    const leave = (key: "Enter" | "Backspace") => () =>
      this.editor.commands.command(({ state, tr }) => {
        const { $from, empty } = state.selection;
        if (!empty || $from.parent.type !== this.type || $from.parent.content.size > 0) return false;
        const block = $from.node(-1);
        const only = block.childCount === 1;
        const last = $from.index(-1) === block.childCount - 1;
        if (!only && (key === "Backspace" || !last)) return false;
        const [from, to] = only ? [$from.before(-1), $from.after(-1)] : [$from.before(), $from.after()];
        const paragraph = state.schema.nodes["paragraph"]!.create();
        if (only) tr.replaceWith(from, to, paragraph);
        else tr.delete(from, to).insert(from + 1, paragraph);
        tr.setSelection(TextSelection.near(tr.doc.resolve(only ? from + 1 : from + 2)));
        return true;
      });
    return { Enter: leave("Enter"), Backspace: leave("Backspace") };
  },
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
  Details,
  Detail,
  HardBreak,
  UndoRedo,
  Placeholder.configure({ placeholder: "Write your message." }),
  Field,
];
