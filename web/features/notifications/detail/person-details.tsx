import { Link } from "@tanstack/react-router";
import { Phone, UserRound } from "lucide-react";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { Delivery, TimelineEvent } from "#contract/calls/deliveries.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { WriteLink } from "#web/domain/write-link.tsx";
import { Received } from "#web/features/notifications/detail/received.tsx";
import { wasSent } from "#web/features/notifications/detail/recipients.ts";
import { Timeline } from "#web/features/notifications/detail/timeline.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";

type Props = {
  delivery: Delivery;
  events: readonly TimelineEvent[];
  /** The notification that a message to the person starts as a copy of. */
  copy: number | undefined;
};

/** The message as this person got it, what happened to it, and what to do. Where nothing was sent, the reason comes first. */
export function PersonDetails({ delivery, events, copy }: Props) {
  const history = (
    <section aria-label="History" className="flex flex-col gap-3">
      <Timeline events={events} />
      {delivery.next && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <strong className="font-semibold">What to do:</strong> {delivery.next}
        </p>
      )}
    </section>
  );
  const lost = deliveryStatusMeaning[delivery.status].group !== "reached";
  return (
    <div className="flex flex-col gap-4">
      {lost && history}
      {lost && wasSent(delivery) && <Ways delivery={delivery} copy={copy} />}
      <Received delivery={delivery} />
      {!lost && history}
      {!(lost && wasSent(delivery)) && <Ways delivery={delivery} copy={copy} />}
    </div>
  );
}

/** From what happened to the person it happened to. */
function Ways({ delivery, copy }: Pick<Props, "delivery" | "copy">) {
  return (
    <div className="flex flex-wrap gap-2 *:max-w-full print:hidden">
      {delivery.phone && deliveryStatusMeaning[delivery.status].group === "unreached" && (
        <a href={`tel:${delivery.phone}`} className={buttonClass({ size: "sm" })}>
          <Phone aria-hidden />
          Call {nationalPhone(delivery.phone)}
        </a>
      )}
      <Link to="/users" search={{ person: delivery.userId }} className={buttonClass({ size: "sm" })}>
        <UserRound aria-hidden />
        <span className="min-w-0 truncate">
          Open <bdi translate="no">{delivery.name}</bdi>
        </span>
      </Link>
      <WriteLink write={`user:${delivery.userId}`} copy={copy} className={buttonClass({ size: "sm" })}>
        Write to this person
      </WriteLink>
    </div>
  );
}
