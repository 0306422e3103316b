import { useEffect } from "react";
import { notifications } from "#contract/notifications.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { deliverFromHere, holdAfterChange, onRetrySignal, outbox } from "#web/features/outbox/browser.ts";
import { startSending } from "#web/features/outbox/start-sending.ts";
import { roundToast } from "#web/features/outbox/round-toast.ts";
import { toast } from "#web/ui/toast-store.ts";

type Props = {
  userId: number;
  /** False for people who cannot write notifications, and while a session is over. The sign-in still counts. */
  delivers: boolean;
};

/** Delivers waiting notifications while their author is signed in. Mounted once per page, and renders nothing. */
export function OutboxSender({ userId, delivers }: Props) {
  const refresh = useRefresh();
  useEffect(() => {
    let left = false;
    let stop: (() => void) | undefined;
    const start = () =>
      startSending({
        outbox,
        userId,
        round: () => deliverFromHere(userId),
        onRetrySignal,
        after(milliseconds, work) {
          const timer = setTimeout(work, milliseconds);
          return () => clearTimeout(timer);
        },
        random: Math.random,
        onRound(round) {
          const words = roundToast(round);
          if (words) toast(words);
          if (round.delivered.length > 0) void refresh(notifications.list, notifications.recent);
        },
      });
    void holdAfterChange(userId).then(() => {
      if (delivers && !left) stop = start();
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [userId, delivers, refresh]);
  return null;
}
