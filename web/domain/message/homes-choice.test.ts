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

test("where two conditions meet, the rest is said by both", () => {
  const stack = choose(start, tree, { building: "B", stacks: ["01"] }, true);
  const left = choose(stack, tree, { building: "B", floors: [10] }, false);
  expect(said(left)).toEqual(["Harbor View, Building B, stack 01, floors 1–2"]);
  expect(ids(choose(left, tree, { building: "B", units: [4] }, false))).toEqual([2]);
});

const tower: Tree = {
  id: 6,
  name: "Tower",
  homesListed: [1, 2, 3, 4, 5, 6].flatMap((floor) =>
    ["01", "02", "03", "04"].map((stack, place) => ({
      id: floor * 10 + place,
      name: `${floor}${stack}`,
      building: "",
      floor,
      stack,
    })),
  ),
};
const inTower = (members: AudienceMember[]) => [...chosenIn(members, tower)].length;

test("a stack without one of its homes is still a stack, on its other floors", () => {
  const stack = choose(start, tower, { stacks: ["04"] }, true);
  const less = choose(stack, tower, { units: [33] }, false);
  expect(said(less)).toEqual(["Tower, stack 04, floors 1–2 and 4–6"]);
  expect(inTower(less)).toBe(5);
  expect(said(choose(less, tower, { units: [63] }, false))).toEqual(["Tower, stack 04, floors 1–2 and 4–5"]);
});

test("floors of a stack are chosen one after the other, and a floor can lack a stack", () => {
  const one = choose(start, tower, { stacks: ["04"], floors: [1] }, true);
  const two = choose(one, tower, { stacks: ["04"], floors: [2] }, true);
  expect(said(two)).toEqual(["Tower, stack 04, floors 1–2"]);
  expect(said(choose(two, tower, { stacks: ["04"], floors: [1] }, false))).toEqual([
    "Tower, stack 04, floor 2",
  ]);
  // The whole stack says them as well.
  expect(said(choose(two, tower, { stacks: ["04"] }, true))).toEqual(["Tower, stack 04"]);
  const floor = choose(start, tower, { floors: [3] }, true);
  expect(said(choose(floor, tower, { stacks: ["02"] }, false))).toEqual([
    "Tower, stacks 01, 03, and 04, floor 3",
  ]);
});

test("a property without a home is what is left of its stacks; many scattered homes are counted", () => {
  const all = choose(start, tower, {}, true);
  const less = choose(all, tower, { units: [11] }, false);
  expect(said(less)).toEqual(["Tower, stacks 01, 03, and 04", "Tower, stack 02, floors 2–6"]);
  const scattered = choose(all, tower, { units: [20, 31, 42] }, false);
  expect(said(scattered)).toEqual(["Tower, 21 homes"]);
  expect(inTower(scattered)).toBe(21);
});
