import { describe, expect, test } from "vitest";
import { homeAfter, noHome } from "#server/features/users/home.ts";

const maple = { propertyUnit: "Maple Court 4B", property: "Maple Court", unit: "4B", homeByHand: false };
const mill = { propertyUnit: "The Old Mill 4", property: "The Old Mill 4", unit: null, homeByHand: true };

describe("what a form leaves of a home", () => {
  test.each([
    ["recognizes both in what is written", noHome, { propertyUnit: "Maple Court 4B" }, maple],
    ["says nothing, so all stays", maple, {}, maple],
    ["says the same, so all stays", maple, { propertyUnit: "Maple Court 4B" }, maple],
    [
      "says something else, which is recognized anew",
      maple,
      { propertyUnit: "Harbor House 7" },
      { propertyUnit: "Harbor House 7", property: "Harbor House", unit: "7", homeByHand: false },
    ],
    [
      "corrects both",
      { ...mill, property: "The Old Mill", unit: "4", homeByHand: false },
      { propertyUnit: "The Old Mill 4", property: "The Old Mill 4", unit: "" },
      mill,
    ],
    [
      "corrects only the unit",
      maple,
      { unit: "Penthouse" },
      { ...maple, unit: "Penthouse", homeByHand: true },
    ],
    ["keeps a correction while the text is the same", mill, { propertyUnit: "The Old Mill 4" }, mill],
    [
      "keeps a correction that is sent along",
      mill,
      { propertyUnit: "The Old Mill 4", property: "The Old Mill 4", unit: "" },
      mill,
    ],
    ["drops a correction with a new text", mill, { propertyUnit: "Maple Court 4B" }, maple],
    [
      "takes what is sent back unchanged beside a new text for no correction",
      mill,
      { propertyUnit: "Maple Court 4B", property: "The Old Mill 4", unit: "" },
      maple,
    ],
    [
      "takes a real correction beside a new text",
      maple,
      { propertyUnit: "The Old Mill 4", property: "The Old Mill 4", unit: "" },
      mill,
    ],
    ["empties all", maple, { propertyUnit: "" }, noHome],
    [
      "empties all, though the parts are sent along as they were",
      maple,
      { propertyUnit: "", property: "Maple Court", unit: "4B" },
      noHome,
    ],
    [
      "writes the parts together where nothing else is written",
      noHome,
      { propertyUnit: "", property: "Maple Court", unit: "4B" },
      { propertyUnit: "Maple Court / 4B", property: "Maple Court", unit: "4B", homeByHand: true },
    ],
    [
      "corrects to neither",
      maple,
      { property: "", unit: "" },
      { propertyUnit: "Maple Court 4B", property: null, unit: null, homeByHand: true },
    ],
  ])("%s", (_what, before, form, after) => {
    expect(homeAfter(before, form)).toEqual(after);
  });
});
