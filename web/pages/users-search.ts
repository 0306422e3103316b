import { idSearch, openSearch, pageSearch, textSearch } from "#web/pages/page-search.ts";

/**
 * The search parameters of User Management: /users?q=mei&role=tenant&property=Elm+House&group=4&reachable=sms
 * &sort=newest&page=2&person=12, /users?tab=groups&q=roof&page=2&members=7, and
 * /users?tab=blocked&q=ann&channel=sms&kind=bounce&page=2. `open=new` opens what each tab adds, `import=3` the import of an uploaded
 * spreadsheet.
 */
export type UsersSearch = {
  tab?: "groups" | "blocked";
  q?: string;
  role?: string;
  property?: string;
  group?: number;
  reachable?: string;
  lives?: string;
  sort?: string;
  page?: number;
  /** The person whose details are open. */
  person?: number;
  /** The group whose members are open. */
  members?: number;
  /** Which blocked addresses are listed. */
  channel?: string;
  kind?: string;
  open?: "new" | "import" | "export" | "details" | undefined;
  /** The person or group whose form is open. */
  edit?: number | undefined;
  /** The spreadsheet that is being imported. */
  import?: number | undefined;
};

/** Accepts any query string and ignores invalid parameters. */
export function usersSearch(raw: Record<string, unknown>): UsersSearch {
  const common = { ...textSearch("q", raw), ...pageSearch(raw) };
  const adding = openSearch(["new"], raw);
  if (raw["tab"] === "groups") {
    return { tab: "groups", ...common, ...adding, ...idSearch("members", raw), ...idSearch("edit", raw) };
  }
  if (raw["tab"] === "blocked") {
    return {
      tab: "blocked",
      ...common,
      ...adding,
      ...textSearch("channel", raw),
      ...textSearch("kind", raw),
    };
  }
  return {
    ...common,
    ...textSearch("role", raw),
    ...textSearch("property", raw),
    ...idSearch("group", raw),
    ...textSearch("reachable", raw),
    ...textSearch("lives", raw),
    ...textSearch("sort", raw),
    ...idSearch("person", raw),
    ...idSearch("edit", raw),
    ...idSearch("import", raw),
    ...openSearch(["new", "import", "export", "details"], raw),
  };
}
