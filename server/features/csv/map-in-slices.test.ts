import { expect, test } from "vitest";
import { mapInSlices } from "#server/features/csv/map-in-slices.ts";

test("others get their turn while many rows are worked on", async () => {
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const done = await mapInSlices(
    Array.from({ length: 2000 }, () => "row"),
    (row, place) => `${row} ${place}`,
  );
  clearImmediate(next);
  expect(done).toHaveLength(2000);
  expect(done.at(-1)).toBe("row 1999");
  expect(turns).toBeGreaterThanOrEqual(19);
});
