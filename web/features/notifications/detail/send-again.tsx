import { RotateCw } from "lucide-react";
import { useState } from "react";
import { deliveries } from "#contract/deliveries.ts";
import type { CanGoAgain } from "#contract/deliveries.ts";
import { notifications } from "#contract/notifications.ts";
import type { NotificationDetail } from "#contract/notifications.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import {
  countOf,
  groupCounts,
  isRunning,
  messages,
  messagesOn,
  onSeveralChannels,
} from "#web/features/notifications/progress.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Confirm } from "#web/ui/confirm.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast-store.ts";

const REASONS = 4;

type Props = { notification: NotificationDetail; progress: RunProgress };

/** Another try for those who were not reached, and on request for those nobody knows about. */
export function SendAgain({ notification, progress }: Props) {
  const [asking, setAsking] = useState(false);
  const [withUnconfirmed, setWithUnconfirmed] = useState(false);
  const { list, recent, detail, sendAgain } = notifications;
  const write = useWrite(sendAgain, {
    refreshes: [list, recent, detail, deliveries.list, deliveries.timeline],
  });
  const found = useRead(
    deliveries.canGoAgain,
    { params: { id: notification.id }, query: { unconfirmed: withUnconfirmed } },
    { enabled: asking },
  );
  const unconfirmed = countOf(progress, "unconfirmed");
  const waitingUnconfirmed = progress.counts.uncertain;
  const missed =
    groupCounts(progress).unreached -
    (unconfirmed - waitingUnconfirmed) -
    countFinal(progress) +
    countLeftSharers(progress);
  if (progress.state === "cancelled") {
    return <p className="text-sm text-ink-2">Cancelled: copy it into a new one to send it after all.</p>;
  }
  if (isRunning(progress) || missed + unconfirmed === 0) return null;

  const close = () => {
    setAsking(false);
    setWithUnconfirmed(false);
  };
  const open = () => {
    // Addresses and preferences may have changed since the question was last asked.
    if (found.data) void found.refetch();
    setAsking(true);
  };
  const asked = missed + (withUnconfirmed ? unconfirmed : 0);
  const canGo = found.data?.messages;
  // Not while the unconfirmed are still a choice.
  const nothing = canGo === 0 && (withUnconfirmed || unconfirmed === 0);
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
      <Button className="max-w-full" icon={<RotateCw aria-hidden />} onClick={open}>
        <span className="truncate">{buttonWords(progress, missed, unconfirmed)}</span>
      </Button>
      <Confirm
        open={asking}
        onOpenChange={(next) => (next ? setAsking(true) : close())}
        title={
          nothing ? (
            <>
              “<bdi>{notification.title}</bdi>” cannot go again
            </>
          ) : (
            <>
              Send “<bdi>{notification.title}</bdi>” again?
            </>
          )
        }
        description={
          <div className="flex flex-col gap-4">
            {asked > 0 && (
              <div className="flex min-h-24 flex-col gap-2">
                {found.isPending && <Skeleton className="h-5 w-3/4" />}
                {found.error && <p>How many can go now cannot be told: {found.error.message}</p>}
                {found.data && <CanGo found={found.data} />}
              </div>
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
        confirmLabel={nothing ? null : confirmWords(canGo)}
        confirmable={asked > 0 && !found.isPending && canGo !== 0}
        cancelLabel={nothing ? "Close" : "Cancel"}
        busy={write.isPending}
        onConfirm={() => void onConfirm()}
      />
    </>
  );
}

/**
 * On a single channel a message is a person, unless some share an address; on several one can be missed by somebody
 * who got another.
 */
function buttonWords(progress: RunProgress, missed: number, unconfirmed: number): string {
  if (missed === 0) return `Send again to the unconfirmed (${unconfirmed.toLocaleString("en-US")})`;
  if (onSeveralChannels(progress) || countOf(progress, "same-address") > 0)
    return `Send again what did not arrive (${missed.toLocaleString("en-US")})`;
  return `Send again to those not reached (${missed.toLocaleString("en-US")})`;
}

/** Who wants nothing on that channel, and who is gone: no further try is for them. */
function countFinal(progress: RunProgress): number {
  return countOf(progress, "opted-out") + countOf(progress, "person-removed");
}

/**
 * Who shares an address with somebody for whom no try is left may have got nothing either. The counters do not tell,
 * the server does when it is asked.
 */
function countLeftSharers(progress: RunProgress): number {
  return countFinal(progress) > 0 ? countOf(progress, "same-address") : 0;
}

function confirmWords(canGo: number | undefined): string {
  return canGo ? `Try ${messages(canGo)} again` : "Try again";
}

/** How many of them can go with the addresses and preferences of now, and what stands in the way of the others. */
function CanGo({ found }: { found: CanGoAgain }) {
  const asked = found.blocked.reduce((sum, { count }) => sum + count, found.messages);
  const shown = found.blocked.slice(0, REASONS);
  const more = found.blocked.slice(REASONS).reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p>
        <strong className="font-semibold text-ink">
          {found.messages.toLocaleString("en-US")} of {messages(asked)}
        </strong>{" "}
        that did not arrive can go now, with the addresses and preferences that people have at this moment.
      </p>
      {shown.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {shown.map(({ channel, reason, count, sentence }) => (
            <li key={`${channel} ${reason}`}>{`${messagesOn(channel, count)}: ${sentence}`}</li>
          ))}
          {more > 0 && <li>{messages(more)} for other reasons</li>}
        </ul>
      )}
    </>
  );
}
