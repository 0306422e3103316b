import { X } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { deliveries, type Delivery } from "#contract/calls/deliveries.ts";
import { useRead } from "#web/api/use-read.ts";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { OtherChannels, Ways } from "#web/features/notifications/detail/person-deliveries.tsx";
import { Received } from "#web/features/notifications/detail/received.tsx";
import { Timeline } from "#web/features/notifications/detail/timeline.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { channelLook } from "#web/domain/channel.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { shownAddress } from "#web/domain/phone-number.ts";
import { useMedia } from "#web/ui/browser/use-media.ts";
import { When } from "#web/ui/time/when.tsx";

/** From this width there is room beside the list; below it the panel is a sheet. */
const ROOM_BESIDE = "(min-width: 80rem)";

type Props = {
  deliveryId: number;
  /** The notification that a message to the person starts as a copy of. */
  copy: number | undefined;
  onClose: () => void;
};

/** What happened to one person's message, in sentences, and the message as received. */
export function PersonPanel({ deliveryId, copy, onClose }: Props) {
  const beside = useMedia(ROOM_BESIDE);
  const read = useRead(deliveries.timeline, { params: { id: deliveryId } });
  const title = read.data?.delivery.name ?? "Recipient";
  const close = () => {
    onClose();
    // The row it was opened from; gone if the list shows others by now.
    document.querySelector<HTMLElement>(`[data-delivery="${deliveryId}"]`)?.focus();
  };
  useEscape(close, beside);
  if (!beside) {
    return (
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) close();
        }}
        title={title}
        description={read.data && <Place delivery={read.data.delivery} />}
      >
        <PanelBody read={read} copy={copy} />
      </Dialog>
    );
  }
  return (
    <Card aria-labelledby="person" className="flex flex-col p-5">
      <div className="flex items-start gap-3 pb-4">
        <div className="min-w-0 flex-1">
          <h2 id="person" aria-live="polite" className="text-base font-semibold break-words">
            {title}
          </h2>
          {read.data && (
            <p className="text-sm break-words text-ink-2">
              <Place delivery={read.data.delivery} />
            </p>
          )}
        </div>
        <button
          type="button"
          aria-label="Close"
          onClick={close}
          className={`${buttonClass({ variant: "ghost", size: "icon" })} -mt-1.5 -mr-2`}
        >
          <X aria-hidden />
        </button>
      </div>
      <PanelBody read={read} copy={copy} />
    </Card>
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

function Place({ delivery }: { delivery: Delivery }) {
  const address = shownAddress(delivery.channel, delivery.address);
  return (
    <>
      {channelLook[delivery.channel].label}
      {address && ` · ${address}`}
      {delivery.propertyUnit && (
        <>
          {" · "}
          <bdi translate="no">{delivery.propertyUnit}</bdi>
        </>
      )}
    </>
  );
}

type Read = ReturnType<typeof useRead<typeof deliveries.timeline>>;

function PanelBody({ read, copy }: { read: Read } & Pick<Props, "copy">) {
  return (
    <ReadStates
      read={read}
      failed="Error loading the history"
      missing={<EmptyState title="This recipient doesn't exist" hint="Choose a person from the list." />}
      skeleton={<PanelSkeleton />}
    >
      {({ delivery, events, otherChannels }) => (
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center gap-2">
            <DeliveryBadge status={delivery.status} />
            {delivery.simulated && <Simulated />}
          </div>
          <dl className="grid grid-cols-2 gap-4 rounded-md bg-sunk px-4 py-3 text-sm">
            <Fact label="Sent" at={delivery.sentAt} otherwise="Not sent" />
            <Fact
              label="Delivered"
              at={delivery.deliveredAt}
              otherwise={delivery.sentAt ? "No receipt" : "Not delivered"}
            />
          </dl>
          <Timeline events={events} />
          {delivery.next && (
            <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
              <strong className="font-semibold">What to do:</strong> {delivery.next}
            </p>
          )}
          <Ways delivery={delivery} copy={copy} />
          {otherChannels.length > 0 && <OtherChannels deliveries={otherChannels} />}
          <Received delivery={delivery} />
        </div>
      )}
    </ReadStates>
  );
}

function Fact({ label, at, otherwise }: { label: string; at: string | null; otherwise: string }) {
  return (
    <div>
      <dt className="text-ink-2">{label}</dt>
      <dd className="font-medium">
        {at ? <When at={at} /> : <span className="text-ink-2">{otherwise}</span>}
      </dd>
    </div>
  );
}

function PanelSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4">
      <Skeleton className="h-6.5 w-24" />
      <Skeleton className="h-16 rounded-md" />
      {[0, 1, 2].map((line) => (
        <div key={line} className="flex gap-3">
          <Skeleton className="size-3 rounded-full" />
          <Skeleton className="h-9 flex-1" />
        </div>
      ))}
      <Skeleton className="h-64 rounded-lg" />
    </div>
  );
}
