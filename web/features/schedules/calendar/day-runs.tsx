import { clockText } from "#contract/rule-text.ts";
import type { ScheduleRun } from "#contract/schedule-replies.ts";
import { RunName } from "#web/features/schedules/calendar/run-name.tsx";
import { RunEntry } from "#web/features/schedules/run-entry.tsx";

type Props = {
  runs: readonly ScheduleRun[];
  counted: ReadonlyMap<number, number>;
};

/** The runs of one day, by time. */
export function DayRuns({ runs, counted }: Props) {
  return (
    <ol tabIndex={-1} className="divide-y divide-line outline-none">
      {runs.map((run) => (
        <li
          key={`${run.scheduleId} ${run.occurrence}`}
          className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2 py-3"
        >
          <span className="text-sm font-semibold text-ink-2 tabular">{clockText(run.time)}</span>
          <RunEntry badge run={run} title={<RunName run={run} />} counted={counted.get(run.scheduleId)} />
        </li>
      ))}
    </ol>
  );
}
