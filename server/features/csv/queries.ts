import { sql } from "kysely";
import type { Role } from "#contract/auth.ts";
import type { CsvColumn } from "#contract/csv-header.ts";
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
      property_unit AS "propertyUnit", property, unit
    FROM users WHERE id = ANY(${[...ids]}::bigint[]) AND deleted_at IS NULL
    ORDER BY id ${lock ? sql`FOR UPDATE` : sql``}`.execute(db);
  return new Map(found.rows.map((person) => [person.id, person]));
}

/** Those of the user names, in small letters, that a living person has. */
export async function takenUsernames(db: Db, usernames: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ name: string }>`
    SELECT lower(u.username) AS name FROM unnest(${[...usernames]}::text[]) AS wanted (name)
    JOIN users u ON lower(u.username) = lower(wanted.name) AND u.deleted_at IS NULL`.execute(db);
  return new Set(found.rows.map((row) => row.name));
}

/** How the properties are spelled that have a group already, by their name in small letters. */
export async function knownProperties(db: Db): Promise<Map<string, string>> {
  const found = await sql<{ property: string }>`
    SELECT rule->>'property' AS property FROM user_groups
    WHERE built_in AND rule ? 'property' ORDER BY id DESC`.execute(db);
  return new Map(found.rows.map(({ property }) => [property.toLowerCase(), property]));
}

const recordset = (people: readonly PersonRecord[]) => sql`
  json_to_recordset(${JSON.stringify(people)}::json) AS x (
    id bigint, username text, email text, "firstName" text, "lastName" text, phone text, role text,
    "propertyUnit" text, property text, unit text)`;

/** Adds people and answers the user names that went in; one that was taken meanwhile is left out. */
export async function insertPeople(tx: Db, people: readonly PersonRecord[]): Promise<Set<string>> {
  const created = await sql<{ username: string }>`
    INSERT INTO users (username, email, first_name, last_name, phone, role, property_unit, property, unit)
    SELECT username, email, "firstName", "lastName", phone, role, "propertyUnit", property, unit
    FROM ${recordset(people)}
    ON CONFLICT DO NOTHING
    RETURNING username`.execute(tx);
  return new Set(created.rows.map((row) => row.username));
}

/** Writes people anew; their user names, consents and passwords stay as they are. */
export async function updatePeople(tx: Db, people: readonly KnownPerson[]): Promise<void> {
  await sql`
    UPDATE users SET email = x.email, first_name = x."firstName", last_name = x."lastName", phone = x.phone,
      role = x.role, property_unit = x."propertyUnit", property = x.property, unit = x.unit, updated_at = now()
    FROM ${recordset(people)}
    WHERE users.id = x.id`.execute(tx);
}

/** Every living person by last name, as the columns of a file. */
export async function exportPeople(db: Db): Promise<Record<CsvColumn, string>[]> {
  const found = await sql<Record<CsvColumn, string>>`
    SELECT username, coalesce(email, '') AS email, first_name AS "firstName", last_name AS "lastName",
      coalesce(phone, '') AS phone, role, coalesce(property_unit, '') AS "propertyUnit"
    FROM users WHERE deleted_at IS NULL
    ORDER BY lower(last_name), lower(first_name), id`.execute(db);
  return found.rows;
}

/** The role that a living person has at this moment. */
export async function currentRole(db: Db, id: number): Promise<Role | undefined> {
  const found = await db
    .selectFrom("users")
    .select("role")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return found?.role;
}
