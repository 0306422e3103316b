import { composed } from "#contract/text/composed.ts";
import { fold } from "#contract/text/fold.ts";

/** Where a home is in its building, as far as its name says. */
export type UnitPlace = {
  building: string | null;
  /** 1 is the first above the ground floor or, where that is counted, the ground floor itself. Below it is negative. */
  floor: number | null;
  /** The homes above each other: "04" in 104, 204 and 304, "B" in 4B and 5B. */
  stack: string | null;
};

export const GROUND = 0;
/** Above every numbered floor. */
export const PENTHOUSE = 999;
export const LOWEST_FLOOR = -9;
export const HIGHEST_FLOOR = 199;

const nowhere: UnitPlace = { building: null, floor: null, stack: null };

/** Words before the name itself. What follows "no" and "nr" is its number. */
const WORD =
  /^(?:unit|apartment|apt|suite|ste|flat|room|rm|lot|space|no|nr|wohnung|whg|appartement|appt|piso|puerta|lokal|lejlighed|lgh)\b\.?\s*#?\s*/iu;
const BUILDING =
  /^(?:building|bldg|block|blk|tower|twr|wing|house|haus|bloque|bâtiment|bat|stairs?|staircase|aufgang)\b\.?\s*([\p{L}\d]{1,4})(?:[\s,;/.-]+|$)/iu;

/** Floors that have a name, as the text before or after the home's own: "EG links", "RDC 2", "Ground floor", "PH2". */
const NAMED: readonly (readonly [RegExp, number])[] = [
  [/^(?:penthouse|ph|attic|dg)$/iu, PENTHOUSE],
  [/^(?:ground(?: floor)?|gf|eg|rdc|parterre|pb|bajo|lobby|erdgeschoss|st)$/iu, GROUND],
  [/^(?:basement|bsmt|lower ground|lg|ll|ug|kg|ss)$/iu, -1],
];
/** A floor by its number: "3rd floor", "3. OG", "2º", "3e étage". */
const NUMBERED =
  /^(\d{1,3})(?:st|nd|rd|th|\.|º|°|ª|e|er|ème)?\s*(?:floor|fl|og|stock|étage|etage|piso|planta|tr|th\.?)\.?$/iu;
const ORDINAL = /^(\d{1,3})[º°ª]$/u;

const isFloor = (floor: number) => floor >= LOWEST_FLOOR && (floor <= HIGHEST_FLOOR || floor === PENTHOUSE);
const at = (building: string | null, floor: number | null, stack: string | null): UnitPlace => ({
  building,
  floor: floor !== null && isFloor(floor) ? floor : null,
  stack,
});

/**
 * Reads building, floor and stack in a home's name: "1204", "4B", "B-12", "PH2", "A-204", "Building B, 304", "3. OG links".
 * What isn't certain is null: of "12" no one can say whether it is on the first floor or the twelfth home of the house, and
 * an alarm for floor 1 must not reach floor 12. People correct the rest. Linear in the length of the text.
 */
export function readUnitName(text: string): UnitPlace {
  let name = plain(text);
  let building: string | null = null;
  const named = BUILDING.exec(name);
  if (named?.[1] && named[0].length < name.length) {
    building = named[1].toUpperCase();
    name = name.slice(named[0].length).replace(WORD, "");
  }
  return { ...readFloor(name, building) };
}

function plain(text: string): string {
  const name = composed(text).replaceAll(/\s+/gu, " ").trim().slice(0, 100);
  return name.replace(WORD, "").replace(/^#\s*/u, "");
}

function readFloor(name: string, building: string | null): UnitPlace {
  return (
    byNumber(name, building) ??
    byLetter(name, building) ??
    byWords(name, building) ?? { ...nowhere, building }
  );
}

/** "204" and "1204", also with a letter for a part of it, "204A", and a building before it: "A-204", "A204". */
function byNumber(name: string, building: string | null): UnitPlace | null {
  const found = /^(?:([a-z]{1,2})[\s.-]?)?(\d{1,2})(\d{2})([a-z]?)$/iu.exec(name);
  if (!found) return null;
  const [, letters = "", floor = "", number = "", part = ""] = found;
  const named = letters === "" ? undefined : namedFloor(letters);
  const stack = `${number}${part}`.toUpperCase();
  // "PH101" and "G101" say the floor in letters; its digits are the home's.
  if (named !== undefined) return at(building, named, `${floor}${stack}`);
  // "B-204" in a building that is named already is the home B-204 of it.
  const own = letters === "" ? building : (building ?? letters.toUpperCase());
  return at(own, Number(floor), stack);
}

/** "4B", "4-B", "12 B" and "B-12", "B4", "PH2", "EG-3". Two digits alone say nothing. */
function byLetter(name: string, building: string | null): UnitPlace | null {
  const found =
    /^(?<floor>\d{1,3})[\s./-]?(?<stack>[a-z]{1,2})$/iu.exec(name) ??
    /^(?<stack>[a-z]{1,3})[\s./-]?(?<floor>\d{1,2})$/iu.exec(name);
  const { floor = "", stack = "" } = found?.groups ?? {};
  if (!found) return byParts(name, building);
  const named = namedFloor(stack);
  if (named !== undefined && /^[a-z]/iu.test(name)) return at(building, named, floor);
  return at(building, Number(floor), stack.toUpperCase());
}

/** "0.04": floor and home. "1-12" may be the twelfth home of the first building. */
function byParts(name: string, building: string | null): UnitPlace | null {
  const found = /^(-?\d{1,2})\.(\d{1,2})$/u.exec(name);
  return found ? at(building, Number(found[1]), String(found[2]).padStart(2, "0")) : null;
}

/** "3. OG links", "EG rechts", "Ground floor left", "2º 1ª", "Penthouse", "PH". */
function byWords(name: string, building: string | null): UnitPlace | null {
  const words = name.split(/[\s,;/]+/u);
  for (let taken = Math.min(words.length, 3); taken > 0; taken--) {
    const said = words.slice(0, taken).join(" ");
    const floor = namedFloor(said) ?? numberedFloor(said);
    if (floor === undefined) continue;
    const rest = words.slice(taken).join(" ").replace(WORD, "");
    return at(building, floor, rest === "" ? null : (ORDINAL.exec(rest)?.[1] ?? rest));
  }
  return null;
}

const namedFloor = (word: string) => NAMED.find(([name]) => name.test(word))?.[1];
const numberedFloor = (words: string) => {
  const found = NUMBERED.exec(words) ?? ORDINAL.exec(words);
  return found ? Number(found[1]) : undefined;
};

/**
 * What two spellings of one home have in common: "4-B", "4 b" and "Apt 4B" are one. Digits stay apart, as 1-12 isn't 11-2.
 */
export function unitKey(text: string): string {
  return fold(plain(text)).replaceAll(/(?<=\d) (?=\p{L})|(?<=\p{L}) (?=\d)/gu, "");
}

/** "Floor 3", "Ground floor", "Basement 2", "Penthouse". */
export function floorText(floor: number): string {
  if (floor === PENTHOUSE) return "Penthouse";
  if (floor === GROUND) return "Ground floor";
  if (floor < 0) return floor === -1 ? "Basement" : `Basement ${-floor}`;
  return `Floor ${floor}`;
}
