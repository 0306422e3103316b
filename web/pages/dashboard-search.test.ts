import { expect, test } from "vitest";
import { dashboardSearch } from "#web/pages/page-search.ts";

test.each([
  [
    { q: "rent", page: 2, notice: 7 },
    { q: "rent", page: 2, notice: 7 },
  ],
  [
    { q: 12, notice: "7" },
    { q: "12", notice: 7 },
  ],
  [{ q: "", page: 1, notice: "x" }, {}],
  [{ notice: -1 }, {}],
  [{ notice: 1.5 }, {}],
])("the dashboard's address %j reads %j", (raw, expected) => {
  expect(dashboardSearch(raw)).toEqual(expected);
});
