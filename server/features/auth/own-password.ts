import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { passwordFits } from "#server/features/auth/password.ts";
import { countTry, forgiveTries } from "#server/features/auth/throttle.ts";
import type { By } from "#server/http/route.ts";

/**
 * Checks the person's current password: an open session alone must not be enough to take over the account. Throws
 * invalid-input at `currentPassword`, and too-many-requests, because a stolen session must not be a way to guess.
 */
export async function checkOwnPassword(db: Db, password: string, by: By): Promise<void> {
  const { user, ip } = by;
  // Only from a session of their own: a neighbor's guesses at the same address must not stop them.
  const from = { ip, browser: `own:${user.id}` };
  await countTry(db, user.username, from);
  const row = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", user.id)
    .executeTakeFirst();
  if (!(await passwordFits(row?.password_hash ?? null, password))) {
    const subject = { type: "user", id: user.id };
    await recordAudit(db, { by, action: "session.confirm-fail", subject });
    throw refusal("current-password-wrong");
  }
  await forgiveTries(db, user.username, from);
}
