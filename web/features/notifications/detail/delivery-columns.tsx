import { Link, type LinkProps } from "@tanstack/react-router";
import { Phone, Reply } from "lucide-react";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { Delivery } from "#contract/deliveries.ts";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { aboveRowLink, rowLink, type Column } from "#web/ui/data-table.tsx";
import { clock, exact, nearbyDay } from "#web/ui/format-time.ts";
import { When, useZone } from "#web/ui/when.tsx";

/** The URL that shows one delivery beside the list. */
type PersonLink = (delivery: Delivery) => Pick<LinkProps, "search">;

/**
 * With `sent`, when each was sent; if none was, that column would be empty. With `calls`, the phone numbers of people
 * who have to be called.
 */
export function deliveryColumns(
  { sent, calls }: { sent: boolean; calls: boolean },
  link: PersonLink,
): Column<Delivery>[] {
  const leaving: Column<Delivery> = {
    id: "sent",
    header: "Sent",
    // A card omits a missing time, and shows a time below what happened.
    className: "rows:w-26 cards:not-has-[time]:hidden cards:row-start-5",
    cell: ({ sentAt }) => <Moment at={sentAt} />,
  };
  return [
    {
      id: "channel",
      header: "Type",
      card: "icon",
      className: "rows:w-12",
      cell: ({ channel }) => <ChannelIcon channel={channel} />,
    },
    {
      id: "person",
      header: "Person",
      card: "title",
      className: "rows:w-1/4",
      cell: (delivery) => <PersonCell delivery={delivery} link={link} calls={calls} />,
    },
    {
      id: "reason",
      header: sent ? "What happened" : "Reason",
      card: "wide",
      cell: (delivery) => <OutcomeCell delivery={delivery} />,
    },
    ...(sent ? [leaving] : []),
  ];
}

type PersonProps = { delivery: Delivery; link: PersonLink; calls: boolean };

function PersonCell({ delivery, link, calls }: PersonProps) {
  return (
    <>
      <Link to="." resetScroll={false} {...rowLink} {...link(delivery)} data-delivery={delivery.id}>
        <bdi className="break-words">{delivery.name}</bdi>
      </Link>
      {delivery.propertyUnit && (
        <span className="block break-words text-ink-3">
          <bdi>{delivery.propertyUnit}</bdi>
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

function OutcomeCell({ delivery }: { delivery: Delivery }) {
  const { group } = deliveryStatusMeaning[delivery.status];
  const { deliveredAt, lastTryAt, nextTryAt } = delivery;
  return (
    <span className="flex flex-col items-start gap-1 py-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <DeliveryBadge status={delivery.status} />
        {delivery.simulated && <Simulated bare />}
        {deliveredAt && <When at={deliveredAt} className="text-ink-2" />}
      </span>
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
      {delivery.reply !== null && (
        <span className="line-clamp-3 break-words">
          <Reply aria-hidden className="mr-1 inline size-3.5" />
          Replied: “<bdi>{delivery.reply}</bdi>”
        </span>
      )}
    </span>
  );
}

/** Day above time, to leave room for what happened; on a card in one line. */
function Moment({ at }: { at: string | null }) {
  const zone = useZone();
  if (!at) {
    return (
      <>
        <span aria-hidden className="text-ink-3">
          –
        </span>
        <span className="sr-only">never</span>
      </>
    );
  }
  return (
    <time dateTime={at} title={exact(at, { zone })} className="whitespace-nowrap">
      <span className="rows:block">{nearbyDay(at, { zone })}</span>
      <span className="rows:hidden">, </span>
      <span className="rows:block rows:text-ink-3">{clock(at, { zone })}</span>
    </time>
  );
}
