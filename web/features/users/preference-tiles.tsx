import { BellOff, MailX, MessageSquareOff } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { channels } from "#contract/delivery.ts";
import type { Channel } from "#contract/delivery.ts";
import type { User } from "#contract/users.ts";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";

/** The person's say on each channel, by the channel's name. */
export const preferenceOf = {
  email: "receiveEmail",
  sms: "receiveSms",
  push: "receivePush",
} as const satisfies Record<Channel, keyof User>;

const off: Record<Channel, LucideIcon> = { email: MailX, sms: MessageSquareOff, push: BellOff };

/** Which channels a person takes messages on: in colour, or crossed out. */
export function PreferenceTiles({ person }: { person: User }) {
  return (
    <ul className="inline-flex gap-1">
      {channels.map((channel) => (
        <li key={channel} className="flex">
          {person[preferenceOf[channel]] ? <ChannelIcon channel={channel} /> : <Off channel={channel} />}
        </li>
      ))}
    </ul>
  );
}

function Off({ channel }: { channel: Channel }) {
  const label = `${channelLook[channel].label} off`;
  const Icon = off[channel];
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is drawn here
      role="img"
      aria-label={label}
      title={label}
      className="inline-grid size-7.5 place-items-center rounded-md border border-dashed border-line-strong text-ink-3"
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}
