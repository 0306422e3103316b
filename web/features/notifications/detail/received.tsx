import { channelMeaning, deliveryStatusMeaning } from "#contract/delivery.ts";
import { deliveries, type Delivery } from "#contract/calls/deliveries.ts";
import { useRead } from "#web/api/use-read.ts";
import { wasSent } from "#web/features/notifications/detail/recipients.ts";
import { ReceivedMessage } from "#web/domain/received-message.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

/** The message as this person has it, or that nothing was sent to them on this channel. */
export function Received({ delivery }: { delivery: Delivery }) {
  const went = wasSent(delivery);
  const { data, isPending, error } = useRead(
    deliveries.message,
    { params: { id: delivery.id } },
    { enabled: went },
  );
  if (!went) {
    const yet = deliveryStatusMeaning[delivery.status].group === "waiting" ? " yet" : "";
    return (
      <p className="text-sm text-ink-2">{`Nothing was sent by ${channelMeaning[delivery.channel].spoken}${yet}.`}</p>
    );
  }
  return (
    <section aria-label="The message" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">
        {delivery.sentAt === null ? "The message we tried to send" : "The message as received"}
      </h3>
      {isPending && <Skeleton className="h-64 rounded-lg" />}
      {error && <p className="text-sm text-bad">We can't show the message: {error.message}</p>}
      {data && <ReceivedMessage message={data} />}
    </section>
  );
}
