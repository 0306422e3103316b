import { expect, test } from "vitest";
import { everyoneIn, withFile } from "#web/domain/message/own-values/recipients.ts";

test("everyone in a file becomes everyone in the one that replaces it, and no one without one", () => {
  const group = { type: "group" as const, id: 3, name: "Building C" };
  const chosen = [group, everyoneIn({ id: 4, name: "Rent.xlsx" })];
  expect(withFile(chosen, { id: 5, name: "Rent 2.xlsx" })).toEqual([
    group,
    { type: "file", id: 5, name: "Rent 2.xlsx" },
  ]);
  expect(withFile(chosen, null)).toEqual([group]);
});
