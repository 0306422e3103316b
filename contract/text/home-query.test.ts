import { expect, test } from "vitest";
import { readHomeQuery } from "#contract/text/home-query.ts";

test.each([
  ["harbor building b", { building: "b", rest: "harbor" }],
  ["Building B, floors 1-3", { building: "B", floors: [1, 2, 3], rest: "" }],
  ["harbor floor 3", { floors: [3], rest: "harbor" }],
  ["floors 1 to 3 and 7 oak", { floors: [1, 2, 3, 7], rest: "oak" }],
  ["3rd floor", { floors: [3], rest: "" }],
  ["Ground floor oak park", { floors: [0], rest: "oak park" }],
  ["stack D", { stacks: ["D"], rest: "" }],
  ["stack 04, floors 1–9", { stacks: ["04"], floors: [1, 2, 3, 4, 5, 6, 7, 8, 9], rest: "" }],
  ["stacks 4 and 05", { stacks: ["4", "04", "05"], rest: "" }],
  ["harbor 4B", { rest: "harbor 4B" }],
  // Names of properties.
  ["Floor & Decor", { rest: "Floor & Decor" }],
  ["Haystack Hill", { rest: "Haystack Hill" }],
  ["floor 3-1", { rest: "floor 3-1" }],
  ["floor", { rest: "floor" }],
])("%j asks for %j", (text, query) => {
  expect(readHomeQuery(text)).toEqual(query);
});

test("hostile text takes no time", () => {
  for (const piece of ["floor 1, ", "stack a and ", "building ", "1-", "floors 1-3,".repeat(3)])
    expect(readHomeQuery(piece.repeat(5000)).rest.length).toBeLessThanOrEqual(200);
});
