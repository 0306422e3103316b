import type { Channel } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { suppressionsOf } from "#server/audience/person.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import type { By } from "#server/http/route.ts";

/**
 * Allows messages to this person's address again after a bounce, and clears the bounces counted against it. Returns the
 * address. Throws not-found, also if it is not blocked.
 */
export async function unblockAddress(
  db: Db,
  id: number,
  channel: Channel,
  { user, ip }: By,
): Promise<string> {
  return transaction(db, async (tx) => {
    await lockPerson(tx, id);
    const blocked = (await suppressionsOf(tx, id)).find((one) => one.channel === channel);
    if (!blocked) throw new AppError("not-found", "This address isn't blocked.");
    const { address, reason, at } = blocked;
    for (const table of ["suppressions", "refusals"] as const) {
      await tx.deleteFrom(table).where("channel", "=", channel).where("address", "=", address).execute();
    }
    await recordAudit(tx, {
      actor: user,
      ip,
      action: "user.unblock-address",
      subject: { type: "user", id },
      detail: { channel, address, reason, blockedAt: at.toISOString() },
    });
    return address;
  });
}
