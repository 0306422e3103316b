import { Link } from "@tanstack/react-router";
import { CalendarClock } from "lucide-react";
import { counted, people } from "#contract/text/count-text.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import { ChannelIcons } from "#web/domain/channel.tsx";
import { HighPriority } from "#web/domain/high-priority.tsx";
import type { ListFilter } from "#web/features/notifications/list-query.ts";
import { usePlannedPeople } from "#web/features/notifications/use-planned-people.ts";
import { Button } from "#web/ui/page/button.tsx";
import { When } from "#web/ui/time/when.tsx";

const SHOWN = 3;

/** What is planned next, unless the list has it itself (`apart` is false). */
export function usePlanned({ q, channel }: ListFilter, apart: boolean) {
  const query = { q, channel, time: "ahead", pageSize: SHOWN } as const;
  return useReadList(notifications.list, { query }, { enabled: apart });
}

type Props = {
  read: ReturnType<typeof usePlanned>;
  /** Lists all of them. */
  onShowAll: () => void;
};

/** What is planned next, above the notifications that have gone out. Renders nothing if there are none. */
export function PlannedNotifications({ read, onShowAll }: Props) {
  const planned = usePlannedPeople(read.data?.rows);
  const { rows = [], total = 0 } = read.data ?? {};
  if (rows.length === 0) return null;
  return (
    <section
      aria-labelledby="planned"
      className="rows:border-b rows:border-line cards:mb-4 cards:rounded-lg cards:border cards:border-line cards:bg-card"
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-4 pt-1.5">
        <h2 id="planned" className="flex items-center gap-2 text-sm font-semibold">
          <CalendarClock aria-hidden className="size-4 text-ink-3" />
          <span>Planned</span>
        </h2>
        {total > rows.length && (
          <Button variant="ghost" size="sm" onClick={onShowAll}>
            Show all {numberText(total)}
          </Button>
        )}
      </div>
      <ul aria-label={`Next ${counted(rows.length, "notification")}`} className="px-4 pb-2">
        {rows.map((row) => {
          const count = planned.get(row.id);
          return (
            <li
              key={row.id}
              className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 py-1.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)_auto]"
            >
              <ChannelIcons channels={row.channels} className="size-6.5! [&_svg]:size-3.5" />
              <div className="min-w-0">
                <Link
                  to="/notifications/$id"
                  params={{ id: String(row.id) }}
                  className="inline-flex max-w-full items-center gap-1.5 font-medium underline-offset-4 hover:underline touch:min-h-11"
                >
                  {row.class === "emergency" && <HighPriority compact />}
                  <bdi translate="no" className="truncate" title={row.title}>
                    {row.title}
                  </bdi>
                </Link>
                <p className="truncate text-ink-3">
                  <bdi dir="ltr" translate="no">
                    {row.recipients}
                  </bdi>
                  <span>{count !== undefined && ` · ${people(count)}`}</span>
                  <span>{row.status !== "Scheduled" && ` · ${row.status}`}</span>
                </p>
              </div>
              <span className="whitespace-nowrap text-ink-2 tabular max-sm:col-start-2">
                {row.scheduled_time && <When at={row.scheduled_time} as="full" />}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
