import { standingOn } from "#contract/homes.ts";
import { isColleague } from "#contract/permissions.ts";
import { fold } from "#contract/text/fold.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import type { KnownPerson } from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import type { HomeDays } from "#server/places/residencies.ts";
import type { LaterMove } from "#server/places/move-later.ts";

type Context = { today: string; spelling: ReadonlyMap<string, string> };

export const openDays: HomeDays = { firstDay: null, lastDay: null, leaseEnds: null };

/** Whether someone on file lives in a home today. */
export const livesNow = ({ role, property, days }: KnownPerson, today: string): boolean =>
  !isColleague(role) && property !== null && standingOn(today, days ?? openDays) === "now";

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
  const kept = known.coming && isSameHome(known.coming, home) ? known.coming : openDays;
  const { firstDay, lastDay, leaseEnds } = { ...kept, ...days };
  return { id: known.id, home, days: { firstDay, lastDay, leaseEnds } };
}

/** Whether this move is on file already. */
export function isOnFile({ home, days }: LaterMove, { coming }: KnownPerson): boolean {
  return (
    coming !== null &&
    isSameHome(coming, home) &&
    (Object.keys(openDays) as (keyof HomeDays)[]).every((day) => coming[day] === days[day])
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
