import { Link } from "@tanstack/react-router";
import { CircleAlert, ClockAlert } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { schedules } from "#contract/calls/schedules.ts";
import type { ScheduleAttention } from "#contract/calls/schedule-replies.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";
import { DismissAll } from "#web/features/schedules/dismiss-all.tsx";
import { SendOrDismiss } from "#web/features/schedules/run-entry.tsx";
import { runLook } from "#web/features/schedules/run-look.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { When, WithMoments } from "#web/ui/time/when.tsx";

export function useAttention(pageSize = 5) {
  return useReadList(schedules.attention, { query: { pageSize } }, { fresh: true });
}

type Props = {
  read: ReturnType<typeof useAttention>;
  others?: readonly ReactNode[];
  /** What leads to schedules that aren't listed: a link to Schedules, this call, or nothing if no more can be listed. */
  more: "link" | "nothing" | (() => void);
};

/**
 * Schedules with a missed run or a problem, and what to do, below the rows of others. Renders nothing if there are
 * none.
 */
export function AttentionList({ read, others = [], more }: Props) {
  const { data } = read;
  const waiting = (data?.rows ?? []).flatMap(({ newest }) => newest?.scheduleId ?? []);
  const counted = useSchedulePeople(waiting);
  const list = useRef<HTMLUListElement>(null);
  const rows = data?.rows ?? [];
  const failed = !data && read.error;
  if (rows.length + others.length === 0 && !failed) return null;
  const hidden = (data?.total ?? 0) - rows.length;
  const waitingRuns = rows.reduce((sum, row) => sum + row.waitingRuns, 0);
  const moreText =
    hidden === 1 ? "1 more schedule needs attention" : `${hidden} more schedules need attention`;
  const moreLook = "font-semibold hover:underline hover:underline-offset-4";
  return (
    <Card
      aria-labelledby="needs-attention"
      className="mb-5 border-[color-mix(in_oklab,var(--bad)_40%,var(--line))]"
    >
      <h2 id="needs-attention" className="px-4 pt-3.5 pb-1 font-semibold">
        Needs attention
      </h2>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line px-4 pb-1.5 outline-none">
        {others}
        {rows.map((row) => (
          <Row key={row.scheduleId} row={row} counted={counted.get(row.scheduleId)} />
        ))}
        {failed && (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
            <CircleAlert aria-hidden className="size-5 shrink-0 self-start text-bad" />
            <div role="alert" className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
              <p className="font-semibold">We couldn't check your schedules</p>
              <p className="break-words text-ink-2">{failed.message}</p>
            </div>
            <Button
              size="sm"
              busy={read.isFetching}
              onClick={() => void read.refetch()}
              className="max-sm:ml-9"
            >
              Retry
            </Button>
          </li>
        )}
      </ul>
      {(hidden > 0 || waitingRuns > 1) && (
        <div className="flex min-h-11 flex-wrap items-center gap-x-4 border-t border-line px-4 py-1 text-sm">
          {hidden > 0 && more === "link" && (
            <Link to="/schedules" className={moreLook}>
              {moreText}
            </Link>
          )}
          {hidden > 0 && typeof more === "function" && (
            <button
              type="button"
              onClick={() => {
                // The button goes away, and its focus would be lost with it.
                list.current?.focus();
                more();
              }}
              className={moreLook}
            >
              {moreText}
            </button>
          )}
          {hidden > 0 && more === "nothing" && moreText}
          {waitingRuns > 1 && <DismissAll />}
        </div>
      )}
    </Card>
  );
}

function Row({ row, counted }: { row: ScheduleAttention; counted: number | undefined }) {
  const { scheduleId, name, problem, newest, waitingRuns } = row;
  const Icon = newest ? ClockAlert : CircleAlert;
  // A run that could not start says why, which is the same as the schedule's problem.
  const reasons = [...new Set([newest?.reason, problem])].filter((reason) => typeof reason === "string");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <Icon aria-hidden className={`size-5 shrink-0 self-start ${newest ? "text-bad" : "text-warn"}`} />
      <div className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
        <p>
          <Link
            to="/schedules"
            search={{ schedule: scheduleId }}
            className="font-semibold underline-offset-4 hover:underline"
          >
            <bdi translate="no">{name}</bdi>
          </Link>{" "}
          {newest && (
            <span className="font-semibold text-bad">
              {runLook(newest).word}: <When at={newest.startsAt} as="full" />
            </span>
          )}
        </p>
        {reasons.map((reason) => (
          <p key={reason} className="break-words text-ink-2">
            <WithMoments text={reason} />
          </p>
        ))}
        {waitingRuns > 1 && (
          <p className="text-ink-3">
            {waitingRuns - 1} earlier {waitingRuns === 2 ? "run" : "runs"} in its history
          </p>
        )}
      </div>
      {problem && (
        <Link
          to="/schedules"
          search={{ edit: scheduleId }}
          className={cx(buttonClass({ size: "sm" }), "max-sm:ml-9")}
        >
          Edit schedule
          <span className="sr-only">
            {" "}
            <bdi translate="no">{name}</bdi>
          </span>
        </Link>
      )}
      {newest && <SendOrDismiss run={newest} counted={counted} className="max-sm:ml-9" />}
    </li>
  );
}
