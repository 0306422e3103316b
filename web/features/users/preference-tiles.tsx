import { channels, type Channel } from "#contract/delivery.ts";
import { preferenceField, type User } from "#contract/calls/users.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";

/** A person's channels: turned on in color, turned off crossed out. */
export function PreferenceTiles({ person, small = false }: { person: User; small?: boolean }) {
  const size = small ? "size-5.5! rounded-sm! [&_svg]:size-3.5!" : "";
  return (
    <ul className="inline-flex gap-1">
      {channels.map((channel) => (
        <li key={channel} className="flex">
          {person[preferenceField[channel]] ? (
            <ChannelIcon channel={channel} className={size} />
          ) : (
            <Off channel={channel} className={size} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Off({ channel, className }: { channel: Channel; className: string }) {
  const { label: name, Off: Icon } = channelLook[channel];
  const label = `${name} off`;
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the image is drawn here
      role="img"
      aria-label={label}
      title={label}
      className={cx(
        "inline-grid size-7.5 place-items-center rounded-md border border-dashed border-line-strong text-ink-3",
        className,
      )}
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}
