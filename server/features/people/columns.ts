import { type RawBuilder, sql } from "kysely";
import { channels } from "#contract/delivery.ts";
import type { Standing } from "#contract/homes.ts";
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

/** Whether a person of `users u` has moved out, lives in the home on file, or moves in later. Without a home: now. */
export const standing: RawBuilder<Standing> = sql`CASE WHEN upper(u.home_during) <= now() THEN 'past'
  WHEN lower(u.home_during) > now() THEN 'future' ELSE 'now' END`;

/** The columns of a `User` of the contract, from `users u`. */
export const userColumns: RawBuilder<unknown> = sql`${sessionUser}, u.phone,
  u.property_unit AS "propertyUnit", u.property, u.unit, ${standing} AS standing,
  ${preferenceColumns}`;
