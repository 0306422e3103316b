import { CirclePause } from "lucide-react";
import { useEffect } from "react";
import type { ImportOverview } from "#contract/calls/imports.ts";
import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { Difference } from "#web/features/csv/sheet/result/difference.tsx";
import { StepTitle } from "#web/features/csv/sheet/step-title.tsx";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { Progress } from "#web/ui/feedback/progress.tsx";

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
  if (done) return <Difference id={overview.id} />;
  return (
    <div className="mx-auto flex max-w-4xl items-center gap-4 py-4">
      <span
        aria-hidden
        className="grid size-12 shrink-0 place-items-center rounded-full bg-warn-soft text-warn"
      >
        <CirclePause className="size-6" />
      </span>
      <div className="min-w-0">
        <StepTitle key="ended">The import isn't finished</StepTitle>
        <p className="text-ink-2">
          {running?.failure ?? `${numberText(progress?.lines ?? 0)} rows are imported.`} You can continue. No
          one is added twice.
        </p>
      </div>
    </div>
  );
}
