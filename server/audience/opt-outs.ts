import { type RawBuilder, sql } from "kysely";
import { type Channel, channelMeaning, channels } from "#contract/delivery.ts";
import { optOutReasons, reportedReasons } from "#contract/refusals/blocked-reasons.ts";
import type { Db } from "#server/db/database.ts";
import { address, channelSet, chosen, holdsOn, isOptOut, wants } from "./person.ts";

/**
 * An opt-out belongs to the address: it holds for everyone who has it, now or later, and outlives them. It is a row of
 * `suppressions`. What a person chose about a channel for themselves is a bit of `users.channels`, which goes with them
 * to another address. `consents` records both.
 */

/** Where a change of consent came from. */
export const consentSources = [
  "console",
  "profile",
  "preferences-page",
  "one-click",
  "texted-stop",
  "texted-words",
  "texted-start",
  "shared-address",
] as const;
export type ConsentSource = (typeof consentSources)[number];

export type OptOutSource = keyof typeof optOutReasons;
/** Also how, on an address that has another cause, too: its provider reported it. It doesn't say how. */
const storedReasons = { ...optOutReasons, provider: reportedReasons.unsubscribed };

/** Only staff undo these at someone's request; what staff turned off is theirs to turn on. */
export const recipientSources = Object.keys(optOutReasons) as OptOutSource[];
const textedSources: readonly OptOutSource[] = ["texted-stop", "texted-words"];
/** START undoes these; a provider of text messages reports what was texted to it. */
const undoneByText = [...textedSources, "provider"];
/** What a person chose for themselves goes with them to another address. */
const ownSources: readonly OptOutSource[] = ["profile", "preferences-page"];

type Address = { channel: Channel; address: string };
type By = { actorId?: number | null; ip?: string | null };

/**
 * Records that the recipient wants nothing at this address. `own`: the person whose link or profile said so; the others
 * who have the address are recorded as sharing it. `words`: a text that only sounds like STOP. `account`: the kind of
 * the account that reported it. Repeating it records nothing. Returns whether anyone got messages there until now.
 */
export async function optOut(
  tx: Db,
  { channel, address: to }: Address,
  by: By & { source: OptOutSource; own?: number; words?: string; account?: string },
): Promise<boolean> {
  const { source, own = null, words = null, account = "console", actorId = null, ip = null } = by;
  const { rows } = await sql`
    WITH s AS (SELECT ${channel}::text AS channel, ${to}::text AS address),
    holders AS MATERIALIZED (
      SELECT u.id FROM s JOIN users h ON ${holdsOn[channel]} AND h.deleted_at IS NULL JOIN users u ON u.id = h.id
      WHERE ${wants[channel]} OR u.id = ${own}
    ), blocked AS (
      INSERT INTO suppressions AS o (channel, address, reason, source, kind, opted_out_by, words)
      VALUES (${channel}, ${to}, ${optOutReasons[source]}, ${account}, 'unsubscribe', ${source}, ${words})
      ON CONFLICT (channel, address) DO UPDATE SET opted_out_by = excluded.opted_out_by, words = excluded.words,
        reason = CASE o.kind WHEN 'unsubscribe' THEN excluded.reason ELSE o.reason END
      WHERE CASE WHEN excluded.words IS NOT NULL THEN NOT ${isOptOut("o")}
        ELSE o.opted_out_by IS NULL OR o.opted_out_by = 'provider' OR o.words IS NOT NULL END
    ), touched AS (
      -- A form that is open for one of them is refused.
      UPDATE users SET updated_at = now() WHERE id IN (SELECT id FROM holders)
    )
    INSERT INTO consents (user_id, channel, allowed, source, actor_id, ip)
    SELECT id, ${channel}, false, CASE WHEN ${own}::bigint <> id THEN 'shared-address' ELSE ${source} END,
      ${actorId}, ${ip}
    FROM holders ORDER BY id RETURNING id`.execute(tx);
  return rows.length > 0;
}

type Lifted = {
  /** Why the address was blocked; null: it hadn't been opted out of. */
  reason: string | null;
  since: Date | null;
  /** Who gets messages there again, on record. */
  people: number[];
};

/**
 * Lets messages to this address again, after its recipient, or someone at their request, said so. Blocks with another
 * cause stay, and so does what a person who shares the address chose for themselves. `own`: the person who says it, and
 * who undoes their own choice with it; "alone": the address's only holder. `only`: leave alone what
 * was not opted out of by text.
 */
export async function liftOptOut(
  tx: Db,
  { channel, address: to }: Address,
  by: By & {
    source: ConsentSource;
    own?: number | "alone" | null;
    only?: "texted";
    request?: string | undefined;
  },
): Promise<Lifted> {
  const { source, own = null, only, request = null, actorId = null, ip = null } = by;
  const undone = only
    ? sql`(opted_out_by IS NULL OR opted_out_by = ANY(${undoneByText}::text[]))`
    : sql`true`;
  const alone = own === "alone";
  const { rows } = await sql<Lifted>`
    WITH s AS (SELECT ${channel}::text AS channel, ${to}::text AS address),
    blocked AS MATERIALIZED (
      SELECT channel, address, kind, reason, created_at FROM suppressions
      WHERE channel = ${channel} AND address = ${to} AND ${isOptOut("suppressions")} AND ${undone} FOR UPDATE
    ), deleted AS (
      DELETE FROM suppressions o USING blocked b
      WHERE o.channel = b.channel AND o.address = b.address AND b.kind = 'unsubscribe'
    ), kept AS (
      UPDATE suppressions o SET opted_out_by = NULL, words = NULL FROM blocked b
      WHERE o.channel = b.channel AND o.address = b.address AND b.kind <> 'unsubscribe'
    ), forgotten AS (
      DELETE FROM refusals r USING s WHERE r.channel = s.channel AND r.address = s.address AND r.code = 'unsubscribed'
    ), holders AS MATERIALIZED (
      SELECT u.id, ${chosen[channel]} AS chosen, count(*) OVER () AS sharing,
        (SELECT CASE WHEN NOT c.allowed THEN c.source END FROM consents c
          WHERE c.user_id = u.id AND c.channel = ${channel} ORDER BY c.id DESC LIMIT 1) AS off_by
      FROM s JOIN users h ON ${holdsOn[channel]} AND h.deleted_at IS NULL JOIN users u ON u.id = h.id
    ), undone AS MATERIALIZED (
      SELECT id FROM holders WHERE NOT chosen AND (off_by = ANY(${textedSources}::text[])
        OR off_by = ANY(${recipientSources}::text[]) AND (id = ${alone ? null : own} OR ${alone} AND sharing = 1))
    ), turned_on AS (
      UPDATE users u SET channels = u.channels | ${sql.lit(channelSet([channel]))}, updated_at = now()
      WHERE id IN (SELECT id FROM undone)
    ), again AS MATERIALIZED (
      SELECT id FROM undone UNION SELECT id FROM holders WHERE chosen AND EXISTS (SELECT FROM blocked)
    ), touched AS (
      UPDATE users SET updated_at = now() WHERE id IN (SELECT id FROM again EXCEPT SELECT id FROM undone)
    ), recorded AS (
      INSERT INTO consents (user_id, channel, allowed, source, actor_id, ip, request)
      SELECT id, ${channel}, true, CASE WHEN ${alone ? null : own}::bigint <> id AND ${source} <> 'console'
        THEN 'shared-address' ELSE ${source} END, ${actorId}, ${ip}, ${request}
      FROM again ORDER BY id
    )
    SELECT (SELECT reason FROM blocked) AS reason, (SELECT created_at FROM blocked) AS since,
      ARRAY(SELECT id FROM again) AS people`.execute(tx);
  return rows[0]!;
}

/**
 * Takes what people chose for themselves along to the addresses they have now, so that it outlives them there. An
 * address that someone else has too is left alone: its reader has not opted out.
 */
export async function followToNewAddresses(tx: Db, userIds: readonly number[]): Promise<void> {
  for (const channel of channels) {
    if (channelMeaning[channel].address === "device") continue;
    await sql`
      INSERT INTO suppressions AS o (channel, address, reason, source, kind, opted_out_by)
      SELECT DISTINCT ON (s.address) ${channel}, s.address, ${optOutReason(sql`l.source`)}, 'console', 'unsubscribe', l.source
      FROM users u
      CROSS JOIN LATERAL (SELECT ${address[channel]} AS address) s
      CROSS JOIN LATERAL (SELECT c.allowed, c.source FROM consents c
        WHERE c.user_id = u.id AND c.channel = ${channel} ORDER BY c.id DESC LIMIT 1) l
      WHERE u.id = ANY(${userIds}::bigint[]) AND NOT ${chosen[channel]} AND s.address IS NOT NULL
        AND NOT l.allowed AND l.source = ANY(${ownSources}::text[])
        AND NOT EXISTS (SELECT FROM users h WHERE ${holdsOn[channel]} AND h.deleted_at IS NULL AND h.id <> u.id)
      ORDER BY s.address, u.id
      ON CONFLICT (channel, address) DO UPDATE SET opted_out_by = excluded.opted_out_by
      WHERE o.opted_out_by IS NULL`.execute(tx);
  }
}

/** Why an address is blocked whose recipient opted out in this way, in SQL. */
export const optOutReason = (source: RawBuilder<unknown>) =>
  sql`CASE ${source} ${sql.join(
    Object.entries(storedReasons).map(([name, reason]) => sql`WHEN ${sql.lit(name)} THEN ${sql.lit(reason)}`),
    sql` `,
  )} END`;
