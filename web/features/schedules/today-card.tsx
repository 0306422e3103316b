import { Fragment, useState, type ReactNode } from "react";
import { clockText } from "#contract/text/rule-text.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import { RunName } from "#web/features/schedules/calendar/run-name.tsx";
import { useToday } from "#web/features/schedules/calendar/use-runs.ts";
import { NowLine } from "#web/features/schedules/now-line.tsx";
import { shortDay } from "#web/features/schedules/short-day.ts";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";
import { RunEntry } from "#web/features/schedules/run-entry.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { useThisMinute } from "#web/ui/time/use-minute-tick.ts";

/** Today's runs in order, with a line at the current time. */
export function TodayCard({ footer }: { footer: ReactNode }) {
  const today = useToday();
  const read = useReadList(schedules.today, undefined, { fresh: true });
  const counted = useSchedulePeople(read.data?.rows.map(({ scheduleId }) => scheduleId) ?? []);
  return (
    <Card aria-labelledby="todays-schedules">
      <CardHeader title={<span id="todays-schedules">{"Today's Schedules"}</span>}>
        <span className="text-sm text-ink-2">{shortDay(today)}</span>
      </CardHeader>
      <div className="px-4 pb-3">
        <ReadStates
          read={read}
          failed="Error loading schedules"
          skeleton={<SkeletonRows rows={3} className="h-10" />}
        >
          {({ rows }) =>
            rows.length === 0 ? (
              <p className="pb-1 text-sm text-ink-2">No schedules for today</p>
            ) : (
              <Runs runs={rows} counted={counted} />
            )
          }
        </ReadStates>
      </div>
      <div className="border-t border-line p-1.5">{footer}</div>
    </Card>
  );
}

/** How many of a long day are shown at first, and how many of those are in the past. */
const NEAR = { all: 10, past: 3 };

type RunsProps = { runs: readonly ScheduleRun[]; counted: ReadonlyMap<number, number> };

function Runs({ runs: all, counted }: RunsProps) {
  const [whole, setWhole] = useState(false);
  const now = useThisMinute();
  const ahead = all.findIndex(({ startsAt }) => startsAt > now);
  const reached = ahead < 0 ? all.length : ahead;
  const first = whole ? 0 : Math.max(0, Math.min(reached - NEAR.past, all.length - NEAR.all));
  const runs = whole ? all : all.slice(first, first + NEAR.all);
  const next = reached - first;
  return (
    <ol tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {runs.map((run, index) => (
        <Fragment key={`${run.scheduleId} ${run.occurrence}`}>
          {index === next && <NowLine at={now} />}
          <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2">
            <span className={index < next ? "text-sm text-ink-3 tabular" : "text-sm font-semibold tabular"}>
              {clockText(run.time)}
            </span>
            <RunEntry run={run} title={<RunName run={run} />} counted={counted.get(run.scheduleId)} />
          </li>
        </Fragment>
      ))}
      {next === runs.length && <NowLine at={now} />}
      {runs.length < all.length && (
        <li>
          <Button
            variant="ghost"
            size="sm"
            className="-ml-3"
            onClick={({ currentTarget }) => {
              currentTarget.closest("ol")?.focus({ preventScroll: true });
              setWhole(true);
            }}
          >
            Show all {numberText(all.length)}
          </Button>
        </li>
      )}
    </ol>
  );
}
