import { expect, test } from "vitest";
import type { Home } from "#contract/calls/places.ts";
import { buildingShown, matchesHome } from "#web/features/places/home-search.ts";

const home = (name: string, building: string, floor: number | null, stack: string | null): Home => ({
  id: 1,
  propertyId: 1,
  name,
  building,
  floor,
  stack,
  people: [{ id: 1, name: "Ann Lee" }],
  channels: [],
  movesOut: null,
  movesIn: null,
});
const homes = [
  home("A-104", "A", 1, "04"),
  home("B-104", "B", 1, "04"),
  home("B-1005", "B", 10, "05"),
  home("Garage", "", null, null),
];

test.each([
  ["", 4],
  ["104", 2],
  ["ann", 4],
  ["stack 04", 2],
  ["stack 4", 2],
  ["floor 1", 2],
  ["floor 10", 1],
  ["building b", 2],
  ["building b, floors 1-3", 1],
  ["garage", 1],
  ["ann b", 2],
  ["stack 09", 0],
])("%j finds %i homes", (q, count) => {
  expect(homes.filter((one) => matchesHome(one, q))).toHaveLength(count);
});

test("the building that is open stays, unless only another has what is looked for", () => {
  const shown = (q: string) =>
    buildingShown(
      ["A", "B", ""],
      "A",
      homes.filter((one) => matchesHome(one, q)),
    );
  expect(shown("104")).toBe("A");
  expect(shown("building b")).toBe("B");
  expect(shown("stack 05")).toBe("B");
  expect(shown("garage")).toBe("");
  expect(shown("zebra")).toBe("A");
});
