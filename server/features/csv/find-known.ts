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
  /** Who have the row's address, where the row does not say which of them it means, or seems to mean none. */
  holders?: readonly Holder[];
  /** The only one of them, whom the row may mean under a new name, as no other row has the address. */
  mayRename?: KnownPerson;
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
  const { ids, doubtful } = await findIds(db, people, sign);
  const alone = onlyHolders(people, doubtful, sign);
  const known = await loadPeople(db, [...ids.values(), ...alone.values()], lock);
  return people.map((_, place) => {
    const person = known.get(ids.get(place) ?? 0);
    const holders = doubtful.get(place);
    const mayRename = known.get(alone.get(place) ?? 0);
    return { ...(person && { person }), ...(holders && { holders }), ...(mayRename && { mayRename }) };
  });
}

/** Equal for two rows of one file that mean the same person; undefined when a row does not say who it means. */
export function identity(person: PersonCells, sign: Sign): string | undefined {
  if (sign === "username") return person.username?.toLowerCase();
  return (sign !== "likeness" && addressOf(person, sign)) || likenessKey(likeness(person));
}

type Ids = { ids: Map<number, number>; doubtful: Map<number, readonly Holder[]> };

async function findIds(db: Db, people: readonly PersonCells[], sign: Sign): Promise<Ids> {
  switch (sign) {
    case "username": {
      const names = people.map((person) => person.username ?? "");
      return { ids: await findByUsername(db, names), doubtful: new Map() };
    }
    case "likeness":
      return { ids: await namesakesOf(db, people.map(likeness)), doubtful: new Map() };
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
  const doubtful = new Map<number, readonly Holder[]>();
  for (const [place, list] of holders) {
    const one = theOne(list, people[place] as PersonCells);
    if (one) ids.set(place, one.id);
    else doubtful.set(place, list);
  }
  return { ids, doubtful };
}

/** By the place of the row: who alone has its address. Rows that share one are people who share it. */
function onlyHolders(
  people: readonly PersonCells[],
  doubtful: ReadonlyMap<number, readonly Holder[]>,
  sign: Sign,
): Map<number, number> {
  const rows = Map.groupBy(people, (person) => identity(person, sign));
  return new Map(
    [...doubtful].flatMap(([place, [holder, ...others]]) =>
      holder && others.length === 0 && rows.get(identity(people[place] as PersonCells, sign))?.length === 1
        ? [[place, holder.id] as const]
        : [],
    ),
  );
}

/** A household may share an address: then the user name or the full name tells whom the row means. */
function theOne(holders: readonly Holder[], person: PersonCells): Holder | undefined {
  const username = person.username?.toLowerCase();
  const named = holders.find((holder) => holder.username.toLowerCase() === username);
  if (named) return named;
  const fullName = likeness(person).fullName.toLowerCase();
  const namesakes = holders.filter(
    ({ firstName, lastName }) => `${firstName} ${lastName}`.toLowerCase() === fullName,
  );
  if (namesakes.length === 1) return namesakes[0];
  return holders.length === 1 ? holders.find((holder) => mayBe(holder, person)) : undefined;
}

/**
 * Whether the only holder of an address may be whom the row means. The first name decides: who marries keeps it, and
 * whoever shares the address of "Anna Fam" with another one is more likely a housemate than Anna under a new name.
 */
function mayBe(holder: Holder, { firstName, lastName }: PersonCells): boolean {
  if (firstName !== undefined) return firstWord(firstName) === firstWord(holder.firstName);
  return lastName === undefined || lastName.toLowerCase() === holder.lastName.toLowerCase();
}

/** "Ana María" and "ANA" are told alike, also without the accents. */
function firstWord(name: string): string {
  return name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().split(/\s+/, 1)[0] ?? "";
}

function addressOf(person: PersonCells, sign: "email" | "phone"): string | undefined {
  return sign === "email" ? person.email?.toLowerCase() : person.phone;
}
