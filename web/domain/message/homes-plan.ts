import type { ReplyOf } from "#contract/endpoint.ts";
import type { Home, places } from "#contract/calls/places.ts";
import { dayAfter } from "#contract/homes.ts";
import { compareNames } from "#contract/text/fold.ts";
import { buildingsOf } from "#web/domain/message/homes-choice.ts";

type Tree = Pick<ReplyOf<typeof places.property>, "id" | "name" | "homesListed">;

/** The homes of a building in which some are chosen. */
export type Plan = {
  id: number;
  property: string;
  /** Empty: the property has only one. */
  building: string;
  homes: readonly Home[];
  chosen: ReadonlySet<number>;
};

/** The buildings of a property in which homes are chosen. */
export function planOf({ id, name, homesListed }: Tree, chosen: ReadonlySet<number>): Plan[] {
  const buildings = buildingsOf(homesListed);
  const parts =
    buildings.length === 0
      ? [homesListed]
      : buildings.map((one) => homesListed.filter(({ building }) => building === one));
  return parts.flatMap((homes) =>
    homes.some((home) => chosen.has(home.id))
      ? [
          {
            id,
            property: name,
            building: buildings.length === 0 ? "" : (homes[0]?.building ?? ""),
            homes,
            chosen,
          },
        ]
      : [],
  );
}

/** The highest floor first, as a building stands. */
export function floorsAndStacks(homes: readonly Home[]) {
  const placed = homes.filter(({ floor, stack }) => floor !== null && stack !== null);
  return {
    floors: [...new Set(placed.map(({ floor }) => floor ?? 0))].toSorted((one, other) => other - one),
    stacks: [...new Set(placed.map(({ stack }) => stack ?? ""))].toSorted(compareNames),
    elsewhere: homes.filter(({ floor, stack }) => floor === null || stack === null),
  };
}

type Move = { home: Home; into: boolean; day: string };

/** How many days ahead homes say who moves out. */
const KNOWN_DAYS = 30;
export const areMovesKnown = (today: string, goesOut: string): boolean =>
  goesOut < dayAfter(today, KNOWN_DAYS);

/** Who moves before it goes out on this day, the first move first. The last day is a day of living there. */
export function movesBefore(homes: readonly Home[], goesOut: string): Move[] {
  const moves = homes.flatMap((home): Move[] => [
    ...(home.movesIn !== null && home.movesIn <= goesOut ? [{ home, into: true, day: home.movesIn }] : []),
    ...(home.movesOut !== null && home.movesOut < goesOut ? [{ home, into: false, day: home.movesOut }] : []),
  ]);
  return moves.toSorted((one, other) => one.day.localeCompare(other.day) || one.home.id - other.home.id);
}
