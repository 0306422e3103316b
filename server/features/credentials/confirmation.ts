import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { fullName } from "#contract/text/full-name.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { address, mayTextConfirmation, unconfirmed } from "#server/audience/person.ts";
import { LINK_EXPIRY_FIELD, ONE_TIME_LINK_FIELD } from "#server/messages/fields.ts";
import { channelWorks } from "#server/delivery/accounts/accounts.ts";
import { startMessageTo } from "#server/delivery/runs/start-message.ts";
import { maySendConfirmation } from "#server/features/auth/throttle.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import type { SessionUser } from "#server/http/route.ts";
import { sessionUser } from "#server/http/session.ts";
import { tokenHash } from "#server/http/tokens.ts";

/**
 * People who enter an email address or a phone number for themselves prove with a link sent there that it is theirs.
 * Until then nothing else goes there, and someone who registered matches no group's rule. It goes to whatever was typed,
 * so it contains nothing else that a stranger typed, not even a name in an email's headers.
 */

const messages = {
  email: {
    channel: "email",
    title: "Confirm your email address",
    content: `Hello,

Someone entered this email address at {{site_name}}. If it was you, confirm that the address is yours.

{{${ONE_TIME_LINK_FIELD}}}

The link works once, until {{${LINK_EXPIRY_FIELD}}}.

If it wasn't you, you can ignore this message. Nothing else is sent to this address.`,
  },
  phone: {
    channel: "sms",
    title: "Confirm your phone number",
    content: `{{site_name}}: Did you enter this number? Confirm it here within 24 hours: {{${ONE_TIME_LINK_FIELD}}}
If not, ignore this. We won't text you again.`,
  },
} as const;
export type ConfirmedField = keyof typeof messages;

/**
 * Sends the link if the person's address or number is not confirmed and has not been sent too many recently. Where
 * no account texts, or none may go there, the number waits. Returns what came of it.
 */
export async function sendConfirmation(
  tx: Db,
  user: SessionUser,
  field: ConfirmedField = "email",
): Promise<"sent" | "not-needed" | "not-possible" | "too-often"> {
  const { channel, ...message } = messages[field];
  const found = await sql<{ to: string; possible: boolean }>`
    SELECT ${address[channel]} AS to, ${channel === "email" ? sql`true` : mayTextConfirmation} AS possible
    FROM users u WHERE u.id = ${user.id} AND ${unconfirmed[channel]} AND u.deleted_at IS NULL
      AND ${address[channel]} IS NOT NULL`.execute(tx);
  const [person] = found.rows;
  if (!person) return "not-needed";
  if (!person.possible || (channel === "sms" && !(await channelWorks(tx, "sms")))) return "not-possible";
  if (!(await maySendConfirmation(tx, { userId: user.id, address: person.to }))) return "too-often";
  const fieldValues = { site_name: await readSetting(tx, "siteName") };
  await startMessageTo(
    tx,
    { id: user.id, name: fullName(user) },
    { kind: "confirmation", ...message, fieldValues, channels: [channel] },
    user,
    { organization: readOrganization },
  );
  return "sent";
}

const good = (token: string) => sql<boolean>`l.token_hash = ${tokenHash(token)} AND l.purpose = 'confirmation'
  AND l.expires_at > now() AND u.id = l.user_id AND u.deleted_at IS NULL
  AND l.address = CASE l.channel WHEN 'sms' THEN ${address.sms} ELSE ${address.email} END`;

type Confirmed = { username: string; field: ConfirmedField; address: string };

/** What a link confirms, and for whom; null if it is not valid. Reading does not use it up. */
export async function readConfirmation(db: Db, token: string): Promise<Confirmed | null> {
  const found = await sql<Confirmed>`
    SELECT u.username, CASE l.channel WHEN 'sms' THEN 'phone' ELSE 'email' END AS field, l.address
    FROM password_links l, users u WHERE ${good(token)}`.execute(db);
  return found.rows[0] ?? null;
}

/** Confirms the address or number and uses up the link. Throws not-found. */
export async function confirmAddress(db: Db, token: string, ip: string): Promise<ConfirmedField> {
  return transaction(db, async (tx) => {
    const found = await sql<SessionUser & { isPhone: boolean; to: string }>`
      WITH spent AS (DELETE FROM password_links l USING users u WHERE ${good(token)}
        RETURNING u.id, l.channel = 'sms' AS phone, l.address)
      UPDATE users u SET phone_unconfirmed = phone_unconfirmed AND NOT spent.phone,
        email_unconfirmed = email_unconfirmed AND spent.phone,
        address_confirmed_at = CASE WHEN spent.phone THEN u.address_confirmed_at
          ELSE coalesce(u.address_confirmed_at, now()) END
      FROM spent WHERE u.id = spent.id RETURNING ${sessionUser}, spent.phone AS "isPhone", spent.address AS to`.execute(
      tx,
    );
    const [user] = found.rows;
    if (!user) throw refusal("confirmation-link-dead");
    const field = user.isPhone ? "phone" : "email";
    await recordAudit(tx, {
      by: { user, ip },
      action: "user.confirm-address",
      subject: { type: "user", id: user.id },
      detail: { by: "link", [field]: user.to },
    });
    return field;
  });
}
