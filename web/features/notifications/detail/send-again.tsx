import { RotateCw } from "lucide-react";
import { useState } from "react";
import { deliveries } from "#contract/deliveries.ts";
import { notifications } from "#contract/notifications.ts";
import type { NotificationDetail } from "#contract/notifications.ts";
import type { RunProgress } from "#contract/delivery.ts";
import { useWrite } from "#web/api/use-write.ts";
import { groupCounts, messages } from "#web/features/notifications/progress.ts";
import { countOf, isRunning } from "#web/features/notifications/progress.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Confirm } from "#web/ui/confirm.tsx";
import { toast } from "#web/ui/toast-store.ts";

type Props = { notification: NotificationDetail; progress: RunProgress };

/** Another try for those who were not reached, and on request for those nobody knows about. */
export function SendAgain({ notification, progress }: Props) {
  const [asking, setAsking] = useState(false);
  const [withUnconfirmed, setWithUnconfirmed] = useState(false);
  const { list, recent, detail, sendAgain } = notifications;
  const write = useWrite(sendAgain, {
    refreshes: [list, recent, detail, deliveries.list, deliveries.timeline],
  });
  const unconfirmed = countOf(progress, "unconfirmed");
  const waitingUnconfirmed = progress.counts.uncertain;
  const missed = groupCounts(progress).unreached - (unconfirmed - waitingUnconfirmed);
  if (isRunning(progress) || progress.state === "cancelled" || missed + unconfirmed === 0) return null;

  const close = () => {
    setAsking(false);
    setWithUnconfirmed(false);
  };
  const count = missed + (withUnconfirmed ? unconfirmed : 0);
  const onConfirm = async () => {
    try {
      const { requeued, stillUnreachable } = await write.mutateAsync({
        params: { id: notification.id },
        body: { unconfirmed: withUnconfirmed },
      });
      const still =
        stillUnreachable > 0
          ? `${messages(stillUnreachable)} still cannot go; the list says why.`
          : "Nobody is left out.";
      toast(
        requeued > 0
          ? { title: `Sending ${messages(requeued)} again`, description: still }
          : { title: "Nothing to send again", description: still },
      );
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      toast({ variant: "destructive", title: "Failed to send again", description: why });
    } finally {
      close();
    }
  };
  return (
    <>
      <Button className="max-w-full" icon={<RotateCw aria-hidden />} onClick={() => setAsking(true)}>
        <span className="truncate">
          {missed > 0
            ? `Send again to those not reached (${missed.toLocaleString("en-US")})`
            : `Send again to the unconfirmed (${unconfirmed.toLocaleString("en-US")})`}
        </span>
      </Button>
      <Confirm
        open={asking}
        onOpenChange={(open) => (open ? setAsking(true) : close())}
        title={`Send “${notification.title}” again?`}
        description={
          <div className="flex flex-col gap-4">
            {missed > 0 && (
              <p>
                <strong className="font-semibold text-ink">{messages(missed)}</strong> did not reach anybody.
                Each is tried again with the address and the preferences that the person has now. Whoever
                still cannot be reached stays in the list with the reason.
              </p>
            )}
            {unconfirmed > 0 && (
              <Checkbox
                checked={withUnconfirmed}
                onChange={(event) => setWithUnconfirmed(event.target.checked)}
                label={`Also ${messages(unconfirmed)} that ${unconfirmed === 1 ? "is" : "are"} unconfirmed`}
                hint="The provider never answered, so they may have arrived: these people may get it twice."
              />
            )}
          </div>
        }
        confirmLabel={count > 0 ? `Try ${messages(count)} again` : "Try again"}
        busy={write.isPending}
        onConfirm={() => {
          if (count > 0) void onConfirm();
          else close();
        }}
      />
    </>
  );
}
