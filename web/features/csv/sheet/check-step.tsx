import { useEffect, useRef } from "react";
import type { ImportOverview, SheetFault } from "#contract/calls/imports.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { type Check, importedIn } from "#web/features/csv/sheet/check-rows.ts";
import { FaultRows } from "#web/features/csv/sheet/fault-rows.tsx";
import { leftOutOnPurpose } from "#web/features/csv/sheet/left-out-text.ts";
import { NotInFile } from "#web/features/csv/sheet/leaving/not-in-file.tsx";
import { SamePerson } from "#web/features/csv/sheet/same-person.tsx";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Progress } from "#web/ui/feedback/progress.tsx";

type Props = { sheet: Sheet; overview: ImportOverview };

/** The second step: what would happen, and only what needs someone. */
export function CheckStep({ sheet, overview }: Props) {
  const { checking } = sheet;
  // The focused button is gone with the step before.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const check = checking?.check;
  const first = checking?.state === "running" && check !== undefined && check.rows < overview.rows;
  const faults = check?.faults ?? [];
  const undecided = faults.filter(({ kind }) => kind === "undecided");
  // They stand side by side.
  const several = undecided.some(({ candidates = [] }) => candidates.length > 1);
  const cells = faults.filter(({ kind }) => kind !== "undecided");
  return (
    <div className="mx-auto flex max-w-[84rem] flex-col gap-5">
      <h3 ref={heading} tabIndex={-1} className="sr-only">
        Check
      </h3>
      {checking?.state === "failed" && (
        <ErrorState
          title="We couldn't check these rows"
          detail={checking.reason}
          onRetry={() => sheet.check()}
        />
      )}
      {check && checking.state !== "failed" && (
        <>
          <Summary check={check} overview={overview} cells={cells} undecided={undecided} />
          {first && (
            <div className="flex flex-col gap-2 text-sm text-ink-2">
              <Progress label="Rows checked" value={check.rows} max={overview.rows} />
              <output className="tabular">
                {numberText(check.rows)} of {counted(overview.rows, "row")} checked
              </output>
            </div>
          )}
          {checking.state === "done" && !sheet.stale && <NotInFile id={sheet.id} leaving={sheet.leaving} />}
          {faults.length > 0 ? (
            <div
              className={cx(
                "grid grid-cols-1 items-start gap-5",
                undecided.length > 0 &&
                  (cells.length > 0
                    ? several
                      ? "lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]"
                      : "lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]"
                    : "lg:grid-cols-[minmax(0,32rem)]"),
              )}
            >
              {cells.length > 0 && <FaultRows sheet={sheet} overview={overview} faults={cells} />}
              {undecided.length > 0 && <SamePerson sheet={sheet} faults={undecided} />}
            </div>
          ) : (
            checking.state === "done" && (
              <p className="rounded-lg border border-line bg-card p-6 text-center text-ink-2">
                {fineText(check, sheet.leaving.people)}
              </p>
            )
          )}
        </>
      )}
    </div>
  );
}

function fineText(check: Check, leaving: number): string {
  if (importedIn(check) + check.movedOut === 0) return "No one in this sheet would be imported.";
  if (check.created + check.updated + check.movedOut > 0) return "Every row is fine. Nothing needs you.";
  return leaving > 0
    ? "Nothing else changes. Everyone in this sheet is on file exactly like this."
    : "Nothing changes. Everyone in this sheet is on file exactly like this.";
}

type SummaryProps = {
  check: Check;
  overview: ImportOverview;
  cells: readonly SheetFault[];
  undecided: readonly SheetFault[];
};

function Summary({ check, overview, cells, undecided }: SummaryProps) {
  const { created, updated, unchanged, movingIn, movedOut, absent, homes } = check;
  const out = leftOutOnPurpose(absent);
  return (
    <section
      aria-label="What the import does"
      className="flex flex-wrap gap-x-8 gap-y-4 rounded-lg border border-line bg-card p-5 shadow-card"
    >
      <div>
        <p className="text-xl font-semibold tracking-tight">
          {people(importedIn(check))}
          {homes.size > 0 && ` in ${counted(homes.size, "home")}`}
        </p>
        {overview.property !== "" && (
          <p className="text-sm text-ink-2">
            All at <bdi>{overview.property}</bdi>
          </p>
        )}
      </div>
      <Figures
        label="What changes"
        figures={[
          [created, "new"],
          [updated, "changed"],
          [unchanged, "unchanged"],
        ]}
      />
      <Figures
        label="Moves"
        figures={[
          [movingIn, "moving in later"],
          [movedOut, "moving out"],
        ]}
      />
      {out.length > 0 && (
        <div className="text-sm md:border-l md:border-line md:pl-8">
          <p className="text-ink-2">Left out</p>
          <p className="tabular mt-0.5 font-medium">{out.join(", ")}</p>
        </div>
      )}
      {cells.length + undecided.length > 0 && (
        <Figures
          label="Needs you"
          tone="text-warn"
          figures={[
            [cells.length, cells.length === 1 ? "cell to fix" : "cells to fix"],
            [undecided.length, undecided.length === 1 ? "person to decide" : "people to decide"],
          ]}
        />
      )}
    </section>
  );
}

type FiguresProps = { label: string; figures: readonly (readonly [number, string])[]; tone?: string };

function Figures({ label, figures, tone = "" }: FiguresProps) {
  if (figures.every(([number]) => number === 0)) return null;
  return (
    <div className="text-sm md:border-l md:border-line md:pl-8">
      <p className="text-ink-2">{label}</p>
      <p className="mt-0.5 flex flex-wrap gap-x-4 gap-y-1">
        {figures
          .filter(([number]) => number > 0)
          .map(([number, word]) => (
            <span key={word} className="tabular text-ink-2">
              <strong className={cx("text-base font-semibold", tone || "text-ink")}>
                {numberText(number)}
              </strong>{" "}
              {word}
            </span>
          ))}
      </p>
    </div>
  );
}
