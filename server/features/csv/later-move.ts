import { lives, standingOn } from "#contract/homes.ts";
import { isColleague } from "#contract/permissions.ts";
import { fold } from "#contract/text/fold.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import type { KnownPerson } from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import { openStay, type Stay } from "#server/places/residencies.ts";
import type { LaterMove } from "#server/places/move-later.ts";

type Context = { today: string; spelling: ReadonlyMap<string, string> };

/** Whether someone on file lives in a home today. */
export const livesNow = ({ role, property, days }: KnownPerson, today: string): boolean =>
  !isColleague(role) &&
  property !== null &&
  lives((days ?? openStay).role) &&
  standingOn(today, days ?? openStay) === "now";

/** The move to another home on a day to come, which a row says of someone on file; null: it says something else. */
export function laterMove(
  known: KnownPerson,
  row: PersonCells,
  { today, spelling }: Context,
): LaterMove | null {
  const { days } = row;
  if (!row.home?.property || !days?.firstDay || days.firstDay <= today || !livesNow(known, today))
    return null;
  const home = spelledHome({ ...row.home, property: row.home.property }, spelling);
  if (isSameHome(known, home)) return null;
  const kept =
    known.coming && isSameHome(known.coming, home)
      ? known.coming
      : { ...openStay, role: (known.days ?? openStay).role };
  const { role, firstDay, lastDay, leaseEnds } = { ...kept, ...days };
  return { id: known.id, home, days: { role, firstDay, lastDay, leaseEnds } };
}

/** Whether this move is on file already. */
export function isOnFile({ home, days }: LaterMove, { coming }: KnownPerson): boolean {
  return (
    coming !== null &&
    isSameHome(coming, home) &&
    (Object.keys(openStay) as (keyof Stay)[]).every((day) => coming[day] === days[day])
  );
}

type Home = { property: string | null; unit: string | null };

/** A home with its property as it is called by now. */
export function spelledHome<Named extends Home>(home: Named, spelling: ReadonlyMap<string, string>): Named {
  const { property } = home;
  return property === null
    ? home
    : { ...home, property: spelling.get(property) ?? spelling.get(fold(property)) ?? property };
}

export const isSameHome = (one: Home, other: Home) =>
  fold(one.property ?? "") === fold(other.property ?? "") &&
  unitKey(one.unit ?? "") === unitKey(other.unit ?? "");
