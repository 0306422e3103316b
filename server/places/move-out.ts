import { dayAfter, type Days, lives } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import { showing } from "./residencies.ts";
import { readToday, recordMoves } from "./settle.ts";
import { nameShown, readHomes, type Change, writeHomes } from "./store.ts";

/** Someone who has left the home that their details name. `day`: their last one there; null: the day before today. */
export type Leaving = { id: number; day: string | null };
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
  const changes: (Change & MovedOut)[] = people.flatMap(({ id, day }) => {
    const before = homes.get(id) ?? [];
    const shown = before.find((one) => one.shown);
    const left = shown && lives(shown.role) && leftOn(shown, day, today(shown.propertyId));
    if (!shown || !left) return [];
    const after = before.map((one) => (one === shown ? { ...one, lastDay: left } : one));
    const change = { personId: id, before, after: showing(after, today(shown.propertyId)) };
    return [{ ...change, id, unitId: shown.unitId, day: left }];
  });
  await writeHomes(tx, changes);
  // Who lives in another home as well is known by that one.
  const renamed = changes.filter(({ unitId, after }) => after.find(({ shown }) => shown)?.unitId !== unitId);
  if (renamed.length > 0)
    await nameShown(
      tx,
      renamed.map(({ personId }) => personId),
    );
  await recordMoves(tx, changes, actorId);
  return changes.map(({ id, unitId, day }) => ({ id, unitId, day }));
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
