import { idSearch, pageSearch, textSearch } from "#web/pages/page-search.ts";

/**
 * The search parameters of User Management: /users?q=mei&role=tenant&property=Elm+House&group=4&reachable=sms
 * &sort=newest&page=2&person=12, /users?tab=groups&q=roof&page=2&members=7, and
 * /users?tab=blocked&q=ann&channel=sms&kind=bounce&page=2.
 */
export type UsersSearch = {
  tab?: "groups" | "blocked";
  q?: string;
  role?: string;
  property?: string;
  group?: number;
  reachable?: string;
  sort?: string;
  page?: number;
  /** The person whose details are open. */
  person?: number;
  /** The group whose members are open. */
  members?: number;
  /** Which blocked addresses are listed. */
  channel?: string;
  kind?: string;
};

/** Accepts any query string and ignores invalid parameters. */
export function usersSearch(raw: Record<string, unknown>): UsersSearch {
  const common = { ...textSearch("q", raw), ...pageSearch(raw) };
  if (raw["tab"] === "groups") return { tab: "groups", ...common, ...idSearch("members", raw) };
  if (raw["tab"] === "blocked") {
    return { tab: "blocked", ...common, ...textSearch("channel", raw), ...textSearch("kind", raw) };
  }
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
