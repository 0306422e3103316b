import {
  BellOff,
  BellRing,
  Mail,
  MailX,
  MessageSquare,
  MessageSquareOff,
  type LucideIcon,
} from "lucide-react";
import { type Channel, channelMeaning } from "#contract/delivery.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type Look = {
  label: string;
  /** The tab with its accounts. */
  accounts: string;
  /** Before "account". */
  account: string;
  Icon: LucideIcon;
  Off: LucideIcon;
  soft: string;
  fill: string;
};

/** Labels, icons and color of each channel, the same everywhere. */
export const channelLook: Record<Channel, Look> = {
  email: {
    label: channelMeaning.email.label,
    accounts: "Email Service",
    account: "email",
    Icon: Mail,
    Off: MailX,
    soft: "bg-email-soft text-email",
    fill: "bg-email",
  },
  sms: {
    label: channelMeaning.sms.label,
    accounts: "SMS Service",
    account: "SMS",
    Icon: MessageSquare,
    Off: MessageSquareOff,
    soft: "bg-sms-soft text-sms",
    fill: "bg-sms",
  },
  push: {
    label: channelMeaning.push.label,
    accounts: "OneSignal",
    account: "push",
    Icon: BellRing,
    Off: BellOff,
    soft: "bg-push-soft text-push",
    fill: "bg-push",
  },
};

/** The channel's tile. Its name is read aloud and shown on hover, unless it is shown next to it (`named`). */
export function ChannelIcon({
  channel,
  named,
  className,
}: {
  channel: Channel;
  named?: boolean;
  className?: string;
}) {
  const { label, Icon, soft } = channelLook[channel];
  return (
    <span
      className={cx("inline-grid size-7.5 shrink-0 place-items-center rounded-md", soft, className)}
      {...(named ? { "aria-hidden": true } : { role: "img", "aria-label": label, title: label })}
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}

/** All channels of a message, side by side. */
export function ChannelIcons({ channels, className }: { channels: readonly Channel[]; className?: string }) {
  if (channels.length === 0) return null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {channels.map((channel) => (
        <ChannelIcon key={channel} channel={channel} {...(className ? { className } : {})} />
      ))}
    </span>
  );
}
