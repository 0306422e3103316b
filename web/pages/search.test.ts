import { expect, test } from "vitest";
import { notificationsSearch } from "#web/pages/notifications-search.ts";
import { pageSearch } from "#web/pages/page-search.ts";

test.each([
  [{ page: 2 }, { page: 2 }],
  [{ page: "3" }, { page: 3 }],
  [{ page: 1 }, {}],
  [{ page: 0 }, {}],
  [{ page: -1 }, {}],
  [{ page: 1.5 }, {}],
  [{ page: "x" }, {}],
  [{}, {}],
])("%o is the page %o", (raw, expected) => expect(pageSearch(raw)).toEqual(expected));

test("the list's address keeps its words, a number among them, and drops what it does not know", () => {
  const raw = { q: 12, status: "Failed", channel: "sms", page: 2, utm_source: "mail" };
  expect(notificationsSearch(raw)).toEqual({ q: "12", status: "Failed", channel: "sms", page: 2 });
});

test("nothing in the address filters nothing", () => {
  expect(notificationsSearch({ q: "", status: ["Failed"], channel: null })).toEqual({});
});
