import { expect, test } from "vitest";
import type { Home } from "#contract/calls/places.ts";
import { floorsAndStacks, movesBefore, planOf } from "#web/domain/message/homes-plan.ts";

const home = (id: number, building: string, floor: number | null, more: Partial<Home> = {}): Home => ({
  id,
  propertyId: 1,
  name: `Home ${id}`,
  building,
  floor,
  stack: floor === null ? null : "04",
  people: [],
  channels: [],
  movesOut: null,
  movesIn: null,
  ...more,
});

test("only buildings in which homes are chosen are shown", () => {
  const homesListed = [home(1, "A", 1), home(2, "B", 1), home(3, "B", 10)];
  const tree = { id: 1, name: "Harbor View", homesListed };
  expect(planOf(tree, new Set([3]))).toMatchObject([{ building: "B", homes: [{ id: 2 }, { id: 3 }] }]);
  expect(planOf(tree, new Set())).toEqual([]);
  const [alone] = planOf({ ...tree, homesListed: homesListed.slice(1) }, new Set([2]));
  expect(alone?.building).toBe("");
});

test("floors stand on each other, and homes without one are beside them", () => {
  const { floors, stacks, elsewhere } = floorsAndStacks([home(1, "", 2), home(2, "", 10), home(3, "", null)]);
  expect([floors, stacks, elsewhere.map(({ id }) => id)]).toEqual([[10, 2], ["04"], [3]]);
});

test("the last day is still a day of living there, and so is the first", () => {
  const homes = [
    home(1, "", 1, { movesOut: "2026-11-30", movesIn: "2026-12-01" }),
    home(2, "", 1, { movesOut: "2026-12-01" }),
    home(3, "", 1, { movesIn: "2026-12-02" }),
  ];
  expect(movesBefore(homes, "2026-12-01").map(({ home: { id }, into }) => [id, into])).toEqual([
    [1, false],
    [1, true],
  ]);
  expect(movesBefore(homes, "2026-11-30")).toEqual([]);
});
