import { useMemo } from "react";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { shell } from "#contract/calls/shell.ts";
import { templates } from "#contract/calls/templates.ts";
import { useRead } from "#web/api/use-read.ts";

/** Every query that a change to a schedule makes stale. */
export const scheduleReads = [
  schedules.list,
  schedules.today,
  schedules.calendar,
  schedules.upcoming,
  schedules.read,
  schedules.history,
  schedules.people,
  schedules.residents,
  schedules.missed,
  schedules.attention,
  notifications.list,
  notifications.recent,
  notifications.detail,
  templates.list,
  shell.state,
];

/** The most that one call counts. */
const COUNTED_MAX = 100;

/** The number of people in the audience of each of these schedules today, by id. Empty while loading. */
export function useSchedulePeople(ids: readonly number[]): ReadonlyMap<number, number> {
  const asked = [...new Set(ids)].sort((a, b) => a - b).slice(0, COUNTED_MAX);
  const { data } = useRead(
    schedules.people,
    { body: { ids: asked } },
    { enabled: asked.length > 0, fresh: true },
  );
  return useMemo(() => new Map(data?.map(({ id, people }) => [id, people])), [data]);
}
