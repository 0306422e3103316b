import type { LinkProps } from "@tanstack/react-router";
import { Link } from "@tanstack/react-router";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { Delivery } from "#contract/deliveries.ts";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { Simulated } from "#web/features/notifications/simulated.tsx";
import { ChannelIcon } from "#web/ui/channel.tsx";
import type { Column } from "#web/ui/data-table.tsx";
import { rowLink } from "#web/ui/data-table.tsx";
import { exact, nearby } from "#web/ui/moments.ts";
import { When, useZone } from "#web/ui/when.tsx";

/** The address that shows one delivery beside the list. */
export type PersonLink = (delivery: Delivery) => Pick<LinkProps, "search">;

// A card leaves out a time that there is none of, and shows the others below what happened.
const timeClass = "rows:w-26 cards:not-has-[time]:hidden";
const FIRST = `${timeClass} cards:row-start-5`;
const SECOND = `${timeClass} cards:row-start-6`;

/** Where something is still open or went wrong the tries count; where it arrived, the two times of it. */
export function deliveryColumns(kind: "tries" | "times", link: PersonLink): Column<Delivery>[] {
  const when: Column<Delivery>[] =
    kind === "tries"
      ? [
          {
            id: "last",
            header: "Last try",
            className: FIRST,
            cell: ({ lastTryAt }) => <Moment at={lastTryAt} />,
          },
          {
            id: "next",
            header: "Next try",
            className: SECOND,
            cell: ({ nextTryAt }) => <Moment at={nextTryAt} />,
          },
        ]
      : [
          { id: "sent", header: "Sent", className: FIRST, cell: ({ sentAt }) => <Moment at={sentAt} /> },
          {
            id: "delivered",
            header: "Delivered",
            className: SECOND,
            cell: ({ deliveredAt }) => <Moment at={deliveredAt} />,
          },
        ];
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
      cell: (delivery) => <PersonCell delivery={delivery} link={link} />,
    },
    {
      id: "reason",
      header: kind === "tries" ? "Reason" : "What happened",
      card: "wide",
      cell: (delivery) => <ReasonCell delivery={delivery} tries={kind === "times"} />,
    },
    ...when,
  ];
}

function PersonCell({ delivery, link }: { delivery: Delivery; link: PersonLink }) {
  return (
    <>
      <Link to="." resetScroll={false} {...rowLink} {...link(delivery)} data-delivery={delivery.id}>
        <bdi>{delivery.name}</bdi>
      </Link>
      {delivery.propertyUnit && (
        <span className="block break-words text-ink-3">
          <bdi>{delivery.propertyUnit}</bdi>
        </span>
      )}
    </>
  );
}

type ReasonProps = {
  delivery: Delivery;
  /** The tries have no columns of their own. */
  tries: boolean;
};

function ReasonCell({ delivery, tries }: ReasonProps) {
  const { group } = deliveryStatusMeaning[delivery.status];
  const { lastTryAt, nextTryAt } = delivery;
  return (
    <span className="flex flex-col items-start gap-1 py-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <DeliveryBadge status={delivery.status} />
        {delivery.simulated && <Simulated bare />}
      </span>
      {group !== "reached" && <span className="break-words text-ink-2">{delivery.sentence}</span>}
      {tries && group !== "reached" && (lastTryAt || nextTryAt) && (
        <span className="text-ink-3">
          {lastTryAt && (
            <>
              Last try: <When at={lastTryAt} />
            </>
          )}
          {lastTryAt && nextTryAt && " · "}
          {nextTryAt && (
            <>
              Next try: <When at={nextTryAt} />
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** Day above clock, so that two of them fit beside each other; on a card in one line. */
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
  const [day, clock] = nearby(at, { zone }).split(", ");
  return (
    <time dateTime={at} title={exact(at, { zone })} className="whitespace-nowrap">
      <span className="rows:block">{day}</span>
      <span className="rows:hidden">, </span>
      <span className="rows:block rows:text-ink-3">{clock}</span>
    </time>
  );
}
