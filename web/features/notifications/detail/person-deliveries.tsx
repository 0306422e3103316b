import { Link } from "@tanstack/react-router";
import { Phone, UserRound } from "lucide-react";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { When } from "#web/ui/time/when.tsx";
import { WriteLink } from "#web/domain/write-link.tsx";

type WaysProps = {
  delivery: Delivery;
  /** The notification that a message to the person starts as a copy of. */
  copy: number | undefined;
};

/** From what happened to the person it happened to. */
export function Ways({ delivery, copy }: WaysProps) {
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

/** The outcome of the same notification on the person's other channels. */
export function OtherChannels({ deliveries: others }: { deliveries: readonly Delivery[] }) {
  return (
    <section aria-label="Other channels" className="flex flex-col gap-1.5 text-sm">
      <h3 className="font-semibold">On other channels</h3>
      <ul className="flex flex-col gap-1.5">
        {others.map((other) => {
          const at = other.deliveredAt ?? other.sentAt;
          return (
            <li key={other.id}>
              <Link
                to="."
                search={(search: object) => ({ ...search, delivery: other.id })}
                resetScroll={false}
                className="inline-flex flex-wrap items-center gap-x-2 rounded-sm hover:underline hover:underline-offset-4 touch:min-h-11"
              >
                <ChannelIcon channel={other.channel} className="size-6! [&_svg]:size-3.5" />
                <span>
                  {channelLook[other.channel].label}:{" "}
                  {deliveryStatusMeaning[other.status].label.toLowerCase()}
                  {at && (
                    <>
                      {" "}
                      <When at={at} as="sentence" />
                    </>
                  )}
                </span>
                {other.simulated && <Simulated bare />}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
