import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { useEffect, useState } from "react";
import { ColumnsNote } from "#web/features/csv/columns-note.tsx";
import { ColumnsForm } from "#web/features/csv/columns-form.tsx";
import { BegunImports } from "#web/features/csv/sheet/begun-imports.tsx";
import { CsvSource } from "#web/features/csv/csv-source.tsx";
import type { Phase } from "#web/features/csv/import-form.ts";
import { ImportPreview } from "#web/features/csv/import-preview.tsx";
import { ImportResult } from "#web/features/csv/import-result.tsx";
import { timeLeft } from "#web/features/csv/outcome.ts";
import { OptionsForm } from "#web/features/csv/options-form.tsx";
import type { Import } from "#web/features/csv/use-import.ts";
import { Progress } from "#web/ui/feedback/progress.tsx";

type Props = { importing: Import; onFile: (id: number) => void };

export function ImportPanel({ importing, onFile }: Props) {
  const { phase } = importing;
  if (phase.name === "finished") return <ImportResult importing={importing} outcome={phase.outcome} />;
  if (phase.name === "importing") return <ImportProgress {...phase} />;
  return (
    <div className="flex flex-col gap-5">
      {phase.name === "empty" && <BegunImports onOpen={onFile} />}
      <CsvSource importing={importing} />
      {phase.name === "read" && (
        <div className="flex flex-col gap-2">
          <ColumnsForm importing={importing} summary={phase.summary} />
          <OptionsForm options={importing.options} onChange={importing.setOptions} />
        </div>
      )}
      {phase.name === "read" && phase.summary.headerTrouble === null ? (
        <ImportPreview importing={importing} summary={phase.summary} check={phase.check} />
      ) : (
        <ColumnsNote />
      )}
    </div>
  );
}

function ImportProgress({ summary, tally, started, stopping }: Extract<Phase, { name: "importing" }>) {
  // The page must not be left by mistake halfway.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  const now = useNow();
  const left = stopping
    ? "Stopping after this batch"
    : timeLeft(tally.sent - started.sent, summary.sendable - started.sent, now - started.at);
  return (
    <div className="flex flex-col gap-3 py-6">
      <output className="sr-only">
        {stopping ? "Stopping" : `Importing ${counted(summary.sendable, summary.unit)}`}
      </output>
      <p className="tabular flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold">
          {numberText(tally.sent)} of {counted(summary.sendable, summary.unit)}
        </span>
        <span className="text-ink-3">{left}</span>
      </p>
      <Progress label="Rows imported" value={tally.sent} max={summary.sendable} />
      <p className="tabular text-sm text-ink-2">
        {numberText(tally.created)} added, {numberText(tally.updated)} updated, {numberText(tally.rejected)}{" "}
        left out so far
      </p>
    </div>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return now;
}
