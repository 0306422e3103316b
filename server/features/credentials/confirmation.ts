import { sql } from "kysely";
import { fullName } from "#contract/text/full-name.ts";
import { AppError } from "#contract/errors.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { address, unconfirmed } from "#server/audience/person.ts";
import { ONE_TIME_LINK_FIELD } from "#server/messages/fields.ts";
import { startMessageTo } from "#server/delivery/runs/start-message.ts";
import { mayMailConfirmation } from "#server/features/auth/throttle.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import type { SessionUser } from "#server/http/route.ts";
import { sessionUser } from "#server/http/session.ts";
import { tokenHash } from "#server/http/tokens.ts";

/**
 * People who enter an email address for themselves prove with an emailed link that it is theirs. Until then nothing
 * else goes there, and someone who registered matches no group's rule. The email goes to whatever address was typed, so
 * it contains nothing else that a stranger typed, not even a name in its headers.
 */

const TITLE = "Confirm your email address";
const TEXT = `Hello,

Someone entered this email address at {{site_name}}. If it was you, use this link to confirm that the address is yours. It works once and expires after 24 hours:
{{${ONE_TIME_LINK_FIELD}}}

If it wasn't you, you can ignore this message. Nothing else is sent to this address.`;

/**
 * Sends the email if the person's address is not confirmed and has not been mailed too often recently. Returns which of
 * these applied.
 */
export async function sendConfirmation(
  tx: Db,
  user: SessionUser,
): Promise<"sent" | "not-needed" | "too-often"> {
  const found = await sql<{ email: string }>`
    SELECT ${address.email} AS email FROM users u
    WHERE u.id = ${user.id} AND ${unconfirmed} AND u.deleted_at IS NULL AND ${address.email} IS NOT NULL`.execute(
    tx,
  );
  const [person] = found.rows;
  if (!person) return "not-needed";
  if (!(await mayMailConfirmation(tx, { userId: user.id, email: person.email }))) return "too-often";
  const values = { site_name: await readSetting(tx, "siteName") };
  await startMessageTo(
    tx,
    { id: user.id, name: fullName(user) },
    { kind: "confirmation", title: TITLE, content: TEXT, values, channels: ["email"] },
    user,
    { organization: readOrganization },
  );
  return "sent";
}

const good = (token: string) => sql<boolean>`l.token_hash = ${tokenHash(token)} AND l.purpose = 'confirmation'
  AND l.expires_at > now() AND u.id = l.user_id AND u.deleted_at IS NULL AND l.address = ${address.email}`;

/** The person whose address a link confirms; null if it is not valid. Reading does not use it up. */
export async function readConfirmation(
  db: Db,
  token: string,
): Promise<{ username: string; email: string } | null> {
  const found = await sql<{ username: string; email: string }>`
    SELECT u.username, u.email FROM password_links l, users u WHERE ${good(token)}`.execute(db);
  return found.rows[0] ?? null;
}

/** The same error for a link that never existed, was used or is too old, so that no one learns which. */
export const deadConfirmation = () =>
  new AppError("not-found", "This link is no longer valid. Sign in to get a new one.");

/** Confirms the address and uses up the link. Throws not-found. */
export async function confirmAddress(db: Db, token: string, ip: string): Promise<void> {
  await transaction(db, async (tx) => {
    const found = await sql<SessionUser>`
      WITH spent AS (DELETE FROM password_links l USING users u WHERE ${good(token)} RETURNING u.id)
      UPDATE users u SET address_confirmed_at = coalesce(u.address_confirmed_at, now()), email_unconfirmed = false
      FROM spent WHERE u.id = spent.id RETURNING ${sessionUser}`.execute(tx);
    const [user] = found.rows;
    if (!user) throw deadConfirmation();
    const subject = { type: "user", id: user.id };
    await recordAudit(tx, {
      by: { user, ip },
      action: "user.confirm-address",
      subject,
      detail: { by: "link", email: user.email },
    });
  });
}
