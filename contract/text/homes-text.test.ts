import { expect, test } from "vitest";
import { floorsText, homesText } from "#contract/text/homes-text.ts";

test.each([
  [{}, [], "Harbor View"],
  [{ building: "B" }, [], "Harbor View, Building B"],
  [{ building: "B", floors: [1, 2, 3] }, [], "Harbor View, Building B, floors 1–3"],
  [{ building: "" }, [], "Harbor View, no building"],
  [{ stacks: ["04"] }, [], "Harbor View, units 04 on every floor"],
  [{ stacks: ["04"], floors: [9, 1, 2] }, [], "Harbor View, units 04 on floors 1–2 and 9"],
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
