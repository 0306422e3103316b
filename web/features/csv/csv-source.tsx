import { FileSpreadsheet, FolderOpen, X } from "lucide-react";
import { type DragEvent, type Ref, useRef, useState } from "react";
import type { Import } from "#web/features/csv/use-import.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";
import { Field } from "#web/ui/field.tsx";
import { megabytes } from "#web/ui/file-size.ts";
import { Textarea } from "#web/ui/textarea.tsx";

/** Longer pasted text is treated as a file: in the text area it would freeze the page. */
const PASTE_MAX = 100_000;

/** The data: typed, pasted, dropped or chosen. */
export function CsvSource({ importing }: { importing: Import }) {
  const { source, trouble, takeFocus, setText, setFile } = importing;
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) setFile(file, file.name);
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
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        className="hidden"
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again once it is fixed.
          event.target.value = "";
        }}
      />
      <Field
        label="CSV Data"
        group={source.kind === "file"}
        required
        error={trouble?.sentence}
        hint={source.kind === "text" && source.name ? cameFrom(source.name, source.encoding) : undefined}
        aside={
          <Button size="sm" icon={<FolderOpen aria-hidden />} onClick={() => chooser.current?.click()}>
            Choose file
          </Button>
        }
      >
        {(wiring) =>
          source.kind === "file" ? (
            <FileCard
              name={source.name}
              size={source.content.size}
              remove={takeFocus}
              onRemove={() => setText("")}
            />
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
                setFile(new Blob([pasted]), "Pasted text");
              }}
              className={cx(
                "field-sizing-fixed font-mono text-[0.8125rem] whitespace-pre",
                over && "border-focus! bg-lamp-soft!",
              )}
            />
          )
        }
      </Field>
      {trouble?.detail && <p className="mt-1 text-sm text-ink-2">{trouble.detail}</p>}
    </div>
  );
}

function cameFrom(name: string, encoding = "utf-8"): string {
  return encoding === "utf-8"
    ? `From ${name}`
    : `From ${name}, read as ${encoding === "windows-1252" ? "Windows-1252" : "UTF-16"}`;
}

type FileCardProps = { name: string; size: number; remove: Ref<HTMLButtonElement>; onRemove: () => void };

/** A file too long to show. */
function FileCard({ name, size, remove, onRemove }: FileCardProps) {
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-sunk px-3.5 py-3">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-md bg-card text-ink-2">
        <FileSpreadsheet className="size-4.5" />
      </span>
      <p className="min-w-0 flex-1 text-sm">
        <span className="block truncate font-semibold">{name}</span>
        <span className="text-ink-3">{megabytes(size)}</span>
      </p>
      <Button
        ref={remove}
        variant="ghost"
        size="icon"
        aria-label={`Remove ${name}`}
        icon={<X aria-hidden />}
        onClick={onRemove}
      />
    </div>
  );
}
