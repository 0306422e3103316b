import { Inbox, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { notifications } from "#contract/notifications.ts";
import { useReadList } from "#web/api/use-read.ts";
import { isUnsent, notificationColumns, rowKey, type ListRow } from "#web/features/notifications/columns.tsx";
import { CancelOrDelete } from "#web/features/notifications/delete-draft.tsx";
import { DiscardUnsent } from "#web/features/notifications/discard-unsent.tsx";
import { NotificationsToolbar } from "#web/features/notifications/notifications-toolbar.tsx";
import {
  ROWS_PER_PAGE,
  isFiltered,
  listFilter,
  listSearch,
  type ListFilter,
  type ListSearch,
} from "#web/features/notifications/list-query.ts";
import { isRunning } from "#web/features/notifications/progress.ts";
import { RunAnnouncer } from "#web/features/notifications/run-announcer.tsx";
import { usePlannedPeople } from "#web/features/notifications/use-planned-people.ts";
import type { UnsentActions } from "#web/features/notifications/unsent-cells.tsx";
import { mergeUnsent, type UnsentNotification } from "#web/features/notifications/unsent.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ListStates } from "#web/ui/list-states.tsx";

type Props = {
  /** What the address says. */
  search: ListSearch;
  /** `replace`: the step, such as one more letter of a search, needs no entry in the browser's history. */
  onSearch: (search: ListSearch, options: { replace: boolean }) => void;
  /** What this browser keeps, newest first. */
  unsent: readonly UnsentNotification[];
  unsentActions: UnsentActions;
  /** What to do when the list is empty. */
  emptyAction: ReactNode;
};

export function NotificationsList({ search, onSearch, unsent, unsentActions, emptyAction }: Props) {
  const filter = listFilter(search);
  const { q, status, channel, time, page } = filter;
  const read = useReadList(notifications.list, {
    query: { q, status, channel, time, page, pageSize: ROWS_PER_PAGE },
  });
  const { data } = read;
  const change = (to: Partial<ListFilter>) => onSearch(listSearch(filter, to), { replace: "q" in to });
  const [asked, setAsked] = useState<number>();
  const [discarding, setDiscarding] = useState<UnsentNotification>();
  const planned = usePlannedPeople(data?.rows);
  const columns = notificationColumns({
    timeHeader: "Sent/Scheduled",
    onEnd: (row) => setAsked(row.id),
    planned,
    unsent: { ...unsentActions, onDiscard: setDiscarding },
  });
  const merged = mergeUnsent(data ?? { rows: [], total: 0 }, unsent, filter);
  const rows: ListRow[] = [...merged.unsent, ...merged.rows];
  const shown = { rows, total: merged.total, paged: data?.total ?? 0 };

  return (
    <Card aria-label="All notifications" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <NotificationsToolbar filter={filter} onFilter={change} />
      <ListStates
        read={read}
        failed="Error loading notifications"
        skeleton={<TableSkeleton columns={columns} rows={8} />}
        empty={<Nothing filter={filter} onFilter={change} emptyAction={emptyAction} />}
        shown={shown}
        pages={{
          noun: ["notification", "notifications"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, options) => onSearch(listSearch(filter, { page: next }), options),
        }}
      >
        {(rows, stale) => (
          <DataTable
            label="Notifications"
            columns={columns}
            rows={rows}
            rowKey={rowKey}
            lit={(row) => !isUnsent(row) && isRunning(row.progress)}
            stale={stale}
          />
        )}
      </ListStates>
      <RunAnnouncer runs={merged.rows} />
      <CancelOrDelete row={data?.rows.find((row) => row.id === asked)} onClose={() => setAsked(undefined)} />
      <DiscardUnsent
        unsent={discarding}
        onDiscard={unsentActions.onDiscard}
        onClose={() => setDiscarding(undefined)}
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
