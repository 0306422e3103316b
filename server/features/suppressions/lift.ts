import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { textedReason } from "#contract/refusals/blocked-reasons.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { liftOptOut } from "#server/audience/opt-outs.ts";
import { holds, isOptOut } from "#server/audience/person.ts";
import type { By } from "#server/http/route.ts";

type Blocked = { channel: Channel; address: string };

type Row = { reason: string; at: Date; optedOut: boolean; words: string | null };

async function lockSuppression(tx: Db, { channel, address }: Blocked): Promise<Row> {
  const { rows } = await sql<Row>`
    SELECT s.reason, s.created_at AS at, ${isOptOut("s")} AS "optedOut", s.words FROM suppressions s
    WHERE s.channel = ${channel} AND s.address = ${address} FOR UPDATE`.execute(tx);
  if (!rows[0]) throw refusal("address-not-blocked");
  return rows[0];
}

/**
 * Allows messages to an address again, and clears the bounces counted against it. The record names the person whose
 * address it is, if it is one person's. Throws not-found, and invalid-input if the recipient opted out and no `request`
 * is recorded; whether a text that only sounds like STOP was one, staff decide without.
 */
export async function liftSuppression(
  db: Db,
  { request, ...blocked }: Blocked & { request?: string | undefined },
  by: By,
): Promise<void> {
  const { channel, address } = blocked;
  await transaction(db, async (tx) => {
    const { reason, at, optedOut, words } = await lockSuppression(tx, blocked);
    if (optedOut) {
      if (!request && words === null) throw refusal("request-not-recorded", {}, { field: "request" });
      await liftOptOut(tx, blocked, {
        source: "console",
        actorId: by.user.id,
        ip: by.ip,
        own: "alone",
        request: request || undefined,
      });
    }
    await tx
      .deleteFrom("suppressions")
      .where("channel", "=", channel)
      .where("address", "=", address)
      .execute();
    await tx.deleteFrom("refusals").where("channel", "=", channel).where("address", "=", address).execute();
    await recordAudit(tx, {
      by,
      action: "user.unblock-address",
      subject: { type: "user", id: await onlyHolder(tx, blocked) },
      detail: {
        channel,
        address,
        reason: words === null ? reason : words,
        blockedAt: at.toISOString(),
        ...(request && { request }),
      },
    });
  });
}

/** A text that sounds like STOP was meant so. Throws not-found, also if that is settled. */
export async function confirmOptOut(db: Db, blocked: Blocked, by: By): Promise<void> {
  const { channel, address } = blocked;
  await transaction(db, async (tx) => {
    const { words } = await lockSuppression(tx, blocked);
    if (words === null) throw refusal("opt-out-decided");
    await sql`
      UPDATE suppressions SET words = NULL,
        reason = CASE kind WHEN 'unsubscribe' THEN ${textedReason(words)} ELSE reason END
      WHERE channel = ${channel} AND address = ${address}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: "user.confirm-opt-out",
      subject: { type: "user", id: await onlyHolder(tx, blocked) },
      detail: { channel, address, words },
    });
  });
}

/** The person whose address it is; undefined if it belongs to no one or to several people. */
export async function onlyHolder(tx: Db, { channel, address }: Blocked): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    SELECT h.id FROM (SELECT ${channel}::text AS channel, ${address}::text AS address) s
    JOIN users h ON ${holds} AND h.deleted_at IS NULL LIMIT 2`.execute(tx);
  return rows.length === 1 ? rows[0]?.id : undefined;
}
