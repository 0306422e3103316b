import { isolated } from "#contract/text/isolate.ts";
import { messages, people } from "#contract/text/count-text.ts";
import type { ReactNode } from "react";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { peopleOf } from "#contract/delivery.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import { NumbersTable } from "#web/features/notifications/detail/numbers-table.tsx";
import {
  arrivals,
  barParts,
  isRunning,
  missedPeople,
  paceText,
  percent,
  runNumbers,
} from "#web/features/notifications/progress.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { WithoutReceipts } from "#web/features/notifications/detail/without-receipts.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { DeliveryBar } from "#web/domain/delivery-bar.tsx";
import { Progress } from "#web/ui/feedback/progress.tsx";

type Props = {
  notification: NotificationDetail;
  progress: RunProgress;
  /** Shown beside the live numbers while it is being sent. */
  cancel: ReactNode;
};

/** The result in five numbers of people and a bar, and while it is being sent, the run's progress. */
export function DeliveryStats({ notification, progress, cancel }: Props) {
  const { sent_count, opened_count, clicked_count } = notification;
  const missed = missedPeople(progress);
  const running = isRunning(progress);
  const reached = peopleOf(progress.outcomes, "reached");
  const { delivered, sent } = arrivals(progress);
  // A share would count those as missing of whom nothing is known.
  const share = sent < sent_count ? null : percent(progress.outcomes.delivered, reached);
  const opened = percent(opened_count ?? 0, delivered ?? sent_count);
  return (
    <Card aria-label="Delivery statistics" className={cx("overflow-hidden", running && "border-lamp")}>
      {running && <RunLine progress={progress} title={notification.title} cancel={cancel} />}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 px-5 pt-5 sm:grid-cols-3 lg:grid-cols-5">
        <Stat label="Sent" value={reached} beside={reached === 1 ? "person" : "people"} />
        <Stat
          label="Delivered"
          value={delivered === null ? null : progress.outcomes.delivered}
          beside={share}
        />
        <Stat
          label="Opened"
          value={opened_count}
          // Programs that block images hide an open, and those that load them ahead make one up.
          beside={opened && `about ${opened}`}
        />
        <Stat
          label="Clicked"
          value={clicked_count}
          beside={percent(clicked_count ?? 0, delivered ?? sent_count)}
        />
        <Stat label="Not reached" value={missed} beside={`of ${people(progress.people)}`} bad={missed > 0} />
      </dl>
      <div className="px-5 pt-5 pb-4">
        {/* The line below it says the same in words. */}
        <div aria-hidden>
          <DeliveryBar parts={barParts(progress.outcomes)} className="h-2.5" />
        </div>
        <NumbersTable progress={progress} />
      </div>
      <WithoutReceipts progress={progress} />
    </Card>
  );
}

type StatProps = {
  label: string;
  /** Null: this cannot be known. */
  value: number | null;
  beside?: string | null;
  bad?: boolean;
};

function Stat({ label, value, beside, bad }: StatProps) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className="mt-1 flex flex-wrap items-baseline gap-x-2">
        {value === null ? (
          <span
            className="text-2xl leading-8 font-semibold text-ink-3"
            title="This notification's channels don't report this"
          >
            n/a
          </span>
        ) : (
          <>
            <span
              className={cx("text-[1.75rem] leading-8 font-bold tabular tracking-tight", bad && "text-bad")}
            >
              {numberText(value)}
            </span>
            {beside && <span className="text-sm text-ink-3 tabular">{beside}</span>}
          </>
        )}
      </dd>
    </div>
  );
}

function RunLine({ progress, title, cancel }: { progress: RunProgress; title: string; cancel: ReactNode }) {
  const { done, toSend, failed } = runNumbers(progress);
  const rate = progress.perSecond;
  const facts = [
    paceText(progress),
    rate !== null && rate >= 1 && progress.stalled === null
      ? `${numberText(Math.round(rate))} per second`
      : "",
    failed > 0 ? `${numberText(failed)} failed` : "",
  ].filter(Boolean);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line bg-[linear-gradient(90deg,var(--lamp-soft),transparent_70%)] px-5 py-3.5">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap gap-x-2 tabular">
          <strong className="font-semibold">
            {numberText(done)} of {messages(toSend)}
          </strong>
          <span className="text-ink-2">{facts.join(" · ")}</span>
        </p>
        <Progress
          className="mt-2"
          label={`Sending ${isolated(title)}`}
          value={progress.state === "fanning-out" ? undefined : done}
          max={toSend}
        />
      </div>
      {progress.simulated && <Simulated channels={progress.simulatedChannels} />}
      {cancel}
    </div>
  );
}
