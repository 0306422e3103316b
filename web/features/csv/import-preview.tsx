import { useEffect, useState } from "react";
import { ExistingChoice } from "#web/features/csv/existing-choice.tsx";
import { number, rowsOf, tasksOf, type Fault } from "#web/features/csv/fault.ts";
import { type Check, raggedLines } from "#web/features/csv/import-form.ts";
import { FaultyRows } from "#web/features/csv/faulty-rows.tsx";
import { meaningIn, type FileSummary } from "#web/features/csv/import-file.ts";
import { leftOut } from "#web/features/csv/outcome.ts";
import type { CsvRow } from "#web/features/csv/read-csv.ts";
import { RenameChoice } from "#web/features/csv/rename-choice.tsx";
import { RenamedPeople } from "#web/features/csv/renamed-people.tsx";
import { RowsTable } from "#web/features/csv/rows-table.tsx";
import { noRows, type Tally } from "#web/features/csv/send-rows.ts";
import { TaskList } from "#web/features/csv/task-list.tsx";
import type { Import } from "#web/features/csv/use-import.ts";
import type { CsvWorker } from "#web/features/csv/worker-client.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Progress } from "#web/ui/progress.tsx";
import { Segmented } from "#web/ui/segmented.tsx";

type Props = { importing: Import; summary: FileSummary; check: Check | null };

/** What the file would do, before it does it: counts, kinds of trouble, and the rows themselves. */
export function ImportPreview({ importing, summary, check }: Props) {
  const tally = check && check.state !== "failed" ? check.tally : noRows;
  const faults = [...summary.faults, ...tally.faults];
  const ragged = raggedLines(summary).length;
  const last = useLastTally(check);
  const unsure = last.renames.filter((rename) => rename.unsure);
  return (
    <section aria-label="What will be imported" className="flex flex-col gap-3">
      <CheckLine summary={summary} check={check} />
      {last.existing > 0 && <ExistingChoice importing={importing} count={last.existing} />}
      {unsure.length > 0 && <RenameChoice importing={importing} renames={unsure} />}
      <RenamedPeople renames={tally.renames.filter((rename) => !rename.unsure)} />
      <TaskList tasks={tasksOf(faults, meaningIn(summary))} />
      {ragged > 0 && (
        <Checkbox
          label={`Leave out the ${rowsOf(ragged)} with another number of cells`}
          checked={importing.leaveOutRagged}
          onChange={(event) => importing.setLeaveOutRagged(event.target.checked)}
        />
      )}
      <Rows worker={importing.worker} summary={summary} faults={faults} />
    </section>
  );
}

/** Stays while the rows are checked anew, so that the answer just given does not vanish under the finger. */
function useLastTally(check: Check | null): Tally {
  const [last, setLast] = useState(noRows);
  const now = check?.state === "done" ? check.tally : last;
  if (now !== last) setLast(now);
  return now;
}

function CheckLine({ summary, check }: Omit<Props, "importing">) {
  if (check === null) return null;
  if (check.state === "failed") {
    return (
      <p role="alert" className="text-sm text-warn">
        The rows could not be checked ({check.message}). They can be imported all the same: rows that do not
        fit are left out and named.
      </p>
    );
  }
  const { tally } = check;
  if (check.state === "running") {
    return (
      <div className="flex flex-col gap-2 text-sm text-ink-2">
        <p className="tabular">
          Checking {number(tally.sent)} of {rowsOf(summary.sendable)}
        </p>
        <Progress label="Rows checked" value={tally.sent} max={summary.sendable} />
      </div>
    );
  }
  const missing = leftOut({ summary, tally });
  return (
    <output className="flex flex-wrap items-center gap-2">
      <span className="mr-1 font-semibold">{rowsOf(summary.rowCount)}</span>
      {tally.created > 0 && <Badge tone="good">{number(tally.created)} new</Badge>}
      {tally.updated > 0 && <Badge tone="info">{number(tally.updated)} to update</Badge>}
      {tally.unchanged > 0 && <Badge>{number(tally.unchanged)} unchanged</Badge>}
      {tally.skipped > 0 && <Badge>{number(tally.skipped)} left as they are</Badge>}
      {missing > 0 && <Badge tone="bad">{number(missing)} to be left out</Badge>}
    </output>
  );
}

const FAULTY_SHOWN = 20;

function Rows({ worker, summary, faults }: { worker: CsvWorker; summary: FileSummary; faults: Fault[] }) {
  const [view, setView] = useState<"first" | "faulty">();
  const lines = [...new Set(faults.map((fault) => fault.line))].sort((a, b) => a - b);
  const shown = view ?? (lines.length > 0 ? "faulty" : "first");
  const faulty = useRowsAt(worker, lines.slice(0, FAULTY_SHOWN));
  const rows = shown === "first" || lines.length === 0 ? summary.first : faulty;
  return (
    <div className="flex flex-col gap-2">
      {lines.length > 0 && (
        <Segmented
          label="Rows shown"
          segments={[
            { value: "faulty", label: `To fix (${number(lines.length)})` },
            { value: "first", label: "First rows" },
          ]}
          value={shown}
          onChange={setView}
          className="self-start"
        />
      )}
      {rows === faulty ? (
        <FaultyRows mapping={summary.mapping} rows={rows} faults={faults} />
      ) : (
        <RowsTable
          label="First rows of the file"
          headers={summary.headers}
          ignored={summary.ignored}
          rows={rows}
          faults={faults}
        />
      )}
      {rows === faulty && lines.length > FAULTY_SHOWN && (
        <p className="text-sm text-ink-3">
          The first {FAULTY_SHOWN} of {rowsOf(lines.length)} to fix. After the import all of them can be
          downloaded.
        </p>
      )}
    </div>
  );
}

function useRowsAt(worker: CsvWorker, lines: readonly number[]): CsvRow[] {
  const [rows, setRows] = useState<CsvRow[]>([]);
  const wanted = lines.join();
  useEffect(() => {
    let current = true;
    if (wanted === "") return undefined;
    worker.call("rowsAt", wanted.split(",").map(Number)).then(
      (found) => {
        if (current) setRows(found);
      },
      // The file was closed meanwhile; its rows are of no interest any more.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [worker, wanted]);
  return rows;
}
