import { describe, expect, test } from "vitest";
import { setPersonDetails } from "#contract/text/kept-details.ts";
import {
  bodyOf,
  fieldOf,
  groupForm,
  groupRules,
  memberIdsAfter,
  ruleOf,
  type GroupForm,
} from "#web/features/groups/edit/group-form.ts";
import { ruleText } from "#web/features/groups/group-text.ts";

const person = (id: number) => ({ id, name: `Person ${id}`, detail: "" });
const empty = groupForm(undefined);
const stored = {
  id: 4,
  name: "Top floor",
  description: "",
  userCount: 3,
  builtIn: false,
  rule: { roles: ["tenant" as const], unit: "9*" },
  createdBy: "Ada Owner",
  updatedAt: "2026-11-01T09:00:00.000Z",
};

describe("members", () => {
  test("stay, come and go by id, each once", () => {
    expect(memberIdsAfter([1, 2, 3], { added: [person(3), person(9)], removed: [2] })).toEqual([1, 3, 9]);
  });

  test("thousands of them are sent along with the one who came", () => {
    const before = Array.from({ length: 5000 }, (_, index) => index + 1);
    const body = bodyOf({ ...empty, name: "Many", added: [person(9999)] }, before);
    expect(body.userIds).toHaveLength(5001);
    expect(body.rule).toBeNull();
  });

  test("picked by hand are not sent beside a rule", () => {
    const form: GroupForm = { ...empty, kind: "rule", roles: ["tenant"], added: [person(1)] };
    expect(bodyOf(form, [2])).toMatchObject({ userIds: [], rule: { roles: ["tenant"] } });
  });
});

test("a rule says only what was filled in", () => {
  expect(ruleOf(empty)).toEqual({});
  expect(ruleOf({ ...empty, property: "Elm House", unit: " 4* ", channel: "sms" })).toEqual({
    property: "Elm House",
    unit: "4*",
    channel: "sms",
  });
});

test("floors and stacks are written as people write them, and come back the same", () => {
  const rule = { building: "B", floors: [-1, 1, 2, 3, 7], stacks: ["04", "05"] };
  expect(ruleOf({ ...empty, building: " B", floors: "1-3, 7, basement", stacks: "04; 05," })).toEqual({
    ...rule,
    floors: [1, 2, 3, 7, -1],
  });
  const { floors, stacks, ...opened } = groupForm({ ...stored, rule });
  expect([floors, stacks]).toEqual(["basement, 1–3, 7", "04, 05"]);
  expect(ruleOf({ ...opened, floors, stacks })).toEqual(rule);
});

test("floors that can't be read are refused at their field, and are never any floor", async () => {
  const form: GroupForm = { ...empty, name: "First", kind: "rule", floors: "1*" };
  expect(ruleOf(form)).toEqual({ floors: [] });
  const options = { fields: {}, shouldUseNativeValidation: false };
  expect(await groupRules([])(form, undefined, options)).toMatchObject({
    errors: { floors: { message: "Enter floors as numbers, such as 1–3 or 5, 7" } },
  });
});

test("a group opens as it is stored", () => {
  expect(groupForm(stored)).toMatchObject({
    kind: "rule",
    roles: ["tenant"],
    unit: "9*",
    property: "",
    channel: "",
  });
  expect(groupForm({ ...stored, rule: null }).kind).toBe("hand");
});

// spec 421
test("the name has two letters at least, in the written words", async () => {
  const options = { fields: {}, shouldUseNativeValidation: false };
  const checked = await groupRules([])({ ...empty, name: "A" }, undefined, options);
  expect(checked.errors).toMatchObject({ name: { message: "Group name must be at least 2 characters" } });
  expect((await groupRules([])({ ...empty, name: "AB" }, undefined, options)).errors).toEqual({});
});

test.each([
  ["name", "name"],
  ["userIds", "added"],
  ["userIds.3", "added"],
  ["rule.unit", "unit"],
  ["rule", undefined],
  ["createdBy", undefined],
])("the server's %s is the form's %s", (path, name) => expect(fieldOf(path)).toBe(name));

test("conditions on details are written as the country does, and come back the same", async () => {
  setPersonDetails([
    { id: 5, label: "Balance", field: "balance", kind: "amount" },
    { id: 6, label: "Lease review", field: "lease_review", kind: "date" },
  ]);
  const details = [
    { detail: 5, is: "over" as const, value: "$1,234.5" },
    { detail: 6, is: "within-days" as const, value: "90" },
    { detail: 6, is: "on-file" as const, value: "2026-01-01" },
  ];
  const rule = ruleOf({ ...empty, details });
  expect(rule.details).toEqual([
    { detail: 5, kind: "amount", is: "over", value: "1234.50" },
    { detail: 6, kind: "date", is: "within-days", value: "90" },
    { detail: 6, kind: "date", is: "on-file", value: "" },
  ]);
  expect(groupForm({ ...stored, rule }).details[0]?.value).toBe("1,234.50");
  expect(ruleText(rule)).toBe(
    "Everyone, Balance is over $1,234.50, Lease review is within the next 90 days, Lease review is on file",
  );
  const unreadable: GroupForm = {
    ...empty,
    name: "Owing",
    kind: "rule",
    details: [{ detail: 5, is: "over", value: "a lot" }],
  };
  const options = { fields: {}, shouldUseNativeValidation: false };
  expect(await groupRules([])(unreadable, undefined, options)).toMatchObject({
    errors: { details: [{ message: "Enter a value to compare with" }] },
  });
});
