import { idSearch, openSearch, pageSearch, textSearch } from "#web/pages/page-search.ts";

/**
 * The search parameters of Schedules: /schedules?tab=all&q=rent&page=2&schedule=12, and
 * /schedules?view=month&day=2026-11-24. `edit` opens the editor, `open=new` a blank one, `open=link` the calendar link.
 */
export type SchedulesSearch = {
  view?: "month" | "week";
  /** A day in the month or week that the calendar shows. */
  day?: string;
  tab?: "all";
  q?: string;
  page?: number;
  /** The schedule whose details are open. */
  schedule?: number;
  edit?: number | undefined;
  open?: "new" | "link" | undefined;
};

/** Accepts any query string and ignores invalid parameters. */
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
    ...openSearch(["new", "link"], raw),
  };
}
