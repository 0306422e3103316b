import { describe, expect, test } from "vitest";
import {
  bodyOf,
  fieldOf,
  groupForm,
  groupRules,
  memberIdsAfter,
  ruleOf,
  type GroupForm,
} from "#web/features/groups/edit/group-form.ts";

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
