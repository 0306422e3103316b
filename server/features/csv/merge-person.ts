import { isDeepStrictEqual } from "node:util";
import { lives } from "#contract/homes.ts";
import { contactsIn } from "#contract/text/contact-text.ts";
import { fold } from "#contract/text/fold.ts";
import type { Role } from "#contract/calls/auth.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { isSameHome, spelledHome } from "#server/features/csv/later-move.ts";
import { otherContacts } from "#server/features/people/contacts.ts";
import { inOrder } from "#server/features/people/details.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import { openStay } from "#server/places/residencies.ts";

type Home = Pick<PersonRecord, "propertyUnit" | "property" | "unit" | "homeByHand">;

/**
 * A person after applying the row; a blank cell changes nothing.
 * @param spelling how properties are spelled, as written and folded; new ones from the file are added
 */
export function mergePerson(
  before: KnownPerson | undefined,
  cells: PersonCells,
  {
    spelling,
    country,
    defaultRole,
    sheet = false,
  }: { spelling: Map<string, string>; country: string; defaultRole: Role; sheet?: boolean | undefined },
): PersonRecord {
  const email = cells.email ?? before?.email ?? null;
  const phone = phoneAfter(before, cells);
  const others = [before?.otherContacts ?? "", numbersOf(cells), cells.others];
  // Property and unit are mostly two columns there, so another spelling of the home says nothing new.
  const isSaid = sheet && before && cells.home && isSameHome(before, spelledHome(cells.home, spelling));
  const home = homeAfter(before, isSaid ? undefined : cells.home, spelling);
  return {
    username: before?.username ?? cells.username ?? "",
    email,
    firstName: cells.firstName ?? before?.firstName ?? "",
    lastName: cells.lastName ?? before?.lastName ?? "",
    phone,
    otherContacts: others.some((one) => one.length > 0) ? otherContacts(others, country, [email, phone]) : "",
    details: cells.details
      ? inOrder(Object.entries({ ...before?.details, ...cells.details }))
      : (before?.details ?? {}),
    role: cells.role ?? before?.role ?? defaultRole,
    ...home,
    days: daysAfter(before, cells.days, home),
  };
}

/** The days of another home are its own. */
function daysAfter(
  before: KnownPerson | undefined,
  said: PersonCells["days"],
  { property, unit }: Home,
): PersonRecord["days"] {
  const same = before?.property === property && before?.unit === unit;
  const known = same ? (before?.days ?? null) : null;
  if (!said || property === null) return known;
  const role = before?.days && lives(before.days.role) ? before.days.role : openStay.role;
  const days = { ...(known ?? { ...openStay, role }), ...said };
  return isDeepStrictEqual(days, openStay) ? null : days;
}

const numbersOf = ({ phone }: PersonCells) => (phone === undefined ? [] : [{ label: "", text: phone }]);

/** A number that is already on file as another one of theirs replaces none, unless the row names both. */
function phoneAfter(before: KnownPerson | undefined, { phone, others }: PersonCells): string | null {
  if (phone === undefined || !before?.phone) return phone ?? before?.phone ?? null;
  const onFile = contactsIn(before.otherContacts).some(({ text }) => text === phone);
  const namesBoth = others.some(({ text }) => text === before.phone);
  return onFile && !namesBoth ? before.phone : phone;
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
