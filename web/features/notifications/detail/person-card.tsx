import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { deliveries, type Delivery } from "#contract/calls/deliveries.ts";
import { channels, deliveryStatusMeaning, type Channel } from "#contract/delivery.ts";
import { useRead } from "#web/api/use-read.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { shownAddress } from "#web/domain/phone-number.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { deliveryLook } from "#web/features/notifications/detail/delivery-badge.tsx";
import {
  changed,
  deliveryFilter,
  type DetailSearch,
} from "#web/features/notifications/detail/delivery-query.ts";
import { PersonDetails } from "#web/features/notifications/detail/person-details.tsx";
import { Received } from "#web/features/notifications/detail/received.tsx";
import {
  isReached,
  leadOf,
  type Recipient,
  useRecipients,
  wasSent,
} from "#web/features/notifications/detail/recipients.ts";
import { ROWS_PER_PAGE } from "#web/features/notifications/list-query.ts";
import { useMedia } from "#web/ui/browser/use-media.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { toneText } from "#web/ui/feedback/badge.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { When } from "#web/ui/time/when.tsx";

/** From this width there is room beside the list; below it a chosen person opens as a sheet. */
const ROOM_BESIDE = "(min-width: 80rem)";

type Props = {
  notificationId: number;
  search: DetailSearch;
  onSearch: (search: DetailSearch, options: { replace: boolean }) => void;
  /** The notification that a message to the person starts as a copy of. */
  copy: number | undefined;
};

/** Who is shown before anyone is chosen: the first person that has a message, or one that a step led to. */
type Start = "first message" | "first" | "last";

/**
 * The message as one person got it, with a tab for each channel and steps from person to person. For someone who was
 * chosen in the list, also what happened.
 */
export function PersonCard({ notificationId, search, onSearch, copy }: Props) {
  const beside = useMedia(ROOM_BESIDE);
  const list = useRecipients(notificationId, search);
  const [start, setStart] = useState<Start>("first message");
  const { page } = deliveryFilter(search);
  const rows = list.data?.rows ?? [];
  const total = list.data?.total ?? 0;
  const chosen = search.delivery;
  const read = useRead(
    deliveries.timeline,
    { params: { id: chosen ?? 0 } },
    { enabled: chosen !== undefined },
  );
  const person =
    chosen === undefined ? startOf(rows, start) : (found(rows, chosen) ?? everyChannel(read.data));
  const delivery = person && (person.find(({ id }) => id === chosen) ?? leadOf(person, undefined));
  const show = (id: number) => onSearch(changed(search, { page, delivery: id }), { replace: true });
  const close = () => {
    onSearch(changed(search, { page, delivery: undefined }), { replace: true });
    // The row it was opened from; gone if the list shows others by now.
    document.querySelector<HTMLElement>(`[data-delivery="${chosen}"]`)?.focus();
  };
  useEscape(close, beside && chosen !== undefined);

  const place = person ? rows.findIndex(([{ userId }]) => userId === person[0].userId) : -1;
  const step = (by: -1 | 1) => {
    const next = rows[place + by];
    if (next) return () => show(leadOf(next, delivery?.channel).id);
    const more = by < 0 ? page > 1 : page * ROWS_PER_PAGE < total;
    // In a sheet, leaving the page of the list would close it.
    if (!beside || !more || place < 0) return undefined;
    return () => {
      setStart(by < 0 ? "last" : "first");
      onSearch(changed(search, { page: page + by, delivery: undefined }), { replace: true });
    };
  };
  const tabs = person && delivery && person.length > 1 && (
    <Segmented
      label="Channel"
      segments={person.map(({ channel }) => ({ value: channel, label: <ChannelTab channel={channel} /> }))}
      value={delivery.channel}
      onChange={(channel) => show(leadOf(person, channel).id)}
      className="max-xl:w-full"
    />
  );
  const steps = (name: ReactNode) => (
    <Stepper before={step(-1)} after={step(1)}>
      {name}
    </Stepper>
  );
  const body = (
    <ReadStates
      read={read}
      failed="Error loading the history"
      missing={<EmptyState title="This recipient doesn't exist" hint="Choose a person from the list." />}
      skeleton={<PersonSkeleton />}
    >
      {(data) => <PersonDetails {...data} copy={copy} />}
    </ReadStates>
  );

  if (!beside && chosen !== undefined) {
    return (
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) close();
        }}
        title={delivery?.name ?? "Recipient"}
        description={delivery && <Place delivery={delivery} />}
        above={tabs}
      >
        <div className="flex flex-col gap-4">
          {delivery && steps(<Outcome delivery={delivery} />)}
          {body}
        </div>
      </Dialog>
    );
  }
  // No one is listed: there is nothing to show.
  if (chosen === undefined && !delivery) return null;
  return (
    <Card aria-labelledby="person" className="flex flex-col">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-2 py-2 pr-2 pl-4">
        <h2 className="text-base font-semibold">Message</h2>
        <span className="flex items-center gap-1">
          {tabs}
          {chosen !== undefined && (
            <button
              type="button"
              aria-label="Close"
              onClick={close}
              className={buttonClass({ variant: "ghost", size: "icon" })}
            >
              <X aria-hidden />
            </button>
          )}
        </span>
      </div>
      <div className="border-y border-line px-1 py-1.5">
        {steps(
          <>
            <h3 id="person" aria-live="polite" className="font-semibold break-words">
              <bdi translate="no">{delivery?.name ?? "Recipient"}</bdi>
            </h3>
            {delivery && (
              <p className="text-xs break-words text-ink-3">
                <Place delivery={delivery} />
              </p>
            )}
            {delivery && <Outcome delivery={delivery} />}
          </>,
        )}
      </div>
      <div className="p-4">{chosen === undefined ? delivery && <Received delivery={delivery} /> : body}</div>
    </Card>
  );
}

function startOf(rows: readonly Recipient[], start: Start): Recipient | undefined {
  if (start === "last") return rows.at(-1);
  if (start === "first") return rows[0];
  const really = rows.find((one) => one.some((delivery) => isReached(delivery) && !delivery.simulated));
  return really ?? rows.find((one) => one.some(wasSent)) ?? rows[0];
}

const found = (rows: readonly Recipient[], id: number) =>
  rows.find((recipient) => recipient.some((delivery) => delivery.id === id));

/** Someone whom the list doesn't show. */
function everyChannel(data: { delivery: Delivery; otherChannels: Delivery[] } | undefined) {
  if (!data) return undefined;
  const all = [data.delivery, ...data.otherChannels];
  return all.sort(
    (a, b) => channels.indexOf(a.channel) - channels.indexOf(b.channel),
  ) as unknown as Recipient;
}

function ChannelTab({ channel }: { channel: Channel }) {
  const { Icon, label } = channelLook[channel];
  return (
    <span className="flex items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {label}
    </span>
  );
}

type StepperProps = {
  before: (() => void) | undefined;
  after: (() => void) | undefined;
  children: ReactNode;
};

function Stepper({ before, after, children }: StepperProps) {
  return (
    <div className="flex items-center gap-1">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Previous person"
        icon={<ChevronLeft aria-hidden />}
        disabled={!before}
        onClick={before}
      />
      <div className="min-w-0 flex-1 text-center text-sm">{children}</div>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Next person"
        icon={<ChevronRight aria-hidden />}
        disabled={!after}
        onClick={after}
      />
    </div>
  );
}

function Place({ delivery: { channel, address, propertyUnit } }: { delivery: Delivery }) {
  const shown = shownAddress(channel, address);
  return (
    <>
      {channelLook[channel].label}
      {shown && ` · ${shown}`}
      {propertyUnit && (
        <>
          {" · "}
          <bdi translate="no">{propertyUnit}</bdi>
        </>
      )}
    </>
  );
}

/** "Delivered today at 10:32 AM", or why not. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const { word, tone, Icon } = deliveryLook(delivery);
  const at = delivery.deliveredAt ?? delivery.sentAt;
  return (
    <p className={`flex items-center justify-center gap-1.5 ${toneText[tone]}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>
        {word}
        {isReached(delivery) && at !== null && (
          <>
            {" "}
            <When at={at} as="sentence" />
            {deliveryStatusMeaning[delivery.status].label === "Sent" && ", no receipt yet"}
          </>
        )}
      </span>
      {delivery.simulated && <Simulated bare />}
    </p>
  );
}

/** Closes what is beside the list. Dialogs over the page, and a field that handles Escape, come first. */
function useEscape(onEscape: () => void, enabled: boolean) {
  const close = useEffectEvent(onEscape);
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
      if (!document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) close();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [enabled]);
}

function PersonSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4">
      <Skeleton className="h-64 rounded-lg" />
      {[0, 1, 2].map((line) => (
        <div key={line} className="flex gap-3">
          <Skeleton className="size-3 rounded-full" />
          <Skeleton className="h-9 flex-1" />
        </div>
      ))}
    </div>
  );
}
