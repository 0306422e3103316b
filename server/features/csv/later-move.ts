import { standingOn } from "#contract/homes.ts";
import { isColleague } from "#contract/permissions.ts";
import { fold } from "#contract/text/fold.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import type { KnownPerson } from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import type { HomeDays } from "#server/places/residencies.ts";
import type { LaterMove } from "#server/places/move-later.ts";

type Context = { today: string; spelling: ReadonlyMap<string, string> };

const open: HomeDays = { firstDay: null, lastDay: null, leaseEnds: null };

/** Whether someone on file lives in a home today. */
export const livesNow = ({ role, property, days }: KnownPerson, today: string): boolean =>
  !isColleague(role) && property !== null && standingOn(today, days ?? open) === "now";

/** The move to another home on a day to come, which a row says of someone on file; null: it says something else. */
export function laterMove(
  known: KnownPerson,
  row: PersonCells,
  { today, spelling }: Context,
): LaterMove | null {
  const { home, days } = row;
  if (!home?.property || !days?.firstDay || days.firstDay <= today || !livesNow(known, today)) return null;
  const property = spelling.get(home.property) ?? spelling.get(fold(home.property)) ?? home.property;
  if (isSameHome(known, { property, unit: home.unit })) return null;
  const kept = known.coming && isSameHome(known.coming, { property, unit: home.unit }) ? known.coming : open;
  const { firstDay, lastDay, leaseEnds } = { ...kept, ...days };
  return { id: known.id, home: { ...home, property }, days: { firstDay, lastDay, leaseEnds } };
}

/** Whether this move is on file already. */
export function isOnFile({ home, days }: LaterMove, { coming }: KnownPerson): boolean {
  return (
    coming !== null &&
    isSameHome(coming, home) &&
    (Object.keys(open) as (keyof HomeDays)[]).every((day) => coming[day] === days[day])
  );
}

type Home = { property: string | null; unit: string | null };

const isSameHome = (one: Home, other: Home) =>
  fold(one.property ?? "") === fold(other.property ?? "") &&
  unitKey(one.unit ?? "") === unitKey(other.unit ?? "");
