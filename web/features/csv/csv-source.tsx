import { FileSpreadsheet, FolderOpen, X } from "lucide-react";
import { type DragEvent, type Ref, useRef, useState } from "react";
import { sheetFileTypes } from "#contract/calls/imports.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Field } from "#web/ui/form/field.tsx";
import { megabytes } from "#web/ui/browser/file-size.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { Textarea } from "#web/ui/form/textarea.tsx";

/** Longer pasted text isn't shown: in the text area it would freeze the page. */
const PASTE_MAX = 100_000;

/** The data: typed, pasted, dropped or chosen. */
export function CsvSource({ importing }: { importing: Import }) {
  const { source, trouble, takeFocus, setText, setLongText, file } = importing;
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const chosen = files?.[0];
    if (chosen) importing.openFile(chosen);
  };
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    },
  };
  return (
    <div {...drop}>
      <input
        ref={chooser}
        type="file"
        accept={sheetFileTypes.join(",")}
        className="hidden"
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again once it is fixed.
          event.target.value = "";
        }}
      />
      <Field
        label="CSV Data"
        group={source.kind === "long" || file.reading !== null}
        required
        error={trouble?.sentence}
        aside={
          <Button size="sm" icon={<FolderOpen aria-hidden />} onClick={() => chooser.current?.click()}>
            Choose file
          </Button>
        }
      >
        {(wiring) =>
          file.reading !== null ? (
            <output className="flex items-center gap-3 rounded-md border border-line bg-sunk px-3.5 py-3 text-sm">
              <Spinner />
              <span className="min-w-0 break-words">Reading {file.reading}…</span>
            </output>
          ) : source.kind === "long" ? (
            <LongText size={source.text.size} remove={takeFocus} onRemove={() => setText("")} />
          ) : (
            <Textarea
              {...wiring}
              ref={takeFocus}
              data-autofocus
              rows={6}
              wrap="off"
              spellCheck={false}
              placeholder="Paste the rows here, or drop a file"
              value={source.text}
              onChange={(event) => setText(event.target.value)}
              onPaste={(event) => {
                const pasted = event.clipboardData.getData("text");
                if (pasted.length <= PASTE_MAX) return;
                event.preventDefault();
                setLongText(new Blob([pasted]));
              }}
              className={cx(
                "field-sizing-fixed font-mono text-[0.8125rem] whitespace-pre",
                over && "border-focus! bg-sunk!",
              )}
            />
          )
        }
      </Field>
      {trouble?.detail && <p className="mt-1 text-sm text-ink-2">{trouble.detail}</p>}
    </div>
  );
}

type LongTextProps = { size: number; remove: Ref<HTMLButtonElement>; onRemove: () => void };

/** Pasted text too long to show. */
function LongText({ size, remove, onRemove }: LongTextProps) {
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-sunk px-3.5 py-3">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-md bg-card text-ink-2">
        <FileSpreadsheet className="size-4.5" />
      </span>
      <p className="min-w-0 flex-1 text-sm">
        <span className="block truncate font-semibold">Pasted text</span>
        <span className="text-ink-3">{megabytes(size)}</span>
      </p>
      <Button
        ref={remove}
        variant="ghost"
        size="icon"
        aria-label="Remove pasted text"
        icon={<X aria-hidden />}
        onClick={onRemove}
      />
    </div>
  );
}
