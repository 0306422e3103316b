import { FileSpreadsheet, Upload } from "lucide-react";
import { useId, useRef, useState, type DragEvent, type ReactNode } from "react";
import { type ImportOverview, imports, sheetFileTypes } from "#contract/calls/imports.ts";
import { counted } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { numberText } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { ColumnsTable } from "#web/features/csv/sheet/columns-table.tsx";
import { EncodingChoice } from "#web/features/csv/sheet/encoding-choice.tsx";
import { Everyone } from "#web/features/csv/sheet/everyone.tsx";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { useSheetUpload } from "#web/features/csv/sheet/use-sheet-upload.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { megabytes } from "#web/ui/browser/file-size.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { Input } from "#web/ui/form/input.tsx";

import { Button } from "#web/ui/page/button.tsx";

type Props = { sheet: Sheet; overview: ImportOverview };

/** The first step: which sheet, where its names are, and what each column means. */
export function FileStep({
  sheet,
  overview,
  onOther,
  onRemoved,
}: Props & { onOther: (id: number) => void; onRemoved: () => void }) {
  return (
    <div className="mx-auto grid max-w-[84rem] grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,21.5rem)_minmax(0,1fr)]">
      <div className="divide-y divide-line rounded-lg border border-line bg-card shadow-card">
        <OtherFile onOther={onOther} />
        <TheFile sheet={sheet} overview={overview} onRemoved={onRemoved} />
        <EncodingChoice overview={overview} onOther={onOther} />
        {overview.sheets.length > 1 && <SheetChoice sheet={sheet} overview={overview} />}
        <NamesRow sheet={sheet} overview={overview} />
        <EveryoneLives sheet={sheet} overview={overview} />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <ColumnsTable sheet={sheet} overview={overview} />
        <Everyone sheet={sheet} overview={overview} />
      </div>
    </div>
  );
}

function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

function OtherFile({ onOther }: { onOther: (id: number) => void }) {
  const { reading, trouble, upload } = useSheetUpload(onOther);
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (file) upload(file);
    },
  };
  return (
    <div className="p-4">
      <input
        ref={chooser}
        type="file"
        aria-label="Another file"
        accept={sheetFileTypes.join(",")}
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) upload(file);
          target.value = "";
        }}
      />
      <button
        type="button"
        {...drop}
        onClick={() => chooser.current?.click()}
        className={cx(
          "flex w-full flex-col items-center gap-1 rounded-md border border-dashed border-edge px-3 py-3 text-center text-sm hover:bg-hover",
          over && "border-focus bg-sunk",
        )}
      >
        <span className="flex items-center gap-2 font-medium">
          {reading === null ? <Upload aria-hidden className="size-4" /> : <Spinner />}
          {reading === null ? "Drop another file or choose one" : `Reading ${isolated(reading)}…`}
        </span>
        <span className="text-ink-3">Excel, ODS or CSV up to 10 MB</span>
      </button>
      {trouble && (
        <p role="alert" className="mt-2 text-sm break-words text-bad">
          {trouble}
        </p>
      )}
    </div>
  );
}

function TheFile({ overview, onRemoved }: Props & { onRemoved: () => void }) {
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const { id, name, size, sheets } = overview;
  return (
    <div className="flex items-center gap-3 p-4 text-sm">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-md bg-good-soft text-good">
        <FileSpreadsheet className="size-4.5" />
      </span>
      <p className="min-w-0 flex-1">
        <bdi className="block truncate font-semibold">{name}</bdi>
        <span className="text-ink-3">
          {size < 100_000 ? `${numberText(Math.ceil(size / 1024))} KB` : megabytes(size)} ·{" "}
          {counted(sheets.length, "sheet")}
        </span>
      </p>
      <Button
        size="sm"
        variant="ghost"
        busy={busy}
        onClick={() => {
          setBusy(true);
          void call(imports.remove, { params: { id } })
            .then(() => refresh(imports.list))
            .finally(onRemoved);
        }}
      >
        Remove
      </Button>
    </div>
  );
}

const troubles = {
  "too-many-rows": "More than 100,000 rows",
  "too-many-columns": "More than 100 columns",
};

function SheetChoice({ sheet, overview }: Props) {
  const name = useId();
  return (
    <Part title="Sheet">
      <div role="radiogroup" aria-label="Sheet" className="flex flex-col">
        {overview.sheets.map(({ name: called, rows, trouble }, place) => {
          const unusable = trouble !== null || rows === 0;
          return (
            <label
              key={`${place} ${called}`}
              className={cx(
                "flex items-center gap-3 py-1.5 text-sm touch:min-h-11",
                unusable && "text-ink-3",
              )}
            >
              <input
                type="radio"
                name={name}
                className="size-4 accent-ink"
                checked={place === overview.sheet}
                disabled={unusable}
                onChange={() => void sheet.change({ sheet: place }, { sheet: place })}
              />
              <bdi className="min-w-0 flex-1 truncate">{called}</bdi>
              <span className="tabular text-ink-3">
                {trouble === null ? (rows === 0 ? "Empty" : counted(rows, "row")) : troubles[trouble]}
              </span>
            </label>
          );
        })}
      </div>
    </Part>
  );
}

function NamesRow({ sheet, overview }: Props) {
  const [changing, setChanging] = useState(false);
  const { headerLine, top, sheets } = overview;
  const shown = changing ? top : top.filter(({ line }) => line <= Math.max(headerLine, top[0]?.line ?? 0));
  const above = top.filter(({ line }) => line < headerLine).length;
  const errors = sheets[overview.sheet]?.errors ?? 0;
  const choose = (line: number) => {
    setChanging(false);
    void sheet.change({ headerLine: line }, { headerLine: line });
  };
  return (
    <Part
      title={headerLine === 0 ? "No row of names" : `Names are in row ${headerLine}`}
      aside={
        <Button size="sm" variant="ghost" aria-expanded={changing} onClick={() => setChanging(!changing)}>
          {changing ? "Keep" : "Change"}
        </Button>
      }
    >
      {changing && <p className="text-sm text-ink-2">Choose the row with the names of the columns.</p>}
      <div className="overflow-hidden rounded-md border border-line text-sm">
        {shown.map(({ line, cells }) => {
          const isNames = line === headerLine;
          const text = cells.filter((cell) => cell.trim() !== "").join(" · ");
          const row = (
            <>
              <span
                className={cx(
                  "tabular w-10 shrink-0 border-r border-line px-2 py-1.5 text-center",
                  isNames ? "bg-lamp-soft font-semibold text-lamp-ink" : "text-ink-3",
                )}
              >
                {line}
              </span>
              <bdi className={cx("min-w-0 flex-1 truncate px-2.5 py-1.5", isNames && "font-semibold")}>
                {text}
              </bdi>
            </>
          );
          const className = cx(
            "flex w-full text-left not-first:border-t not-first:border-line",
            !isNames && "bg-sunk",
          );
          return changing ? (
            <button
              key={line}
              type="button"
              aria-label={`Names are in row ${line}: ${text}`}
              className={cx(className, "hover:bg-hover touch:min-h-11")}
              onClick={() => choose(line)}
            >
              {row}
            </button>
          ) : (
            <div key={line} className={className}>
              {row}
            </div>
          );
        })}
      </div>
      {changing && headerLine !== 0 && (
        <Button size="sm" onClick={() => choose(0)}>
          No row has names
        </Button>
      )}
      {!changing && (above > 0 || errors > 0) && (
        <p className="text-sm text-ink-3">
          {above > 0 && `${counted(above, "title row")} skipped. `}
          {errors > 0 && `${counted(errors, "cell")} with an error such as #N/A read as empty.`}
        </p>
      )}
    </Part>
  );
}

function EveryoneLives({ sheet, overview }: Props) {
  const { mapping, property, propertyLine } = overview;
  const [typed, setTyped] = useState<string>();
  const id = useId();
  if (mapping.includes("property")) return null;
  const text = typed ?? property;
  const unit = overview.examples[0]?.cells[mapping.indexOf("propertyUnit")]?.trim();
  const save = () => {
    if (text !== property) void sheet.change({ property: text }, { property: text, propertyLine: null });
    setTyped(undefined);
  };
  return (
    <Part title="All of these live at">
      <Input
        aria-label="All of these live at"
        aria-describedby={id}
        placeholder="The property, if no column names it"
        value={text}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") save();
        }}
      />
      <p id={id} className="text-sm text-ink-3">
        {property === ""
          ? "Leave it empty if the units' names contain the property. Move-in and lease dates are kept for homes with a property."
          : `${propertyLine === null ? "" : `No column names the property, so we took it from row ${propertyLine}. `}${unit ? `Homes become “${property} / ${unit}”.` : ""}`}
      </p>
    </Part>
  );
}
