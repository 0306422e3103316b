import { CircleAlert, CircleCheck, Download, Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { downloadCsv } from "#web/ui/browser/download-file.ts";
import { FaultTable, TaskList } from "#web/features/csv/fault-table.tsx";
import type { Fault } from "#web/features/csv/fault.ts";
import { nextStep, outcomeSentence, toFix, type Outcome } from "#web/features/csv/outcome.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

const LEFT_OUT_FILE = "users_left_out.csv";

/** What was imported, and the rows that were left out with how to fix them. */
export function ImportResult({ importing, outcome }: { importing: Import; outcome: Outcome }) {
  const { summary, tally, complete, failure } = outcome;
  const faults = [...summary.faults, ...tally.faults].sort((a, b) => a.line - b.line);
  const unfixed = toFix(outcome);
  const clean = complete && unfixed.length === 0;
  const Icon = clean ? CircleCheck : CircleAlert;
  // The focused element is gone with the form.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-start gap-3.5 py-2">
        <span
          aria-hidden
          className={cx(
            "grid size-10 shrink-0 place-items-center rounded-lg",
            clean ? "bg-good-soft text-good" : failure ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn",
          )}
        >
          <Icon className="size-5" />
        </span>
        <div className="min-w-0">
          <h3 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
            {outcomeSentence(outcome)}
          </h3>
          <p className="mt-0.5 text-sm text-ink-2">{nextStep(outcome)}</p>
        </div>
      </div>
      <TaskList faults={unfixed} />
      {faults.length > 0 && (
        <LeftOutActions importing={importing} faults={faults} fixable={unfixed.length > 0} />
      )}
      <FaultTable faults={unfixed} />
    </div>
  );
}

/** Longer text is easier to fix in a spreadsheet than in a text area. */
const HERE_MAX = 100_000;

type LeftOutProps = { importing: Import; faults: Fault[]; fixable: boolean };

function LeftOutActions({ importing, faults, fixable }: LeftOutProps) {
  const [file, setFile] = useState<string>();
  const { worker } = importing;
  useEffect(() => {
    let current = true;
    worker.call("leftOut", faults).then(
      (text) => {
        if (current) setFile(text);
      },
      // The dialog is closing.
      () => undefined,
    );
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- an outcome's faults never change
  }, [worker]);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        icon={<Download aria-hidden />}
        busy={file === undefined}
        onClick={() => file !== undefined && downloadCsv(LEFT_OUT_FILE, file)}
      >
        Download the rows left out
      </Button>
      {fixable && file !== undefined && file.length <= HERE_MAX && (
        <Button icon={<Pencil aria-hidden />} onClick={() => importing.again(file)}>
          Fix them here
        </Button>
      )}
    </div>
  );
}
