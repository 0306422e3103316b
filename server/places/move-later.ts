import { dayAfter, lives, standingOn } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import { findUnits, type UnitName } from "./find-units.ts";
import { type Stay, movedIn, movedTo, type Named, type Residency } from "./residencies.ts";
import { readToday, recordMoves } from "./settle.ts";
import { readHomes, writeHomes } from "./store.ts";

/** Someone who lives elsewhere until the first day of the home that they move to. */
export type LaterMove = { id: number; home: UnitName & { propertyUnit: string }; days: Stay };

/** Keeps that these people move on a day to come. Until then their details name the home they live in. */
export async function moveLater(tx: Db, moves: readonly LaterMove[], actorId: number | null): Promise<void> {
  if (moves.length === 0) return;
  const find = await findUnits(
    tx,
    moves.map(({ home }) => home),
  );
  const homes = await readHomes(
    tx,
    moves.map(({ id }) => id),
  );
  const today = await readToday(tx);
  const changes = moves.map(({ id, home, days }) => {
    const before = homes.get(id) ?? [];
    const found = find(home);
    const to = { ...found, said: `${home.property}\t${home.unit ?? ""}`, home: home.propertyUnit };
    return { personId: id, before, after: comingTo(before, to, days, today(found.propertyId)) };
  });
  await writeHomes(tx, changes);
  await recordMoves(tx, changes, actorId);
}

function comingTo(before: readonly Residency[], to: Named, days: Stay, today: string): Residency[] {
  const day = days.firstDay!;
  const coming = before.find(
    (one) => one.unitId === to.unitId && lives(one.role) && standingOn(today, one) === "future",
  );
  const from = before.find((one) => one.shown);
  if (coming) {
    // The home before was left for that day.
    const left = from?.lastDay === dayAfter(coming.firstDay!, -1) ? from : undefined;
    return before.map((one) => {
      if (one === coming) return { ...one, ...days };
      return one === left ? { ...one, lastDay: dayAfter(day, -1) } : one;
    });
  }
  if (from?.lastDay !== null || !lives(from.role)) return movedIn(before, to, days);
  return movedTo(before, from, to, day).map((one) => (one.id === 0 ? { ...one, ...days } : one));
}
