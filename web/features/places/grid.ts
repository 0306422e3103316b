import type { Home } from "#contract/calls/places.ts";
import { compareNames } from "#contract/text/fold.ts";

/** Homes by floor and stack, the highest floor first. Those that lack one of the two are beside it. */
export type Grid = {
  stacks: string[];
  floors: { floor: number; cells: Home[][] }[];
  elsewhere: Home[];
};

export function gridOf(homes: readonly Home[]): Grid {
  const placed = homes.filter(({ floor, stack }) => floor !== null && stack !== null);
  const stacks = [...new Set(placed.map(({ stack }) => stack ?? ""))].toSorted(compareNames);
  const floors = [...new Set(placed.map(({ floor }) => floor ?? 0))].toSorted((one, other) => other - one);
  return {
    stacks,
    floors: floors.map((floor) => ({
      floor,
      cells: stacks.map((stack) => placed.filter((home) => home.floor === floor && home.stack === stack)),
    })),
    elsewhere: homes.filter(({ floor, stack }) => floor === null || stack === null),
  };
}

/** The homes of a rectangle between two of them, as a pointer drags across it. */
export function between({ floors }: Grid, from: number, to: number): number[] {
  const at = (id: number) => {
    const row = floors.findIndex(({ cells }) => cells.some((cell) => cell.some((home) => home.id === id)));
    return { row, column: floors[row]?.cells.findIndex((cell) => cell.some((home) => home.id === id)) ?? -1 };
  };
  const [one, other] = [at(from), at(to)];
  if (one.row < 0 || other.row < 0) return [];
  const rows = [one.row, other.row].toSorted((a, b) => a - b) as [number, number];
  const columns = [one.column, other.column].toSorted((a, b) => a - b) as [number, number];
  return floors
    .slice(rows[0], rows[1] + 1)
    .flatMap(({ cells }) => cells.slice(columns[0], columns[1] + 1).flat())
    .map(({ id }) => id);
}
