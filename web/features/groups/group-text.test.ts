import { people } from "#contract/text/count-text.ts";
import { expect, test } from "vitest";
import type { GroupRule } from "#contract/calls/groups.ts";
import { changed } from "#web/features/groups/list-query.ts";
import { needsList, ruleText, syncText } from "#web/features/groups/group-text.ts";

test.each([
  [{}, "Everyone"],
  [{ roles: [] }, "Everyone"],
  [{ roles: ["tenant", "staff"] }, "Tenants and staff"],
  [
    { roles: ["tenant"], property: "Elm House", unit: "4*", channel: "sms" },
    "Tenants at Elm House in units 4*, reachable by text message",
  ],
  [{ unit: "4B" }, "Everyone in unit 4B"],
  [
    { property: "Elm House", building: "B", floors: [1, 2, 3] },
    "Everyone at Elm House, Building B, floors 1–3",
  ],
  [{ stacks: ["04"], unit: "A*" }, "Everyone in stack 04 in units A*"],
  [{ roles: ["tenant"], floors: [0] }, "Tenants on ground floor"],
] satisfies [GroupRule, string][])("%o reads: %s", (rule, words) => {
  expect(ruleText(rule)).toBe(words);
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

test("another search starts at the first page and keeps the open members", () => {
  expect(changed({ q: "a", page: 2, members: 7 }, { q: "b" })).toEqual({ q: "b", members: 7 });
  expect(changed({ q: "a", page: 2 }, { page: 3 })).toEqual({ q: "a", page: 3 });
  expect(changed({ q: "a" }, { q: "" })).toEqual({});
});
