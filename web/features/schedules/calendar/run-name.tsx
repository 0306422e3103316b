import { Link } from "@tanstack/react-router";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";

/** A run's name as a link to its schedule, or to the page of a scheduled notification. */
export function RunName({ run: { kind, name, scheduleId, notificationId } }: { run: ScheduleRun }) {
  const look = "break-words underline-offset-4 hover:underline";
  return kind === "notification" ? (
    <Link to="/notifications/$id" params={{ id: String(notificationId) }} className={look}>
      <bdi translate="no">{name}</bdi>
    </Link>
  ) : (
    <Link
      to="/schedules"
      search={(now: object) => ({ ...now, schedule: scheduleId })}
      resetScroll={false}
      className={look}
    >
      <bdi translate="no">{name}</bdi>
    </Link>
  );
}
