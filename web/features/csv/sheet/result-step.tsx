import { CircleCheck, CirclePause, Download } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import type { ImportOverview, SheetFault } from "#contract/calls/imports.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { importedIn } from "#web/features/csv/sheet/check-rows.ts";
import { leftOutOnPurpose } from "#web/features/csv/sheet/left-out-text.ts";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { writeCsv } from "#web/features/csv/write-csv.ts";
import { downloadCsv } from "#web/ui/browser/download-file.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Progress } from "#web/ui/feedback/progress.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = { sheet: Sheet; overview: ImportOverview };

/** The third step: the import under way, and what it did. */
export function ResultStep({ sheet, overview }: Props) {
  const { running } = sheet;
  const progress = running?.progress ?? overview.progress;
  const active = running?.active ?? false;
  const done = progress?.done ?? false;
  // A window that is closed halfway can go on later, which its person should know first.
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
  if (active) {
    return (
      <div className="mx-auto flex max-w-2xl flex-col gap-3 py-10">
        <StepTitle key="active">Importing {overview.name}</StepTitle>
        <Progress label="Rows imported" value={progress?.lines ?? 0} max={overview.rows} />
        <output className="tabular text-sm text-ink-2">
          {numberText(progress?.lines ?? 0)} of {counted(overview.rows, "row")}
        </output>
      </div>
    );
  }
  const imported = progress ? importedIn(progress) : 0;
  const faults = (sheet.checking?.check.faults ?? []).filter(
    ({ line, resident, kind }) =>
      kind !== "undecided" || !/^(?:\d+|new)$/.test(overview.decisions[`${line}:${resident}`] ?? ""),
  );
  const onPurpose = leftOutOnPurpose(progress?.absent ?? {});
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-6 py-4">
      <div className="flex items-center gap-4">
        <span
          aria-hidden
          className={cx(
            "grid size-12 shrink-0 place-items-center rounded-full",
            done ? "bg-good-soft text-good" : "bg-warn-soft text-warn",
          )}
        >
          {done ? <CircleCheck className="size-6" /> : <CirclePause className="size-6" />}
        </span>
        <div className="min-w-0">
          <StepTitle key="ended">
            {done
              ? `${people(imported)} ${imported === 1 ? "is" : "are"} up to date`
              : "The import isn't finished"}
          </StepTitle>
          <p className="text-ink-2">
            {done
              ? overview.name
              : `${running?.failure ?? `${numberText(progress?.lines ?? 0)} rows are imported.`} You can continue. No one is added twice.`}
          </p>
        </div>
      </div>
      {progress && (
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line shadow-card sm:grid-cols-4">
          {(
            [
              ["Added", progress.created],
              ["Changed", progress.updated],
              ["Unchanged", progress.unchanged],
              ["Left out", progress.rejected],
            ] as const
          ).map(([label, number]) => (
            <div key={label} className="bg-card p-4">
              <dt className="text-sm text-ink-2">{label}</dt>
              <dd className="tabular text-xl font-semibold">{numberText(number)}</dd>
            </div>
          ))}
        </dl>
      )}
      {onPurpose.length > 0 && (
        <p className="text-sm text-ink-2">Left out on purpose: {listText(onPurpose)}.</p>
      )}
      {done && faults.length > 0 && <LeftOut overview={overview} faults={faults} />}
    </div>
  );
}

/** The focused element is gone with what was shown before. */
function StepTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight break-words outline-none">
      {children}
    </h3>
  );
}

const LISTED = 20;

function LeftOut({ overview, faults }: { overview: ImportOverview; faults: readonly SheetFault[] }) {
  const rows = [...Map.groupBy(faults, ({ line }) => line)];
  const { headers } = overview;
  const download = () =>
    downloadCsv(
      "rows_left_out.csv",
      writeCsv(
        ["reason", ...headers],
        rows.map(([, own]) => [
          own
            .map(({ column, reason }) => (column === null ? reason : `${headers[column] ?? ""}: ${reason}`))
            .join("; "),
          ...headers.map((_, place) => own[0]?.cells[place] ?? ""),
        ]),
      ),
    );
  return (
    <section aria-labelledby="left-title" className="rounded-lg border border-line bg-card shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line p-4">
        <h3 id="left-title" className="font-semibold">
          {counted(rows.length, "row")} still {rows.length === 1 ? "needs" : "need"} you
        </h3>
        <Button icon={<Download aria-hidden />} onClick={download}>
          Download the rows left out
        </Button>
      </div>
      <ul className="divide-y divide-line text-sm">
        {rows.slice(0, LISTED).map(([line, own]) => (
          <li key={line} className="flex gap-4 px-4 py-2.5">
            <span className="tabular w-20 shrink-0 text-ink-3">Row {line}</span>
            <span className="min-w-0 break-words">{own[0]?.reason}</span>
          </li>
        ))}
      </ul>
      <p className="border-t border-line p-4 text-sm text-ink-3">
        {rows.length > LISTED && `And ${numberText(rows.length - LISTED)} more. `}The first column of the file
        says what to fix.
      </p>
    </section>
  );
}
