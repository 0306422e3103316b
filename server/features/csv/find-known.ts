import type { Db } from "#server/db/database.ts";
import { likeness, likenessKey, namesakesOf } from "#server/features/csv/find-by-likeness.ts";
import {
  findByAddress,
  findByUsername,
  type Holder,
  type KnownPerson,
  loadPeople,
} from "#server/features/csv/find-people.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";

/** What tells in this file whom a row means. "likeness": full name and contact, where there are no user names. */
export type Sign = "username" | "email" | "phone" | "likeness";

export type Found = {
  person?: KnownPerson;
  /** So many people have the row's address, and nothing in the row tells them apart. */
  several?: number;
};

/**
 * The person whom each row means, if there is one. A row without the address that decides is matched by full name and
 * contact, so that importing a file again finds the same people.
 *
 * @param lock keeps them as they are until the transaction ends
 */
export async function findKnown(
  db: Db,
  people: readonly PersonCells[],
  { sign, lock }: { sign: Sign; lock: boolean },
): Promise<Found[]> {
  const { ids, several } = await findIds(db, people, sign);
  const known = await loadPeople(db, [...ids.values()], lock);
  return people.map((_, place) => {
    const person = known.get(ids.get(place) ?? 0);
    const number = several.get(place);
    return { ...(person && { person }), ...(number && { several: number }) };
  });
}

/** Equal for two rows of one file that mean the same person; undefined when a row does not say who it means. */
export function identity(person: PersonCells, sign: Sign): string | undefined {
  if (sign === "username") return person.username?.toLowerCase();
  return (sign !== "likeness" && addressOf(person, sign)) || likenessKey(likeness(person));
}

type Ids = { ids: Map<number, number>; several: Map<number, number> };

async function findIds(db: Db, people: readonly PersonCells[], sign: Sign): Promise<Ids> {
  switch (sign) {
    case "username": {
      const names = people.map((person) => person.username ?? "");
      return { ids: await findByUsername(db, names), several: new Map() };
    }
    case "likeness":
      return { ids: await namesakesOf(db, people.map(likeness)), several: new Map() };
    case "email":
    case "phone":
      return findByAddressOrLikeness(db, people, sign);
    default:
      return sign satisfies never;
  }
}

async function findByAddressOrLikeness(
  db: Db,
  people: readonly PersonCells[],
  sign: "email" | "phone",
): Promise<Ids> {
  const addresses = people.map((person) => addressOf(person, sign) ?? "");
  const holders = Map.groupBy(await findByAddress(db, sign, addresses), ({ place }) => place);
  const nameless = { fullName: "", email: null, phone: null, propertyUnit: null };
  const ids = await namesakesOf(
    db,
    people.map((person, place) => (addresses[place] === "" ? likeness(person) : nameless)),
  );
  const several = new Map<number, number>();
  for (const [place, list] of holders) {
    const one = theOne(list, people[place] as PersonCells);
    if (one) ids.set(place, one.id);
    else several.set(place, list.length);
  }
  return { ids, several };
}

/** A family may share an address: then the user name or the full name tells whom the row means. */
function theOne(holders: readonly Holder[], person: PersonCells): Holder | undefined {
  const username = person.username?.toLowerCase();
  const fullName = likeness(person).fullName.toLowerCase();
  const namesakes = holders.filter((holder) => holder.fullName === fullName);
  return (
    holders.find((holder) => holder.username === username) ??
    (namesakes.length === 1 ? namesakes[0] : holders.length === 1 ? holders[0] : undefined)
  );
}

function addressOf(person: PersonCells, sign: "email" | "phone"): string | undefined {
  return sign === "email" ? person.email?.toLowerCase() : person.phone;
}
