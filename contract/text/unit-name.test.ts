import * as fc from "fast-check";
import { expect, test } from "vitest";
import { floorText, PENTHOUSE, readUnitName, unitKey } from "#contract/text/unit-name.ts";

type Read = [name: string, building: string | null, floor: number | null, stack: string | null];

test.each<Read>([
  ["204", null, 2, "04"],
  ["1204", null, 12, "04"],
  ["Apt 1204", null, 12, "04"],
  ["#1204", null, 12, "04"],
  ["204A", null, 2, "04A"],
  ["001", null, 0, "01"],
  ["4B", null, 4, "B"],
  ["4-B", null, 4, "B"],
  ["12 b", null, 12, "B"],
  ["Unit 4B", null, 4, "B"],
  ["B4", null, 4, "B"],
  ["B-12", null, 12, "B"],
  ["A-204", "A", 2, "04"],
  ["A204", "A", 2, "04"],
  ["b 1204", "B", 12, "04"],
  ["Building B, 304", "B", 3, "04"],
  ["Bldg 2 - 4B", "2", 4, "B"],
  ["Tower A Apt 1501", "A", 15, "01"],
  ["Haus 3, 12", "3", null, null],
  ["PH", null, PENTHOUSE, null],
  ["PH2", null, PENTHOUSE, "2"],
  ["Penthouse 2", null, PENTHOUSE, "2"],
  ["PH-01", null, PENTHOUSE, "01"],
  ["EG", null, 0, null],
  ["EG links", null, 0, "links"],
  ["EG 2", null, 0, "2"],
  ["Ground floor left", null, 0, "left"],
  ["RDC 2", null, 0, "2"],
  ["UG 1", null, -1, "1"],
  ["basement", null, -1, null],
  ["3. OG links", null, 3, "links"],
  ["3rd floor, Apt 2", null, 3, "2"],
  ["2º 1ª", null, 2, "1"],
  ["0.04", null, 0, "04"],
])("%s", (name, building, floor, stack) => {
  expect(readUnitName(name)).toEqual({ building, floor, stack });
});

// An alarm for floor 1 must not go to home 12.
test.each([
  "12",
  "3",
  "Apt 3",
  "garage",
  "rear",
  "main",
  "",
  "12345",
  "99999999",
  "Maple Court",
  "4 Rear",
  "ABCD",
  "1-12",
  "2/4",
])("nothing is certain about %j", (name) => {
  expect(readUnitName(name)).toEqual({ building: null, floor: null, stack: null });
});

test("every home of a house that is numbered by floors is read where it is", () => {
  const house = fc.record({
    floor: fc.integer({ min: 1, max: 99 }),
    number: fc.integer({ min: 1, max: 99 }),
    building: fc.constantFrom("", "A-", "B-", "C"),
    before: fc.constantFrom("", "Apt ", "Unit ", "# "),
  });
  fc.assert(
    fc.property(house, ({ floor, number, building, before }) => {
      const stack = String(number).padStart(2, "0");
      expect(readUnitName(`${before}${building}${floor}${stack}`)).toEqual({
        building: building === "" ? null : building.slice(0, 1),
        floor,
        stack,
      });
      const letter = String.fromCodePoint(65 + (number % 6));
      expect(readUnitName(`${before}${floor}${letter}`)).toEqual({ building: null, floor, stack: letter });
    }),
  );
});

test("any text is read without inventing any, and as its spellings are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const { building, floor, stack } = readUnitName(text);
      for (const part of [building, stack]) if (part !== null) expect(part.trim()).not.toBe("");
      if (floor !== null) expect(floorText(floor)).not.toBe("");
      expect(readUnitName(` ${text} `)).toEqual({ building, floor, stack });
      expect(unitKey(` ${text} `)).toBe(unitKey(text));
    }),
  );
});

test.each([
  ["4B", "4-b"],
  ["4B", "Apt 4 B"],
  ["A-204", "a204"],
  ["Penthouse", "PENTHOUSE"],
])("%s and %s are one home", (one, other) => {
  expect(unitKey(one)).toBe(unitKey(other));
});

test.each([
  ["1-12", "11-2"],
  ["4B", "B4"],
  ["04", "4"],
])("%s and %s are two", (one, other) => {
  expect(unitKey(one)).not.toBe(unitKey(other));
});

test.each([
  [3, "Floor 3"],
  [0, "Ground floor"],
  [-1, "Basement"],
  [-2, "Basement 2"],
  [PENTHOUSE, "Penthouse"],
])("%s reads %s", (floor, text) => {
  expect(floorText(floor)).toBe(text);
});
