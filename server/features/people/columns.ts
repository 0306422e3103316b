import { type RawBuilder, sql } from "kysely";
import { channels } from "#contract/delivery.ts";
import { preferenceField } from "#contract/calls/users.ts";
import { nameOf, wants } from "#server/audience/person.ts";
import { sessionUser } from "#server/http/session.ts";

/**
 * Who created something, from `LEFT JOIN users c ON c.id = ….created_by AND c.deleted_at IS NULL`. The fixed name is
 * used if that person was deleted, and for what is built in.
 */
export const creatorName: RawBuilder<string> = sql`coalesce(${nameOf("c")}, 'Admin Manager')`;

/** A person's choice for each channel, from `users u`. */
export const preferenceColumns: RawBuilder<unknown> = sql.join(
  channels.map((channel) => sql`${wants[channel]} AS ${sql.ref(preferenceField[channel])}`),
);

/** The columns of a `User` of the contract, from `users u`. */
export const userColumns: RawBuilder<unknown> = sql`${sessionUser}, u.phone,
  u.property_unit AS "propertyUnit", u.property, u.unit,
  ${preferenceColumns}`;
