import { idSearch, pageSearch, textSearch } from "#web/pages/page-search.ts";

/**
 * What the address of Schedules carries: /schedules?tab=all&q=rent&page=2&schedule=12, and
 * /schedules?view=month&day=2026-11-24. `edit` opens the editor.
 */
export type SchedulesSearch = {
  view?: "month" | "week";
  /** The calendar shows the month or the week around it. */
  day?: string;
  tab?: "all";
  q?: string;
  page?: number;
  /** Whose details are open. */
  schedule?: number;
  edit?: number;
};

/** Takes any query string; what makes no sense is left out rather than refused. */
export function schedulesSearch(raw: Record<string, unknown>): SchedulesSearch {
  const { view, day } = raw;
  return {
    ...(view === "month" || view === "week" ? { view } : {}),
    ...(typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? { day } : {}),
    ...(raw["tab"] === "all" ? { tab: "all" as const } : {}),
    ...textSearch("q", raw),
    ...pageSearch(raw),
    ...idSearch("schedule", raw),
    ...idSearch("edit", raw),
  };
}
