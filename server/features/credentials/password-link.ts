import { sql } from "kysely";
import { linkChannels } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { recordAudit } from "#server/db/audit.ts";
import { address } from "#server/audience/person.ts";
import { passwordFits } from "#server/features/auth/password.ts";
import { hashNewPassword } from "#server/features/auth/password-policy.ts";
import { setPassword } from "#server/features/auth/set-password.ts";
import { tellOfChange } from "#server/features/credentials/account-notice.ts";
import type { SessionUser } from "#server/http/route.ts";
import { sessionUser } from "#server/http/session.ts";
import { tokenHash } from "#server/http/tokens.ts";

/** One-time links for setting a password: docs/decisions/0004-one-time-links.md. */

/** By the channel of `password_links l`, its owner's address. */
const addresses = sql.join(
  linkChannels.map((channel) => sql`WHEN ${sql.lit(channel)} THEN ${address[channel]}`),
  sql` `,
);

export type LinkOwner = SessionUser & { expiresAt: Date };

/**
 * The owner of this link while it is valid. Reading it does not use it up, because link scanners read. Null if it opens
 * nothing.
 */
export async function readLink(db: Db, token: string, lock = false): Promise<LinkOwner | null> {
  const found = await sql<LinkOwner>`
    SELECT ${sessionUser}, l.expires_at AS "expiresAt"
    FROM password_links l JOIN users u ON u.id = l.user_id AND u.deleted_at IS NULL
    WHERE l.token_hash = ${tokenHash(token)} AND l.purpose = 'password' AND l.expires_at > now()
      AND (u.password_changed_at IS NULL OR u.password_changed_at < l.created_at)
      AND l.address = CASE l.channel ${addresses} END
    ${lock ? sql`FOR NO KEY UPDATE` : sql``}`.execute(db);
  return found.rows[0] ?? null;
}

/**
 * Sets the password of a link's owner and uses up the link and all their other links. Of two simultaneous uses one
 * wins. Throws not-found, and invalid-input (the password), which does not use up the link.
 */
export async function consumeLink(db: Db, token: string, password: string, ip: string): Promise<SessionUser> {
  const found = await readLink(db, token);
  if (!found) throw refusal("password-link-dead");
  const { password_hash: before } = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", found.id)
    .executeTakeFirstOrThrow();
  const passwordHash = await hashNewPassword(db, password, found);
  // After the rules, whose refusals leave the link usable: otherwise it could be used to guess.
  if (before !== null && (await passwordFits(before, password))) throw refusal("password-unchanged");
  return transaction(db, async (tx) => {
    const owner = await readLink(tx, token, true);
    if (!owner) throw refusal("password-link-dead");
    const { expiresAt: _, ...user } = owner;
    const by = { user, ip };
    const change = await setPassword(tx, user.id, passwordHash);
    // Someone who set their first password needs no notice.
    if (before !== null) await tellOfChange(tx, user.id, change, by);
    await recordAudit(tx, {
      by,
      action: "user.set-password",
      subject: { type: "user", id: user.id },
      detail: { by: "link" },
    });
    return user;
  });
}
