import { Link } from "@tanstack/react-router";
import { UserX } from "lucide-react";
import type { DashboardFigures } from "#contract/dashboard.ts";
import { count, people } from "#contract/count-text.ts";
import { buttonClass } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";

// On a phone, below the words.
const action = cx(buttonClass({ size: "sm" }), "max-sm:ml-9");

/** The new failures, as rows of "Needs attention". */
export function failureRows({ total, newest }: DashboardFigures["failures"]) {
  const rows = newest.map(({ id, title, status, reason, missed }) => {
    const unreached = people(missed);
    const params = { id: String(id) };
    return (
      <li key={`notification-${id}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
        <UserX aria-hidden className="size-5 shrink-0 self-start text-bad" />
        <div className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
          <p className="font-semibold">{missed > 0 ? `${unreached} not reached` : status}</p>
          <p className="break-words text-ink-2">
            <bdi>{title}</bdi>
            {reason && `. ${reason}`}
          </p>
        </div>
        {missed > 0 ? (
          <Link to="/notifications/$id" params={params} search={{ show: "unreached" }} className={action}>
            Review {unreached}
            <span className="sr-only"> of {title}</span>
          </Link>
        ) : (
          <Link to="/notifications/$id" params={params} className={action}>
            Review<span className="sr-only"> {title}</span>
          </Link>
        )}
      </li>
    );
  });
  const more = total - newest.length;
  if (more > 0) {
    rows.push(
      <li key="more" className="py-2.5 text-sm">
        <Link
          to="/notifications"
          search={{ status: "Failures" }}
          className="font-semibold hover:underline hover:underline-offset-4"
        >
          {more === 1 ? "1 more notification" : `${count(more)} more notifications`}
        </Link>
      </li>,
    );
  }
  return rows;
}
