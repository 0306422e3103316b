import { isColleague } from "#contract/permissions.ts";
import type { Db } from "#server/db/database.ts";
import { followToNewAddresses } from "#server/audience/opt-outs.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { updatePeople } from "#server/features/csv/write-people.ts";
import { tellOfChange } from "#server/features/credentials/account-notice.ts";
import { refuseUnconfirmed } from "#server/http/authorize.ts";
import type { SessionBy } from "#server/http/route.ts";

export type Update = PersonRecord & { id: number; before: Pick<KnownPerson, "role" | "email" | "phone"> };

/**
 * Writes people as they are from now on. Colleagues hear of it at their previous address, and opt-outs follow to new ones.
 * Throws password-required if anyone's email, phone or role changes.
 */
export async function applyUpdates(tx: Db, updates: readonly Update[], by: SessionBy): Promise<void> {
  if (updates.length === 0) return;
  if (updates.some(couldTakeOver)) refuseUnconfirmed(by.session);
  await tellColleagues(tx, updates, by);
  await updatePeople(tx, updates);
  const moved = updates.filter(
    ({ before, email, phone }) => email !== before.email || phone !== before.phone,
  );
  if (moved.length > 0)
    await followToNewAddresses(
      tx,
      moved.map(({ id }) => id),
    );
}

/** Whether a stranger at an unlocked screen could use it to get into someone's account, or to make one. */
const couldTakeOver = ({ before, ...after }: Update) =>
  (["email", "phone", "role"] as const).some((field) => after[field] !== before[field]);

/**
 * Notifies administrators and staff at their previous address when theirs changes, because links to a new password go
 * there. A tenant's account only opens their own notices, and a file may correct thousands.
 */
async function tellColleagues(tx: Db, updates: readonly Update[], by: SessionBy): Promise<void> {
  for (const { id, before, ...after } of updates) {
    if (!isColleague(before.role)) continue;
    for (const field of ["email", "phone"] as const) {
      if (after[field] !== before[field]) await tellOfChange(tx, id, field, by);
    }
  }
}
