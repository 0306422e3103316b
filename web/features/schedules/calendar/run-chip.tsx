import { clockText } from "#contract/text/rule-text.ts";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { numberText } from "#contract/text/locale.ts";
import { reachedText, runLook, waits } from "#web/features/schedules/run-look.tsx";
import { toneClass } from "#web/ui/feedback/badge.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

const outlined = "border-line-strong! bg-card text-ink";

function chipLook(run: ScheduleRun): string {
  if (run.state === "planned") return outlined;
  if (run.state === "skipped" || run.state === "passed") return `${outlined} border-dashed text-ink-3!`;
  if (run.state === "missed" && waits(run)) return "bg-bad text-card";
  return toneClass[runLook(run).tone];
}

/** A run in a day's cell: past ones are filled by outcome, future ones outlined. */
export function RunChip({ run, counted }: { run: ScheduleRun; counted: number | undefined }) {
  const { word, Icon } = runLook(run);
  const skipped = run.state === "skipped";
  return (
    <span
      className={cx(
        "block rounded-sm border border-transparent px-1.5 py-0.5 text-left text-xs leading-4.5",
        chipLook(run),
      )}
    >
      <span className="flex items-center gap-1 font-semibold">
        <Icon aria-hidden className="size-3 shrink-0" />
        <bdi translate="no" className={cx("truncate", skipped && "line-through")}>
          {run.name}
        </bdi>
      </span>
      <span className="block truncate pl-4 tabular">
        {clockText(run.time).replace(":00", "")} · {detailOf(run, counted, word)}
      </span>
    </span>
  );
}

function detailOf(run: ScheduleRun, counted: number | undefined, word: string): string {
  if (run.state === "planned") return counted === undefined ? "planned" : numberText(counted);
  const got = run.state === "started" ? reachedText(run) : "";
  if (got === "") return word.toLowerCase();
  return run.simulated ? `${got}, SIMULATED` : got;
}
