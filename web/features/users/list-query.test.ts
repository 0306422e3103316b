import { describe, expect, test } from "vitest";
import { isFiltered, listFilter, listQuery, listSearch, noFilter } from "#web/features/users/list-query.ts";

const full = {
  q: "mei",
  role: "tenant",
  property: "Elm House",
  group: 4,
  reachable: "sms",
  lives: "past",
  sort: "newest",
  page: 3,
} as const;

describe("the list's URL", () => {
  test("is written as it was read", () => {
    expect(listSearch(listFilter(full), { page: 3 })).toEqual(full);
    expect(listSearch(listFilter({}), {})).toEqual({});
  });

  test("ignores unknown filters", () => {
    expect(listFilter({ q: "  ", role: "ghost", reachable: "fax", sort: "height", property: " " })).toEqual({
      ...noFilter,
      group: undefined,
      sort: "name",
      page: 1,
    });
  });

  test("a changed filter starts at the first page", () => {
    const { page: _, ...first } = full;
    expect(listSearch(listFilter(full), { role: undefined })).toEqual(
      Object.fromEntries(Object.entries(first).filter(([name]) => name !== "role")),
    );
    expect(listSearch(listFilter(full), { sort: "name" })).not.toHaveProperty("page");
  });
});

test.each(["q", "role", "property", "group", "reachable", "lives"] as const)("%s is a filter", (name) => {
  expect(isFiltered(listFilter({ [name]: full[name] }))).toBe(true);
});

test("sort order and page are not filters", () => {
  expect(isFiltered(listFilter({ sort: "newest", page: 2 }))).toBe(false);
});

test.each([
  ["newest", "newest", "asc"],
  ["oldest", "newest", "desc"],
  ["name-desc", "name", "desc"],
] as const)("the order %s asks for %s, %s", (order, sort, direction) => {
  expect(listQuery(listFilter({ ...full, sort: order }))).toMatchObject({
    sort,
    direction,
    groupId: 4,
    page: 3,
    pageSize: 25,
  });
});
