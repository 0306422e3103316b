import { Send } from "lucide-react";
import { clockText } from "#contract/text/rule-text.ts";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { numberText } from "#contract/text/locale.ts";
import { isSimulated, reachedNumbers, runLook, waits } from "#web/features/schedules/run-look.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { toneClass } from "#web/ui/feedback/badge.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

const outlined = "border-line-strong! bg-card text-ink";

function chipLook(run: ScheduleRun): string {
  if (run.state === "planned") return outlined;
  if (run.state === "skipped" || run.state === "passed") return `${outlined} border-dashed text-ink-3!`;
  if (run.state === "missed" && waits(run)) return "bg-bad text-card";
  return toneClass[runLook(run).tone];
}

type Props = {
  run: ScheduleRun;
  counted: number | undefined;
  /** Fills its block; a long name may take two lines. */
  tall?: boolean;
};

/** A run in a day's cell: past ones are filled by outcome, future ones outlined. */
export function RunChip({ run, counted, tall }: Props) {
  const { word, Icon } = runLook(run);
  const skipped = run.state === "skipped";
  return (
    <span
      className={cx(
        "block rounded-sm border border-transparent py-0.5 text-left text-xs leading-4.5",
        chipLook(run),
        tall ? "h-full overflow-hidden px-1" : "px-1.5",
      )}
    >
      <span className="flex gap-1 font-semibold">
        <Icon aria-hidden className="mt-0.75 size-3 shrink-0" />
        <bdi
          translate="no"
          className={cx("min-w-0", tall ? "line-clamp-2 break-words" : "truncate", skipped && "line-through")}
        >
          {run.name}
        </bdi>
      </span>
      <span className="flex items-center gap-1 tabular">
        {run.unscheduled ? (
          <Send aria-hidden className="size-3 shrink-0" />
        ) : (
          <span className="w-3 shrink-0" />
        )}
        <span className="truncate">
          {clockText(run.time).replace(":00", "")} · {detailOf(run, counted, word)}
          {!tall && isSimulated(run) && ", SIMULATED"}
        </span>
        {run.unscheduled && <span className="sr-only">, sent without a schedule</span>}
      </span>
      {tall && isSimulated(run) && (
        <span className="flex pl-4">
          <Simulated bare />
        </span>
      )}
    </span>
  );
}

function detailOf(run: ScheduleRun, counted: number | undefined, word: string): string {
  if (run.state === "planned") return counted === undefined ? "planned" : numberText(counted);
  const got = run.state === "started" ? reachedNumbers(run) : "";
  return got === "" ? word.toLowerCase() : got;
}
