import { sql } from "kysely";
import type { Role } from "#contract/calls/auth.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { StoredDetails } from "#server/features/people/details.ts";

/** Where a person lives: what was written, what was recognized in it, and whether someone corrected that. */
export type Home = {
  propertyUnit: string | null;
  property: string | null;
  unit: string | null;
  homeByHand: boolean;
};

/** A person as a change compares them. */
export type StoredPerson = Home & {
  id: number;
  username: string;
  email: string | null;
  phone: string | null;
  /** Comma-separated, with labels; empty if there are none. */
  otherContacts: string;
  /** By the id of the detail. */
  details: StoredDetails;
  firstName: string;
  lastName: string;
  role: Role;
  addressConfirmed: boolean;
  phoneConfirmed: boolean;
  hasPassword: boolean;
  updatedAt: Date;
};

/** Throws not-found if no one ever had this id; deleted people count. */
export async function refuseUnknown(db: Db, id: number): Promise<void> {
  const found = await sql`SELECT FROM users WHERE id = ${id}`.execute(db);
  if (found.rows.length === 0) throw refusal("no-such-person");
}

/**
 * A person who is not deleted, locked until the transaction ends. Others may still refer to them meanwhile: an edit of
 * a group adds members while this transaction waits for that group. Throws not-found.
 */
export async function lockPerson(tx: Db, id: number): Promise<StoredPerson> {
  const found = await sql<StoredPerson>`
    SELECT id, username, email, phone, other_contacts AS "otherContacts", details, first_name AS "firstName", last_name AS "lastName", role,
      property_unit AS "propertyUnit", property, unit, home_by_hand AS "homeByHand",
      address_confirmed_at IS NOT NULL AND NOT email_unconfirmed AS "addressConfirmed",
      NOT phone_unconfirmed AS "phoneConfirmed", password_hash IS NOT NULL AS "hasPassword", updated_at AS "updatedAt"
    FROM users WHERE id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`.execute(tx);
  const [person] = found.rows;
  if (!person) throw refusal("no-such-person");
  return person;
}
