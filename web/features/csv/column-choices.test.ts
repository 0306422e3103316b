import { expect, test } from "vitest";
import { mappingOf, sentKey, toRemember, withChoice } from "#web/features/csv/column-choices.ts";

const headers = ["First Name", "Surname", "Handy", "Phone", "Notes"];

test("columns are what their names say, unless something else was chosen before", () => {
  expect(mappingOf(headers)).toEqual(["firstName", "lastName", null, "phone", null]);
  expect(mappingOf(headers, { handy: "phone", phone: null })).toEqual([
    "firstName",
    "lastName",
    "phone",
    null,
    null,
  ]);
});

test("a meaning belongs to one column: the one that had it gives it up", () => {
  expect(withChoice(mappingOf(headers), 2, "phone")).toEqual(["firstName", "lastName", "phone", null, null]);
  expect(withChoice(mappingOf(headers), 3, null)).toEqual(["firstName", "lastName", null, null, null]);
});

test("only what the names do not say is remembered, and a choice can be taken back", () => {
  const chosen = withChoice(mappingOf(headers), 2, "phone");
  const remembered = toRemember(headers, chosen);
  expect(remembered).toEqual({ handy: "phone", phone: null });
  expect(mappingOf(headers, remembered)).toEqual(chosen);
  expect(toRemember(headers, mappingOf(headers), { ...remembered, other: "email" })).toEqual({
    other: "email",
  });
});

test("made-up names of a file without a header are not remembered", () => {
  expect(toRemember(["Column 1", ""], ["firstName", "email"])).toEqual({});
});

test("a column is sent by its own name where that says what it is", () => {
  expect([sentKey("Surname", "lastName"), sentKey("Handy", "phone")]).toEqual(["Surname", "phone"]);
});
