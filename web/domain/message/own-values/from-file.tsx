import { FileSpreadsheet, X } from "lucide-react";
import { useRef, useState } from "react";
import { SHEET_FILE_MAX } from "#contract/calls/imports.ts";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import { values as calls } from "#contract/calls/values.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { listText } from "#contract/text/locale.ts";
import { refOf } from "#contract/recipients.ts";
import { useRead } from "#web/api/use-read.ts";
import { useSheetUploadTo } from "#web/api/use-sheet-upload.ts";
import { fieldText } from "#contract/text/message-fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { CheckValues, prefetchCheck } from "#web/domain/message/own-values/check/launcher.ts";
import { useDownload } from "#web/domain/message/own-values/use-download.ts";
import { useOwnValues } from "#web/domain/message/own-values/use-own-values.ts";
import { Progress } from "#web/ui/feedback/progress.tsx";
import { isMissing } from "#web/ui/feedback/read-states.tsx";
import { FieldError } from "#web/ui/form/field.tsx";
import { FileDrop } from "#web/ui/form/file-drop.tsx";
import { Button } from "#web/ui/page/button.tsx";

/** A file with a value for each person, for the fields that are the same for everyone otherwise. */
export function FromFile({ fields }: { fields: string[] }) {
  const own = useOwnValues();
  const [checking, setChecking] = useState(false);
  const uploaded = (file: ValuesSummary) => {
    own.set(file);
    setChecking(true);
  };
  const place = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={place}
      // Gets the focus when something is wrong with the file, and once it is removed.
      tabIndex={-1}
      data-invalid={own.error ? true : undefined}
      className="flex flex-col gap-2 rounded-md outline-none sm:col-span-2"
    >
      {own.file ? (
        <TheFile
          file={own.file}
          onCheck={() => setChecking(true)}
          onRemove={() => {
            place.current?.focus();
            own.set(null);
          }}
        />
      ) : (
        <Offer fields={fields} onUploaded={uploaded} />
      )}
      {own.file && (
        <CheckValues open={checking} onOpenChange={setChecking} file={own.file} onReplaced={uploaded} />
      )}
    </div>
  );
}

/** What browsers call these files. Systems vary, so matching the name is enough. */
const accept = {
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": [".xlsx"],
  "application/vnd.ms-excel.sheet.macroEnabled.12": [".xlsm"],
  "application/vnd.oasis.opendocument.spreadsheet": [".ods"],
  "application/vnd.ms-excel": [".xls"],
  "text/csv": [".csv", ".tsv", ".txt"],
};

type OfferProps = { fields: string[]; onUploaded: (file: ValuesSummary) => void };

function Offer({ fields, onUploaded }: OfferProps) {
  const { values, busy } = useMessage();
  const [wrongType, setWrongType] = useState<string | null>(null);
  const blank = useDownload(calls.blank);
  const { reading, share, trouble, upload } = useSheetUploadTo(calls.upload, onUploaded);
  const start = (file: File) => {
    setWrongType(null);
    prefetchCheck();
    upload(file, { fields: fields.join(",") });
  };
  return (
    <>
      {reading === null ? (
        <FileDrop
          label="Values for each person"
          icon={<FileSpreadsheet aria-hidden />}
          text="Different for each person? Choose a file or drop it here"
          hint="A row for each person, in Excel, ODS or CSV up to 10 MB."
          accept={accept}
          maxSize={SHEET_FILE_MAX}
          disabled={busy}
          onFiles={([file]) => file && start(file)}
          onRejected={([rejected]) => {
            if (rejected?.reason === "size") start(rejected.file);
            else setWrongType(rejected?.file.name ?? null);
          }}
        />
      ) : (
        <div className="flex flex-col gap-2 rounded-md border border-dashed border-edge px-4 py-4 text-sm">
          <p className="break-words text-ink-2">
            {share < 1 ? "Uploading" : "Reading"} {isolated(reading)}…
          </p>
          <Progress
            label={`${share < 1 ? "Uploading" : "Reading"} ${isolated(reading)}`}
            value={share < 1 ? Math.round(share * 100) : undefined}
          />
        </div>
      )}
      <FieldError
        message={
          wrongType
            ? `"${isolated(wrongType)}" isn't a spreadsheet. Choose an Excel, ODS or CSV file.`
            : (trouble ?? undefined)
        }
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          size="sm"
          variant="ghost"
          className="-ml-3"
          busy={blank.isPending}
          disabled={busy}
          onClick={() => blank.mutate({ json: { recipients: values.recipients.map(refOf), fields } })}
        >
          Download a sheet to fill in
        </Button>
        {values.recipients.length === 0 && (
          <span className="text-sm text-ink-3">Choose recipients first to have a row for each.</span>
        )}
      </div>
    </>
  );
}

type TheFileProps = { file: ValuesSummary; onCheck: () => void; onRemove: () => void };

function TheFile({ file, onCheck, onRemove }: TheFileProps) {
  const { busy, repeats } = useMessage();
  const { error } = useOwnValues();
  const { id, name, fields } = file;
  // What came with a call has no rows to look at.
  const read = useRead(calls.read, { params: { id } }, { enabled: name !== "", fresh: true });
  const { toFix = 0, kept = false, problem = null, people: reached = file.people } = read.data ?? {};
  const gone = isMissing(read.error);
  const called = name || "Values from a call";
  const trouble =
    error ??
    (repeats
      ? "A file’s values are for one message. Remove it, and keep them as details of people."
      : gone
        ? "This file isn't here anymore. Remove it and choose it again."
        : undefined);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-card py-2 pr-2 pl-3 text-sm">
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-md bg-good-soft text-good"
        >
          <FileSpreadsheet className="size-4" />
        </span>
        <p className="min-w-40 flex-1">
          <span className="block font-semibold break-all">
            <bdi translate="no">{called}</bdi>
          </span>
          <span className="tabular text-ink-2">
            {problem ? <span className="text-warn">Check what its columns are for</span> : people(reached)}
            {!problem && toFix > 0 && (
              <>
                , <span className="text-warn">{counted(toFix, "row")} to fix</span>
              </>
            )}
          </span>
        </p>
        <span className="flex items-center gap-1">
          {name !== "" && !gone && (
            <Button size="sm" disabled={busy} onPointerEnter={prefetchCheck} onClick={onCheck}>
              {kept ? "View" : "Check"}
            </Button>
          )}
          <Button
            size="icon"
            variant="ghost"
            disabled={busy}
            aria-label={`Remove ${isolated(called)}`}
            icon={<X aria-hidden />}
            onClick={onRemove}
          />
        </span>
      </div>
      <FieldError message={trouble} />
      {fields.length > 0 && (
        <p className="text-sm text-ink-2">
          {sentenceOf(fields)} {fields.length === 1 ? "comes" : "come"} from this file. People without a row
          in it get nothing.
        </p>
      )}
    </>
  );
}

/** "Amount and due date" */
function sentenceOf(fields: readonly string[]): string {
  const text = listText(fields.map((field) => fieldText(field)));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
