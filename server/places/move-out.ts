import { dayAfter, type Days, lives, standingOn } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import { type Residency, showing } from "./residencies.ts";
import { readToday, recordMoves } from "./settle.ts";
import { nameShown, readHomes, type Change, writeHomes } from "./store.ts";

/**
 * Someone who has left the home that their details name, or every home in these properties where they live now and have no
 * last day yet. `day`: their last one there; null: the day before today.
 */
export type Leaving = { id: number; day: string | null; properties?: readonly number[] | null };
export type MovedOut = { id: number; unitId: number; day: string };

/** Ends these people's time in their homes. Returns those of whom it ended, or ended on another day. */
export async function moveOut(
  tx: Db,
  people: readonly Leaving[],
  actorId: number | null,
): Promise<MovedOut[]> {
  const homes = await readHomes(
    tx,
    people.map(({ id }) => id),
  );
  const today = await readToday(tx);
  const changes: (Change & MovedOut)[] = people.flatMap(({ id, day, properties }) => {
    const before = homes.get(id) ?? [];
    const ends = new Map(
      before.flatMap((one) => {
        const left = lives(one.role) && lastDayOf(one, { day, properties }, today(one.propertyId));
        return left ? [[one, left] as const] : [];
      }),
    );
    const [first] = ends;
    if (!first) return [];
    const after = before.map((one) => ({ ...one, lastDay: ends.get(one) ?? one.lastDay }));
    const change = { personId: id, before, after: showing(after, today(first[0].propertyId)) };
    return [{ ...change, id, unitId: first[0].unitId, day: first[1] }];
  });
  await writeHomes(tx, changes);
  // Who lives in another home as well is known by that one.
  const shownIn = (list: Change["after"]) => list.find(({ shown }) => shown)?.unitId;
  const renamed = changes.filter(({ before, after }) => shownIn(before) !== shownIn(after));
  if (renamed.length > 0)
    await nameShown(
      tx,
      renamed.map(({ personId }) => personId),
    );
  await recordMoves(tx, changes, actorId);
  return changes.map(({ id, unitId, day }) => ({ id, unitId, day }));
}

/** The last day of a time in a home that ends; null: it doesn't. */
function lastDayOf(one: Residency, { day, properties }: Omit<Leaving, "id">, today: string): string | null {
  if (!properties) return one.shown ? leftOn(one, day, today) : null;
  const goesOn =
    one.lastDay === null && standingOn(today, one) === "now" && properties.includes(one.propertyId);
  if (!goesOn || day === null) return null;
  // Who moved in later than that leaves on the day of moving in.
  return one.firstDay !== null && one.firstDay > day ? one.firstDay : day;
}

/**
 * The last day of a time in a home that ended on `day`, or before today if that isn't known; null: it is on file already,
 * or the time began later.
 */
export function leftOn({ firstDay, lastDay }: Days, day: string | null, today: string): string | null {
  if (day === null && lastDay !== null && lastDay < today) return null;
  const left = day ?? dayAfter(today, -1);
  return left === lastDay || (firstDay !== null && firstDay > left) ? null : left;
}
