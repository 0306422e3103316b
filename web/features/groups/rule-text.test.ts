import { expect, test } from "vitest";
import type { Group } from "#contract/groups.ts";
import { changed, matching, pageOf } from "#web/features/groups/list-query.ts";
import { people, ruleText } from "#web/features/groups/rule-text.ts";
import { needsList, syncText } from "#web/features/groups/sync-text.ts";

test.each([
  [{}, "Everyone"],
  [{ roles: [] }, "Everyone"],
  [{ roles: ["tenant", "staff"] }, "Tenants and staff"],
  [
    { roles: ["tenant"], property: "Elm House", unit: "4*", channel: "sms" },
    "Tenants at Elm House in units 4*, reachable by text message",
  ],
  [{ unit: "4B" }, "Everyone in unit 4B"],
] as const)("%o reads: %s", (rule, words) => {
  expect(ruleText({ ...rule, roles: "roles" in rule ? [...rule.roles] : undefined })).toBe(words);
});

test("people are counted in words", () => {
  expect([people(0), people(1), people(12_400)]).toEqual(["0 people", "1 person", "12,400 people"]);
});

test("a few changed groups are named, many are counted and listed", () => {
  const few = { created: ["Elm House"], removed: [], message: "Created: Elm House." };
  expect([needsList(few), syncText(few)]).toEqual([false, "Created: Elm House."]);
  const many = { created: ["A", "B", "C"], removed: ["D"], message: "long" };
  expect([needsList(many), syncText(many)]).toEqual([true, "3 created, 1 removed."]);
});

const group = (name: string, description = ""): Group => ({
  id: 1,
  name,
  description,
  userCount: 0,
  builtIn: false,
  rule: null,
  createdBy: "Ada Owner",
  updatedAt: "2026-11-01T09:00:00.000Z",
});

test("groups are found by name and description, whatever the case", () => {
  const all = [group("Roof committee"), group("Pets", "Dogs on the ROOF"), group("Elm House")];
  expect(matching(all, " roof ").map(({ name }) => name)).toEqual(["Roof committee", "Pets"]);
  expect(matching(all, "")).toHaveLength(3);
});

test("a page has 25 groups", () => {
  const rows = Array.from({ length: 30 }, (_, index) => index);
  expect(pageOf(rows, 1)).toHaveLength(25);
  expect(pageOf(rows, 2)).toEqual([25, 26, 27, 28, 29]);
});

test("another search starts at the first page and keeps the open members", () => {
  expect(changed({ q: "a", page: 2, members: 7 }, { q: "b" })).toEqual({ q: "b", members: 7 });
  expect(changed({ q: "a", page: 2 }, { page: 3 })).toEqual({ q: "a", page: 3 });
  expect(changed({ q: "a" }, { q: "" })).toEqual({});
});
