import { expect, test } from "vitest";
import type { Home } from "#contract/calls/places.ts";
import { between, gridOf } from "#web/features/places/grid.ts";

const home = (id: number, floor: number | null, stack: string | null): Home => ({
  id,
  propertyId: 1,
  name: String(id),
  building: "",
  floor,
  stack,
  people: [],
  channels: [],
  movesOut: null,
  movesIn: null,
});
const grid = gridOf([
  home(101, 1, "01"),
  home(110, 1, "10"),
  home(102, 1, "2"),
  home(201, 2, "01"),
  home(5, null, "x"),
]);

test("homes stand by floors from the top and stacks by their number, and what has no floor is beside them", () => {
  expect(grid.stacks).toEqual(["01", "2", "10"]);
  expect(
    grid.floors.map(({ floor, cells }) => [floor, cells.map((cell) => cell.map(({ id }) => id))]),
  ).toEqual([
    [2, [[201], [], []]],
    [1, [[101], [102], [110]]],
  ]);
  expect(grid.elsewhere.map(({ id }) => id)).toEqual([5]);
});

test("dragging selects a rectangle, whichever corner it begins in", () => {
  expect(between(grid, 201, 102)).toEqual([201, 101, 102]);
  expect(between(grid, 102, 201)).toEqual([201, 101, 102]);
  expect(between(grid, 5, 201)).toEqual([]);
});
