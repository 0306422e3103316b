import type { Home } from "#contract/calls/places.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { compareNames } from "#contract/text/fold.ts";
import { homesText, type HomesWhere } from "#contract/text/homes-text.ts";
import { floorText } from "#contract/text/unit-name.ts";
import { recipientKey, refOf } from "#contract/recipients.ts";

/** Which homes of a property are chosen, and what a tick in the tree changes. */

type Place = Pick<Home, "id" | "name" | "building" | "floor" | "stack">;
export type Tree = { id: number; name: string; homesListed: readonly Place[] };

/** The ids of the homes that these conditions mean. */
export function meets(homes: readonly Place[], { building, floors, stacks, units }: HomesWhere): number[] {
  return homes
    .filter(
      (home) =>
        (building === undefined || home.building === building) &&
        (!floors || (home.floor !== null && floors.includes(home.floor))) &&
        (!stacks || (home.stack !== null && stacks.includes(home.stack))) &&
        (!units || units.includes(home.id)),
    )
    .map(({ id }) => id);
}

const whereOf = ({ building, floors, stacks, units }: AudienceMember): HomesWhere => ({
  ...(building !== undefined && { building }),
  ...(floors && { floors }),
  ...(stacks && { stacks }),
  ...(units && { units }),
});
const keyOf = (where: HomesWhere) => recipientKey({ type: "homes", id: 0, ...where });

const ofProperty = (members: readonly AudienceMember[], id: number) =>
  members.filter((member) => member.type === "homes" && member.id === id);

/** The ids of the homes that are chosen. */
export function chosenIn(members: readonly AudienceMember[], { id, homesListed }: Tree): Set<number> {
  return new Set(ofProperty(members, id).flatMap((member) => meets(homesListed, whereOf(member))));
}

/** The buildings of a property, if it has several. */
export function buildingsOf(homes: readonly Place[]): string[] {
  const all = [...new Set(homes.map(({ building }) => building))].toSorted(compareNames);
  return all.length > 1 ? all : [];
}

/** Chooses these homes, or no longer. What is chosen stays a condition as long as it can be said as one. */
export function choose(
  members: readonly AudienceMember[],
  tree: Tree,
  where: HomesWhere,
  on: boolean,
): AudienceMember[] {
  const own = ofProperty(members, tree.id);
  const after = (on ? adding : leavingOut)(own.map(whereOf), where, tree.homesListed);
  const others = members.filter((member) => !own.includes(member));
  return [...others, ...after.map((one) => memberFor(tree, one))];
}

export function memberFor({ id, name, homesListed }: Tree, where: HomesWhere): AudienceMember {
  const units = homesListed.filter((home) => where.units?.includes(home.id));
  const text = homesText(
    name,
    where,
    units.map((home) => home.name),
  );
  return { ...refOf({ type: "homes", id, ...where }), name: text };
}

const axes = ["floors", "stacks", "units"] as const;
type Axis = (typeof axes)[number];
/** The one condition beside the building; undefined if there is none, or more than one. */
function axisOf(where: HomesWhere): Axis | undefined {
  const used = axes.filter((axis) => where[axis] !== undefined);
  return used.length === 1 ? used[0] : undefined;
}
const hasNoAxis = (where: HomesWhere) => axes.every((axis) => where[axis] === undefined);
/** All homes of the property. */
export const isWhole = (where: HomesWhere): boolean => where.building === undefined && hasNoAxis(where);

type Values = (number | string)[];
const inOrder = (values: Iterable<number | string>): Values =>
  [...new Set(values)].toSorted((one, other) =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : compareNames(String(one), String(other)),
  );
const withValues = (where: HomesWhere, axis: Axis, values: Values): HomesWhere => ({
  ...where,
  [axis]: values,
});
const valuesOf = (where: HomesWhere, axis: Axis): Values => where[axis] ?? [];

function adding(own: readonly HomesWhere[], where: HomesWhere, homes: readonly Place[]): HomesWhere[] {
  const axis = axes.find((one) => where[one] !== undefined);
  // Such as another floor of the same stack.
  const same =
    axis && own.find((one) => one[axis] && keyOf({ ...one, [axis]: where[axis] }) === keyOf(where));
  const added =
    axis && same
      ? withValues(where, axis, inOrder([...valuesOf(same, axis), ...valuesOf(where, axis)]))
      : where;
  const within = new Set(meets(homes, added));
  // What a building or a property includes needn't be said beside it.
  const isSaid = (one: HomesWhere) =>
    (hasNoAxis(added) || one.units !== undefined || axisOf(one) === undefined) &&
    meets(homes, one).every((id) => within.has(id));
  return [...own.filter((one) => one !== same && !isSaid(one)), added];
}

function leavingOut(own: readonly HomesWhere[], where: HomesWhere, homes: readonly Place[]): HomesWhere[] {
  const without = new Set(meets(homes, where));
  return own.flatMap((one) => {
    const meant = meets(homes, one);
    const rest = meant.filter((id) => !without.has(id));
    if (rest.length === meant.length) return [one];
    const after = less(one, where, homes);
    if (after.every((part) => isShort(part)) && isExactly(after, rest, homes)) return after;
    // Such as a floor without one of its stacks.
    const said = saidByPlace(rest, homes);
    if (said.length <= CHIPS && isExactly(said, rest, homes)) return said;
    return rest.length > 0 ? [{ units: rest.toSorted((first, second) => first - second) }] : [];
  });
}

/** More conditions are harder to read than a number of homes. */
const CHIPS = 2;
/** So many homes are named. */
const isShort = ({ units = [] }: HomesWhere) => units.length <= 4;

function isExactly(wheres: readonly HomesWhere[], ids: readonly number[], homes: readonly Place[]): boolean {
  const meant = new Set(wheres.flatMap((where) => meets(homes, where)));
  return meant.size === ids.length && ids.every((id) => meant.has(id));
}

/** These homes as stacks and their floors, building by building. */
function saidByPlace(ids: readonly number[], homes: readonly Place[]): HomesWhere[] {
  const chosen = new Set(ids);
  const buildings = buildingsOf(homes);
  const bases: HomesWhere[] = buildings.length > 0 ? buildings.map((building) => ({ building })) : [{}];
  return bases.flatMap((base) => {
    const all = new Set(meets(homes, base));
    const inside = homes.filter(({ id }) => chosen.has(id) && all.has(id));
    if (inside.length === all.size && inside.length > 0) return [base];
    const nowhere = inside.filter(({ floor, stack }) => floor === null || stack === null).map(({ id }) => id);
    const byStack = Map.groupBy(
      inside.filter(({ id }) => !nowhere.includes(id)),
      ({ stack }) => stack ?? "",
    );
    const alike = Map.groupBy(byStack, ([stack, some]) => {
      const whole = meets(homes, { ...base, stacks: [stack] }).length === some.length;
      return whole ? "" : JSON.stringify(inOrder(some.map(({ floor }) => floor ?? 0)));
    });
    return [
      ...[...alike].map(([floors, stacks]) => ({
        ...base,
        stacks: inOrder(stacks.map(([stack]) => stack)) as string[],
        ...(floors !== "" && { floors: JSON.parse(floors) as number[] }),
      })),
      ...(nowhere.length > 0 ? [{ ...base, units: nowhere }] : []),
    ];
  });
}

/** One choice without another one, as far as both look at the same thing. */
function less(one: HomesWhere, where: HomesWhere, homes: readonly Place[]): HomesWhere[] {
  if (hasNoAxis(where) && (where.building === undefined || where.building === one.building)) return [];
  if (one.building === undefined && where.building !== undefined && hasNoAxis(one)) {
    return buildingsOf(homes).flatMap((building) => less({ building }, where, homes));
  }
  if (one.building !== where.building) return [one];
  const axis = axisOf(where);
  if (!axis) return keyOf(one) === keyOf(where) ? [] : [one];
  const gone = new Set<number | string>(valuesOf(where, axis));
  const keeping = (values: Values): HomesWhere[] => {
    const kept = values.filter((value) => !gone.has(value));
    return kept.length > 0 ? [withValues(one, axis, kept)] : [];
  };
  if (axisOf(one) === axis) return keeping(valuesOf(one, axis));
  if (!hasNoAxis(one)) return [one];
  const inside = homes.filter((home) => one.building === undefined || home.building === one.building);
  if (axis === "units") return keeping(inside.map(({ id }) => id).toSorted((a, b) => a - b));
  const at = (home: Place) => (axis === "floors" ? home.floor : home.stack);
  const nowhere = inside.filter((home) => at(home) === null).map(({ id }) => id);
  return [
    ...keeping(inOrder(inside.flatMap((home) => at(home) ?? []))),
    ...(nowhere.length > 0 ? [withValues(one, "units", nowhere)] : []),
  ];
}

/** What the homes of a building can be chosen by. */
export const ways = [
  { value: "floors", label: "Floors" },
  { value: "stacks", label: "Stacks" },
  { value: "homes", label: "Homes" },
] as const;
export type Way = (typeof ways)[number]["value"];

/** A row of the tree, and what a tick at it means. */
export type PartRow = { name: string; where: HomesWhere; homes: readonly Home[] };

/** The rows of a building, or of a property without several. What is on no floor or stack is a row of its own. */
export function rowsBy(way: Way, homes: readonly Home[]): PartRow[] {
  if (way === "homes") {
    return homes.map((home) => ({
      name: home.name || "No unit",
      where: { units: [home.id] },
      homes: [home],
    }));
  }
  const at = ({ floor, stack }: Home) => (way === "floors" ? floor : stack);
  const groups = [...Map.groupBy(homes, at)].toSorted(([one], [other]) =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : one === null || other === null
        ? Number(one === null) - Number(other === null)
        : compareNames(String(one), String(other)),
  );
  return groups.map(([value, inside]) => {
    if (value === null) {
      const name = way === "floors" ? "No floor on file" : "No stack on file";
      return { name, where: { units: inside.map(({ id }) => id) }, homes: inside };
    }
    return typeof value === "number"
      ? { name: floorText(value), where: { floors: [value] }, homes: inside }
      : { name: `Stack ${value}`, where: { stacks: [value] }, homes: inside };
  });
}

/** What several rows mean. Those that are on no floor or stack are left to a tick of their own. */
export function together(wheres: readonly HomesWhere[]): HomesWhere {
  const floors = wheres.flatMap((where) => where.floors ?? []);
  const stacks = wheres.flatMap((where) => where.stacks ?? []);
  if (floors.length > 0) return { floors };
  if (stacks.length > 0) return { stacks };
  return { units: wheres.flatMap((where) => where.units ?? []) };
}

export function countsOf(homes: readonly Home[]) {
  return {
    homes: homes.length,
    empty: homes.filter((home) => home.people.length === 0).length,
    living: new Set(homes.flatMap((home) => home.people.map(({ id }) => id))).size,
  };
}

/** Of several homes: all are chosen, none, or "some". */
export type ChosenState = boolean | "some";

export function stateOf(chosen: ReadonlySet<number>, ids: readonly number[]): ChosenState {
  const count = ids.filter((id) => chosen.has(id)).length;
  return count === 0 ? false : count === ids.length || "some";
}
