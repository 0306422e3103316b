import { useMemo } from "react";
import { schedules } from "#contract/calls/schedules.ts";
import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useOrganizationClock } from "#web/domain/organization-clock.ts";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";

/** The runs of a day that a month loads: as many as its list shows at first. */
const PER_DAY = 12;

/** The same of an hour of a week. */
const PER_HOUR = 3;

/** Some runs of each day or hour of these weeks by day, and the number of recipients of upcoming ones. */
export function useRuns(weeks: readonly string[][], by: "day" | "hour" = "day") {
  const some = by === "hour" ? { perHour: PER_HOUR } : { perDay: PER_DAY };
  return useRunsOf({ from: weeks[0]?.[0] ?? "", to: weeks.at(-1)?.at(-1) ?? "", ...some });
}

/** All runs of one day; reads nothing before it is `enabled`. */
export function useRunsOfDay(day: string, enabled: boolean) {
  return useRunsOf({ from: day, to: day }, enabled);
}

function useRunsOf(query: { from: string; to: string; perDay?: number; perHour?: number }, enabled = true) {
  const read = useReadList(schedules.calendar, { query }, { fresh: true, enabled });
  const rows = read.data?.rows;
  const counted = useSchedulePeople(
    rows?.flatMap(({ state, scheduleId }) => (state === "started" ? [] : [scheduleId])) ?? [],
  );
  const byDay: ReadonlyMap<string, CalendarRun[]> = useMemo(
    () => Map.groupBy(rows ?? [], ({ day }) => day),
    [rows],
  );
  return { read, byDay, counted };
}

/** Today in the organization's zone, or in the browser's until the server has answered. */
export function useToday(): string {
  const clock = useOrganizationClock();
  return clock?.read().day ?? Temporal.Now.plainDateISO().toString();
}
