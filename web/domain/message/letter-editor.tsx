import { getSchema } from "@tiptap/core";
import { EditorContent, useEditor, useEditorState, type Editor } from "@tiptap/react";
import { Bold, Italic, Link2, List, ListOrdered, Redo2, TableProperties, Undo2 } from "lucide-react";
import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { InsertField } from "#web/domain/message/insert-field.tsx";
import { parseLetter, parsePlain, plainOf, serializeLetter } from "#web/domain/message/letter-markdown.ts";
import { letterExtensions } from "#web/domain/message/letter-schema.ts";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#web/ui/dialog/popover.tsx";

type Props = FieldWiring & {
  /** Markdown with `{{fields}}`. */
  value: string;
  onChange: (text: string) => void;
  /** Shown at the right end of the toolbar. */
  aside: ReactNode;
};

const schema = getSchema(letterExtensions);

/** Plain text as Markdown that reads the same. */
export const toFormatted = (text: string): string => serializeLetter(parsePlain(schema, text));
/** Markdown without its marks. */
export const toPlain = (text: string): string => plainOf(parseLetter(schema, text));

/** A rich text editor for the email, with fields as unbreakable chips. */
export function LetterEditor({ value, onChange, aside, ...wiring }: Props) {
  const editor = useEditor({
    extensions: letterExtensions,
    content: parseLetter(schema, value).toJSON() as object,
    onUpdate: ({ editor: changed }) => onChange(serializeLetter(changed.state.doc)),
    editorProps: {
      attributes: {
        id: wiring.id,
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": `${wiring.id}-label`,
        class: "letter min-h-44 px-3 py-2.5 text-sm leading-6 outline-none touch:text-[1rem]",
      },
    },
  });
  // A change from outside, such as a restored version or a removed field.
  useEffect(() => {
    if (serializeLetter(editor.state.doc) === value) return;
    // The form already has this value, so it is not a change.
    editor.commands.setContent(parseLetter(schema, value).toJSON() as object, { emitUpdate: false });
  }, [editor, value]);
  const { "aria-describedby": described, "aria-invalid": invalid } = wiring;
  useEffect(() => {
    for (const [name, text] of Object.entries({ "aria-describedby": described, "aria-invalid": invalid })) {
      if (text === undefined) editor.view.dom.removeAttribute(name);
      else editor.view.dom.setAttribute(name, String(text));
    }
  }, [editor, described, invalid]);
  return (
    <div className="control overflow-hidden" data-invalid={wiring["aria-invalid"]}>
      <Toolbar editor={editor} aside={aside} />
      <EditorContent editor={editor} className="scroll-quiet max-h-96 overflow-y-auto" />
    </div>
  );
}

const marks = [
  {
    name: "bold",
    label: "Bold",
    Icon: Bold,
    run: (editor: Editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: "italic",
    label: "Italic",
    Icon: Italic,
    run: (editor: Editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: "bulletList",
    label: "Bulleted list",
    Icon: List,
    run: (editor: Editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: "orderedList",
    label: "Numbered list",
    Icon: ListOrdered,
    run: (editor: Editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  { name: "details", label: "Details", Icon: TableProperties, run: toggleDetails },
] as const;

function Toolbar({ editor, aside }: { editor: Editor; aside: ReactNode }) {
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      active: marks.map(({ name }) => now.isActive(name)),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      className="flex flex-wrap items-center gap-0.5 border-b border-line p-1"
    >
      {marks.map(({ name, label, Icon, run }, index) => (
        <Tool key={name} label={label} pressed={state.active[index] ?? false} onClick={() => run(editor)}>
          <Icon aria-hidden />
        </Tool>
      ))}
      <LinkTool editor={editor} />
      <span aria-hidden className="mx-1 h-5 w-px bg-line" />
      <Tool label="Undo" disabled={!state.canUndo} onClick={() => editor.chain().focus().undo().run()}>
        <Undo2 aria-hidden />
      </Tool>
      <Tool label="Redo" disabled={!state.canRedo} onClick={() => editor.chain().focus().redo().run()}>
        <Redo2 aria-hidden />
      </Tool>
      <span aria-hidden className="mx-1 h-5 w-px bg-line" />
      <InsertField
        onInsert={(field) => insertField(editor, field)}
        onClosed={() => editor.commands.focus()}
      />
      <span className="ml-auto flex items-center gap-1">{aside}</span>
    </div>
  );
}

/** Puts a block of details at the cursor, or makes paragraphs of the one that it is in. */
function toggleDetails(editor: Editor): void {
  if (editor.isActive("details")) {
    editor
      .chain()
      .focus()
      .command(({ state: { selection, schema: nodes }, tr }) => {
        const { $from } = selection;
        const rows = $from.node(-1).children.map(({ content }) => nodes.node("paragraph", null, content));
        tr.replaceWith($from.before(-1), $from.after(-1), rows);
        return true;
      })
      .run();
    return;
  }
  const rows = ["When: ", "Where: ", "What to do: "].map((text) => ({
    type: "detail",
    content: [{ type: "text", text }],
  }));
  const { from } = editor.state.selection;
  editor.chain().focus().insertContent({ type: "details", content: rows }).run();
  let first: number | undefined;
  editor.state.doc.nodesBetween(Math.max(0, from - 1), editor.state.doc.content.size, (node, at) => {
    if (node.type.name === "detail") first ??= at + node.nodeSize - 1;
  });
  if (first !== undefined) editor.commands.setTextSelection(first);
}

function insertField(editor: Editor, name: string) {
  editor.chain().focus().insertContent({ type: "field", attrs: { name } }).run();
}

type ToolProps = ComponentProps<"button"> & { label: string; pressed?: boolean };

function Tool({ label, pressed, ...rest }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      {...rest}
      className={cx(
        "grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink disabled:opacity-40 touch:size-11 [&_svg]:size-4",
        pressed && "bg-sunk text-ink",
      )}
    />
  );
}

function LinkTool({ editor }: { editor: Editor }) {
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useState("");
  const linked = useEditorState({ editor, selector: ({ editor: now }) => now.isActive("link") });
  const valid = /^(https?:\/\/|mailto:|tel:)\S+$/i.test(address.trim());
  const apply = () => {
    if (!valid) return;
    const chain = editor.chain().focus().extendMarkRange("link");
    const href = address.trim();
    if (editor.state.selection.empty && !linked) {
      chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.setLink({ href }).run();
    setOpen(false);
  };
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        if (next) setAddress(String(editor.getAttributes("link")["href"] ?? "https://"));
        setOpen(next);
      }}
    >
      <PopoverTrigger>
        <Tool label="Link" pressed={linked}>
          <Link2 aria-hidden />
        </Tool>
      </PopoverTrigger>
      <PopoverContent aria-label="Link" className="flex w-80 flex-col gap-2 p-3">
        <Input
          aria-label="Web address"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter must not submit the form.
            event.preventDefault();
            apply();
          }}
        />
        <div className="flex justify-end gap-2">
          {linked && (
            <Button
              size="sm"
              onClick={() => {
                editor.chain().focus().extendMarkRange("link").unsetLink().run();
                setOpen(false);
              }}
            >
              Remove link
            </Button>
          )}
          <Button size="sm" variant="ink" disabled={!valid} onClick={apply}>
            Apply
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  );
}
