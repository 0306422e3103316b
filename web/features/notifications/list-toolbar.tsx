import { CircleDashed, Send } from "lucide-react";
import { channels } from "#contract/delivery.ts";
import { listStatuses, periods } from "#contract/notifications.ts";
import type { ListFilter } from "#web/features/notifications/list-query.ts";
import { useTypedSearch } from "#web/ui/use-typed-search.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { PeriodFilter } from "#web/domain/period-filter.tsx";
import { FilterMenu } from "#web/ui/filter-menu.tsx";
import { SearchInput } from "#web/ui/search-input.tsx";
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

export function ListToolbar({ filter, onFilter }: Props) {
  const [text, setText] = useTypedSearch(filter.q, (q) => onFilter({ q }));
  return (
    <div className="flex flex-wrap items-center gap-2 cards:pb-4 rows:border-b rows:border-line rows:p-3">
      <SearchInput
        slash
        label="Search notifications"
        placeholder="Search notifications..."
        value={text}
        onChange={setText}
        className="w-full md:w-auto md:flex-1 rows:max-w-75"
      />
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
      <span className="ml-auto pr-1 text-sm text-ink-3 cards:hidden">Newest first</span>
    </div>
  );
}
