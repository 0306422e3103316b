import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Channel, Reason } from "#contract/delivery.ts";
import { channels as allChannels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import type { PersonField } from "#contract/message-fields.ts";
import { isPersonField } from "#contract/message-fields.ts";

/** What the engine reads of `users u`, as SQL. */

export const personName: RawBuilder<string> = sql`trim(trim(u.first_name) || ' ' || trim(u.last_name))`;

// As `personValues` of content/fields.ts; a test compares the two. Null: not known of this person.
const fieldValue: Record<PersonField, RawBuilder<string | null>> = {
  tenant_name: sql`nullif(${personName}, '')`,
  first_name: sql`coalesce(nullif(trim(u.first_name), ''), nullif(trim(u.last_name), ''))`,
  last_name: sql`CASE WHEN trim(u.first_name) = '' THEN '' ELSE trim(u.last_name) END`,
  email: sql`nullif(trim(u.email), '')`,
  phone: sql`nullif(trim(u.phone), '')`,
  property_unit: sql`nullif(trim(u.property_unit), '')`,
  property_name: sql`nullif(trim(u.property), '')`,
};

/** The person's values of these fields as one JSON object; what is not known is absent. */
export function personValuesSql(fields: readonly string[]): RawBuilder<Record<string, string>> {
  const pairs = fields.filter(isPersonField).map((field) => sql`${sql.lit(field)}, ${fieldValue[field]}`);
  return pairs.length === 0
    ? sql`'{}'::jsonb`
    : sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)}))`;
}

/** Normalised, as deliveries and suppressions have it; null: none is known. */
export const address: Record<Channel, RawBuilder<string | null>> = {
  email: sql`nullif(lower(trim(u.email)), '')`,
  sms: sql`nullif(trim(u.phone), '')`,
  push: sql`u.id::text`,
};
/** Whether the person wants to be written to there. */
export const wants: Record<Channel, RawBuilder<boolean>> = {
  email: sql`u.receive_email`,
  sms: sql`u.receive_sms`,
  push: sql`u.receive_push`,
};
const absent: Record<Channel, Reason | null> = { email: "no-email", sms: "no-phone", push: null };
const invalid: Record<Channel, Reason | null> = { email: "invalid-email", sms: "invalid-phone", push: null };
const looksRight: Record<Channel, RawBuilder<boolean>> = {
  email: sql`a.address ~ '^[^\\s@]+@[^\\s@]+$'`,
  sms: sql`a.address ~ '^\\+[1-9][0-9]{6,14}$'`,
  push: sql`true`,
};

/** People of `users h` who have the suppressed address `s.address`, as an index finds them. */
const holds: Record<Channel, RawBuilder<boolean>> = {
  email: sql`lower(trim(h.email)) = s.address`,
  sms: sql`trim(h.phone) = s.address`,
  push: sql`h.id = CASE WHEN s.address ~ '^[0-9]{1,18}$' THEN s.address::bigint END`,
};

/**
 * Whether a message can go to a person of `users u` on this channel now; `judged` says why not. Cheap for 100,000
 * people: what can be known of one person is a column, and the few suppressed ones are looked up once.
 */
export function reachable(channel: Channel): RawBuilder<boolean> {
  // OFFSET 0 keeps each suppressed address a look into the index, where a join would read all people.
  return sql<boolean>`(${sql.ref(`u.open_${channel}`)} AND u.id NOT IN (
    SELECT holder.id FROM suppressions s CROSS JOIN LATERAL (
      SELECT h.id FROM users h WHERE ${holds[channel]} AND h.deleted_at IS NULL OFFSET 0) holder
    WHERE s.channel = ${sql.lit(channel)}))`;
}

/** Reachable on no channel at all. */
export function unreachable(): RawBuilder<boolean> {
  return sql<boolean>`NOT (${sql.join(allChannels.map(reachable), sql` OR `)})`;
}

/**
 * FROM clause that sets each person of `users u` beside each channel: `c.channel`, `a.address` (normalised), and
 * `j.reason`, `j.detail` why nothing can be sent there (null: it can). Whether somebody else has the same address
 * is not judged here.
 */
export function judged(channels: readonly Channel[], fields: readonly string[]) {
  return sql`users u
    CROSS JOIN unnest(${channels}::text[]) WITH ORDINALITY c (channel, place)
    CROSS JOIN LATERAL (SELECT ${byChannel(address)} AS address, ${byChannel(wants)} AS wanted) a
    LEFT JOIN suppressions s ON s.channel = c.channel AND s.address = a.address
    CROSS JOIN LATERAL (SELECT ${missingField(fields)} AS field) f
    CROSS JOIN LATERAL (SELECT CASE
      WHEN NOT a.wanted THEN 'opted-out'
      WHEN a.address IS NULL THEN ${reasonByChannel(absent)}
      WHEN NOT ${byChannel(looksRight)} THEN ${reasonByChannel(invalid)}
      WHEN s.address IS NOT NULL THEN 'suppressed'
      WHEN f.field IS NOT NULL THEN 'missing-field'
    END AS reason) r
    CROSS JOIN LATERAL (SELECT r.reason, CASE r.reason
      WHEN 'suppressed' THEN s.reason WHEN 'missing-field' THEN f.field END AS detail) j`;
}

function byChannel(values: Record<Channel, RawBuilder<unknown>>) {
  const cases = allChannels.map((channel) => sql`WHEN ${sql.lit(channel)} THEN ${values[channel]}`);
  return sql`CASE c.channel ${sql.join(cases, sql` `)} END`;
}

function reasonByChannel(values: Record<Channel, Reason | null>) {
  const cases = allChannels.map((channel) => sql`WHEN ${sql.lit(channel)} THEN ${sql.lit(values[channel])}`);
  return sql`CASE c.channel ${sql.join(cases, sql` `)} END`;
}

/** The first of the fields that is not known of this person. The site's name stands in for a property's. */
export function missingField(fields: readonly string[]): RawBuilder<string | null> {
  const needed = fields.filter(isPersonField).filter((field) => field !== "property_name");
  const cases = needed.map((field) => sql`WHEN ${fieldValue[field]} IS NULL THEN ${sql.lit(field)}`);
  return cases.length === 0 ? sql`NULL::text` : sql`CASE ${sql.join(cases, sql` `)} END`;
}

export type Suppression = { channel: Channel; address: string; reason: string; at: Date };

/** The addresses of a person that must not be used, and why. */
export async function suppressionsOf(db: Db, userId: number): Promise<Suppression[]> {
  const found = await sql<Suppression>`
    SELECT s.channel, s.address, s.reason, s.created_at AS at
    FROM users u
    CROSS JOIN unnest(${[...allChannels]}::text[]) WITH ORDINALITY c (channel, place)
    JOIN suppressions s ON s.channel = c.channel AND s.address = ${byChannel(address)}
    WHERE u.id = ${userId} ORDER BY c.place`.execute(db);
  return found.rows;
}
