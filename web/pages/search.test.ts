import { expect, test } from "vitest";
import { notificationsSearch, pageSearch } from "#web/pages/page-search.ts";
import { usersSearch } from "#web/pages/users-search.ts";
import { startOf, writeSearch } from "#web/pages/write-search.ts";

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
  const raw = { q: 12, status: "Failed", channel: "sms", time: "today", page: 2, utm_source: "mail" };
  const { utm_source: _, ...own } = raw;
  expect(notificationsSearch(raw)).toEqual({ ...own, q: "12" });
});

test("nothing in the address filters nothing", () => {
  expect(notificationsSearch({ q: "", status: ["Failed"], channel: null })).toEqual({});
});

test("each tab of User Management keeps what is its own", () => {
  const raw = { q: "mei", role: "tenant", group: "4", person: 12, members: 7, page: 2, sort: "newest" };
  const { members: _, group: __, ...own } = raw;
  expect(usersSearch(raw)).toEqual({ ...own, group: 4 });
  expect(usersSearch({ ...raw, tab: "groups" })).toEqual({ tab: "groups", q: "mei", page: 2, members: 7 });
  expect(usersSearch({ tab: "groups", edit: "4" })).toEqual({ tab: "groups", edit: 4 });
  expect(usersSearch({ tab: "attic", person: "x", group: -1, members: 1.5 })).toEqual({});
});

test.each(["new", "user:12", "group:7", "template:3", "missed:45"] as const)(
  "the URL opens the create dialog: %s",
  (write) => {
    expect(writeSearch({ write, q: "mei" })).toEqual({ write });
  },
);

test("a message to homes may name some of the property's", () => {
  expect(writeSearch({ write: "homes:5", units: [7, 8] })).toEqual({ write: "homes:5", units: [7, 8] });
  expect(writeSearch({ write: "homes:5", units: ["x"] })).toEqual({ write: "homes:5" });
  expect(writeSearch({ write: "group:5", units: [7] })).toEqual({ write: "group:5" });
});

test("a message to a person may start as a copy, of a notification that the URL names", () => {
  expect(writeSearch({ write: "user:12", copy: "45" })).toEqual({ write: "user:12", copy: 45 });
  expect(writeSearch({ write: "user:12", copy: "x" })).toEqual({ write: "user:12" });
  expect(writeSearch({ write: "group:7", copy: 45 })).toEqual({ write: "group:7" });
});

test.each(["user:", "user:0", "user:-1", "user:1.5", "house:1", "12", 12, ["user:12"]])(
  "%o is nobody to write to",
  (write) => expect([writeSearch({ write }), startOf(write)]).toEqual([{}, undefined]),
);
