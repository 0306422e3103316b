import { Link, type LinkProps } from "@tanstack/react-router";
import { Phone, Reply, RotateCw } from "lucide-react";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Button } from "#web/ui/page/button.tsx";
import { aboveRowLink, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { When } from "#web/ui/time/when.tsx";

/** One person of a run, with a delivery per channel. */
export type Recipient = [Delivery, ...Delivery[]];

/** The server sends each person's deliveries next to each other. */
export function byPerson(deliveries: readonly Delivery[]): Recipient[] {
  return [...Map.groupBy(deliveries, ({ userId }) => userId).values()] as Recipient[];
}

/** The URL that shows one delivery beside the list. */
type DeliveryLink = (delivery: Delivery) => Pick<LinkProps, "search">;

type Actions = {
  /** Shows the phone numbers of people who have to be called. */
  calls: boolean;
  /** Undefined: nothing can be retried yet, or anymore. */
  onRetry: (() => void) | undefined;
};

export function recipientColumns({ calls, onRetry }: Actions, link: DeliveryLink): Column<Recipient>[] {
  return [
    {
      id: "person",
      header: "Person",
      card: "title",
      className: "rows:w-56 rows:[td&]:align-top",
      cell: ([first]) => <PersonCell delivery={first} link={link} calls={calls} />,
    },
    {
      id: "outcome",
      header: "What happened",
      card: "wide",
      className: "rows:[td&]:align-top",
      cell: (deliveries) => (
        <ul className="flex flex-col gap-2.5">
          {deliveries.map((delivery) => (
            <OutcomeLine
              key={delivery.id}
              delivery={delivery}
              link={deliveries.length > 1 ? link : undefined}
              // A retry passes over people who were reached on another channel, unless they are included.
              onRetry={deliveries.some(isReached) ? undefined : onRetry}
            />
          ))}
        </ul>
      ),
    },
  ];
}

const isReached = ({ status }: Delivery) => deliveryStatusMeaning[status].group === "reached";

type PersonProps = { delivery: Delivery; link: DeliveryLink; calls: boolean };

function PersonCell({ delivery, link, calls }: PersonProps) {
  return (
    <>
      <Link to="." resetScroll={false} {...rowLink} {...link(delivery)} data-delivery={delivery.id}>
        <bdi translate="no" className="break-words">
          {delivery.name}
        </bdi>
      </Link>
      {delivery.propertyUnit && (
        <span className="block break-words text-ink-3">
          <bdi translate="no">{delivery.propertyUnit}</bdi>
        </span>
      )}
      {calls && delivery.phone && (
        <a
          href={`tel:${delivery.phone}`}
          className={`${aboveRowLink} inline-flex items-center gap-1.5 underline underline-offset-4 touch:min-h-11`}
        >
          <Phone aria-hidden className="size-3.5 shrink-0" />
          <span>
            Call <span className="whitespace-nowrap">{nationalPhone(delivery.phone)}</span>
          </span>
        </a>
      )}
    </>
  );
}

type LineProps = {
  delivery: Delivery;
  /** Only where there are several: the row leads to the first. */
  link: DeliveryLink | undefined;
  onRetry: (() => void) | undefined;
};

/** What happened on one channel. */
function OutcomeLine({ delivery, link, onRetry }: LineProps) {
  const { group } = deliveryStatusMeaning[delivery.status];
  const { sentAt, deliveredAt, lastTryAt, nextTryAt } = delivery;
  const status = (
    <>
      <ChannelIcon channel={delivery.channel} className="size-6.5!" />
      <DeliveryBadge status={delivery.status} />
    </>
  );
  // A message that was delivered has both times, each where it belongs.
  const at = deliveredAt ?? (group === "reached" ? sentAt : null);
  return (
    <li className={link && `${aboveRowLink} touch:min-h-11`}>
      <span className="flex flex-wrap items-center gap-x-2">
        {link ? (
          <Link
            to="."
            resetScroll={false}
            {...link(delivery)}
            data-delivery={delivery.id}
            className="inline-flex items-center gap-x-2 rounded-sm after:absolute after:inset-0"
          >
            {status}
          </Link>
        ) : (
          status
        )}
        {delivery.simulated && <Simulated bare />}
        {at && <When at={at} className="text-ink-2" />}
      </span>
      <span className="flex flex-col gap-1 pt-1 pl-8.5 empty:hidden">
        {deliveredAt && sentAt && (
          <span className="text-ink-3">
            Sent: <When at={sentAt} />
          </span>
        )}
        {group !== "reached" && <span className="break-words text-ink-2">{delivery.sentence}</span>}
        {group !== "reached" && (lastTryAt || nextTryAt) && (
          <span className="text-ink-3">
            {lastTryAt && (
              <>
                Last attempt: <When at={lastTryAt} />
              </>
            )}
            {lastTryAt && nextTryAt && " · "}
            {nextTryAt && (
              <>
                Next attempt: <When at={nextTryAt} />
              </>
            )}
          </span>
        )}
        {delivery.addressAdded && onRetry && (
          <Button
            size="sm"
            className={`${aboveRowLink} my-1 w-fit`}
            icon={<RotateCw aria-hidden />}
            onClick={onRetry}
          >
            Retry
          </Button>
        )}
        {delivery.reply !== null && (
          <span className="line-clamp-3 break-words">
            <Reply aria-hidden className="mr-1 inline size-3.5" />
            Replied: “<bdi translate="no">{delivery.reply}</bdi>”
          </span>
        )}
      </span>
    </li>
  );
}
