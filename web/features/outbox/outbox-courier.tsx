import { useEffect } from "react";
import { notifications } from "#contract/notifications.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { deliverFromHere, onRetrySignal, outbox } from "#web/features/outbox/browser.ts";
import { startCourier } from "#web/features/outbox/courier.ts";
import { roundToast } from "#web/features/outbox/round-toast.ts";
import { toast } from "#web/ui/toast-store.ts";

/** Delivers what waits in this browser for as long as its author is signed in. Mounted once a page; shows nothing. */
export function OutboxCourier({ userId }: { userId: number }) {
  const refresh = useRefresh();
  useEffect(
    () =>
      startCourier({
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
      }),
    [userId, refresh],
  );
  return null;
}
