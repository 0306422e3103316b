import { Inbox, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { notifications } from "#contract/calls/notifications.ts";
import { useReadList } from "#web/api/use-read.ts";
import { PlannedNotifications, usePlanned } from "#web/features/notifications/planned-notifications.tsx";
import { NotificationTable, type KeptHere } from "#web/features/notifications/notification-table.tsx";
import { NotificationsToolbar } from "#web/features/notifications/notifications-toolbar.tsx";
import {
  ROWS_PER_PAGE,
  isFiltered,
  listFilter,
  listSearch,
  type ListFilter,
  type ListSearch,
} from "#web/features/notifications/list-query.ts";
import { WhoHasAddress } from "#web/features/notifications/who-has-address.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";

type Props = KeptHere & {
  /** What the address says. */
  search: ListSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
  onSearch: (search: ListSearch, options: { replace: boolean }) => void;
  /** What to do when the list is empty. */
  emptyAction: ReactNode;
};

export function NotificationsList({ search, onSearch, emptyAction, ...unsent }: Props) {
  const filter = listFilter(search);
  // What is planned stands apart, unless that is what someone asks for.
  const apart = filter.status === undefined && filter.time === undefined;
  const read = useReadList(notifications.list, {
    query: { ...filter, recent: apart, pageSize: ROWS_PER_PAGE },
  });
  const planned = usePlanned(filter, apart);
  const change = (to: Partial<ListFilter>) => onSearch(listSearch(filter, to), { replace: "q" in to });
  return (
    <Card aria-label="All notifications" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <NotificationsToolbar filter={filter} onFilter={change} />
      <WhoHasAddress q={filter.q ?? ""} />
      {apart && filter.page === 1 && (
        <PlannedNotifications read={planned} onShowAll={() => change({ time: "ahead" })} />
      )}
      <NotificationTable
        label="Notifications"
        read={read}
        planned={apart ? planned : undefined}
        filter={filter}
        timeHeader="Sent/Scheduled"
        pageSize={ROWS_PER_PAGE}
        onPage={(page, options) => onSearch(listSearch(filter, { page }), options)}
        skeletonRows={8}
        empty={<Nothing filter={filter} onFilter={change} emptyAction={emptyAction} />}
        {...unsent}
      />
    </Card>
  );
}

type NothingProps = {
  filter: ListFilter;
  onFilter: (change: Partial<ListFilter>) => void;
  emptyAction: ReactNode;
};

function Nothing({ filter, onFilter, emptyAction }: NothingProps) {
  if (isFiltered(filter)) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching notifications found"
        hint="We search titles, recipients and statuses. Try fewer words or clear the filters."
        action={
          <Button onClick={() => onFilter({ q: "", status: undefined, channel: undefined, time: undefined })}>
            Clear search and filters
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<Inbox />}
      title="No notifications found"
      hint="Send your first one to a group or to individuals, by email, text or push, now or later."
      action={emptyAction}
    />
  );
}
