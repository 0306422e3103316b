import type { Db } from "#server/db/database.ts";
import { findByFullName, type Likeness, type Namesake } from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";

export function likeness({ firstName, lastName, email, phone, home }: PersonCells): Likeness {
  // Half a name finds nobody.
  const fullName = firstName && lastName ? `${firstName} ${lastName}` : "";
  return { fullName, email: email ?? null, phone: phone ?? null, propertyUnit: home?.propertyUnit ?? null };
}

/** Equal for two rows of one file that are the same person; undefined for half a name. */
export function likenessKey({ fullName, email, phone, propertyUnit }: Likeness): string | undefined {
  return fullName === "" ? undefined : key(fullName, email ?? phone ?? propertyUnit);
}

/**
 * The ids by the place of the row: of the people of one name the one who has the row's e-mail address; else who has
 * its phone number, unless their addresses differ; else who lives there, unless address or number differ; else who has
 * its number and lives there, for whom the address is a new one.
 */
export async function namesakesOf(db: Db, rows: readonly Likeness[]): Promise<Map<number, number>> {
  const names = new Set(rows.map((row) => row.fullName).filter(Boolean));
  const people = names.size === 0 ? [] : await findByFullName(db, [...names]);
  const byEmail = Map.groupBy(people, (person) => key(person.fullName, person.email));
  const byPhone = Map.groupBy(people, (person) => key(person.fullName, person.phone));
  const byHome = Map.groupBy(people, (person) => key(person.fullName, person.propertyUnit));

  const withEmailOf = (row: Likeness) =>
    row.email === null ? undefined : byEmail.get(key(row.fullName, row.email))?.[0];
  // A father and a son of one name, number and home: whoever has a row by their own address is not the other's.
  const hasOwnRow = new Set(rows.flatMap((row) => withEmailOf(row)?.id ?? []));

  const found = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    const sameEmail = withEmailOf(row);
    const samePhone = row.phone === null ? [] : (byPhone.get(key(row.fullName, row.phone)) ?? []);
    const sameHome = byHome.get(key(row.fullName, row.propertyUnit)) ?? [];
    const person: Namesake | undefined =
      sameEmail ??
      samePhone.find((other) => agree(row.email, other.email)) ??
      sameHome.find((other) => agree(row.email, other.email) && agree(row.phone, other.phone)) ??
      (row.propertyUnit === null
        ? undefined
        : samePhone.find((other) => sameHome.includes(other) && !hasOwnRow.has(other.id)));
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
