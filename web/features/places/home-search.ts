import type { Home } from "#contract/calls/places.ts";
import { fold } from "#contract/text/fold.ts";
import { readHomeQuery } from "#contract/text/home-query.ts";

/** Whether a home, or someone in it, is called this, or it is on the floors and in the stacks that the text names. */
export function matchesHome(home: Home, q: string): boolean {
  const text = fold([home.name, ...home.people.map(({ name }) => name)].join(" "));
  const has = (words: string) =>
    fold(words)
      .split(" ")
      .every((word) => text.includes(word));
  const { building, floors, stacks, rest } = readHomeQuery(q);
  const stack = fold(home.stack ?? "");
  return (
    has(q) ||
    (has(rest) &&
      (building === undefined || fold(home.building) === fold(building)) &&
      (!floors || (home.floor !== null && floors.includes(home.floor))) &&
      (!stacks || (stack !== "" && stacks.some((one) => fold(one) === stack))))
  );
}

/** Which building to show of what a search finds: the one that is open, or the first in which something is found. */
export function buildingShown(buildings: readonly string[], open: string, found: readonly Home[]): string {
  return [open, ...buildings].find((one) => found.some(({ building }) => building === one)) ?? open;
}
