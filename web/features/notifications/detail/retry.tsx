import { RotateCw } from "lucide-react";
import { messages } from "#contract/text/count-text.ts";
import { deliveries } from "#contract/calls/deliveries.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { useRead } from "#web/api/use-read.ts";
import type { RetryQuestionProps } from "#web/features/notifications/detail/retry-question.tsx";
import { isRunning, missedPeople, undeliveredMessages } from "#web/features/notifications/progress.ts";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";
import { Button } from "#web/ui/page/button.tsx";

const question = lazyDialog<RetryQuestionProps>(
  () => import("#web/features/notifications/detail/retry-question.tsx"),
);

/** The server looks at each of the people, so for more of them it does that only once the question is open. */
const COUNTED_AHEAD = 1000;

type Props = {
  notification: NotificationDetail;
  progress: RunProgress;
  /** The question is open. */
  asking: boolean;
  onAsk: (asking: boolean) => void;
};

/**
 * Retries those who were not reached, and on request messages that may have arrived and those of people who were
 * reached on another channel.
 */
export function Retry({ notification, progress, asking, onAsk }: Props) {
  const missed = missedPeople(progress);
  const ahead = useRead(
    deliveries.retryPreview,
    { params: { id: notification.id }, query: { unconfirmed: false, includeReached: false } },
    { enabled: progress.state === "finished" && missed > 0 && missed <= COUNTED_AHEAD, fresh: true },
  );
  const sendable = ahead.data?.messages;
  if (progress.state === "cancelled") {
    return (
      <p className="text-sm text-ink-2">Cancelled. To send it after all, copy it to a new notification.</p>
    );
  }
  if (isRunning(progress) || (missed === 0 && undeliveredMessages(progress) === 0)) return null;
  return (
    <>
      <Button
        variant={sendable === 0 ? "ghost" : "outline"}
        className="max-w-full"
        icon={<RotateCw aria-hidden />}
        onPointerEnter={question.prefetch}
        onFocus={question.prefetch}
        onClick={() => onAsk(true)}
      >
        <span className="truncate">
          {missed === 0
            ? "Retry other channels"
            : sendable
              ? `Retry ${messages(sendable)}`
              : "Retry undelivered"}
        </span>
      </Button>
      <question.Dialog open={asking} onOpenChange={onAsk} notification={notification} progress={progress} />
    </>
  );
}
