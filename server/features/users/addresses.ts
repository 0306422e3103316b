import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { QueryOf, ReplyOf } from "#contract/endpoint.ts";
import type { AddressNote, users } from "#contract/calls/users.ts";
import { holdsOn, isOptOut, nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import { readPhone } from "#server/features/people/phone.ts";

/** Others named beside an address. */
const NAMED = 3;

/** What staff should know before they give someone these addresses. */
export async function noteAddresses(
  db: Db,
  { email, phone, exceptId }: QueryOf<typeof users.addresses>,
): Promise<ReplyOf<typeof users.addresses>> {
  const reading = phone ? readPhone(phone, await readHomeCountry(db)) : null;
  const [ofEmail, ofPhone] = await Promise.all([
    email ? noteOf(db, "email", email, exceptId) : null,
    reading && "phone" in reading && reading.phone !== null
      ? noteOf(db, "sms", reading.phone, exceptId)
      : null,
  ]);
  return { email: ofEmail, phone: ofPhone };
}

async function noteOf(db: Db, channel: Channel, address: string, exceptId = 0): Promise<AddressNote> {
  const { rows } = await sql<AddressNote>`
    WITH s AS (SELECT ${channel}::text AS channel, lower(trim(${address}::text)) AS address),
    others AS MATERIALIZED (
      SELECT h.id, ${nameOf("h")} AS name, row_number() OVER (ORDER BY lower(h.last_name), lower(h.first_name), h.id) AS place
      FROM s JOIN users h ON ${holdsOn[channel]} AND h.deleted_at IS NULL WHERE h.id <> ${exceptId}
    )
    SELECT (SELECT o.reason FROM suppressions o JOIN s USING (channel, address) WHERE ${isOptOut("o")}) AS "optedOut",
      (SELECT count(*) FROM others) AS "peopleTotal",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY place), '[]')
        FROM others WHERE place <= ${NAMED}) AS people`.execute(db);
  return rows[0]!;
}
