import { readFloors, type HomesWhere } from "#contract/text/homes-text.ts";

/** What someone looks for among homes: "harbor building b, floors 1-3", "stack 04", "4B". */
export type HomeQuery = Pick<HomesWhere, "building" | "floors" | "stacks"> & {
  /** Everything else they wrote: a property, a home, a person. */
  rest: string;
};

const START = String.raw`(?<![\p{L}\d])`;
const END = String.raw`(?![\p{L}\d])`;
const SPAN = String.raw`-?\d{1,3}(?:\s*(?:[-–—]|\bto\b)\s*-?\d{1,3})?`;
const AND = String.raw`(?:\s*,\s*|\s+and\s+)`;
const NAME = String.raw`[\p{L}\d]{1,4}`;

const BUILDING = new RegExp(
  `${START}(?:building|bldg|block|tower|wing)\\.?\\s+([\\p{L}\\d]{1,10})${END}`,
  "iu",
);
const FLOORS: readonly RegExp[] = [
  new RegExp(`${START}floors?\\s+(${SPAN}(?:${AND}${SPAN})*)${END}`, "iu"),
  new RegExp(`${START}(\\d{1,3})(?:st|nd|rd|th)\\s+floor${END}`, "iu"),
  new RegExp(`${START}(ground floor|basement|penthouse)${END}`, "iu"),
];
const STACKS = new RegExp(`${START}stacks?\\s+(${NAME}(?:${AND}${NAME})*)${END}`, "iu");

/** Reads it. What isn't clear stays in `rest`. Linear in the length of the text. */
export function readHomeQuery(text: string): HomeQuery {
  let rest = text.slice(0, 200);
  const take = <Value>(pattern: RegExp, read: (text: string) => Value | null): Value | undefined => {
    const found = pattern.exec(rest);
    const value = found?.[1] === undefined ? null : read(found[1]);
    if (!found || value === null) return undefined;
    rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    return value;
  };
  const building = take(BUILDING, String);
  const stacks = take(STACKS, (list) => list.split(/\s*,\s*|\s+and\s+/iu));
  const floors = FLOORS.flatMap((pattern) => take(pattern, readFloors) ?? []);
  return {
    ...(building !== undefined && { building }),
    ...(floors.length > 0 && { floors: floors.toSorted((one, other) => one - other) }),
    ...(stacks && {
      stacks: stacks.flatMap((stack) => (/^\d$/.test(stack) ? [stack, `0${stack}`] : [stack])),
    }),
    rest: rest.replaceAll(/[\s,]+/gu, " ").trim(),
  };
}
