import { messages } from "#contract/text/count-text.ts";
import { useState } from "react";
import { deliveries, type RetryPreview } from "#contract/calls/deliveries.ts";
import { reasonNext } from "#contract/delivery-reasons.ts";
import { notifications, type NotificationDetail } from "#contract/calls/notifications.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { PassedDates, textsOf, usePassedDates } from "#web/domain/message/passed-dates.tsx";
import { sandboxSentence } from "#web/domain/message/sandbox-text.ts";
import { MOST_NAMED, WriteLink } from "#web/domain/write-link.tsx";
import {
  countOf,
  messagesOn,
  missedPeople,
  onSeveralChannels,
} from "#web/features/notifications/progress.ts";
import { buttonClass } from "#web/ui/page/button.tsx";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { CannotLoad } from "#web/ui/feedback/error-state.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

const REASONS = 4;

export type RetryQuestionProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  notification: NotificationDetail;
  progress: RunProgress;
};

/** Says what can be retried, and on request includes what may have arrived and people who were reached another way. */
export default function RetryQuestion({ open, onOpenChange, notification, progress }: RetryQuestionProps) {
  const dates = usePassedDates(textsOf({ ...notification, text: notification.contentText }), {
    at: notification.sent_time ?? progress.startedAt,
    as: "run",
  });
  const missed = missedPeople(progress);
  const unconfirmed = countOf(progress, "unconfirmed");
  const [withUnconfirmed, setWithUnconfirmed] = useState(false);
  const [chosenReached, setChosenReached] = useState(false);
  // If everyone was reached, only those remain.
  const includeReached = chosenReached || missed === 0;
  const options = { unconfirmed: withUnconfirmed, includeReached };
  const params = { id: notification.id };
  const { list, recent, detail, sendAgain } = notifications;
  const write = useWrite(sendAgain, {
    refreshes: [list, recent, detail, deliveries.list, deliveries.timeline, deliveries.retryPreview],
  });
  const found = useRead(deliveries.retryPreview, { params, query: options }, { fresh: true });
  const canGo = found.data?.messages;
  // Not while there is still something to choose.
  const choices = (unconfirmed > 0 && !withUnconfirmed) || (onSeveralChannels(progress) && !includeReached);
  const nothing = canGo === 0 && !choices;
  const onConfirm = async () => {
    try {
      const { requeued, stillUnreachable, sandboxOnly } = await write.mutateAsync({
        params,
        body: options,
      });
      const sandbox = sandboxOnly ? sandboxSentence(requeued) : "";
      const still =
        stillUnreachable > 0 ? `${messages(stillUnreachable)} still can't be sent. The list says why.` : "";
      toast({
        title: requeued > 0 ? `Retrying ${messages(requeued)}` : "Nothing to retry",
        description: `${sandbox} ${still}`.trim(),
      });
    } catch (error) {
      const why = reasonOf(error);
      toast({ variant: "destructive", title: "Failed to retry", description: why });
    } finally {
      onOpenChange(false);
    }
  };
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={
        nothing ? (
          <>
            “<bdi translate="no">{notification.title}</bdi>” can't be retried
          </>
        ) : (
          <>
            Retry “<bdi translate="no">{notification.title}</bdi>”?
          </>
        )
      }
      description={
        <div className="flex flex-col gap-4">
          {missed === 0 && <p>Everyone was reached. Some messages on other channels didn't get through.</p>}
          <div className="flex min-h-24 flex-col gap-2">
            {found.isPending && <Skeleton className="h-5 w-3/4" />}
            {found.isLoadingError && <CannotLoad what="what can be sent" read={found} />}
            {found.data && <CanGo found={found.data} />}
          </div>
          <PassedDates dates={dates}>
            {missed > 0 && missed <= MOST_NAMED && (
              <WriteLink
                write={`missed:${notification.id}`}
                className={cx(buttonClass({ size: "sm" }), "self-start")}
              >
                Use new dates
              </WriteLink>
            )}
          </PassedDates>
          {unconfirmed > 0 && (
            <Checkbox
              checked={withUnconfirmed}
              onChange={(event) => setWithUnconfirmed(event.target.checked)}
              label="Also retry unconfirmed messages"
              hint="The provider never answered, so they may have arrived. These people may get them twice."
            />
          )}
          {missed > 0 && onSeveralChannels(progress) && (
            <Checkbox
              checked={chosenReached}
              onChange={(event) => setChosenReached(event.target.checked)}
              label="Also retry people who were reached on another channel"
              hint="They get the message again on each channel where it didn't get through."
            />
          )}
        </div>
      }
      confirmLabel={nothing ? null : canGo ? `Retry ${messages(canGo)}` : "Retry"}
      confirmable={!found.isPending && canGo !== undefined && canGo > 0}
      cancelLabel={nothing ? "Close" : "Cancel"}
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}

/** How many can be sent with current addresses and preferences, what prevents the others, and how to fix it. */
function CanGo({ found }: { found: RetryPreview }) {
  const asked = found.blocked.reduce((sum, { count }) => sum + count, found.messages);
  const shown = found.blocked.slice(0, REASONS);
  const more = found.blocked.slice(REASONS).reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p>
        <strong className="font-semibold text-ink">
          {numberText(found.messages)} of {messages(asked)}
        </strong>{" "}
        can be sent now, with people's current addresses and preferences.
      </p>
      {shown.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {shown.map(({ channel, reason, count, sentence }) => (
            <li key={`${channel} ${reason}`}>
              {`${messagesOn(channel, count)}: ${sentence} ${reasonNext(reason, channel)}`}
            </li>
          ))}
          {more > 0 && <li>{messages(more)} for other reasons</li>}
        </ul>
      )}
    </>
  );
}
