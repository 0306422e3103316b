import { Fragment, useRef, useState } from "react";
import { clockText } from "#contract/text/rule-text.ts";
import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { numberText } from "#contract/text/locale.ts";
import { RunName } from "#web/features/schedules/calendar/run-name.tsx";
import { useRunsOfDay } from "#web/features/schedules/calendar/use-runs.ts";
import { NowLine } from "#web/features/schedules/now-line.tsx";
import { RunEntry } from "#web/features/schedules/run-entry.tsx";
import { useThisMinute } from "#web/ui/time/use-minute-tick.ts";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  day: string;
  /** Those that the month or week has loaded. */
  runs: readonly CalendarRun[];
  counted: ReadonlyMap<number, number>;
  /** Part of a list of days: with each run's channels, and today a line at the current time. */
  agenda?: boolean;
  isToday?: boolean;
};

/** The runs of one day, by time: those that are loaded, and all of them on request. */
export function DayRuns({ day, runs, counted, agenda = false, isToday = false }: Props) {
  const [wanted, setWanted] = useState(false);
  const whole = useRunsOfDay(day, wanted);
  const all = whole.byDay.get(day);
  const list = useRef<HTMLOListElement>(null);
  const now = useThisMinute();
  const shown = all ?? runs;
  const ahead = shown.findIndex(({ startsAt, state }) => startsAt > now && state === "planned");
  const line = agenda && isToday ? (ahead < 0 ? shown.length : ahead) : undefined;
  const left = (runs[0]?.runsThatDay ?? 0) - runs.length;
  return (
    <>
      <ol ref={list} tabIndex={-1} className="divide-y divide-line outline-none">
        {shown.map((run, index) => (
          <Fragment key={`${run.scheduleId} ${run.occurrence}`}>
            {index === line && <NowLine at={now} />}
            <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2 py-3">
              <span className="text-sm font-semibold text-ink-2 tabular">{clockText(run.time)}</span>
              <RunEntry
                badge={!agenda}
                channels={agenda}
                run={run}
                title={<RunName run={run} />}
                counted={whole.counted.get(run.scheduleId) ?? counted.get(run.scheduleId)}
              />
            </li>
          </Fragment>
        ))}
        {line === shown.length && <NowLine at={now} />}
      </ol>
      {left > 0 && !all && (
        <div className="border-t border-line py-2">
          {whole.read.error && (
            <p role="alert" className="text-sm text-bad">
              {"We couldn't load the runs."}
            </p>
          )}
          <Button
            variant="ghost"
            size="sm"
            className="-ml-3"
            busy={whole.read.isFetching}
            onClick={() => {
              // The button goes once they are loaded, and must not take the focus with it.
              list.current?.focus({ preventScroll: true });
              if (wanted) void whole.read.refetch();
              setWanted(true);
            }}
          >
            Show {numberText(left)} more
          </Button>
        </div>
      )}
    </>
  );
}
