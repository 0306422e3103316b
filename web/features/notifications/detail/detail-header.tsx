import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { Summary } from "#web/features/notifications/detail/summary.tsx";
import { channelLook } from "#web/domain/channel.tsx";
import type { Channel } from "#contract/delivery.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { HighPriority } from "#web/domain/high-priority.tsx";
import { StatusBadge } from "#web/domain/status-badge.tsx";

export function BackLink() {
  return (
    <Link
      to="/notifications"
      className="inline-flex w-fit items-center gap-2 rounded-sm text-sm font-medium text-ink-2 hover:text-ink touch:min-h-11 print:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      Notifications
    </Link>
  );
}

type Props = { notification: NotificationDetail; actions: ReactNode };

export function DetailHeader({ notification, actions }: Props) {
  return (
    <>
      <PageHeader
        title={notification.title}
        above={<BackLink />}
        actions={actions}
        help={notification.progress ? "not-delivered" : "notifications"}
      />
      <div className="-mt-3 flex flex-wrap items-center gap-x-2 gap-y-2 pb-6">
        {notification.channels.map((channel) => (
          <TypeBadge key={channel} channel={channel} />
        ))}
        <StatusBadge status={notification.status} />
        {notification.class === "emergency" && <HighPriority />}
        <p className="min-w-0 text-sm break-words text-ink-2">
          <Summary notification={notification} />
        </p>
      </div>
    </>
  );
}

function TypeBadge({ channel }: { channel: Channel }) {
  const { label, Icon, soft } = channelLook[channel];
  return (
    <span
      className={cx(
        "inline-flex min-h-6.5 items-center gap-1.5 rounded-sm px-2 text-[0.8125rem] leading-4.5 font-semibold",
        soft,
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {label}
    </span>
  );
}
