import { sql } from "kysely";
import type { Role } from "#contract/auth.ts";
import type { Db } from "#server/db/database.ts";

/** A person as an import compares and writes them. */
export type PersonRecord = {
  username: string;
  email: string | null;
  firstName: string;
  lastName: string;
  phone: string | null;
  role: Role;
  propertyUnit: string | null;
  property: string | null;
  unit: string | null;
  /** Somebody corrected property and unit: they hold as long as propertyUnit says the same. */
  homeByHand: boolean;
};
export type KnownPerson = PersonRecord & { id: number };

/** What tells apart people of one name. */
export type Likeness = {
  fullName: string;
  email: string | null;
  phone: string | null;
  propertyUnit: string | null;
};
export type Namesake = Likeness & { id: number };

/** The living people of these user names: their ids by the place of the name in the list. */
export async function findByUsername(db: Db, usernames: readonly string[]): Promise<Map<number, number>> {
  const found = await sql<{ place: number; id: number }>`
    SELECT wanted.place - 1 AS place, u.id
    FROM unnest(${[...usernames]}::text[]) WITH ORDINALITY AS wanted (name, place)
    JOIN users u ON lower(u.username) = lower(wanted.name) AND u.deleted_at IS NULL`.execute(db);
  return new Map(found.rows.map(({ place, id }) => [place, id]));
}

/** Somebody who has an address; `place` is the address's in the list. */
export type Holder = { place: number; id: number; username: string; firstName: string; lastName: string };

/** The living people of these addresses, which are normalised; an empty one is nobody's. */
export async function findByAddress(
  db: Db,
  sign: "email" | "phone",
  addresses: readonly string[],
): Promise<Holder[]> {
  const has = { email: sql`lower(trim(u.email))`, phone: sql`trim(u.phone)` }[sign];
  const found = await sql<Holder>`
    SELECT wanted.place - 1 AS place, u.id, u.username, u.first_name AS "firstName", u.last_name AS "lastName"
    FROM unnest(${[...addresses]}::text[]) WITH ORDINALITY AS wanted (address, place)
    JOIN users u ON ${has} = wanted.address AND u.deleted_at IS NULL
    WHERE wanted.address <> '' ORDER BY place, u.id`.execute(db);
  return found.rows;
}

/** Everyone who bears one of these full names. */
export async function findByFullName(db: Db, names: readonly string[]): Promise<Namesake[]> {
  const found = await sql<Namesake>`
    SELECT id, first_name || ' ' || last_name AS "fullName", email, phone, property_unit AS "propertyUnit"
    FROM users
    WHERE deleted_at IS NULL
      AND lower(first_name || ' ' || last_name) IN (SELECT lower(name) FROM unnest(${[...names]}::text[]) AS name)
    ORDER BY id`.execute(db);
  return found.rows;
}

/**
 * These people as they are, those of them who live, by id.
 * @param lock keeps them so until the transaction ends
 */
export async function loadPeople(
  db: Db,
  ids: readonly number[],
  lock: boolean,
): Promise<Map<number, KnownPerson>> {
  const found = await sql<KnownPerson>`
    SELECT id, username, email, first_name AS "firstName", last_name AS "lastName", phone, role,
      property_unit AS "propertyUnit", property, unit, home_by_hand AS "homeByHand"
    FROM users WHERE id = ANY(${[...ids]}::bigint[]) AND deleted_at IS NULL
    ORDER BY id ${lock ? sql`FOR NO KEY UPDATE` : sql``}`.execute(db);
  return new Map(found.rows.map((person) => [person.id, person]));
}

/** Those of the user names, in small letters, that a living person has. */
export async function takenUsernames(db: Db, usernames: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ name: string }>`
    SELECT lower(u.username) AS name FROM unnest(${[...usernames]}::text[]) AS wanted (name)
    JOIN users u ON lower(u.username) = lower(wanted.name) AND u.deleted_at IS NULL`.execute(db);
  return new Set(found.rows.map((row) => row.name));
}
