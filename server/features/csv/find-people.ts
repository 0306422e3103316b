import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { StoredPerson } from "#server/features/people/stored-person.ts";

/** A person as an import compares and writes them. */
export type PersonRecord = Omit<StoredPerson, "id" | "addressConfirmed" | "hasPassword" | "updatedAt">;
export type KnownPerson = PersonRecord & Pick<StoredPerson, "id" | "addressConfirmed"> & { createdAt: Date };

/** The existing people with these usernames, ignoring case. `lock` keeps them unchanged until the transaction ends. */
export async function findByUsername(
  db: Db,
  usernames: readonly string[],
  lock: boolean,
): Promise<KnownPerson[]> {
  if (usernames.length === 0) return [];
  return load(db, sql`lower(username) = ANY(${usernames.map((name) => name.toLowerCase())}::text[])`, lock);
}

type Contacts = {
  /** Lower case. */
  emails: readonly string[];
  phones: readonly string[];
  /** Full name and home in lower case. An empty home means people without one. */
  homes: readonly { name: string; home: string }[];
};

/**
 * The existing people with one of these email addresses or phone numbers, or with this name and home. Someone who
 * registered and has not confirmed the address is left out: a file does not mean a stranger.
 */
export async function findByContact(
  db: Db,
  { emails, phones, homes }: Contacts,
  lock: boolean,
): Promise<KnownPerson[]> {
  if (emails.length + phones.length + homes.length === 0) return [];
  const living = sql`SELECT id FROM users WHERE deleted_at IS NULL AND address_confirmed_at IS NOT NULL AND`;
  const found = sql`id IN (
    ${living} lower(trim(email)) = ANY(${[...emails]}::text[])
    UNION ${living} trim(phone) = ANY(${[...phones]}::text[])
    UNION ${living} (lower(first_name || ' ' || last_name), lower(coalesce(property_unit, ''))) IN (
      SELECT * FROM unnest(${homes.map(({ name }) => name)}::text[], ${homes.map(({ home }) => home)}::text[])))`;
  return load(db, found, lock);
}

async function load(db: Db, which: RawBuilder<unknown>, lock: boolean): Promise<KnownPerson[]> {
  const found = await sql<KnownPerson>`
    SELECT id, username, email, first_name AS "firstName", last_name AS "lastName", phone, role,
      property_unit AS "propertyUnit", property, unit, home_by_hand AS "homeByHand", created_at AS "createdAt",
      address_confirmed_at IS NOT NULL AS "addressConfirmed"
    FROM users WHERE deleted_at IS NULL AND ${which}
    ORDER BY id ${lock ? sql`FOR NO KEY UPDATE` : sql``}`.execute(db);
  return found.rows;
}

/** Those of the usernames, in lower case, that are taken. */
export async function takenUsernames(db: Db, usernames: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ name: string }>`
    SELECT lower(username) AS name FROM users
    WHERE deleted_at IS NULL AND lower(username) = ANY(${[...usernames]}::text[])`.execute(db);
  return new Set(found.rows.map((row) => row.name));
}
