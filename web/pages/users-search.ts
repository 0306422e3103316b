import { idSearch, pageSearch, textSearch } from "#web/pages/page-search.ts";

/**
 * What the address of User Management carries: /users?q=mei&role=tenant&property=Elm+House&group=4&reachable=sms
 * &sort=newest&page=2&person=12, and /users?tab=groups&q=roof&page=2&members=7.
 */
export type UsersSearch = {
  tab?: "groups";
  q?: string;
  role?: string;
  property?: string;
  group?: number;
  reachable?: string;
  sort?: string;
  page?: number;
  /** Whose details are open. */
  person?: number;
  /** Whose members are open. */
  members?: number;
};

/** Takes any query string; what makes no sense is left out rather than refused. */
export function usersSearch(raw: Record<string, unknown>): UsersSearch {
  const common = { ...textSearch("q", raw), ...pageSearch(raw) };
  if (raw["tab"] === "groups") return { tab: "groups", ...common, ...idSearch("members", raw) };
  return {
    ...common,
    ...textSearch("role", raw),
    ...textSearch("property", raw),
    ...idSearch("group", raw),
    ...textSearch("reachable", raw),
    ...textSearch("sort", raw),
    ...idSearch("person", raw),
  };
}
