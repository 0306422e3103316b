import { Link, type LinkProps } from "@tanstack/react-router";
import { Phone, Reply, RotateCw } from "lucide-react";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { type Channel, deliveryStatusMeaning } from "#contract/delivery.ts";
import { noneOnFile, type Reason, sharesMessage } from "#contract/delivery-reasons.ts";
import { DeliveryBadge, deliveryLook } from "#web/features/notifications/detail/delivery-badge.tsx";
import { isReached, wasReached, type Recipient } from "#web/features/notifications/detail/recipients.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { toneText } from "#web/ui/feedback/badge.tsx";
import { Tooltip } from "#web/ui/feedback/tooltip.tsx";
import { aboveRowLink, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { nearbyInSentence } from "#web/ui/time/format-time.ts";
import { useZone, When } from "#web/ui/time/when.tsx";

type Options = {
  /** A column each. */
  channels: readonly Channel[];
  /** Those of them that go to the Sandbox. */
  simulated: readonly Channel[];
  /** Shows the phone numbers of people who have to be called. */
  calls: boolean;
  /** Undefined: nothing can be retried yet, or anymore. */
  onRetry: (() => void) | undefined;
  /** The URL that shows one message beside the list. */
  link: (delivery: Delivery) => Pick<LinkProps, "search">;
  /** The one of a person's messages that their row leads to. */
  lead: (recipient: Recipient) => Delivery;
};

/** A line for each person: a status for each channel, and the reason where something is missing. */
export function recipientColumns({ channels, simulated, calls, onRetry, link, lead }: Options) {
  const [only] = channels.length === 1 ? channels : [];
  const columns: Column<Recipient>[] = [
    {
      id: "person",
      header: "Person",
      card: "title",
      className: "rows:w-[38%]",
      cell: (recipient) => <PersonCell delivery={lead(recipient)} link={link} />,
    },
    ...channels.map((channel): Column<Recipient> => {
      const find = (recipient: Recipient) => recipient.find((delivery) => delivery.channel === channel);
      return only === undefined
        ? {
            id: channel,
            header: channelLook[channel].label,
            mark: simulated.includes(channel) && <Simulated bare />,
            card: "beside",
            className: `${simulated.includes(channel) ? "rows:w-21" : "rows:w-14"} rows:px-1! text-center`,
            cell: (recipient) => <StatusIcon delivery={find(recipient)} link={link} />,
          }
        : {
            id: channel,
            header: "Status",
            card: "beside",
            className: "rows:w-32",
            cell: (recipient) => {
              const delivery = find(recipient);
              return delivery && <DeliveryBadge {...delivery} />;
            },
          };
    }),
    {
      id: "reason",
      header: only === undefined ? "Reason" : "What happened",
      card: "wide",
      cell: (recipient) => (
        <ReasonCell recipient={recipient} calls={calls} onRetry={onRetry} times={only !== undefined} />
      ),
    },
  ];
  return columns;
}

function PersonCell({ delivery, link }: Pick<Options, "link"> & { delivery: Delivery }) {
  return (
    <>
      <Link to="." resetScroll={false} {...rowLink} {...link(delivery)} data-delivery={delivery.id}>
        <bdi translate="no" className="block truncate leading-5">
          {delivery.name}
        </bdi>
      </Link>
      {delivery.propertyUnit && (
        <bdi translate="no" className="block truncate text-xs leading-4 text-ink-3">
          {delivery.propertyUnit}
        </bdi>
      )}
    </>
  );
}

/** "Push delivered today at 10:32 AM", "Email: The mailbox is full." */
function tell(delivery: Delivery, zone: string | undefined): string {
  const { channel, status, sentence, simulated } = delivery;
  const label = channelLook[channel].label;
  const at = delivery.deliveredAt ?? delivery.sentAt;
  const mark = simulated ? " (simulated)" : "";
  if (!isReached(delivery) || at === null) return `${label}: ${sentence}`;
  const when = nearbyInSentence(at, { zone });
  if (status === "delivered") return `${label} delivered ${when}${mark}`;
  return `${label} sent ${when}, no receipt yet${mark}`;
}

function StatusIcon({ delivery, link }: Pick<Options, "link"> & { delivery: Delivery | undefined }) {
  const zone = useZone();
  if (!delivery) return null;
  const { tone, Icon } = deliveryLook(delivery);
  const told = tell(delivery, zone);
  return (
    <Tooltip content={told} side="right">
      <Link
        to="."
        resetScroll={false}
        {...link(delivery)}
        aria-label={told}
        data-delivery={delivery.id}
        className={`${aboveRowLink} inline-grid size-9 place-items-center rounded-md hover:bg-sunk touch:size-11 ${toneText[tone]}`}
      >
        <Icon aria-hidden className="size-4.5" />
      </Link>
    </Tooltip>
  );
}

type ReasonProps = Pick<Options, "calls" | "onRetry"> & {
  recipient: Recipient;
  /** Says when a message arrived or went out, where nothing else does. */
  times: boolean;
};

function ReasonCell({ recipient, calls, onRetry, times }: ReasonProps) {
  const reached = wasReached(recipient);
  const [first] = recipient;
  const reply = recipient.find((delivery) => delivery.reply !== null)?.reply;
  const text = reasonText(recipient.filter((one) => hasReason(one, reached)));
  const next = recipient.find(({ nextTryAt }) => nextTryAt !== null)?.nextTryAt;
  const at = times && reached ? (first.deliveredAt ?? first.sentAt) : null;
  const call = calls ? first.phone : null;
  // A retry passes over people who were reached on another channel, unless they are included.
  const retry = !reached && recipient.some(({ addressAdded }) => addressAdded) ? onRetry : undefined;
  if (text === "" && reply === undefined && at === null && call === null) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 rows:flex-nowrap">
      <span className={`min-w-0 flex-1 leading-4.5 ${reached ? "text-ink-2" : "text-ink"}`}>
        {reply !== undefined && (
          <span className="line-clamp-2 break-words">
            <Reply aria-hidden className="mr-1 inline size-3.5" />
            Replied: “<bdi translate="no">{reply}</bdi>”
          </span>
        )}
        {text !== "" && (
          <span
            title={text}
            className={`break-words ${reply === undefined ? "line-clamp-2" : "line-clamp-1"}`}
          >
            <span>{text}</span>{" "}
            {next && (
              <span>
                Next attempt: <When at={next} />
              </span>
            )}
          </span>
        )}
        {at !== null && reply === undefined && <When at={at} className="text-ink-3" />}
      </span>
      {call !== null && (
        <a
          href={`tel:${call}`}
          className={`${aboveRowLink} inline-flex items-center gap-1.5 whitespace-nowrap underline underline-offset-4 touch:min-h-11`}
        >
          <Phone aria-hidden className="size-3.5 shrink-0" />
          <span>Call {nationalPhone(call)}</span>
        </a>
      )}
      {retry && (
        <Button size="sm" className={aboveRowLink} icon={<RotateCw aria-hidden />} onClick={retry}>
          Retry
        </Button>
      )}
    </span>
  );
}

/** Where an address is missing, that push isn't turned on either says nothing new. */
function reasonText(untold: readonly Delivery[]): string {
  const missing = untold.filter(({ reason, addressAdded }) => isNoAddress(reason) && !addressAdded);
  const none = missing.length > 1 ? [noneOnFile(missing.map(({ channel }) => channel))] : [];
  const rest = untold.filter((one) =>
    none.length > 0 ? !missing.includes(one) && !isNoDevice(one.reason) : true,
  );
  return [...new Set([...none, ...rest.map(({ sentence }) => sentence)])].join(" ");
}

const isNoAddress = (reason: Reason | null) => reason === "no-email" || reason === "no-phone";
const isNoDevice = (reason: Reason | null) => reason === "no-device" || reason === "not-turned-on";

/** For people who were reached, not why they didn't get it in another way that isn't theirs. */
function hasReason({ status, reason, addressAdded }: Delivery, reached: boolean): boolean {
  if (deliveryStatusMeaning[status].group === "reached") return false;
  return !reached || status !== "skipped" || sharesMessage(reason) || addressAdded;
}
