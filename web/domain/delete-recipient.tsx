import { Link } from "@tanstack/react-router";
import type { ScheduledUse } from "#contract/scheduled-uses.ts";

type Props = { scheduled: readonly ScheduledUse[] };

/** Notifications and schedules that a deletion would change, each with a link, and what happens to them. */
export function ScheduledList({ scheduled }: Props) {
  return (
    <>
      <ul className="scroll-quiet my-3 max-h-48 divide-y divide-line rounded-md border border-line">
        {scheduled.map(({ type, id, title }) => (
          <li key={`${type} ${id}`}>
            <Link
              {...(type === "schedule"
                ? { to: "/schedules", search: { schedule: id } }
                : { to: "/notifications/$id", params: { id: String(id) } })}
              className="flex min-h-10 items-center px-3 py-2 text-sm font-semibold break-words text-ink underline-offset-2 hover:bg-hover hover:underline"
            >
              <bdi>{title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <p className="text-sm">
        If you delete anyway, {scheduled.length === 1 ? "this still goes" : "these still go"} to any other
        recipients. With no one left, a notification becomes a draft and a schedule is paused.
      </p>
    </>
  );
}
