import { sql } from "kysely";
import { fullName } from "#contract/text/full-name.ts";
import { type Channel, linkChannels } from "#contract/delivery.ts";
import { nameOf } from "#server/audience/person.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { reach } from "#server/audience/reach.ts";
import { startMessageTo } from "#server/delivery/runs/start-message.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import type { By, SessionUser } from "#server/http/route.ts";

/** Tells people that their account was created or changed, so that they notice what they did not ask for. */

const passwordKnown =
  "If this was you, you can ignore this message. If it wasn't, someone knows your password. Change it on your profile, and contact us right away.";

type Notice = { title: string; text: string; also?: string; advice?: string };

/** What happened, as a title and with the account's name. */
const happened = {
  created: {
    title: "An account was created for you",
    text: "A {{site_name}} account was created for you",
  },
  email: changed("email address"),
  phone: changed("phone number"),
  password: changed("password"),
  "password-and-calendar-link": {
    ...changed("password"),
    also: "Your calendar link was revoked, so your calendar app doesn't get updates anymore. You can create a new link under Schedules.",
  },
  "authenticator-added": {
    title: "An authenticator app was added",
    text: "An authenticator app was added to your {{site_name}} account",
  },
  "authenticator-replaced": {
    title: "Your authenticator app was replaced",
    text: "The authenticator app of your {{site_name}} account was replaced by another",
  },
  "authenticator-removed": {
    title: "An authenticator app was removed",
    text: "The authenticator app was removed from your {{site_name}} account",
  },
  "passkey-added": {
    title: "A passkey was added",
    text: "A passkey was added to your {{site_name}} account",
  },
  "passkey-removed": {
    title: "A passkey was removed",
    text: "A passkey was removed from your {{site_name}} account",
  },
  "recovery-codes": {
    title: "You have new recovery codes",
    text: "New recovery codes were made for your {{site_name}} account",
  },
  "recovery-code-used": {
    title: "A recovery code was used",
    text: "Someone signed in to your {{site_name}} account with a recovery code",
  },
  "two-factor-reset": {
    title: "Two-factor authentication was turned off",
    text: "Two-factor authentication for your {{site_name}} account was turned off",
  },
  "wrong-passwords": {
    title: "Someone is trying to sign in as you",
    text: "Someone entered many wrong passwords for your {{site_name}} account",
    advice:
      "They didn't get in. For now, signing in takes longer in browsers that you haven't used before. If your password is used anywhere else, change it on your profile.",
  },
  "wrong-codes": {
    title: "Someone entered wrong codes for your account",
    text: "Someone entered the correct password for your {{site_name}} account, and then wrong codes for the second step,",
    advice: passwordKnown,
  },
  "codes-refused": {
    title: "Too many wrong codes for your account",
    text: "Someone entered the correct password for your {{site_name}} account, and then so many wrong codes that we won't accept any more from that browser for a week. The last one was entered",
    advice: `${passwordKnown} With a new password, codes work again.`,
  },
} as const satisfies Record<string, Notice>;
export type AccountChange = keyof typeof happened;

function changed(what: string) {
  return { title: `Your ${what} was changed`, text: `The ${what} of your {{site_name}} account was changed` };
}

/**
 * Sends a notice to a person who can sign in, at their current address: call it before that address changes, in the
 * transaction of the change. It goes by email if that reaches them, otherwise by text message. Someone reached by
 * neither gets no notice, and neither does someone who registered and never confirmed an address: what they entered may
 * be anyone's, and the notice contains a name that a stranger typed.
 */
export async function tellOfChange(
  tx: Db,
  userId: number,
  change: AccountChange,
  { user: actor }: By,
): Promise<void> {
  const found = await sql<{ name: string }>`
    SELECT ${nameOf("users")} AS name FROM users
    WHERE id = ${userId} AND password_hash IS NOT NULL AND address_confirmed_at IS NOT NULL`.execute(tx);
  const [person] = found.rows;
  const channel = person && (await firstReaching(tx, userId));
  if (!channel) return;
  const byThemselves = actor.id === userId;
  const { title, text, also, advice }: Notice = happened[change];
  const content = [
    "Hello {{first_name}},",
    `${text} on {{today}}${byThemselves ? "" : " by {{changed_by}}"}.`,
    ...(also === undefined ? [] : [also]),
    advice ??
      (byThemselves
        ? "If this was you, you can ignore this message. If it wasn't, please contact us right away."
        : "If you didn't expect this, please contact us."),
    "{{site_name}}",
  ].join("\n\n");
  const fieldValues = {
    site_name: (await readOrganization(tx)).sender.siteName,
    ...(!byThemselves && { changed_by: fullName(actor) }),
  };
  await startMessageTo(
    tx,
    { id: userId, name: person.name },
    {
      kind: "notice",
      title,
      content,
      fieldValues,
      channels: [channel],
      // Staff may have entered a stranger's address.
      mayUnsubscribe: change === "created",
    },
    actor,
    { organization: readOrganization },
  );
}

/** Tells a person that someone is guessing their password. Who it is, is not known. */
export async function tellOfGuesses(db: Db, user: SessionUser, ip: string): Promise<void> {
  await transaction(db, (tx) => tellOfChange(tx, user.id, "wrong-passwords", { user, ip }));
}

async function firstReaching(tx: Db, userId: number): Promise<Channel | undefined> {
  const audience = [{ type: "user" as const, id: userId }];
  for (const channel of linkChannels) {
    if ((await reach(tx, { audience, channels: [channel] })).messages > 0) return channel;
  }
  return undefined;
}
