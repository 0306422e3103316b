import { channels, type Channel } from "#contract/delivery.ts";
import { preferenceField, type User } from "#contract/calls/users.ts";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";

/** A person's channels: turned on in color, turned off crossed out. */
export function PreferenceTiles({ person }: { person: User }) {
  return (
    <ul className="inline-flex gap-1">
      {channels.map((channel) => (
        <li key={channel} className="flex">
          {person[preferenceField[channel]] ? <ChannelIcon channel={channel} /> : <Off channel={channel} />}
        </li>
      ))}
    </ul>
  );
}

function Off({ channel }: { channel: Channel }) {
  const { label: name, Off: Icon } = channelLook[channel];
  const label = `${name} off`;
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the image is drawn here
      role="img"
      aria-label={label}
      title={label}
      className="inline-grid size-7.5 place-items-center rounded-md border border-dashed border-line-strong text-ink-3"
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}
