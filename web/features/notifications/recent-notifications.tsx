import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { notifications } from "#contract/notifications.ts";
import { useReadList } from "#web/api/use-read.ts";
import { CancelRun } from "#web/features/notifications/cancel-run.tsx";
import { notificationColumns } from "#web/features/notifications/columns.tsx";
import { isRunning } from "#web/features/notifications/progress.ts";
import { usePlannedPeople } from "#web/features/notifications/use-planned-people.ts";
import { Card, CardHeader } from "#web/ui/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Pagination } from "#web/ui/pagination.tsx";

const ROWS = 4;

/**
 * The newest notifications on the dashboard, four a page. Reads the list rather than /recent/4, which cannot
 * turn a page. The page is in the address (`?page=2`) when the caller keeps it there.
 */
export function RecentNotifications({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const { data, isPending, isPlaceholderData, isFetching, error, refetch } = useReadList(notifications.list, {
    query: { page, pageSize: ROWS },
  });
  const [asked, setAsked] = useState<number>();
  const planned = usePlannedPeople(data?.rows);
  const columns = notificationColumns({
    timeHeader: "Sent",
    onCancel: (row) => setAsked(row.id),
    planned,
  });
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
      {isPending && <TableSkeleton columns={columns} rows={ROWS} />}
      {error && !data && (
        <ErrorState
          title="Error loading notifications"
          detail={error.message}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data?.total === 0 && (
        <EmptyState
          icon={<Inbox />}
          title="No notifications found"
          hint="Import the people you write to, then create the first notification. It shows up here."
        />
      )}
      {data && data.total > 0 && (
        <>
          <DataTable
            label="Recent notifications"
            columns={columns}
            rows={data.rows}
            rowKey={(row) => row.id}
            lit={(row) => isRunning(row.progress)}
            stale={isPlaceholderData}
          />
          <div className="rows:border-t rows:border-line">
            <Pagination
              shown={data.rows.length}
              total={data.total}
              noun="notifications"
              page={page}
              pageSize={ROWS}
              onPage={onPage}
            />
          </div>
        </>
      )}
      <CancelRun row={data?.rows.find((row) => row.id === asked)} onClose={() => setAsked(undefined)} />
    </Card>
  );
}
