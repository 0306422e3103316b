import type { Db } from "#server/db/database.ts";
import { findByFullName, findByUsername, loadPeople } from "#server/features/csv/queries.ts";
import type { KnownPerson, Likeness, Namesake } from "#server/features/csv/queries.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";

/**
 * The person whom each row means, if there is one. A user name decides; a file without user names is matched by
 * full name and contact, so that importing it again finds the same people.
 *
 * @param lock keeps them as they are until the transaction ends
 */
export async function findKnown(
  db: Db,
  people: readonly PersonCells[],
  { byUsername, lock }: { byUsername: boolean; lock: boolean },
): Promise<(KnownPerson | undefined)[]> {
  const ids = byUsername
    ? await findByUsername(
        db,
        people.map((person) => person.username ?? ""),
      )
    : await findByLikeness(db, people.map(likeness));
  const known = await loadPeople(db, [...ids.values()], lock);
  return people.map((_, place) => known.get(ids.get(place) ?? 0));
}

/** Equal for two rows of one file that mean the same person; undefined when a row does not say who it means. */
export function identity(person: PersonCells, byUsername: boolean): string | undefined {
  if (byUsername) return person.username?.toLowerCase();
  const { fullName, email, phone, propertyUnit } = likeness(person);
  return fullName === "" ? undefined : key(fullName, email ?? phone ?? propertyUnit);
}

function likeness({ firstName, lastName, email, phone, home }: PersonCells): Likeness {
  // Half a name finds nobody.
  const fullName = firstName && lastName ? `${firstName} ${lastName}` : "";
  return { fullName, email: email ?? null, phone: phone ?? null, propertyUnit: home?.propertyUnit ?? null };
}

/**
 * Of the people of one name the one who has the row's e-mail address; else who has its phone number, unless their
 * addresses differ; else who lives there, unless address or number differ.
 */
async function findByLikeness(db: Db, rows: readonly Likeness[]): Promise<Map<number, number>> {
  const people = await findByFullName(db, [...new Set(rows.map((row) => row.fullName))]);
  const byEmail = Map.groupBy(people, (person) => key(person.fullName, person.email));
  const byPhone = Map.groupBy(people, (person) => key(person.fullName, person.phone));
  const byHome = Map.groupBy(people, (person) => key(person.fullName, person.propertyUnit));

  const found = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    const sameEmail = row.email === null ? undefined : byEmail.get(key(row.fullName, row.email))?.[0];
    const samePhone = row.phone === null ? [] : (byPhone.get(key(row.fullName, row.phone)) ?? []);
    const sameHome = byHome.get(key(row.fullName, row.propertyUnit)) ?? [];
    const person: Namesake | undefined =
      sameEmail ??
      samePhone.find((other) => agree(row.email, other.email)) ??
      sameHome.find((other) => agree(row.email, other.email) && agree(row.phone, other.phone));
    if (person) found.set(place, person.id);
  }
  return found;
}

function key(fullName: string, sign: string | null): string {
  return `${fullName}\n${sign ?? ""}`.toLowerCase();
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one.toLowerCase() === other.toLowerCase();
}
