import { type Days, dayAfter, lives, type ResidencyRole, standingOn } from "#contract/homes.ts";

/** A person's time in a home. `id`: 0 until it is stored. */
export type Residency = Days & {
  id: number;
  unitId: number;
  propertyId: number;
  /** The property itself is the home: people's details name no unit. */
  whole: boolean;
  role: ResidencyRole;
  leaseEnds: string | null;
  /** The person's details name this one. */
  shown: boolean;
  /** Property and unit as they were when this was last compared with the person's details. */
  said: string | null;
  /** The text of the details while they name this one. */
  home: string | null;
};

/** What someone is to a home, when, and until when the lease runs. Days are yyyy-MM-dd; null: open, or not known. */
export type Stay = Pick<Residency, "role" | "firstDay" | "lastDay" | "leaseEnds">;

/** Whoever of whom no more is known. */
export const openStay: Stay = { role: "leaseholder", firstDay: null, lastDay: null, leaseEnds: null };

/** A home as someone's details name it. */
export type Named = Pick<Residency, "unitId" | "propertyId" | "whole" | "said" | "home">;

/** What a person's residencies are after a change, as pure lists: what is stored is the difference. */
type Homes = readonly Residency[];

/**
 * After the text of the details has changed. `moved`: they live somewhere else from today on. `corrected`: they have lived
 * there all along. A unit that is named for the first time is a correction in any case. No text: they have no home any
 * more that we know of.
 */
export function afterText(
  before: Homes,
  named: Named | null,
  { today, how }: { today: string; how: "moved" | "corrected" },
): Residency[] {
  const shown = before.find((one) => one.shown);
  const others = before.filter((one) => one !== shown);
  if (!named) return shown ? [...others, ...ended(shown, today)] : [...before];
  if (!shown) {
    // Who had a home before comes to this one today, unless they have lived there all along.
    const firstDay = others.length > 0 && how === "moved" ? today : null;
    return [...others, ...entered(others, named, { today, firstDay, role: "leaseholder" })];
  }
  if (shown.unitId === named.unitId) return [...others, { ...shown, ...named }];
  const refined = shown.whole && shown.propertyId === named.propertyId;
  if (how === "corrected" || refined) return [...others, { ...shown, ...named }];
  const was = ended(shown, today);
  // Someone whose home was only another's, such as an owner's, lives there now.
  const role = lives(shown.role) ? shown.role : "leaseholder";
  const entering = entered(others, named, { today, firstDay: today, role });
  const found = new Set(entering.map(({ id }) => id).filter((id) => id > 0));
  return [...others.filter(({ id }) => !found.has(id)), ...was, ...entering];
}

/**
 * After a move to the shown home that was entered `today`: with its days, as far as they are known. Who has lived there
 * since an earlier day left the one before the day before that.
 */
export function movedWith(homes: Homes, days: Stay, today: string): Residency[] {
  const shown = homes.find((one) => one.shown);
  if (!shown) return [...homes];
  const { role, firstDay, lastDay, leaseEnds } = days;
  const left = firstDay !== null && firstDay < today ? dayAfter(firstDay, -1) : null;
  const leftFor = (one: Residency) =>
    left !== null &&
    shown.firstDay === today &&
    one.lastDay === dayAfter(today, -1) &&
    lives(one.role) &&
    (one.firstDay ?? "") <= left;
  return homes.map((one) => {
    if (one !== shown) return leftFor(one) ? { ...one, lastDay: left } : one;
    return {
      ...one,
      role,
      firstDay: firstDay ?? one.firstDay,
      lastDay: lastDay ?? one.lastDay,
      leaseEnds: leaseEnds ?? one.leaseEnds,
    };
  });
}

/** Ends a residency the day before. One that began on that day or is still to come never was. */
function ended(one: Residency, today: string): Residency[] {
  const yesterday = dayAfter(today, -1);
  const hidden = { ...one, shown: false };
  if (one.lastDay !== null && one.lastDay < today) return [hidden];
  return one.firstDay !== null && one.firstDay > yesterday ? [] : [{ ...hidden, lastDay: yesterday }];
}

/** The residency that begins in the named home; one that is on file there and isn't over is taken up instead. */
function entered(
  others: Homes,
  named: Named,
  { today, firstDay, role }: { today: string; firstDay: string | null; role: ResidencyRole },
): Residency[] {
  const onFile = others.find(
    (one) => one.unitId === named.unitId && lives(one.role) && standingOn(today, one) !== "past",
  );
  if (!onFile) return [{ ...named, id: 0, role, firstDay, lastDay: null, leaseEnds: null, shown: true }];
  const begun = standingOn(today, onFile) === "now" ? onFile.firstDay : today;
  return [{ ...onFile, ...named, firstDay: begun, shown: true }];
}

/**
 * Which one the details name: the one they name, as long as the person lives there; otherwise one in which they do, the
 * newest first, then the one that is named, and at last the next to come, or the last that was.
 */
function toShow(homes: Homes, today: string): Residency | undefined {
  const now = homes.filter((one) => lives(one.role) && standingOn(today, one) === "now");
  const shown = homes.find((one) => one.shown);
  if (shown && (now.includes(shown) || now.length === 0)) return shown;
  const newest = (list: Homes) =>
    list.toSorted(
      (one, other) => (other.firstDay ?? "").localeCompare(one.firstDay ?? "") || other.id - one.id,
    )[0];
  const coming = homes
    .filter((one) => standingOn(today, one) === "future")
    .toSorted((one, other) => (one.firstDay ?? "").localeCompare(other.firstDay ?? ""))[0];
  return newest(now) ?? coming ?? newest(homes);
}

/** The same list with the right one shown. */
export function showing(homes: Homes, today: string): Residency[] {
  const shown = toShow(homes, today);
  return homes.map((one) => (one.shown === (one === shown) ? one : { ...one, shown: one === shown }));
}

/** Moves someone from one home to another on a day, which is the first in the new one. */
export function movedTo(homes: Homes, from: Residency, to: Named, day: string): Residency[] {
  const was = ended(from, day);
  const next: Residency = {
    ...to,
    id: 0,
    role: from.role,
    firstDay: day,
    lastDay: null,
    leaseEnds: null,
    shown: false,
  };
  return [...homes.filter((one) => one !== from), ...was.map((one) => ({ ...one, shown: from.shown })), next];
}

/** Someone lives, or is something else, in a home as well. */
export const movedIn = (
  homes: Homes,
  to: Named,
  time: Pick<Residency, "role" | "firstDay" | "lastDay" | "leaseEnds">,
) => [...homes, { ...to, ...time, id: 0, shown: false } satisfies Residency];
