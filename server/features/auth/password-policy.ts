import type { Settings } from "#contract/calls/settings.ts";
import type { Db } from "#server/db/database.ts";
import { checkNewPassword, hashPassword, type PasswordPolicy } from "#server/features/auth/password.ts";
import { readSettings } from "#server/features/settings/queries.ts";

/** What the Security settings require of every new password. */
export const readPolicy = async (db: Db): Promise<PasswordPolicy> => policyOf(await readSettings(db));

export const policyOf = (
  settings: Pick<Settings, "passwordMinLength" | "requireSpecialChars">,
): PasswordPolicy => ({
  minLength: settings.passwordMinLength,
  special: settings.requireSpecialChars,
});

type Owner = { username: string; firstName: string; lastName: string };

/** Refuses a new password that breaks the policy for this person. Throws invalid-input at `password`. */
export async function refuseBadPassword(db: Db, password: string, owner: Owner): Promise<void> {
  const settings = await readSettings(db);
  const ownWords = [owner.username, owner.firstName, owner.lastName, settings.siteName];
  await checkNewPassword(password, policyOf(settings), ownWords);
}

/** Hashes a new password that meets the policy. Slow: call it outside a transaction. */
export async function hashNewPassword(db: Db, password: string, owner: Owner): Promise<string> {
  await refuseBadPassword(db, password, owner);
  return hashPassword(password);
}
