import { sql } from "kysely";
import { setPasswordPath } from "#contract/calls/profile.ts";
import { confirmAddressPath } from "#contract/calls/auth.ts";
import type { Db } from "#server/db/database.ts";
import { formatTime } from "#contract/text/time-text.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { newToken, tokenHash } from "#server/http/tokens.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { LinkPurpose } from "#server/db/schema.ts";
import type { MintOneTimeLinks, OneTimeLink } from "#server/delivery/content/compiled.ts";

const HOURS = 24;
// 160 random bits: impossible to guess, and short enough for a text message.
const TOKEN_BYTES = 20;

const pathOf: Record<LinkPurpose, (token: string) => string> = {
  password: setPasswordPath,
  confirmation: confirmAddressPath,
};

/** Creates the links, for the worker. */
export function oneTimeLinks(db: Db, publicUrl: URL): MintOneTimeLinks {
  return (deliveryIds) => mintLinks(db, deliveryIds, publicUrl);
}

/**
 * Creates a link for each delivery when it is sent. Only hashes are stored. A repeated attempt gets a new link, because
 * the first one may have arrived.
 */
async function mintLinks(
  db: Db,
  deliveryIds: readonly number[],
  publicUrl: URL,
): Promise<Map<number, OneTimeLink>> {
  const minted = deliveryIds.map((id) => ({ id, token: newToken(TOKEN_BYTES) }));
  const stored = await sql<{ id: number; purpose: LinkPurpose; now: Date; expiresAt: Date }>`
    WITH minted AS (
      SELECT d.id, x.hash, d.user_id, d.channel, d.address,
        CASE n.kind WHEN 'confirmation' THEN 'confirmation' ELSE 'password' END AS purpose
      FROM unnest(${minted.map(({ id }) => id)}::bigint[], ${minted.map(({ token }) => tokenHash(token))}::bytea[]) AS x (id, hash)
      JOIN deliveries d ON ${inMonthsOf(sql`d.run_id`, deliveryIds)} AND d.id = x.id JOIN runs r ON r.id = d.run_id JOIN notifications n ON n.id = r.notification_id
    ), stored AS (
      INSERT INTO password_links (token_hash, user_id, channel, address, purpose, expires_at)
      SELECT hash, user_id, channel, address, purpose, now() + make_interval(hours => ${HOURS}) FROM minted
    )
    SELECT id, purpose, now(), now() + make_interval(hours => ${HOURS}) AS "expiresAt" FROM minted`.execute(
    db,
  );
  const zone = await readSetting(db, "timezone");
  const tokens = new Map(minted.map(({ id, token }) => [id, token]));
  return new Map(
    stored.rows.map(({ id, purpose, now, expiresAt }) => [
      id,
      {
        url: new URL(pathOf[purpose](tokens.get(id)!), publicUrl).href,
        expires: formatTime(expiresAt, zone, now),
      },
    ]),
  );
}
