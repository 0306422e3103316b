import { CircleDashed } from "lucide-react";
import { listStatuses, periods } from "#contract/calls/notifications.ts";
import type { ListFilter } from "#web/features/notifications/list-query.ts";
import { ChannelFilter } from "#web/domain/channel-filter.tsx";
import { PeriodFilter } from "#web/domain/period-filter.tsx";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";
import { StatusBadge } from "#web/domain/status-badge.tsx";

type Props = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void };

const statusOptions = listStatuses.map((status) =>
  status === "Failures"
    ? { value: status, label: "Failed or partially delivered" }
    : { value: status, label: status, shown: <StatusBadge status={status} /> },
);

export function NotificationsToolbar({ filter, onFilter }: Props) {
  return (
    <ListToolbar
      label="Search notifications"
      placeholder="Search notifications..."
      q={filter.q}
      onSearch={(q) => onFilter({ q })}
      order={filter.time === "ahead" || filter.status === "Scheduled" ? "Next first" : "Newest first"}
    >
      <FilterMenu
        label="Status"
        all="Any status"
        icon={<CircleDashed aria-hidden />}
        options={statusOptions}
        value={filter.status}
        onChange={(status) => onFilter({ status })}
      />
      <ChannelFilter value={filter.channel} onChange={(channel) => onFilter({ channel })} />
      <PeriodFilter
        periods={periods}
        value={filter.time}
        day={filter.day}
        onChange={(time) => onFilter({ time, day: undefined })}
      />
    </ListToolbar>
  );
}
