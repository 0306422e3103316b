import { people } from "#contract/text/count-text.ts";
import { Link } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { NoReceipts } from "#web/domain/no-receipts.tsx";
import { useIsReplaced } from "#web/domain/unsent/replaced-runs.ts";
import { UnsentBadge } from "#web/domain/unsent/unsent-cells.tsx";
import { ChannelIcons } from "#web/domain/channel.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { ConfirmRun } from "#web/features/schedules/confirm-action.tsx";
import { RunBadge, outcomeText, reachedText, runLook, waits } from "#web/features/schedules/run-look.tsx";
import { toneText } from "#web/ui/feedback/badge.tsx";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Button } from "#web/ui/page/button.tsx";
import { leaveListItem } from "#web/ui/dialog/return-focus.ts";
import { When, WithMoments } from "#web/ui/time/when.tsx";

type Props = {
  run: ScheduleRun;
  /** Shown first, such as the time. */
  title: ReactNode;
  /** People in its audience today, for an upcoming run. */
  counted?: number | undefined;
  badge?: boolean;
  /** Shows what it goes out on. */
  channels?: boolean;
};

/** One run: its outcome, and what to do about it. */
export function RunEntry({ run, title, counted, badge, channels }: Props) {
  const { state, reason, by, notificationId, kind } = run;
  return (
    <div className="min-w-0 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="line-clamp-3 min-w-0 font-semibold break-words">{title}</span>
        {badge && <RunBadge run={run} />}
      </div>
      <div className="flex items-start gap-2">
        {channels && run.channels.length > 0 && (
          <span className="shrink-0">
            <ChannelIcons channels={run.channels} className="size-6! [&_svg]:size-3.5" />
          </span>
        )}
        <Outcome run={run} counted={counted} badge={badge ?? false} />
      </div>
      {run.unscheduled && (
        <p className="flex items-center gap-1.5 text-ink-3">
          <Send aria-hidden className="size-3.5 shrink-0" />
          Sent without a schedule
        </p>
      )}
      {reason && (
        <p className="mt-0.5 break-words text-ink-2">
          <WithMoments text={reason} />
        </p>
      )}
      {by && kind === "schedule" && (
        <p className="text-ink-3">
          {state === "skipped" ? "Skipped" : "Sent"} by <bdi translate="no">{by}</bdi>
        </p>
      )}
      {/* The name of what was sent without a schedule leads there itself. */}
      {notificationId !== null && !run.unscheduled && (
        <Link
          to="/notifications/$id"
          params={{ id: String(notificationId) }}
          className="relative z-1 inline-flex items-center font-semibold underline-offset-4 hover:underline touch:min-h-11"
        >
          Details
          <span className="sr-only">
            {" "}
            of <bdi translate="no">{run.name}</bdi>
          </span>
        </Link>
      )}
      {waits(run) && <SendOrDismiss run={run} counted={counted} className="mt-2" />}
    </div>
  );
}

function Outcome({ run, counted, badge }: { run: ScheduleRun; counted: number | undefined; badge: boolean }) {
  const { state, startsAt, people: all } = run;
  if (state === "planned") {
    return (
      <p className="text-ink-2">
        {counted !== undefined && `${people(counted)}, `}
        <When at={startsAt} as="ago" />
      </p>
    );
  }
  if (state === "passed") return <p className="text-ink-2">Its start time had already passed.</p>;
  const { tone, Icon } = runLook(run);
  const mark =
    run.simulated || run.simulatedChannels.length > 0 ? (
      <Simulated bare channels={run.simulatedChannels} />
    ) : (
      <NoReceipts bare {...run.noReceipts} />
    );
  if (badge) {
    return state === "started" && all !== null ? (
      <p className="flex flex-wrap items-center gap-x-2 text-ink-2">
        {reachedText(run)} {mark}
      </p>
    ) : null;
  }
  return (
    <p className={`flex items-start gap-1.5 ${toneText[tone]}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">
        {outcomeText(run)} {mark}
      </span>
    </p>
  );
}

type SendOrDismissProps = { run: ScheduleRun; counted: number | undefined; className?: string };

/** For a run that was missed or could not start. Before it is sent, its message is shown: it may have become untrue. */
export function SendOrDismiss({ run, counted, className = "" }: SendOrDismissProps) {
  const { busy, sendMissed, dismiss } = useActions();
  const [asking, setAsking] = useState(false);
  if (useIsReplaced(run)) {
    return (
      <span className={`flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm ${className}`}>
        <UnsentBadge />
        <span className="text-ink-2">What replaces it waits in this browser.</span>
        <Link
          to="/notifications"
          className="font-semibold underline-offset-4 hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
        >
          Open notifications
        </Link>
      </span>
    );
  }
  return (
    <span className={`flex flex-wrap items-center gap-x-1.5 gap-y-2 max-sm:-mr-3 ${className}`}>
      <Button size="sm" icon={<Send aria-hidden />} disabled={busy} onClick={() => setAsking(true)}>
        Send now
        <span className="sr-only">
          {" "}
          <bdi translate="no">{run.name}</bdi>
        </span>
      </Button>
      {counted !== undefined && <span className="text-sm text-ink-2">to {people(counted)}</span>}
      <Button
        variant="ghost"
        size="sm"
        disabled={busy}
        onClick={({ currentTarget }) => {
          leaveListItem(currentTarget);
          void dismiss(run);
        }}
      >
        Dismiss
        <span className="sr-only">
          {" "}
          <bdi translate="no">{run.name}</bdi>
        </span>
      </Button>
      {asking && (
        <ConfirmRun
          verb="Send"
          run={run}
          busy={busy}
          open
          onOpenChange={setAsking}
          onConfirm={() => void sendMissed(run).then(() => setAsking(false))}
        />
      )}
    </span>
  );
}
