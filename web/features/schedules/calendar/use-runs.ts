import { useMemo } from "react";
import { schedules } from "#contract/calls/schedules.ts";
import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useOrganizationClock } from "#web/domain/organization-clock.ts";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";

/** The runs of a day that a month or a week loads: as many as a cell of a week shows. */
export const PER_DAY = 12;

/** Some runs of each day of these weeks by day, and the number of recipients of upcoming ones. */
export function useRuns(weeks: readonly string[][]) {
  return useRunsOf({ from: weeks[0]?.[0] ?? "", to: weeks.at(-1)?.at(-1) ?? "", perDay: PER_DAY });
}

/** All runs of one day; reads nothing before it is `enabled`. */
export function useRunsOfDay(day: string, enabled: boolean) {
  return useRunsOf({ from: day, to: day }, enabled);
}

function useRunsOf(query: { from: string; to: string; perDay?: number }, enabled = true) {
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
