import type { Db } from "#server/db/database.ts";
import { isColleague } from "#contract/permissions.ts";
import type { KnownPerson } from "#server/features/csv/find-people.ts";
import { isSameHome, spelledHome } from "#server/features/csv/later-move.ts";
import { matchPeople } from "#server/features/csv/match-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import { type Leaving, leftOn } from "#server/places/move-out.ts";
import { openStay } from "#server/places/residencies.ts";

type Context = {
  startedAt: Date;
  lock: boolean;
  ids: readonly string[];
  today: string;
  spelling: ReadonlyMap<string, string>;
};

/** Of these rows, those about people on file who, by the row, have left the home that they are on file for. */
export async function findPast<Row extends { person: PersonCells; decision: string }>(
  db: Db,
  rows: readonly Row[],
  { startedAt, lock, ids, today, spelling }: Context,
): Promise<Map<Row, Leaving>> {
  const past = rows.filter(({ person }) => person.absence === "moved-out");
  if (past.length === 0) return new Map();
  const matches = await matchPeople(db, past, { startedAt, lock, ids, laterOf: () => null });
  return new Map(
    past.flatMap((row, index): [Row, Leaving][] => {
      const { person: known } = matches[index]!;
      const { home, days } = row.person;
      // Who moved to another home has a row of the one before.
      if (!known || (home && !isSameHome(known, spelledHome(home, spelling)))) return [];
      const leaving = { id: known.id, day: days?.lastDay ?? null };
      return leaves(known, leaving.day, today) ? [[row, leaving]] : [];
    }),
  );
}

const leaves = ({ role, property, days }: KnownPerson, day: string | null, today: string) =>
  !isColleague(role) && property !== null && leftOn(days ?? openStay, day, today) !== null;
