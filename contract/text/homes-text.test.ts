import { expect, test } from "vitest";
import { floorsField, floorsText, homesText, readFloors } from "#contract/text/homes-text.ts";

test.each([
  [{}, [], "Harbor View"],
  [{ building: "B" }, [], "Harbor View, Building B"],
  [{ building: "B", floors: [1, 2, 3] }, [], "Harbor View, Building B, floors 1–3"],
  [{ building: "" }, [], "Harbor View, no building"],
  [{ stacks: ["04"] }, [], "Harbor View, stack 04"],
  [{ stacks: ["04"], floors: [9, 1, 2] }, [], "Harbor View, stack 04, floors 1–2 and 9"],
  [{ stacks: ["01", "02", "03", "05", "A", "B"] }, [], "Harbor View, stacks 01–03, 05, A, and B"],
  [
    { building: "B", stacks: ["C", "D", "E"], floors: [2] },
    [],
    "Harbor View, Building B, stacks C–E, floor 2",
  ],
  [{ units: [7, 8] }, ["B-304", "B-305"], "Harbor View, B-304 and B-305"],
  [{ units: [1, 2, 3, 4, 5] }, ["1A", "1B", "1C", "1D", "1E"], "Harbor View, 5 homes"],
])("homes %j read as they are chosen", (where, units, text) => {
  expect(homesText("Harbor View", where, units)).toBe(text);
});

test("a name from right to left moves nothing beside it", () => {
  expect(homesText("בית הנמל", { building: "ב", floors: [1] })).toBe(
    "\u2068בית הנמל\u2069, Building \u2068ב\u2069, floor 1",
  );
});

test.each([
  [[3], "floor 3"],
  [[10, 1, 2], "floors 1–2 and 10"],
  [[0, 1, 2], "ground floor and floors 1–2"],
  [[-1, 999], "basement and penthouse"],
])("floors %j are numbers, or have a name", (floors, text) => {
  expect(floorsText(floors)).toBe(text);
});

test.each([
  ["1-3, 7", [1, 2, 3, 7]],
  ["1 to 3", [1, 2, 3]],
  ["Floor 10", [10]],
  ["-2–0; 4", [-2, -1, 0, 4]],
  ["", []],
  ["1*", null],
  ["10A", null],
  ["3-1", null],
  ["1-998", null],
  ["200", null],
])("someone writes the floors %j", (text, floors) => {
  expect(readFloors(text)).toEqual(floors);
});

test.each([[[0, 1, 2, 3, 7]], [[-2, -1, 999]], [[5]]])("floors %j are read as they are written", (floors) => {
  expect(readFloors(floorsField(floors))).toEqual(floors);
  expect(readFloors(floorsText(floors))?.toSorted((one, other) => one - other)).toEqual(floors);
});
