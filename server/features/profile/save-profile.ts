import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import { fieldError } from "#contract/errors.ts";
import type { profileCalls } from "#contract/profile.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { passwordFits } from "#server/features/auth/password.ts";
import { hashNewPassword } from "#server/features/auth/password-policy.ts";
import { setPassword } from "#server/features/auth/set-password.ts";
import { countTry, forgiveTries } from "#server/features/auth/throttle.ts";
import { changeConsents } from "#server/features/consent/queries.ts";
import { passwordHashOf } from "#server/features/profile/queries.ts";
import { emailAfter } from "#server/features/people/email-field.ts";
import { phoneOf } from "#server/features/people/phone-field.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import type { By } from "#server/http/route.ts";

/** Changes one's own name, address and number. Throws invalid-input (the address or the number). */
export async function saveProfile(
  db: Db,
  form: BodyOf<typeof profileCalls.save>,
  { user, ip }: By,
): Promise<void> {
  const phone = form.phone === undefined ? sql`phone` : phoneOf(form.phone);
  await transaction(db, async (tx) => {
    const before = await lockPerson(tx, user.id);
    const email = emailAfter(before.email, form.email);
    await sql`
      UPDATE users SET first_name = ${form.firstName}, last_name = ${form.lastName}, email = ${email},
        phone = ${phone}, updated_at = now()
      WHERE id = ${user.id}`.execute(tx);
    await recordAudit(tx, {
      actor: user,
      ip,
      action: "profile.save",
      subject: { type: "user", id: user.id },
    });
  });
}

/** Turns one's own channels on and off; each change is on record. */
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
 * Changes one's own password; every session but the one of `token` ends. Throws invalid-input (either password) and
 * too-many-requests: a stolen session must not be a way to guess.
 */
export async function changePassword(
  db: Db,
  form: BodyOf<typeof profileCalls.changePassword>,
  { user, ip, token }: By & { token: string | undefined },
): Promise<void> {
  await countTry(db, user.username, ip);
  if (!(await passwordFits(await passwordHashOf(db, user.id), form.currentPassword))) {
    const sentence = "This is not your current password";
    throw fieldError("invalid-input", "currentPassword", sentence);
  }
  await forgiveTries(db, user.username, ip);
  const passwordHash = await hashNewPassword(db, form.password, user);
  await transaction(db, async (tx) => {
    await setPassword(tx, user.id, passwordHash, token);
    await recordAudit(tx, {
      actor: user,
      ip,
      action: "user.set-password",
      subject: { type: "user", id: user.id },
      detail: { by: "profile" },
    });
  });
}
