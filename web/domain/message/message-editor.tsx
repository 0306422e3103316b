import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { FieldText } from "#web/domain/message/field-text.tsx";
import { piecesOf, respelledFields } from "#contract/text/message-fields.ts";
import { InsertField } from "#web/domain/message/insert-field.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import type { FieldWiring } from "#web/ui/form/field.tsx";

type Props = FieldWiring & {
  value: string;
  onChange: (text: string) => void;
  /** A character that is marked wherever it is. */
  marked?: string | undefined;
  /** Shown at the right end of the bar below the text. */
  aside: ReactNode;
};

// The text box and the drawing behind it must wrap at the same places.
const sameText = "px-3 py-2 text-sm leading-6 break-words whitespace-pre-wrap touch:text-[1rem]";

/** A native text area whose `{{fields}}` look like chips. */
export function MessageEditor({ value, onChange, marked, aside, ...wiring }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const drawing = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.key !== "Backspace" || selectionStart !== selectionEnd) return;
    const length = fieldBefore(value, selectionStart);
    // A chip is deleted as a whole. Otherwise, half of its braces would be sent as text.
    if (length > 0) event.currentTarget.setSelectionRange(selectionStart - length, selectionEnd);
  }

  return (
    <div className="control overflow-hidden">
      <div className="relative">
        <div
          ref={drawing}
          aria-hidden
          className={cx(sameText, "pointer-events-none absolute inset-0 overflow-hidden")}
        >
          <FieldText text={value} marked={marked} />
          {/* A trailing line break only counts if something follows it. */}
          {"\u200b"}
        </div>
        <textarea
          {...wiring}
          ref={box}
          rows={3}
          value={value}
          placeholder="Write your message."
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          onScroll={(event) => {
            if (drawing.current) drawing.current.scrollTop = event.currentTarget.scrollTop;
          }}
          className={cx(
            sameText,
            "relative block field-sizing-content max-h-72 min-h-22 w-full resize-none bg-transparent text-transparent caret-ink outline-none selection:bg-lamp-soft selection:text-lamp-ink",
          )}
        />
      </div>
      <FieldSpellings text={value} />
      <div className="flex flex-wrap justify-between gap-1 border-t border-line p-1">
        <InsertField
          onInsert={(field) => {
            if (box.current) insertText(box.current, `{{${field}}}`);
          }}
          onClosed={() => box.current?.focus()}
        />
        {aside}
      </div>
    </div>
  );
}

/** Tells which field is meant by a spelling of its own: "{{First Name}}". */
function FieldSpellings({ text }: { text: string }) {
  const respelled = respelledFields(text);
  if (respelled.length === 0) return null;
  return (
    <output translate="no" className="block px-3 pb-2 text-sm text-ink-2">
      {respelled.map(({ written, field }) => `{{${written}}} is read as {{${field}}}.`).join(" ")}
    </output>
  );
}

/** The length of the field that ends at the cursor; 0 if there is none. */
function fieldBefore(text: string, caret: number): number {
  const last = piecesOf(text.slice(0, caret)).at(-1);
  return last && last.field !== null ? last.raw.length : 0;
}

/** Types at the cursor. Only this deprecated command keeps the browser's undo working. */
export function insertText(box: HTMLInputElement | HTMLTextAreaElement, text: string) {
  box.focus();
  // oxlint-disable-next-line typescript/no-deprecated
  if (document.execCommand("insertText", false, text)) return;
  box.setRangeText(text, box.selectionStart ?? 0, box.selectionEnd ?? 0, "end");
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
