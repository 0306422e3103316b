import { FileSpreadsheet, FolderOpen, X } from "lucide-react";
import { type DragEvent, type Ref, useRef, useState } from "react";
import { sheetFileTypes } from "#contract/calls/imports.ts";
import { isolated } from "#contract/text/isolate.ts";
import { listText } from "#contract/text/locale.ts";
import { encodings } from "#web/features/csv/encodings.ts";
import type { SourceFile } from "#web/features/csv/import-form.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Field } from "#web/ui/form/field.tsx";
import { megabytes } from "#web/ui/browser/file-size.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { Textarea } from "#web/ui/form/textarea.tsx";

/** Longer pasted text is treated as a file: in the text area it would freeze the page. */
const PASTE_MAX = 100_000;
const PASTED = "Pasted text";

/** The data: typed, pasted, dropped or chosen. */
export function CsvSource({ importing }: { importing: Import }) {
  const { source, trouble, takeFocus, setText, setFile, spreadsheet } = importing;
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) void importing.openFile(file);
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
        accept={`${sheetFileTypes.join(",")},text/csv,text/tab-separated-values,text/plain`}
        className="hidden"
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again once it is fixed.
          event.target.value = "";
        }}
      />
      <Field
        label="CSV Data"
        group={source.kind === "file" || spreadsheet.reading !== null}
        required
        error={trouble?.sentence}
        aside={
          <Button size="sm" icon={<FolderOpen aria-hidden />} onClick={() => chooser.current?.click()}>
            Choose file
          </Button>
        }
      >
        {(wiring) =>
          spreadsheet.reading !== null ? (
            <output className="flex items-center gap-3 rounded-md border border-line bg-sunk px-3.5 py-3 text-sm">
              <Spinner />
              <span className="min-w-0 break-words">Reading {spreadsheet.reading}…</span>
            </output>
          ) : source.kind === "file" ? (
            <FileCard
              name={source.file.name}
              size={source.file.content.size}
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
                setFile(new Blob([pasted]), PASTED, "utf-8");
              }}
              className={cx(
                "field-sizing-fixed font-mono text-[0.8125rem] whitespace-pre",
                over && "border-focus! bg-sunk!",
              )}
            />
          )
        }
      </Field>
      {source.file?.encoding && source.file.name !== PASTED && (
        <FileEncoding file={source.file} onChoose={setFile} />
      )}
      {trouble?.detail && <p className="mt-1 text-sm text-ink-2">{trouble.detail}</p>}
    </div>
  );
}

type FileEncodingProps = { file: SourceFile; onChoose: Import["setFile"] };

/** Where the text came from and how it was read, which a person may know better. */
function FileEncoding({ file: { content, name, encoding, garbled = [] }, onChoose }: FileEncodingProps) {
  const quoted = garbled.map((word) => `“${word}”`);
  return (
    <div className="mt-2 flex flex-col gap-1.5 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <p className="min-w-0 wrap-anywhere text-ink-3">From {name}</p>
        <Select
          aria-label="Encoding"
          className="w-full sm:w-72"
          value={encoding}
          onChange={({ target }) => onChoose(content, name, target.value)}
        >
          {encodings.map(({ label, name: readable }) => (
            <option key={label} value={label}>
              {readable}
            </option>
          ))}
        </Select>
      </div>
      {quoted.length > 0 && (
        <output className="text-warn">
          Some words look garbled, such as {listText(quoted)}. If names are wrong below, choose another
          encoding.
        </output>
      )}
    </div>
  );
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
        aria-label={`Remove ${isolated(name)}`}
        icon={<X aria-hidden />}
        onClick={onRemove}
      />
    </div>
  );
}
