import { FileSpreadsheet } from "lucide-react";
import { useRef } from "react";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import { sheetFileTypes } from "#contract/calls/imports.ts";
import { values as calls, type ValuesOverview } from "#contract/calls/values.ts";
import { counted } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { useSheetUploadTo } from "#web/api/use-sheet-upload.ts";
import type { Check } from "#web/domain/message/own-values/check/use-check.ts";
import { FieldError } from "#web/ui/form/field.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  check: Check;
  overview: ValuesOverview;
  /** The message's, that the file may fill. */
  fields: readonly string[];
  onReplaced: (file: ValuesSummary) => void;
};

/** The file and its sheet, and choosing another one. */
export function FileCard({ check, overview, fields, onReplaced }: Props) {
  const { name, sheets, sheet, rows, kept } = overview;
  const chooser = useRef<HTMLInputElement>(null);
  const { reading, trouble, upload } = useSheetUploadTo(calls.upload, onReplaced);
  const { errors = 0 } = sheets[sheet] ?? {};
  return (
    <section aria-label="The file" className="flex flex-col gap-3 p-3.5 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <span
          aria-hidden
          className="grid size-9 shrink-0 place-items-center rounded-md bg-good-soft text-good"
        >
          <FileSpreadsheet className="size-4.5" />
        </span>
        <p className="min-w-40 flex-1">
          <span className="block font-semibold break-all">
            <bdi translate="no">{name}</bdi>
          </span>
          <span className="tabular text-ink-2">
            {sheets.length === 1 && !isText(name) && <>Sheet “{isolated(sheets[0]!.name)}” · </>}
            {counted(rows, "row")} {overview.headerLine === 0 ? "" : "below the headings"}
          </span>
        </p>
        {!kept && (
          <Button busy={reading !== null} onClick={() => chooser.current?.click()}>
            Replace file
          </Button>
        )}
        <input
          ref={chooser}
          type="file"
          aria-label="Another file"
          accept={sheetFileTypes.join(",")}
          className="hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) upload(file, { fields: fields.join(",") });
            target.value = "";
          }}
        />
      </div>
      <FieldError message={trouble ?? undefined} />
      {sheets.length > 1 && (
        <Select
          aria-label="Sheet"
          disabled={kept}
          value={sheet}
          onChange={({ target }) => check.change({ sheet: Number(target.value) })}
        >
          {sheets.map((one, place) => (
            <option
              // oxlint-disable-next-line react/no-array-index-key -- a sheet is its place
              key={place}
              value={place}
              disabled={one.trouble !== null || one.rows === 0}
            >
              {sheetText(one)}
            </option>
          ))}
        </Select>
      )}
      {errors > 0 && (
        <p className="text-ink-3">{counted(errors, "cell")} with an error such as #N/A read as empty.</p>
      )}
      {kept && (
        <p className="text-ink-2">
          A message has these values, so they can't be changed here. To change them, remove the file and
          choose another one.
        </p>
      )}
    </section>
  );
}

function sheetText({ name, trouble, rows }: ValuesOverview["sheets"][number]): string {
  if (trouble === "too-many-rows") return `${name} (too many rows)`;
  if (trouble === "too-many-columns") return `${name} (too many columns)`;
  return rows === 0 ? `${name} (empty)` : name;
}

/** A text file has no sheets. */
const isText = (name: string) => /\.(?:csv|tsv|txt)$/i.test(name);
