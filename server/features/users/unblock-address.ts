import type { Channel } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { suppressionsOf } from "#server/audience/person.ts";
import { liftSuppression } from "#server/features/suppressions/lift.ts";
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
    await liftSuppression(tx, blocked, { user, ip, personId: id });
    return blocked.address;
  });
}
