import { sql } from "kysely";
import { isolated } from "#contract/text/isolate.ts";
import { fullName } from "#contract/text/full-name.ts";
import { channelMeaning, type LinkChannel, noAccount } from "#contract/delivery.ts";
import type { ProviderState } from "#contract/calls/integrations.ts";
import { isColleague } from "#contract/permissions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { LINK_EXPIRY_FIELD, ONE_TIME_LINK_FIELD } from "#server/messages/fields.ts";
import { accountStates } from "#server/delivery/accounts/accounts.ts";
import { reach } from "#server/audience/reach.ts";
import { startMessageTo } from "#server/delivery/runs/start-message.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { lockPerson, type StoredPerson } from "#server/features/people/stored-person.ts";
import { actorNow, roleRefusal } from "#server/features/people/who-may-change.ts";
import type { By } from "#server/http/route.ts";

/** `sent`: false while no account takes it: it `waits` for one that will, or stays in the Sandbox. */
type Sent = { sent: boolean; waits: boolean; message: string; channels: LinkChannel[] };

const TITLE = "Choose your password";

/** What an invitation says first, and its email's subject. People who have signed in before know what this is. */
const invitations = {
  reader: {
    subject: "Your notices from {{site_name}}",
    text: "{{site_name}} posts building notices here. Choose a password to read them.",
  },
  sender: {
    subject: "Your {{site_name}} account",
    text: "You can now send notices for {{site_name}}. Choose a password to begin.",
  },
  known: {
    subject: "Choose a new password",
    text: "Choose a new password for {{site_name}}.",
  },
} as const;

const bodyOf = (text: string) => `Hello {{first_name}},

${text}

{{${ONE_TIME_LINK_FIELD}}}

Sign in as {{username}}. The link works once, until {{${LINK_EXPIRY_FIELD}}}.

If you didn't expect this, you can ignore it.

Kind regards,
{{site_name}}`;

/** A repeat within this time, such as a double click, sends nothing. */
const REPEAT_SECONDS = 60;

/** What to tell whoever asked for it. */
function sentText(name: string, channels: readonly LinkChannel[], states: readonly ProviderState[]) {
  const stateOf = (channel: LinkChannel) => states.find((state) => state.channel === channel);
  const open = channels.filter((channel) => stateOf(channel)?.state === "Connected");
  const closed = channels.filter((channel) => (stateOf(channel)?.state ?? "Sandbox") === "Sandbox");
  if (closed.length === channels.length) {
    const message = `No link was sent: ${noAccount(...closed)}. Connect one in Integrations, then send it from the person's page.`;
    return { sent: false, waits: false, message };
  }
  const sent = open.length > 0;
  const ways = open.map((channel) => `by ${channelMeaning[channel].spoken}`).join(" and ");
  const others = channels
    .filter((channel) => !open.includes(channel))
    .map((channel) => {
      const by = `by ${channelMeaning[channel].spoken}`;
      return closed.includes(channel)
        ? `Not sent ${by}: ${noAccount(channel)}.`
        : `Not sent ${by} yet: ${isolated(stateOf(channel)?.name ?? "")} isn't accepting messages. We'll send it once that's fixed.`;
    });
  const message = [...(sent ? [`A link is on its way to ${isolated(name)} ${ways}.`] : []), ...others].join(
    " ",
  );
  return { sent, waits: open.length + closed.length < channels.length, message };
}

/**
 * Sends a one-time link to a person on those of the channels that reach them. The link itself is made when a worker
 * sends it. Throws not-found, forbidden, and empty-audience if no channel reaches the person.
 */
export async function sendCredentials(
  db: Db,
  { userId, channels }: { userId: number; channels: readonly LinkChannel[] },
  by: By,
): Promise<Sent> {
  if (userId === by.user.id) {
    throw refusal("link-to-oneself");
  }
  return transaction(db, async (tx) => {
    const actor = await actorNow(tx, by.user.id);
    // The lock also makes a second click wait for the first.
    const person = await lockPerson(tx, userId);
    const refused = roleRefusal(actor, { before: person, after: person.role });
    if (refused) throw refused;
    const name = fullName(person);
    await vouchFor(tx, person, channels, by);
    const open = await reachingChannels(tx, person, channels);
    const justNow = await channelsOfJustNow(tx, userId);
    const fresh = open.filter((channel) => !justNow.has(channel));
    if (fresh.length > 0) await send(tx, person, fresh, by);
    return { ...sentText(name, open, await accountStates(tx)), channels: open };
  });
}

/** Staff know who they invite: the addresses that they have the link sent to are the person's. */
async function vouchFor(
  tx: Db,
  { id, email, phone, addressConfirmed, phoneConfirmed }: StoredPerson,
  channels: readonly LinkChannel[],
  by: By,
): Promise<void> {
  const [byEmail, bySms] = [channels.includes("email"), channels.includes("sms")];
  if (byEmail) {
    await sql`UPDATE users SET address_confirmed_at = coalesce(address_confirmed_at, now()), self_registered = false,
      email_unconfirmed = false
      WHERE id = ${id} AND (address_confirmed_at IS NULL OR self_registered OR email_unconfirmed)`.execute(
      tx,
    );
  }
  if (bySms) {
    await sql`UPDATE users SET phone_unconfirmed = false WHERE id = ${id} AND phone_unconfirmed`.execute(tx);
  }
  const confirmed = {
    ...(byEmail && !addressConfirmed && { email }),
    ...(bySms && !phoneConfirmed && { phone }),
  };
  if (Object.keys(confirmed).length === 0) return;
  await recordAudit(tx, {
    by,
    action: "user.confirm-address",
    subject: { type: "user", id },
    detail: { by: "send-credentials", ...confirmed },
  });
}

async function reachingChannels(
  tx: Db,
  person: StoredPerson,
  channels: readonly LinkChannel[],
): Promise<LinkChannel[]> {
  const open: LinkChannel[] = [];
  const reasons: string[] = [];
  for (const channel of new Set(channels)) {
    const { messages, unreachable } = await reach(tx, {
      audience: [{ type: "user", id: person.id }],
      channels: [channel],
    });
    if (messages > 0) open.push(channel);
    else reasons.push(unreachable.first[0]?.reasons[0]?.sentence ?? "");
  }
  if (open.length > 0) return open;
  throw refusal("no-way-for-link", { name: fullName(person), sentences: reasons });
}

async function channelsOfJustNow(tx: Db, userId: number): Promise<Set<string>> {
  const found = await sql<{ channel: string }>`
    SELECT DISTINCT unnest(channels) AS channel FROM notifications
    WHERE kind = 'credentials' AND created_at > now() - make_interval(secs => ${REPEAT_SECONDS})
      AND audience @> ${JSON.stringify([{ type: "user", id: userId }])}::jsonb
      AND status NOT IN ('Failed', 'Cancelled')`.execute(tx);
  return new Set(found.rows.map((row) => row.channel));
}

async function send(tx: Db, person: StoredPerson, channels: readonly LinkChannel[], by: By): Promise<void> {
  const invitation =
    invitations[person.hasPassword ? "known" : isColleague(person.role) ? "sender" : "reader"];
  const fieldValues = { username: person.username, site_name: await readSetting(tx, "siteName") };
  const id = await startMessageTo(
    tx,
    { id: person.id, name: fullName(person) },
    {
      kind: "credentials",
      title: TITLE,
      subject: invitation.subject,
      content: bodyOf(invitation.text),
      fieldValues,
      channels: [...channels],
    },
    by.user,
    { organization: readOrganization },
  );
  await recordAudit(tx, {
    by,
    action: "user.send-credentials",
    subject: { type: "user", id: person.id },
    detail: { channels, notificationId: id },
  });
}
