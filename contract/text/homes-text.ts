import { listText } from "#contract/text/locale.ts";
import { isolated } from "#contract/text/isolate.ts";
import { floorText, PENTHOUSE } from "#contract/text/unit-name.ts";

/** Some homes of a property, by what all of them have in common. Without a condition: all of its homes. */
export type HomesWhere = {
  /** Empty: the homes that are in no building of their own. */
  building?: string | undefined;
  floors?: number[] | undefined;
  stacks?: string[] | undefined;
  /** Ids of homes. */
  units?: number[] | undefined;
};

/** How many homes are named, before they are counted. */
const NAMED = 4;

/** "Harbor View, Building B, floors 1–3", "Harbor View, units 04 on every floor". `units`: the names of the chosen homes. */
export function homesText(property: string, where: HomesWhere, units: readonly string[] = []): string {
  const { building, floors, stacks } = where;
  const parts = [isolated(property)];
  if (building !== undefined) parts.push(building === "" ? "no building" : `Building ${isolated(building)}`);
  if (stacks) {
    const on = floors ? `on ${floorsText(floors)}` : "on every floor";
    parts.push(`units ${listText(stacks.map((stack) => isolated(stack)))} ${on}`);
  } else if (floors) parts.push(floorsText(floors));
  if (where.units) {
    parts.push(
      units.length === where.units.length && units.length <= NAMED
        ? listText(units.map((name) => (name === "" ? "no unit" : isolated(name))))
        : `${where.units.length} homes`,
    );
  }
  return parts.join(", ");
}

/** "floors 1–3 and 7", "ground floor and floor 2". */
export function floorsText(floors: readonly number[]): string {
  const sorted = [...new Set(floors)].toSorted((one, other) => one - other);
  const isNamed = (floor: number) => floor < 1 || floor === PENTHOUSE;
  const lower = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
  const spans: [number, number][] = [];
  const numbered = sorted.filter((floor) => !isNamed(floor));
  for (const floor of numbered) {
    const last = spans.at(-1);
    if (last?.[1] === floor - 1) last[1] = floor;
    else spans.push([floor, floor]);
  }
  const texts = spans.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  return listText([
    ...sorted.filter((floor) => floor < 1).map((floor) => lower(floorText(floor))),
    ...(texts.length > 0 ? [`${numbered.length > 1 ? "floors" : "floor"} ${listText(texts)}`] : []),
    ...sorted.filter((floor) => floor === PENTHOUSE).map((floor) => lower(floorText(floor))),
  ]);
}
