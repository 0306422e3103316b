import { CircleDashed, Send } from "lucide-react";
import { channels } from "#contract/delivery.ts";
import { listStatuses, periods } from "#contract/notifications.ts";
import type { ListFilter } from "#web/features/notifications/list-query.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { PeriodFilter } from "#web/domain/period-filter.tsx";
import { FilterMenu } from "#web/ui/filter-menu.tsx";
import { ListToolbar } from "#web/ui/list-toolbar.tsx";
import { StatusBadge } from "#web/domain/status-badge.tsx";

type Props = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void };

const statusOptions = listStatuses.map((status) =>
  status === "Failures"
    ? { value: status, label: "Failed or partially delivered" }
    : { value: status, label: status, shown: <StatusBadge status={status} /> },
);
const channelOptions = channels.map((channel) => {
  const { label, Icon } = channelLook[channel];
  return { value: channel, label, icon: <Icon aria-hidden /> };
});

export function NotificationsToolbar({ filter, onFilter }: Props) {
  return (
    <ListToolbar
      label="Search notifications"
      placeholder="Search notifications..."
      q={filter.q}
      onSearch={(q) => onFilter({ q })}
      order="Newest first"
    >
      <FilterMenu
        label="Status"
        all="Any status"
        icon={<CircleDashed aria-hidden />}
        options={statusOptions}
        value={filter.status}
        onChange={(status) => onFilter({ status })}
      />
      <FilterMenu
        label="Channel"
        all="Any channel"
        icon={<Send aria-hidden />}
        options={channelOptions}
        value={filter.channel}
        onChange={(channel) => onFilter({ channel })}
      />
      <PeriodFilter periods={periods} value={filter.time} onChange={(time) => onFilter({ time })} />
    </ListToolbar>
  );
}
