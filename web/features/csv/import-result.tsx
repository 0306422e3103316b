import { CircleAlert, CircleCheck, Download, Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { downloadCsv } from "#web/features/csv/download.ts";
import { number, tasksOf, type Fault } from "#web/features/csv/fault.ts";
import { meaningIn } from "#web/features/csv/import-file.ts";
import { leftOut, nextStep, outcomeSentence, type Outcome } from "#web/features/csv/outcome.ts";
import { TaskList } from "#web/features/csv/task-list.tsx";
import type { Import } from "#web/features/csv/use-import.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";
import { type Column, DataTable } from "#web/ui/data-table.tsx";

const LEFT_OUT_FILE = "users_left_out.csv";
const FAULTS_SHOWN = 100;

const columns: Column<Fault>[] = [
  {
    id: "row",
    header: "Row",
    card: "start",
    cell: (fault) => (
      <span className="text-ink-3">
        <span className="md:hidden">Row </span>
        {fault.line}
      </span>
    ),
  },
  {
    id: "column",
    header: "Column",
    card: "end",
    className: "md:whitespace-nowrap",
    cell: (fault) => fault.column ?? "Whole row",
  },
  {
    id: "value",
    header: "Value",
    card: "detail",
    cell: (fault) => (
      <span className="line-clamp-2 max-w-44 min-w-24 wrap-anywhere md:min-w-32">{fault.value}</span>
    ),
  },
  {
    id: "reason",
    header: "Reason",
    card: "title",
    cell: (fault) => <span className="text-bad">{fault.reason}</span>,
  },
];

/** What came of it, and the rows that were left out with what mends them. */
export function ImportResult({ importing, outcome }: { importing: Import; outcome: Outcome }) {
  const { summary, tally, complete, failure } = outcome;
  const faults = [...summary.faults, ...tally.faults].sort((a, b) => a.line - b.line);
  const clean = complete && leftOut(outcome) === 0;
  const Icon = clean ? CircleCheck : CircleAlert;
  // What had the focus is gone with the form.
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
          <h3
            ref={heading}
            tabIndex={-1}
            className="text-base font-semibold outline-none first-letter:uppercase"
          >
            {outcomeSentence(outcome)}
          </h3>
          <p className="mt-0.5 text-sm text-ink-2">{nextStep(outcome)}</p>
        </div>
      </div>
      {faults.length > 0 && (
        <>
          <TaskList tasks={tasksOf(faults, meaningIn(summary))} />
          <LeftOutActions importing={importing} faults={faults} />
          <div className="md:rounded-md md:border md:border-line">
            <DataTable
              label="Cells that could not be imported"
              columns={columns}
              rows={faults.slice(0, FAULTS_SHOWN)}
              rowKey={(fault) => `${fault.line} ${fault.column}`}
            />
          </div>
          {faults.length > FAULTS_SHOWN && (
            <p className="text-sm text-ink-3">
              The first {FAULTS_SHOWN} of {number(faults.length)}. The file has them all.
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** Text longer than this is put right in a spreadsheet, not in a text area. */
const HERE_MAX = 100_000;

function LeftOutActions({ importing, faults }: { importing: Import; faults: Fault[] }) {
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
        onClick={() => file !== undefined && downloadCsv(LEFT_OUT_FILE, file, /^\p{ASCII}*$/u.test(file))}
      >
        Download the rows left out
      </Button>
      {file !== undefined && file.length <= HERE_MAX && (
        <Button icon={<Pencil aria-hidden />} onClick={() => importing.again(file)}>
          Fix them here
        </Button>
      )}
    </div>
  );
}
