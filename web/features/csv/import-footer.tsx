import { Upload } from "lucide-react";
import { counted } from "#contract/text/count-text.ts";
import { raggedLines, withDecisions } from "#web/features/csv/import-form.ts";
import { toImport, totalOf } from "#web/features/csv/outcome.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Button } from "#web/ui/page/button.tsx";

export function ImportFooter({ importing, onClose }: { importing: Import; onClose: () => void }) {
  const { phase } = importing;
  if (phase.name === "finished") {
    const { complete, failure } = phase.outcome;
    return (
      <>
        <Button className="max-sm:flex-1" onClick={() => importing.again("")}>
          Import another file
        </Button>
        <Button variant={complete ? "ink" : "outline"} className="max-sm:flex-1" onClick={onClose}>
          Done
        </Button>
        {!complete && (
          <Button variant="ink" className="max-sm:w-full" onClick={() => void importing.goOn()}>
            {failure === null ? "Continue" : "Try again"}
          </Button>
        )}
      </>
    );
  }
  const busy = phase.name === "importing";
  return (
    <>
      <p className="tabular mr-auto text-sm text-ink-3 max-sm:w-full">{newsOf(importing)}</p>
      <Button
        className="max-sm:flex-1"
        busy={busy && phase.stopping}
        onClick={() => (busy ? importing.stop() : onClose())}
      >
        Cancel
      </Button>
      <Button
        variant="ink"
        className="max-sm:flex-1"
        icon={<Upload aria-hidden />}
        busy={busy || importing.waiting || importing.file.reading !== null}
        onClick={() => void importing.start()}
      >
        {busy ? "Importing..." : "Import CSV"}
      </Button>
    </>
  );
}

/** How many rows the button imports. */
function newsOf({ phase, options, decisions, leaveOutRagged }: Import): string {
  if (phase.name !== "read" || phase.check?.state !== "done") return "";
  if (raggedLines(phase.summary).length > 0 && !leaveOutRagged)
    return `0 of ${counted(totalOf(phase.summary), phase.summary.unit)} to import`;
  const tally = withDecisions(phase.check.tally, decisions);
  return toImport({ summary: phase.summary, tally }, options.groups.length > 0);
}
