import { pageSearch, textSearch } from "#web/pages/page-search.ts";

/** What the dashboard's address carries; `q` and `notice` only where a tenant's notices are. */
export type DashboardSearch = { page?: number; q?: string; notice?: number };

/** Takes any query string; what makes no sense is left out rather than refused. */
export function dashboardSearch(raw: Record<string, unknown>): DashboardSearch {
  const notice = Number(raw["notice"]);
  return {
    ...textSearch("q", raw),
    ...pageSearch(raw),
    ...(Number.isSafeInteger(notice) && notice > 0 ? { notice } : {}),
  };
}
