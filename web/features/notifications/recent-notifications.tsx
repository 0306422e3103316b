import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { notifications } from "#contract/calls/notifications.ts";
import { useReadList } from "#web/api/use-read.ts";
import { listFilter } from "#web/features/notifications/list-query.ts";
import { NotificationTable, type KeptHere } from "#web/features/notifications/notification-table.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";

const ROWS = 4;

type Props = KeptHere & {
  page: number;
  /** `replace`: leaves no history entry, because no one asked for the current page. */
  onPage: (page: number, options: { replace: boolean }) => void;
  /** What to do when there are none yet. */
  emptyAction: ReactNode;
};

export function useRecentNotifications(page: number) {
  return useReadList(notifications.list, { query: { page, pageSize: ROWS } });
}

/**
 * The newest notifications on the dashboard, four a page; what is planned comes last and has a card of its own. Reads
 * the list rather than /recent/4, which cannot turn a page.
 */
export function RecentNotifications({ page, emptyAction, ...rest }: Props) {
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
      <NotificationTable
        label="Recent notifications"
        read={useRecentNotifications(page)}
        filter={listFilter({ page })}
        timeHeader="Sent"
        pageSize={ROWS}
        skeletonRows={ROWS}
        empty={
          <EmptyState
            icon={<Inbox />}
            title="No notifications found"
            hint="What you send shows up here. If you have no recipients yet, import them first."
            action={emptyAction}
          />
        }
        {...rest}
      />
    </Card>
  );
}
