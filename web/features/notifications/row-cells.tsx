import { isolated } from "#contract/text/isolate.ts";
import { people } from "#contract/text/count-text.ts";
import { Link } from "@tanstack/react-router";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import {
  barParts,
  isRunning,
  missedPeople,
  paceText,
  runNumbers,
} from "#web/features/notifications/progress.ts";
import { channelsWithoutReceipts } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import { NoReceipts } from "#web/domain/no-receipts.tsx";
import { HighPriority } from "#web/domain/high-priority.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { aboveRowLink, rowLink } from "#web/ui/list/data-table.tsx";
import { DeliveryBar } from "#web/domain/delivery-bar.tsx";
import { Progress } from "#web/ui/feedback/progress.tsx";
import { StatusBadge } from "#web/domain/status-badge.tsx";
import { When, WithMoments } from "#web/ui/time/when.tsx";

type Props = { row: NotificationRow };

const place = (row: NotificationRow) => ({
  to: "/notifications/$id" as const,
  params: { id: String(row.id) },
});

export function TitleCell({ row }: Props) {
  return (
    <Link {...place(row)} {...rowLink}>
      <span
        className="line-clamp-2 break-words rows:min-w-40 rows:snug:line-clamp-3 rows:snug:min-w-32"
        title={row.title}
      >
        {row.class === "emergency" && (
          <>
            <HighPriority compact />{" "}
          </>
        )}
        <bdi translate="no">{row.title}</bdi>
      </span>
    </Link>
  );
}

type RecipientsProps = Props & {
  /** How many people an unsent notification is for. */
  planned: number | undefined;
};

export function RecipientsCell({ row, planned }: RecipientsProps) {
  const count = row.progress?.people ?? planned;
  const missed = row.progress ? missedPeople(row.progress) : 0;
  return (
    <>
      <bdi dir="ltr" translate="no" className="line-clamp-1 break-words cards:inline" title={row.recipients}>
        {row.recipients}
      </bdi>
      {count !== undefined && (
        <span className="text-ink-3 rows:block">
          <span className="rows:hidden"> · </span>
          <span className="whitespace-nowrap">
            {people(count)}
            {missed > 0 && " ·"}
          </span>
          {missed > 0 && (
            <>
              {" "}
              <span className="text-bad whitespace-nowrap">{numberText(missed)} not reached</span>
            </>
          )}
        </span>
      )}
    </>
  );
}

/** The status, and for a finished one the result. */
export function StatusCell({ row }: Props) {
  const { progress } = row;
  const finished = progress !== null && !isRunning(progress);
  return (
    <span className="flex flex-col items-start gap-0.5">
      <StatusBadge status={row.status} />
      {finished && (
        <span className="flex h-3.5 items-center gap-2">
          <DeliveryBar
            parts={barParts(progress.outcomes)}
            className={progress.simulatedChannels.length > 0 ? "w-10" : "w-16"}
          />
          {progress.simulated && <Simulated bare channels={progress.simulatedChannels} />}
          {progress.simulatedChannels.length === 0 && (
            <NoReceipts bare {...channelsWithoutReceipts(progress)} />
          )}
        </span>
      )}
    </span>
  );
}

/** When it went out, goes out or was last edited; for a run under way, its progress. */
export function SentCell({ row }: Props) {
  if (row.progress && isRunning(row.progress)) return <RunCell row={row} progress={row.progress} />;
  if (row.status === "Draft") {
    return (
      <span className="text-ink-3">
        Edited <When at={row.updatedAt} as="ago" />
      </span>
    );
  }
  const at = row.sent_time ?? row.scheduled_time;
  // A recurring one has a rule instead of a time; the server sends it in words.
  return at && row.status !== "Recurring" ? <When at={at} /> : <WithMoments text={row.sentTime ?? ""} />;
}

function RunCell({ row, progress }: Props & { progress: NonNullable<NotificationRow["progress"]> }) {
  const { done, toSend, failed } = runNumbers(progress);
  const finding = progress.state === "fanning-out";
  const pace = paceText(progress);
  return (
    // What a run waits for can be long, and neither a column nor a card grows for it.
    <span className="block min-w-0 cards:max-w-[50vw] rows:min-w-20">
      <span className="line-clamp-3 [overflow-wrap:anywhere]" title={pace || undefined}>
        {numberText(done)} of {numberText(toSend)}
        {pace && <span className="text-ink-2"> · {pace}</span>}
      </span>
      <span className={cx("flex h-4 items-center gap-2 cards:justify-end", failed === 0 && "cards:hidden")}>
        <Progress
          className="max-w-40 flex-1 cards:hidden"
          label={`Sending ${isolated(row.title)}`}
          value={finding ? undefined : done}
          max={toSend}
        />
        {failed > 0 && <span className="text-[0.8125rem] text-bad">{numberText(failed)} failed</span>}
      </span>
    </span>
  );
}

type ActionProps = Props & { onEnd: (row: NotificationRow) => void };

/**
 * "Details", "Delete" for a draft, and "Cancel" while it is being sent. A card is itself the link, so it only has the
 * other actions.
 */
export function ActionsCell({ row, onEnd }: ActionProps) {
  const running = row.progress !== null && isRunning(row.progress);
  return (
    <span className="flex items-center justify-end gap-4 rows:snug:flex-col rows:snug:items-end rows:snug:gap-0.5 cards:-my-2">
      {running && (
        <span data-on-card className="contents">
          <Progress
            className="flex-1 rows:hidden"
            label={`Sending ${isolated(row.title)}`}
            value={row.progress?.state === "fanning-out" ? undefined : runNumbers(row.progress!).done}
            max={runNumbers(row.progress!).toSend}
          />
          <EndButton word="Cancel" row={row} onEnd={onEnd} />
        </span>
      )}
      {row.status === "Draft" && (
        <span data-on-card className="contents">
          <EndButton word="Delete" row={row} onEnd={onEnd} />
        </span>
      )}
      {/* The title is this row's link for the keyboard; a second tab stop per row would only be in the way. */}
      <Link
        {...place(row)}
        tabIndex={-1}
        aria-label={`Details of ${isolated(row.title)}`}
        className={cx(aboveRowLink, "font-semibold hover:underline hover:underline-offset-4 cards:hidden")}
      >
        Details
      </Link>
    </span>
  );
}

function EndButton({ word, row, onEnd }: ActionProps & { word: "Cancel" | "Delete" }) {
  return (
    <button
      type="button"
      className={cx(
        aboveRowLink,
        "rounded-sm font-medium text-ink-2 hover:text-bad touch:min-h-11 touch:px-2",
      )}
      aria-label={`${word} ${isolated(row.title)}`}
      onClick={() => onEnd(row)}
    >
      {word}
    </button>
  );
}
