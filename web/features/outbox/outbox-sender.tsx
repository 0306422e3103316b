import { useEffect } from "react";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { call } from "#web/api/client.ts";
import { useRefresh } from "#web/api/use-read.ts";
import {
  deliverFromHere,
  holdAfterChange,
  bothOutboxes,
  onRetrySignal,
} from "#web/features/outbox/browser.ts";
import { startSending } from "#web/features/outbox/start-sending.ts";
import { roundToast } from "#web/features/outbox/round-toast.ts";
import type { MissedRun } from "#web/domain/unsent/replaced-runs.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** The reads that a delivery makes stale. */
const changed = [
  notifications.list,
  notifications.recent,
  schedules.list,
  schedules.today,
  schedules.calendar,
  schedules.upcoming,
  schedules.attention,
];

/** What was sent in its place settles a missed run. If that fails, it stays listed for someone to dismiss. */
export async function dismissReplaced({ scheduleId: id, occurrence }: MissedRun): Promise<void> {
  await call(schedules.dismiss, { params: { id, occurrence } }).catch(() => undefined);
}

type Props = {
  userId: number;
  /** False for people who cannot write, and while a session is over. The sign-in still counts. */
  delivers: boolean;
};

/** Delivers what waits while their author is signed in. Mounted once per page, and renders nothing. */
export function OutboxSender({ userId, delivers }: Props) {
  const refresh = useRefresh();
  useEffect(() => {
    let left = false;
    let stop: (() => void) | undefined;
    const start = () =>
      startSending({
        outbox: bothOutboxes,
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
          if (round.delivered.length === 0) return;
          const replaced = round.delivered.flatMap(({ replaces }) => replaces ?? []);
          void Promise.all(replaced.map((run) => dismissReplaced(run))).then(() => refresh(...changed));
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
