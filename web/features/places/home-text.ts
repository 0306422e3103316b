import { BellOff, Check, CheckCheck, DoorOpen, type LucideIcon } from "lucide-react";
import type { Home, PropertyRow } from "#contract/calls/places.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { numberText } from "#contract/text/locale.ts";
import { floorText } from "#contract/text/unit-name.ts";

/** How the people of a home can be reached. */
export type HomeState = "two" | "one" | "none" | "empty";

export function stateOf({ people: living, channels }: Pick<Home, "people" | "channels">): HomeState {
  if (living.length === 0) return "empty";
  if (channels.length === 0) return "none";
  return channels.length === 1 ? "one" : "two";
}

type Look = { label: string; Icon: LucideIcon; tile: string; mark: string };

/** The same icon and color in the grid, its legend and the list. */
export const homeLook: Record<HomeState, Look> = {
  two: { label: "Two or more channels", Icon: CheckCheck, tile: "border-line bg-card", mark: "text-good" },
  one: {
    label: "One channel",
    Icon: Check,
    tile: "border-warn/40 bg-warn-soft",
    mark: "text-warn",
  },
  none: { label: "No channel", Icon: BellOff, tile: "border-bad/40 bg-bad-soft", mark: "text-bad" },
  empty: {
    label: "Empty",
    Icon: DoorOpen,
    tile: "border-dashed border-line-strong bg-transparent",
    mark: "text-ink-3",
  },
};
export const homeStates: readonly HomeState[] = ["two", "one", "none", "empty"];

/** "204"; the property itself where people's details name no unit. */
export const homeName = (name: string): string => (name === "" ? "No unit" : name);

/** The same within its building: "204" of "A-204". */
export function nameInBuilding({ name, building }: Pick<Home, "name" | "building">): string {
  const own = name.startsWith(building) ? name.slice(building.length).replace(/^[\s.-]+/, "") : "";
  return own === "" ? homeName(name) : own;
}

/** Where it is: "Building A, floor 2, stack 04". */
export function whereText({ building, floor, stack }: Pick<Home, "building" | "floor" | "stack">): string {
  const parts = [
    building && `Building ${isolated(building)}`,
    floor !== null && floorText(floor),
    stack && `Stack ${isolated(stack)}`,
  ].filter((part): part is string => Boolean(part));
  return parts
    .map((part, place) => (place === 0 ? part : part.slice(0, 1).toLowerCase() + part.slice(1)))
    .join(", ");
}

/** What a cell of the grid says aloud besides what it shows: ", 2 people, one channel". */
export function homeSaid(home: Home): string {
  const state = stateOf(home);
  return [
    "",
    state === "empty" ? "empty" : `${people(home.people.length)}, ${homeLook[state].label.toLowerCase()}`,
    home.movesOut && `someone moves out ${dayText(home.movesOut)}`,
    home.movesIn && `someone moves in ${dayText(home.movesIn)}`,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** "87 of 91 occupied homes can be reached" */
export const reachedText = ({ occupied, reachable }: Pick<PropertyRow, "occupied" | "reachable">): string =>
  `${numberText(reachable)} of ${numberText(occupied)} occupied ${occupied === 1 ? "home" : "homes"} can be reached`;

/** "6 homes · 9 people" */
export function selectionText(homes: readonly Home[]): string {
  const living = new Set(homes.flatMap((home) => home.people.map(({ id }) => id)));
  return `${counted(homes.length, "home")} · ${people(living.size)}`;
}
