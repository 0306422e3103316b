import { listText } from "#contract/text/locale.ts";
import { isolated } from "#contract/text/isolate.ts";
import { floorText, GROUND, HIGHEST_FLOOR, LOWEST_FLOOR, PENTHOUSE } from "#contract/text/unit-name.ts";

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

/** "Harbor View, Building B, floors 1–3", "Harbor View, stack 04, floor 2". `units`: the names of the chosen homes. */
export function homesText(property: string, where: HomesWhere, units: readonly string[] = []): string {
  const parts = [isolated(property), ...whereTexts(where)];
  if (where.units) {
    parts.push(
      units.length === where.units.length && units.length <= NAMED
        ? listText(units.map((name) => (name === "" ? "no unit" : isolated(name))))
        : `${where.units.length} homes`,
    );
  }
  return parts.join(", ");
}

/** "Building B", "stack 04", "floors 1–3". */
export function whereTexts({ building, floors, stacks }: Omit<HomesWhere, "units">): string[] {
  return [
    ...(building === undefined ? [] : [building === "" ? "no building" : `Building ${isolated(building)}`]),
    ...(stacks ? [stacksText(stacks)] : []),
    ...(floors ? [floorsText(floors)] : []),
  ];
}

/** "stack 04", "stacks A–C and 07". */
function stacksText(stacks: readonly string[]): string {
  const runs: string[][] = [];
  for (const stack of stacks) {
    const last = runs.at(-1);
    if (last && isNext(last.at(-1)!, stack)) last.push(stack);
    else runs.push([stack]);
  }
  const texts = runs.flatMap((run) =>
    run.length < 3 ? run.map((stack) => isolated(stack)) : [`${run[0]}–${run.at(-1)}`],
  );
  return `${stacks.length === 1 ? "stack" : "stacks"} ${listText(texts)}`;
}

/** "05" after "04", "D" after "C". */
function isNext(one: string, other: string): boolean {
  if (/^\d+$/.test(one)) return other === String(Number(one) + 1).padStart(one.length, "0");
  return /^[A-Z]$/.test(one) && other === String.fromCodePoint(one.codePointAt(0)! + 1);
}

/** "floors 1–3 and 7", "ground floor and floor 2". */
export function floorsText(floors: readonly number[]): string {
  const { below, numbered, above } = spansOf(floors);
  const many = numbered.length > 1 || numbered.some((span) => span.includes("–"));
  return listText([
    ...below,
    ...(numbered.length > 0 ? [`${many ? "floors" : "floor"} ${listText(numbered)}`] : []),
    ...above,
  ]);
}

/** "basement, 1–3, 7", as a field has them. */
export function floorsField(floors: readonly number[]): string {
  const { below, numbered, above } = spansOf(floors);
  return [...below, ...numbered, ...above].join(", ");
}

function spansOf(floors: readonly number[]) {
  const sorted = [...new Set(floors)].toSorted((one, other) => one - other);
  const name = (floor: number) => floorText(floor).toLowerCase();
  const spans: [number, number][] = [];
  for (const floor of sorted.filter((one) => one >= 1 && one !== PENTHOUSE)) {
    const last = spans.at(-1);
    if (last?.[1] === floor - 1) last[1] = floor;
    else spans.push([floor, floor]);
  }
  return {
    below: sorted.filter((floor) => floor < 1).map((floor) => name(floor)),
    numbered: spans.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)),
    above: sorted.filter((floor) => floor === PENTHOUSE).map((floor) => name(floor)),
  };
}

const WORDS: readonly (readonly [RegExp, number])[] = [
  [/^ground(?: floor)?$/, GROUND],
  [/^basement$/, -1],
  [/^(?:penthouse|ph)$/, PENTHOUSE],
];

/** Floors as someone writes them: "1-3, 7", "ground floor, 1–3 and penthouse". Null: that can't be read. */
export function readFloors(text: string): number[] | null {
  const parts = text
    .toLowerCase()
    .replaceAll(/\bfloors?\s+(?=-?\d)/g, "")
    .split(/[,;]|\band\b/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const floors = parts.flatMap((part) => readSpan(part) ?? [Number.NaN]);
  const isFloor = (floor: number) => (floor >= LOWEST_FLOOR && floor <= HIGHEST_FLOOR) || floor === PENTHOUSE;
  return floors.every((floor) => isFloor(floor)) ? [...new Set(floors)] : null;
}

function readSpan(part: string): number[] | null {
  const named = WORDS.find(([word]) => word.test(part))?.[1];
  if (named !== undefined) return [named];
  const below = /^basement (\d)$/.exec(part);
  if (below) return [-Number(below[1])];
  const [, first, last = first] = /^(-?\d{1,3})(?:\s*(?:[-–—]|to)\s*(-?\d{1,3}))?$/.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)];
  return first !== undefined && from <= to
    ? Array.from({ length: to - from + 1 }, (_, index) => from + index)
    : null;
}
