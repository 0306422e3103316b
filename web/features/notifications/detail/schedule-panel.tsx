import { Link } from "@tanstack/react-router";
import { CalendarClock, CalendarSync } from "lucide-react";
import { audience } from "#contract/calls/audience.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { useRead } from "#web/api/use-read.ts";
import { Reaches, whoGets } from "#web/features/notifications/detail/reaches.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { When, useZone, WithMoments } from "#web/ui/time/when.tsx";

type Props = { notification: NotificationDetail; onEdit: () => void };

/** When a scheduled or recurring notification is sent. */
export function SchedulePanel({ notification, onEdit }: Props) {
  const { status, scheduled_time, sentTime, scheduleId } = notification;
  // A rule keeps the zone it was created in, and its text names it.
  const zone = useZone();
  const reach = useRead(audience.reach, { body: whoGets(notification) }, { fresh: true });
  return (
    <Card aria-labelledby="schedule">
      <CardHeader title={<span id="schedule">Schedule</span>}>
        {status === "Scheduled" && (
          <Button size="sm" icon={<CalendarClock aria-hidden />} onClick={onEdit}>
            Edit Schedule
          </Button>
        )}
        {scheduleId && (
          <Link to="/schedules" search={{ schedule: scheduleId }} className={buttonClass({ size: "sm" })}>
            <CalendarSync aria-hidden />
            Open schedule
          </Link>
        )}
      </CardHeader>
      <dl className="flex flex-col gap-4 border-t border-line px-4 py-4 text-sm">
        {status === "Scheduled" && scheduled_time ? (
          <div>
            <dt className="text-ink-2">Goes out</dt>
            <dd className="text-base font-semibold">
              <When at={scheduled_time} as="full" />
            </dd>
            <dd className="text-ink-2">
              <When at={scheduled_time} as="ago" />
            </dd>
          </div>
        ) : (
          <div>
            <dt className="text-ink-2">Rule</dt>
            <dd className="text-base font-semibold">
              <WithMoments text={sentTime ?? ""} />
            </dd>
          </div>
        )}
        <div>
          <dt className="text-ink-2">Recipients, as they are now</dt>
          <dd className="min-h-5 text-ink-2">
            {reach.isPending && <Skeleton className="h-5 w-3/4" />}
            {reach.data && <Reaches reach={reach.data} />}
            {reach.error && `We couldn't count the recipients: ${reach.error.message}`}
          </dd>
        </div>
        {zone && status === "Scheduled" && (
          <div>
            <dt className="text-ink-2">Time zone</dt>
            <dd className="font-medium">{zone.replaceAll("_", " ")}</dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
