import { useMemo } from "react";
import { schedules } from "#contract/schedules.ts";
import type { ScheduleRun } from "#contract/schedule-replies.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useOrganizationClock } from "#web/domain/organization-clock.ts";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";

/** The runs of these weeks by day, and the number of recipients of upcoming ones. */
export function useRuns(weeks: readonly string[][]) {
  const query = { from: weeks[0]?.[0] ?? "", to: weeks.at(-1)?.at(-1) ?? "" };
  const read = useReadList(schedules.calendar, { query }, { fresh: true });
  const rows = read.data?.rows;
  const counted = useSchedulePeople(
    rows?.flatMap(({ state, scheduleId }) => (state === "started" ? [] : [scheduleId])) ?? [],
  );
  const byDay: ReadonlyMap<string, ScheduleRun[]> = useMemo(
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
