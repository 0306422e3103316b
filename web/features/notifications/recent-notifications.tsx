import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useState, type ReactNode } from "react";
import { notifications } from "#contract/notifications.ts";
import { useReadList } from "#web/api/use-read.ts";
import { isUnsent, notificationColumns, rowKey, type ListRow } from "#web/features/notifications/columns.tsx";
import { CancelOrDelete } from "#web/features/notifications/delete-draft.tsx";
import { DiscardUnsent } from "#web/features/notifications/discard-unsent.tsx";
import { listFilter } from "#web/features/notifications/list-query.ts";
import { isRunning } from "#web/features/notifications/progress.ts";
import type { UnsentActions } from "#web/features/notifications/unsent-cells.tsx";
import { mergeUnsent, type UnsentNotification } from "#web/features/notifications/unsent.ts";
import { usePlannedPeople } from "#web/features/notifications/use-planned-people.ts";
import { Card, CardHeader } from "#web/ui/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ListStates } from "#web/ui/list-states.tsx";

const ROWS = 4;

type Props = {
  page: number;
  /** `replace`: no one chose the page that is left. */
  onPage: (page: number, options: { replace: boolean }) => void;
  /** What this browser keeps, newest first, above the four rows of the first page. */
  unsent: readonly UnsentNotification[];
  unsentActions: UnsentActions;
  /** What to do when there are none yet. */
  emptyAction: ReactNode;
};

export function useRecentNotifications(page: number) {
  return useReadList(notifications.list, { query: { recent: true, page, pageSize: ROWS } });
}

/**
 * The newest notifications on the dashboard, four a page. Upcoming ones have a card of their own. Reads the list
 * rather than /recent/4, which cannot turn a page. The page is in the address (`?page=2`) when the caller keeps it there.
 */
export function RecentNotifications({ page, onPage, unsent, unsentActions, emptyAction }: Props) {
  const read = useRecentNotifications(page);
  const { data } = read;
  const [asked, setAsked] = useState<number>();
  const [discarding, setDiscarding] = useState<UnsentNotification>();
  const planned = usePlannedPeople(data?.rows);
  const columns = notificationColumns({
    timeHeader: "Sent",
    onEnd: (row) => setAsked(row.id),
    planned,
    unsent: { ...unsentActions, onDiscard: setDiscarding },
  });
  const merged = mergeUnsent(data ?? { rows: [], total: 0 }, unsent, listFilter({ page }));
  const rows: ListRow[] = [...merged.unsent, ...merged.rows];
  const shown = { rows, total: merged.total, paged: data?.total ?? 0 };
  return (
    <Card
      aria-labelledby="recent-notifications"
      className="cards:border-0 cards:bg-transparent cards:shadow-none"
    >
      <CardHeader title={<span id="recent-notifications">Recent Notifications</span>}>
        <Link to="/notifications" className="text-sm font-semibold hover:underline hover:underline-offset-4">
          View all
        </Link>
      </CardHeader>
      <ListStates
        read={read}
        failed="Error loading notifications"
        skeleton={<TableSkeleton columns={columns} rows={ROWS} />}
        empty={
          <EmptyState
            icon={<Inbox />}
            title="No notifications found"
            hint="What you send shows up here. If you have no recipients yet, import them first."
            action={emptyAction}
          />
        }
        shown={shown}
        pages={{ noun: ["notification", "notifications"], page, pageSize: ROWS, onPage }}
      >
        {(list, stale) => (
          <DataTable
            label="Recent notifications"
            columns={columns}
            rows={list}
            rowKey={rowKey}
            lit={(row) => !isUnsent(row) && isRunning(row.progress)}
            stale={stale}
          />
        )}
      </ListStates>
      <CancelOrDelete row={data?.rows.find((row) => row.id === asked)} onClose={() => setAsked(undefined)} />
      <DiscardUnsent
        unsent={discarding}
        onDiscard={unsentActions.onDiscard}
        onClose={() => setDiscarding(undefined)}
      />
    </Card>
  );
}
