import { Link } from "@tanstack/react-router";
import { CalendarClock } from "lucide-react";
import { schedules } from "#contract/calls/schedules.ts";
import type { Upcoming } from "#contract/calls/schedule-replies.ts";
import { useReadList } from "#web/api/use-read.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { WithMoments } from "#web/ui/time/when.tsx";

const SHOWN = 4;

export function useUpcomingSchedules() {
  return useReadList(schedules.upcoming, { query: { pageSize: SHOWN } }, { fresh: true });
}

/** What will be sent next, for the dashboard. */
export function UpcomingSchedules({ read }: { read: ReturnType<typeof useUpcomingSchedules> }) {
  return (
    <Card aria-labelledby="upcoming-schedules" className="flex flex-col">
      <CardHeader title={<span id="upcoming-schedules">Upcoming Scheduled Notifications</span>} />
      <div className="flex-1 px-4">
        <ReadStates
          read={read}
          failed="Error loading schedules"
          skeleton={<SkeletonRows rows={SHOWN} className="h-12" />}
        >
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState
                icon={<CalendarClock />}
                title="No upcoming schedules"
                hint="What you schedule shows up here before it goes out."
              />
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </ul>
            )
          }
        </ReadStates>
      </div>
      <div className="p-4 pt-3">
        <Link to="/schedules" className={`${buttonClass()} w-full`}>
          View All Schedules
        </Link>
      </div>
    </Card>
  );
}

function Row({ row: { id, notificationId, timeframe, title, details } }: { row: Upcoming }) {
  const look = "line-clamp-2 font-semibold break-words underline-offset-4 hover:underline";
  return (
    <li className="flex items-start gap-3 py-3 text-sm">
      <Badge tone={timeframe === "Today" ? "lamp" : "quiet"} className="min-w-22 justify-center">
        {timeframe}
      </Badge>
      <div className="min-w-0 flex-1">
        {notificationId !== null ? (
          <Link to="/notifications/$id" params={{ id: String(notificationId) }} className={look}>
            <bdi translate="no">{title}</bdi>
          </Link>
        ) : (
          <Link to="/schedules" search={{ schedule: id }} className={look}>
            <bdi translate="no">{title}</bdi>
          </Link>
        )}
        <p className="break-words text-ink-2">
          <bdi translate="no">
            <WithMoments text={details} />
          </bdi>
        </p>
      </div>
    </li>
  );
}
