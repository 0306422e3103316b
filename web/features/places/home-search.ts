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

/** The one of these buildings that the text names. */
export function buildingAsked(buildings: readonly string[], q: string): string | undefined {
  const { building } = readHomeQuery(q);
  return building === undefined ? undefined : buildings.find((one) => fold(one) === fold(building));
}
