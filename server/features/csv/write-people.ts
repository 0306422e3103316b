import { type RawBuilder, sql } from "kysely";
import type { CsvColumn } from "#contract/text/csv-header.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import { readDetails } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import { writeCell } from "#server/features/csv/detail-cell.ts";
import type { PersonRecord } from "#server/features/csv/find-people.ts";
import { saidOnceSettled } from "#server/places/settle.ts";

/** The people as rows `x`. One array per column is read much faster than a list of objects. */
function records(people: readonly PersonRecord[]): RawBuilder<unknown> {
  const texts = (field: Exclude<keyof PersonRecord, "homeByHand" | "details" | "days">) =>
    sql`${people.map((person) => person[field])}::text[]`;
  return sql`unnest(${texts("username")}, ${texts("email")}, ${texts("firstName")}, ${texts("lastName")},
    ${texts("phone")}, ${texts("otherContacts")}, ${texts("role")}, ${texts("propertyUnit")}, ${texts("property")}, ${texts("unit")},
    ${people.map((person) => person.homeByHand)}::boolean[],
    ${people.map(({ details }) => JSON.stringify(details))}::jsonb[])
    WITH ORDINALITY AS x (username, email, first_name, last_name, phone, other_contacts, role, property_unit, property, unit,
      home_by_hand, details, place)`;
}

/** Adds people, whose homes are to be settled, and returns their ids by username; one whose username was taken meanwhile is left out. */
export async function insertPeople(tx: Db, people: readonly PersonRecord[]): Promise<Map<string, number>> {
  const created = await sql<{ id: number; username: string }>`
    INSERT INTO users (username, email, first_name, last_name, phone, other_contacts, role, property_unit, property, unit,
      details, home_said)
    SELECT username, email, first_name, last_name, phone, other_contacts, role, property_unit, property, unit,
      details, ${saidOnceSettled}
    FROM ${records(people)} ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id, username`.execute(tx);
  return new Map(created.rows.map(({ id, username }) => [username, id]));
}

/** Updates people; their usernames, consents and passwords stay as they are. */
export async function updatePeople(
  tx: Db,
  people: readonly (PersonRecord & { id: number })[],
): Promise<void> {
  await sql`
    UPDATE users SET email = x.email, first_name = x.first_name, last_name = x.last_name, phone = x.phone,
      other_contacts = x.other_contacts,
      role = x.role, property_unit = x.property_unit, property = x.property, unit = x.unit,
      home_said = ${saidOnceSettled}, home_by_hand = x.home_by_hand, details = x.details, updated_at = now(),
      email_unconfirmed = users.email_unconfirmed AND users.email IS NOT DISTINCT FROM x.email,
      phone_unconfirmed = users.phone_unconfirmed AND users.phone IS NOT DISTINCT FROM x.phone
    FROM ${records(people)} JOIN unnest(${people.map(({ id }) => id)}::bigint[]) WITH ORDINALITY AS who (id, place)
      USING (place)
    WHERE users.id = who.id`.execute(tx);
}

/** How many people an export holds. */
export async function countPeople(db: Db): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    SELECT count(*) AS people FROM users WHERE deleted_at IS NULL`.execute(db);
  return rows[0]!.people;
}

// Read in pages, so that an export of 100,000 people takes no more memory than one of 1,000.
const PAGE = 1000;

type Exported = Record<CsvColumn, string> & { otherContacts?: string; [detail: string]: string | undefined };

/**
 * Everyone by last name, as the columns of a file. No connection is held while a page is being sent. There is a column
 * of other contacts if anyone has some, and one for each detail, by its name.
 */
export async function* exportPeople(db: Db): AsyncGenerator<Exported[]> {
  const { rows } = await sql<{ others: boolean }>`
    SELECT EXISTS (SELECT FROM users WHERE other_contacts <> '' AND deleted_at IS NULL) AS others`.execute(
    db,
  );
  const columns = { others: rows[0]?.others === true, details: await readDetails(db) };
  for (
    let found = await page(db, columns);
    found.length > 0;
    found = await page(db, columns, found.at(-1)!.key)
  ) {
    yield found.map(({ person }) => person);
    if (found.length < PAGE) return;
  }
}

type Key = { nameKey: string; id: number };

/** Those who follow `after`, in the order of an index, so that a page costs no more than its rows. */
async function page(
  db: Db,
  { others, details }: { others: boolean; details: readonly Detail[] },
  after?: Key,
): Promise<{ key: Key; person: Exported }[]> {
  const follow = after ? sql`(name_key, id) > (${after.nameKey}, ${after.id}::bigint)` : sql`true`;
  const { rows } = await sql<Key & Exported & { details: Record<string, string> }>`
    SELECT name_key AS "nameKey", id, username, coalesce(email, '') AS email,
      first_name AS "firstName", last_name AS "lastName", coalesce(phone, '') AS phone, role,
      coalesce(property_unit, '') AS "propertyUnit" ${others ? sql`, other_contacts AS "otherContacts"` : sql``}, details
    FROM users WHERE deleted_at IS NULL AND ${follow}
    ORDER BY name_key, id LIMIT ${PAGE}`.execute(db);
  return rows.map(({ nameKey, id, details: kept, ...person }) => ({
    key: { nameKey, id },
    person: {
      ...person,
      ...Object.fromEntries(
        details.map(({ id: detail, kind, label }) => [label, writeCell(kind, kept[detail] ?? "")]),
      ),
    },
  }));
}
