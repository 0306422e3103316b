import { expect, test } from "vitest";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { chosenIn, choose, type Tree } from "#web/domain/message/homes-choice.ts";

const home = (id: number, building: string, floor: number | null, stack: string | null) => ({
  id,
  name: floor === null ? `${building} Office` : `${building}-${floor}${stack}`,
  building,
  floor,
  stack,
});
const tree: Tree = {
  id: 5,
  name: "Harbor View",
  homesListed: [
    home(1, "A", 1, "01"),
    home(2, "B", 1, "01"),
    home(3, "B", 1, "02"),
    home(4, "B", 2, "01"),
    home(5, "B", 10, "01"),
    home(6, "B", null, null),
  ],
};
const board: AudienceMember = { type: "group", id: 1, name: "Board" };
const start: AudienceMember[] = [board];
const said = (members: AudienceMember[]) => members.slice(1).map(({ name }) => name);
const ids = (members: AudienceMember[]) => [...chosenIn(members, tree)].toSorted((a, b) => a - b);

test("floors of one building are one choice, and the group beside it stays", () => {
  const one = choose(start, tree, { building: "B", floors: [2] }, true);
  const two = choose(one, tree, { building: "B", floors: [1] }, true);
  expect(two).toEqual([
    board,
    { type: "homes", id: 5, building: "B", floors: [1, 2], name: "Harbor View, Building B, floors 1–2" },
  ]);
  expect(ids(two)).toEqual([2, 3, 4]);
  expect(said(choose(two, tree, { building: "B", floors: [2] }, false))).toEqual([
    "Harbor View, Building B, floor 1",
  ]);
});

test("a building includes its floors, and the property its buildings", () => {
  const floor = choose(start, tree, { building: "B", floors: [1] }, true);
  const building = choose(floor, tree, { building: "B" }, true);
  expect(said(building)).toEqual(["Harbor View, Building B"]);
  expect(said(choose(building, tree, {}, true))).toEqual(["Harbor View"]);
  expect(choose(building, tree, {}, false)).toEqual(start);
});

test("what is left of a property or building is said by what it still is", () => {
  const all = choose(start, tree, {}, true);
  expect(said(choose(all, tree, { building: "A" }, false))).toEqual(["Harbor View, Building B"]);
  const left = choose(all, tree, { building: "B", floors: [10] }, false);
  expect(said(left)).toEqual([
    "Harbor View, Building A",
    "Harbor View, Building B, floors 1–2",
    "Harbor View, Building B, B Office",
  ]);
  expect(ids(left)).toEqual([1, 2, 3, 4, 6]);
});

test("where two conditions meet, the homes that are left are listed", () => {
  const stack = choose(start, tree, { building: "B", stacks: ["01"] }, true);
  const left = choose(stack, tree, { building: "B", floors: [10] }, false);
  expect(left[1]).toMatchObject({ units: [2, 4] });
  expect(ids(choose(left, tree, { building: "B", units: [4] }, false))).toEqual([2]);
});
