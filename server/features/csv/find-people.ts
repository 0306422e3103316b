import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Stay } from "#server/places/residencies.ts";
import type { StoredPerson } from "#server/features/people/stored-person.ts";

/** A person as an import compares and writes them. */
export type PersonRecord = Omit<
  StoredPerson,
  "id" | "addressConfirmed" | "phoneConfirmed" | "hasPassword" | "updatedAt"
> & {
  /** Of the home that their details name; null: they are its leaseholder, and no more is known. */
  days: Stay | null;
};
export type KnownPerson = PersonRecord &
  Pick<StoredPerson, "id" | "addressConfirmed" | "hasPassword"> & {
    createdAt: Date;
    /** The next home, to which they move on a day to come. */
    coming: ComingHome | null;
  };
export type ComingHome = Stay & { property: string; unit: string };

const columns = sql`id, username, email, first_name AS "firstName", last_name AS "lastName", phone, other_contacts AS "otherContacts", details, role,
  property_unit AS "propertyUnit", property, unit, home_by_hand AS "homeByHand", created_at AS "createdAt",
  (SELECT jsonb_build_object('role', r.role, 'firstDay', r.first_day, 'lastDay', r.last_day, 'leaseEnds', r.lease_ends) FROM residencies r
    WHERE r.person_id = users.id AND r.shown AND (r.role, r.first_day, r.last_day, r.lease_ends) IS DISTINCT FROM ('leaseholder', NULL, NULL, NULL)) AS days,
  (SELECT jsonb_build_object('property', p.name, 'unit', h.written, 'role', r.role, 'firstDay', r.first_day, 'lastDay', r.last_day, 'leaseEnds', r.lease_ends)
    FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
    WHERE r.person_id = users.id AND NOT r.shown AND lower(r.during) > now() ORDER BY r.first_day, r.id LIMIT 1) AS coming,
  address_confirmed_at IS NOT NULL AS "addressConfirmed", password_hash IS NOT NULL AS "hasPassword"`;

const locked = (lock: boolean) => (lock ? sql`FOR NO KEY UPDATE OF users` : sql``);

/** Those of these people who aren't deleted, locked until the transaction ends. */
export async function findByIds(tx: Db, ids: readonly number[]): Promise<Map<number, KnownPerson>> {
  const { rows } = await sql<KnownPerson>`
    SELECT ${columns} FROM users WHERE id = ANY(${[...ids]}::bigint[]) AND deleted_at IS NULL
    ORDER BY id ${locked(true)}`.execute(tx);
  return new Map(rows.map((person) => [person.id, person]));
}

/**
 * The existing people with these usernames, ignoring case, by the username as given. `lock` keeps them unchanged until
 * the transaction ends.
 */
export async function findByUsername(
  db: Db,
  usernames: readonly string[],
  lock: boolean,
): Promise<Map<string, KnownPerson>> {
  if (usernames.length === 0) return new Map();
  const { rows } = await sql<KnownPerson & { given: string }>`
    SELECT given, ${columns}
    FROM unnest(${[...usernames]}::text[]) AS given JOIN users ON lower(username) = lower(given)
    WHERE deleted_at IS NULL ORDER BY id ${locked(lock)}`.execute(db);
  return new Map(rows.map(({ given, ...person }) => [given, person]));
}

type Contacts = {
  emails: readonly string[];
  phones: readonly string[];
  /** An empty home means people without one. */
  homes: readonly { name: string; home: string }[];
  /** What other programs call them, by the id of the detail that has it. */
  ids: readonly { detail: string; value: string }[];
};

/**
 * The existing people with one of these email addresses or phone numbers, or with this name and home. Someone who
 * registered and has not confirmed the address is left out: a file does not mean a stranger.
 */
export async function findByContact(
  db: Db,
  { emails, phones, homes, ids }: Contacts,
  lock: boolean,
): Promise<KnownPerson[]> {
  if (emails.length + phones.length + homes.length + ids.length === 0) return [];
  const living = sql`SELECT id FROM users WHERE deleted_at IS NULL AND address_confirmed_at IS NOT NULL AND`;
  const byIds = [...Map.groupBy(ids, ({ detail }) => detail)].map(
    ([detail, own]) =>
      sql`UNION ${living} details ->> ${detail}::text = ANY(${own.map(({ value }) => value)}::text[])`,
  );
  const found = await sql<KnownPerson>`
    SELECT ${columns} FROM users WHERE deleted_at IS NULL AND id IN (
      ${living} lower(trim(email)) = ANY(ARRAY(SELECT lower(given) FROM unnest(${[...emails]}::text[]) AS given))
      UNION ${living} trim(phone) = ANY(${[...phones]}::text[])
      UNION ${living} other_contacts <> '' AND contact_keys(other_contacts) && ARRAY(
        SELECT lower(given) FROM unnest(${[...phones, ...emails]}::text[]) AS given)
      UNION ${living} (fold(first_name || ' ' || last_name), fold(coalesce(property_unit, ''))) IN (
        SELECT fold(name), fold(home)
        FROM unnest(${homes.map(({ name }) => name)}::text[], ${homes.map(({ home }) => home)}::text[]) AS t (name, home))
      ${sql.join(byIds, sql` `)})
    ORDER BY id ${locked(lock)}`.execute(db);
  return found.rows;
}
