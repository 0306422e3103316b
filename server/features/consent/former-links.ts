import { sql } from "kysely";
import { addressKind, type Channel, channelMeaning, typedChannels } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { liftOptOut, optOut } from "#server/audience/opt-outs.ts";
import { address, holds, isOptOut, unconfirmed } from "#server/audience/person.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { LINK_TOKEN } from "#server/features/consent/queries.ts";

/**
 * Links in emails to an address of someone who was deleted or has another address now. They no longer say anything about
 * a person, but the address can still be turned off with them: an opt-out belongs to it.
 */
export type FormerAddress = {
  userId: number;
  channel: Channel;
  address: string;
  /** Whether it hasn't been opted out of. */
  allowed: boolean;
  /** The person had only entered it themselves and never confirmed it, and someone on file has it. */
  someoneElses: boolean;
};

/** The addresses that this link turns off; none if it opens nothing. */
export async function findFormer(db: Db, token: string): Promise<FormerAddress[]> {
  if (!LINK_TOKEN.test(token)) return [];
  const { rows } = await sql<FormerAddress>`
    SELECT f."userId", s.channel, s.address,
      NOT EXISTS (SELECT FROM suppressions o
        WHERE o.channel = s.channel AND o.address = s.address AND ${isOptOut("o")}) AS allowed,
      f.unconfirmed AND EXISTS (SELECT FROM users h WHERE ${holds} AND h.deleted_at IS NULL) AS "someoneElses"
    FROM (
      SELECT user_id AS "userId", 'email' AS channel, address, unconfirmed, 0 AS place
      FROM former_preference_links WHERE token = ${token}
      UNION ALL
      SELECT u.id, c.channel, c.address, c.unconfirmed, c.place
      FROM users u CROSS JOIN LATERAL (VALUES ${sql.join(
        typedChannels.map(
          (channel, place) =>
            sql`(${sql.lit(channel)}, ${address[channel]}, ${unconfirmed[channel]}, ${sql.lit(place)})`,
        ),
      )}) c (channel, address, unconfirmed, place)
      WHERE u.preferences_token = ${token} AND u.deleted_at IS NOT NULL AND c.address IS NOT NULL
    ) f CROSS JOIN LATERAL (SELECT f.channel, f.address) s
    ORDER BY f.place`.execute(db);
  return rows;
}

/**
 * Turns an address off, or an inbox on again. Throws conflict: a number only its owner turns on, with START, because it
 * may be someone else's by now; and what someone only entered may be anyone's.
 */
export async function changeFormer(
  db: Db,
  { userId, channel, address: to, allowed: before, someoneElses }: FormerAddress,
  allowed: boolean,
  by: { source: "preferences-page" | "one-click"; ip: string },
): Promise<void> {
  if (allowed === before) return;
  if (someoneElses) {
    throw refusal("address-of-someone-else");
  }
  if (allowed && addressKind(channel) !== "email") {
    throw refusal("texts-need-start");
  }
  await transaction(db, async (tx) => {
    await (allowed ? liftOptOut : optOut)(tx, { channel, address: to }, by);
    await recordAudit(tx, {
      by: { user: null, ip: by.ip },
      action: "consent.change",
      subject: { type: "user", id: userId },
      detail: {
        source: by.source,
        address: to,
        changes: { [channelMeaning[channel].label]: [!allowed, allowed] },
      },
    });
  });
}
