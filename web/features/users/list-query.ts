import { roles, type Role } from "#contract/calls/auth.ts";
import { reachability, type users } from "#contract/calls/users.ts";
import { type Standing, standings } from "#contract/homes.ts";
import type { QueryIn } from "#contract/endpoint.ts";

export const ROWS_PER_PAGE = 25;

export type Reachability = (typeof reachability)[number];

/** The search parameters of the list, which a person may have typed. */
export type ListSearch = {
  q?: string;
  role?: string;
  property?: string;
  group?: number;
  reachable?: string;
  lives?: string;
  sort?: string;
  page?: number;
  person?: number;
};

type Asked = Required<Pick<QueryIn<typeof users.list>, "sort" | "direction">>;

/** The sort orders. The first is the default and not in the URL. */
export const orders = {
  name: { label: "Name, A to Z", asked: { sort: "name", direction: "asc" } },
  "name-desc": { label: "Name, Z to A", asked: { sort: "name", direction: "desc" } },
  role: { label: "Role", asked: { sort: "role", direction: "asc" } },
  property: { label: "Property", asked: { sort: "property", direction: "asc" } },
  newest: { label: "Newest first", asked: { sort: "newest", direction: "asc" } },
  oldest: { label: "Oldest first", asked: { sort: "newest", direction: "desc" } },
} as const satisfies Record<string, { label: string; asked: Asked }>;
export type Order = keyof typeof orders;

const orderNames = Object.keys(orders) as Order[];

export type ListFilter = {
  q: string;
  role: Role | undefined;
  property: string | undefined;
  group: number | undefined;
  reachable: Reachability | undefined;
  lives: Standing | undefined;
  sort: Order;
  page: number;
};

/** Parses the search parameters, ignoring invalid ones. */
export function listFilter({
  q,
  role,
  property,
  group,
  reachable,
  lives,
  sort,
  page,
}: ListSearch): ListFilter {
  return {
    q: q?.trim() ?? "",
    role: roles.find((one) => one === role),
    property: property?.trim() || undefined,
    group,
    reachable: reachability.find((one) => one === reachable),
    lives: standings.find((one) => one === lives),
    sort: orderNames.find((one) => one === sort) ?? "name",
    page: page ?? 1,
  };
}

/** The search parameters for a filter, without defaults. A changed filter starts at page 1. */
export function listSearch(filter: ListFilter, change: Partial<ListFilter>): ListSearch {
  const { q, role, property, group, reachable, lives, sort, page } = { ...filter, page: 1, ...change };
  return {
    ...(q ? { q } : {}),
    ...(role ? { role } : {}),
    ...(property ? { property } : {}),
    ...(group ? { group } : {}),
    ...(reachable ? { reachable } : {}),
    ...(lives ? { lives } : {}),
    ...(sort === "name" ? {} : { sort }),
    ...(page > 1 ? { page } : {}),
  };
}

export const noFilter = {
  q: "",
  role: undefined,
  property: undefined,
  group: undefined,
  reachable: undefined,
  lives: undefined,
} as const satisfies Partial<ListFilter>;

/** Whether the list is filtered. A sort order is not a filter. */
export function isFiltered(filter: ListFilter): boolean {
  return (Object.keys(noFilter) as (keyof typeof noFilter)[]).some((name) => filter[name] !== noFilter[name]);
}

/** The filter as a query for the API. */
export function listQuery({ q, role, property, group, reachable, lives, sort, page }: ListFilter) {
  return {
    q,
    role,
    property,
    groupId: group,
    reachable,
    lives,
    ...orders[sort].asked,
    page,
    pageSize: ROWS_PER_PAGE,
  };
}
