import { fullName } from "#contract/text/full-name.ts";
import { isColleague } from "#contract/permissions.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { detach, inUse, lockUses } from "#server/features/schedules/use-of-recipient.ts";
import { deletePeople } from "#server/features/people/delete-people.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import {
  actorNow,
  keepAnAdministrator,
  roleRefusal,
  takeTurns,
} from "#server/features/people/who-may-change.ts";
import { forgetFactors } from "#server/features/two-factor/factors.ts";
import { refuseUnconfirmed } from "#server/http/authorize.ts";
import type { SessionBy } from "#server/http/route.ts";
import { endSessionsOf } from "#server/http/session.ts";

/**
 * Removes a person from lists, audiences and sign-in, and frees the username. What was sent to them stays on record.
 * Returns the full name. Throws not-found, forbidden, and conflict, also if something scheduled names the person; with
 * `detach`, scheduled items continue without them.
 */
export async function removePerson(
  db: Db,
  id: number,
  { detach: withoutThem, by }: { detach: boolean; by: SessionBy },
): Promise<string> {
  return transaction(db, async (tx) => {
    await takeTurns(tx);
    const actor = await actorNow(tx, by.user.id);
    const before = await lockPerson(tx, id);
    if (isColleague(before.role)) refuseUnconfirmed(by.session);
    const change = { before, after: null };
    const refusal = roleRefusal(actor, change);
    if (refusal) throw refusal;
    await keepAnAdministrator(tx, change);
    const name = fullName(before);
    const uses = await lockUses(tx, { type: "user", id });
    if (uses.length > 0 && !withoutThem) throw inUse(name, uses);
    await detach(tx, { type: "user", id, name }, uses);
    await deletePeople(tx, [id]);
    await forgetFactors(tx, id);
    await endSessionsOf(tx, id);
    await recordAudit(tx, {
      by,
      action: "user.delete",
      subject: { type: "user", id },
      detail: {
        username: before.username,
        role: before.role,
        detached: uses.map(({ type, id: used }) => `${type} ${used}`),
      },
    });
    return name;
  });
}
