import { counted } from "#contract/text/count-text.ts";
import { ClipboardCopy, Download, Users } from "lucide-react";
import { useState } from "react";
import { copyText } from "#web/ui/browser/copy-text.ts";
import { downloadCsv } from "#web/ui/browser/download-file.ts";
import type { Export } from "#web/features/csv/use-export.ts";
import { Button } from "#web/ui/page/button.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Textarea } from "#web/ui/form/textarea.tsx";

const EXPORT_FILE = "users_export.csv";

export function ExportPanel({ exported }: { exported: Export }) {
  if (exported.name === "failed") {
    return (
      <ErrorState title="Failed to export user data" detail={exported.message} onRetry={exported.retry} />
    );
  }
  if (exported.name === "empty") return <EmptyState icon={<Users />} title="No data available for export" />;
  return (
    <Field
      label="CSV Data"
      hint={exported.name === "ready" ? hintOf(exported.file) : "Collecting everyone on file."}
    >
      {(wiring) => (
        <Textarea
          {...wiring}
          readOnly
          rows={12}
          wrap="off"
          spellCheck={false}
          aria-busy={exported.name === "loading" || undefined}
          placeholder="Loading export data..."
          value={exported.name === "ready" ? exported.file.shown : ""}
          className="field-sizing-fixed font-mono text-[0.8125rem] whitespace-pre"
        />
      )}
    </Field>
  );
}

function hintOf({ people, complete }: { people: number; complete: boolean }): string {
  const all = `${counted(people, "person")}.`;
  const guard =
    "Cells that begin with =, -, @ or + get a ' in front, so that spreadsheets don't calculate. Phone numbers stay as they are.";
  return complete
    ? `${all} ${guard}`
    : `${all} Only the first 1,000 lines are shown. Copy and download include everyone. ${guard}`;
}

export function ExportFooter({ exported, onClose }: { exported: Export; onClose: () => void }) {
  const [copying, setCopying] = useState(false);
  const file = exported.name === "ready" ? exported.file : undefined;
  const copy = async () => {
    if (!file) return;
    setCopying(true);
    await copyText("CSV data", await file.file.text());
    setCopying(false);
  };
  return (
    <>
      <Button variant="ghost" className="max-sm:order-last max-sm:w-full" onClick={onClose}>
        Close
      </Button>
      <Button
        icon={<ClipboardCopy aria-hidden />}
        className="max-sm:flex-1"
        disabled={!file}
        busy={copying}
        onClick={() => void copy()}
      >
        Copy to Clipboard
      </Button>
      <Button
        variant="ink"
        icon={<Download aria-hidden />}
        className="max-sm:flex-1"
        disabled={!file}
        onClick={() => file && downloadCsv(EXPORT_FILE, file.file)}
      >
        Download CSV
      </Button>
    </>
  );
}
