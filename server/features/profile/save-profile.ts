import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import type { profileCalls } from "#contract/calls/profile.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import { checkOwnPassword } from "#server/features/auth/own-password.ts";
import { hashNewPassword } from "#server/features/auth/password-policy.ts";
import { countContactChange } from "#server/features/auth/throttle.ts";
import { setPassword } from "#server/features/auth/set-password.ts";
import { followToNewAddresses } from "#server/audience/opt-outs.ts";
import { changeConsents } from "#server/features/consent/queries.ts";
import { type AccountChange, tellOfChange } from "#server/features/credentials/account-notice.ts";
import { sendConfirmation } from "#server/features/credentials/confirmation.ts";
import { contactsOf } from "#server/features/people/contact-fields.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import type { By } from "#server/http/route.ts";
import { type BrowserTokens, renewSession } from "#server/http/session.ts";

/**
 * Changes the person's own name, address and number. A new address or number requires the current password, and the old
 * address is notified. Throws invalid-input (the address, the number, the password), conflict and too-many-requests.
 */
export async function saveProfile(
  db: Db,
  { currentPassword, ...form }: BodyOf<typeof profileCalls.save>,
  by: By,
): Promise<void> {
  const { user } = by;
  if (currentPassword !== undefined) await checkOwnPassword(db, currentPassword, by);
  await transaction(db, async (tx) => {
    const before = await lockPerson(tx, user.id);
    refuseStale(form.updatedAt, before.updatedAt, "profile");
    const after = {
      firstName: form.firstName,
      lastName: form.lastName,
      ...(await contactsOf(tx, before, form)),
    };
    const changes = changesBetween(before, after);
    const contact = (["email", "phone"] as const).filter((field) => field in changes);
    if (contact.length > 0 && currentPassword === undefined) throw refusal("current-password-missing");
    if (contact.length > 0) await countContactChange(tx, user.id);
    for (const field of contact) await tellOfChange(tx, user.id, field, by);
    await sql`
      UPDATE users SET first_name = ${after.firstName}, last_name = ${after.lastName}, email = ${after.email},
        phone = ${after.phone}, other_contacts = ${after.otherContacts}, updated_at = now(),
        -- Another address or number is only what they entered. Someone who registered openly is a stranger again.
        email_unconfirmed = CASE WHEN email IS NOT DISTINCT FROM ${after.email} THEN email_unconfirmed
          ELSE ${after.email !== null} END,
        phone_unconfirmed = CASE WHEN phone IS NOT DISTINCT FROM ${after.phone} THEN phone_unconfirmed
          ELSE ${after.phone !== null} END,
        address_confirmed_at = CASE WHEN NOT self_registered OR email IS NOT DISTINCT FROM ${after.email}
          THEN address_confirmed_at END
      WHERE id = ${user.id}`.execute(tx);
    if (contact.length > 0) await followToNewAddresses(tx, [user.id]);
    for (const field of contact) await sendConfirmation(tx, user, field);
    await recordAudit(tx, {
      by,
      action: "profile.save",
      subject: { type: "user", id: user.id },
      detail: { changes },
    });
  });
}

/** Turns the person's own channels on and off; each change is recorded. */
export async function savePreferences(
  db: Db,
  wishes: BodyOf<typeof profileCalls.savePreferences>,
  { user, ip }: By,
): Promise<void> {
  await transaction(db, (tx) =>
    changeConsents(tx, wishes, { userId: user.id, source: "profile", actorId: user.id, ip }),
  );
}

/**
 * Changes the person's own password and returns what ended with it and a new token for this session; every other
 * session ends. Throws invalid-input (either password), conflict and too-many-requests.
 */
export async function changePassword(
  db: Db,
  form: BodyOf<typeof profileCalls.changePassword>,
  by: By,
  tokens: BrowserTokens,
): Promise<{ token: string; change: AccountChange }> {
  const { user } = by;
  await checkOwnPassword(db, form.currentPassword, by);
  if (form.password === form.currentPassword) throw refusal("password-unchanged");
  const passwordHash = await hashNewPassword(db, form.password, user);
  return transaction(db, async (tx) => {
    const change = await setPassword(tx, user.id, passwordHash, tokens);
    await tellOfChange(tx, user.id, change, by);
    await recordAudit(tx, {
      by,
      action: "user.set-password",
      subject: { type: "user", id: user.id },
      detail: { by: "profile" },
    });
    return { token: await renewSession(tx, tokens.session ?? ""), change };
  });
}
