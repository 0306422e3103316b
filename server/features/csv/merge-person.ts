import { fold } from "#contract/fold.ts";
import type { Role } from "#contract/auth.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";

type Home = Pick<PersonRecord, "propertyUnit" | "property" | "unit" | "homeByHand">;

/**
 * A person after applying the row; a blank cell changes nothing.
 * @param spelling how properties are spelled, as written and folded; new ones from the file are added
 */
export function mergePerson(
  before: KnownPerson | undefined,
  cells: PersonCells,
  { spelling, defaultRole }: { spelling: Map<string, string>; defaultRole: Role },
): PersonRecord {
  return {
    username: before?.username ?? cells.username ?? "",
    email: cells.email ?? before?.email ?? null,
    firstName: cells.firstName ?? before?.firstName ?? "",
    lastName: cells.lastName ?? before?.lastName ?? "",
    phone: cells.phone ?? before?.phone ?? null,
    role: cells.role ?? before?.role ?? defaultRole,
    ...homeAfter(before, cells.home, spelling),
  };
}

/** A recognized or corrected home is kept as long as the file says the same. */
function homeAfter(
  before: KnownPerson | undefined,
  said: PersonCells["home"],
  spelling: Map<string, string>,
): Home {
  const settled = before && (before.homeByHand || (before.property ?? before.unit) !== null);
  if (before && (!said || (settled && said.propertyUnit === before.propertyUnit))) {
    const { propertyUnit, property, unit, homeByHand } = before;
    return { propertyUnit, property, unit, homeByHand };
  }
  if (!said) return { propertyUnit: null, property: null, unit: null, homeByHand: false };
  return { ...said, property: spelled(said.property, spelling), homeByHand: false };
}

/** Spells a property as its group does, or as it first appears in the file: "MAPLE COURT" is not a second property. */
function spelled(property: string | null, spelling: Map<string, string>): string | null {
  if (property === null) return null;
  const key = fold(property);
  const known = spelling.get(property) ?? spelling.get(key) ?? property;
  spelling.set(key, known);
  return known;
}
