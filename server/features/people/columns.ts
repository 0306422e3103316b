import { type RawBuilder, sql } from "kysely";
import { sessionUser } from "#server/http/session.ts";

/**
 * Who made something, from `LEFT JOIN users c ON c.id = ….created_by AND c.deleted_at IS NULL`. The fixed name stands
 * where that person is gone, and for what came with the house.
 */
export const creatorName: RawBuilder<string> = sql`coalesce(trim(c.first_name || ' ' || c.last_name), 'Admin Manager')`;

/** The columns of a `User` of the contract, from `users u`. */
export const userColumns: RawBuilder<unknown> = sql`${sessionUser}, u.phone,
  u.property_unit AS "propertyUnit", u.property, u.unit,
  u.receive_email AS "receiveEmail", u.receive_sms AS "receiveSms", u.receive_push AS "receivePush"`;
