import { BellRing, Mail, MessageSquare } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { cx } from "#web/ui/class-names.ts";

/** The one table of the channels: word, icon and colour are the same three everywhere. */
export const channelLook = {
  email: { label: "Email", Icon: Mail, soft: "bg-email-soft text-email", fill: "bg-email" },
  sms: { label: "SMS", Icon: MessageSquare, soft: "bg-sms-soft text-sms", fill: "bg-sms" },
  push: { label: "Push", Icon: BellRing, soft: "bg-push-soft text-push", fill: "bg-push" },
} as const satisfies Record<string, { label: string; Icon: LucideIcon; soft: string; fill: string }>;

export type ChannelName = keyof typeof channelLook;

/** The channel's tile. Its name is read aloud and shown on hover unless the word stands beside it (`named`). */
export function ChannelIcon({
  channel,
  named,
  className,
}: {
  channel: ChannelName;
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
export function ChannelIcons({ channels }: { channels: readonly ChannelName[] }) {
  return (
    <span className="inline-flex gap-1">
      {channels.map((channel) => (
        <ChannelIcon key={channel} channel={channel} />
      ))}
    </span>
  );
}
