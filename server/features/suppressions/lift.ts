import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { holds } from "#server/audience/person.ts";
import type { By } from "#server/http/route.ts";

type Blocked = { channel: Channel; address: string };

/**
 * Allows messages to an address again, and clears the bounces counted against it. The record names the person whose
 * address it is, if it is one person's. Throws not-found.
 */
export async function liftSuppression(db: Db, { channel, address }: Blocked, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ reason: string; at: Date }>`
      DELETE FROM suppressions WHERE channel = ${channel} AND address = ${address}
      RETURNING reason, created_at AS at`.execute(tx);
    const [lifted] = rows;
    if (!lifted) throw new AppError("not-found", "This address isn't blocked.");
    await tx.deleteFrom("refusals").where("channel", "=", channel).where("address", "=", address).execute();
    await recordAudit(tx, {
      by,
      action: "user.unblock-address",
      subject: { type: "user", id: await onlyHolder(tx, { channel, address }) },
      detail: { channel, address, reason: lifted.reason, blockedAt: lifted.at.toISOString() },
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
