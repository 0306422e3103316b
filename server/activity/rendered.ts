import { sql } from "kysely";
import { type Channel, writtenAs, typedChannels, addressKind } from "#contract/delivery.ts";
import type { RenderedMessage } from "#contract/calls/deliveries.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { CompiledContent, FieldValues, RecipientLinks } from "#server/delivery/content/compiled.ts";
import { ownReason } from "#server/delivery/content/reason.ts";
import type { AccountSender } from "#server/delivery/accounts/accounts.ts";
import { renderEmail, renderPush, renderSms } from "#server/delivery/content/render.ts";

/**
 * Shown in place of a one-time link, which only its recipient may read. We could not show it anyway: only its hash is
 * stored.
 */
export const HIDDEN_LINK = "•••••••• (one-time link, only in the message itself)";

// Matches a personal link as content/message-html.ts writes it. Here it leads nowhere.
const HIDDEN_ANCHOR = /<a href="•[^"]*"[^>]*>[^<]*<\/a>/g;

type Frozen = {
  channel: Channel;
  to: string;
  simulated: boolean;
  /** The account it was sent through; null in the Sandbox and before it has been sent. */
  sender: AccountSender | null;
  provider: string | null;
  compiled: CompiledContent;
  name: string;
  home: string | null;
  values: FieldValues;
  userId: number;
  preferencesToken: string;
  attachments: RenderedMessage["attachments"];
};

/**
 * The message as this person got it, or would get it, rendered again from what was frozen when the run started. Null if
 * there is no such delivery. Throws UnfilledFieldsError if it could never be rendered.
 */
export async function renderedMessage(
  db: Db,
  deliveryId: number,
  linksFor: (preferencesToken: string, recipientId: number) => RecipientLinks,
): Promise<RenderedMessage | null> {
  const { rows } = await sql<Frozen>`
    -- A push message is addressed to an id of ours, which means nothing to people.
    SELECT d.channel, coalesce(CASE WHEN d.channel = ANY(${typedChannels}::text[]) THEN d.address END, d.person_name) AS to, d.simulated,
      CASE WHEN d.simulated THEN NULL ELSE coalesce(r.sender, p.sender) END AS sender, p.name AS provider,
      v.compiled, v.field_values || d.field_values AS values, d.person_name AS name,
      d.person_unit AS home, d.user_id AS "userId", u.preferences_token AS "preferencesToken",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'size', a.size) ORDER BY w.place), '[]')
        FROM unnest(v.attachment_ids) WITH ORDINALITY w (id, place) JOIN attachments a ON a.id = w.id) AS attachments
    FROM deliveries d
    JOIN runs r ON r.id = d.run_id
    JOIN content_versions v ON v.id = r.content_version_id
    JOIN users u ON u.id = d.user_id
    LEFT JOIN accounts p ON p.id = d.account_id
    WHERE ${inMonthsOf(sql`d.run_id`, [deliveryId])} AND d.id = ${deliveryId}`.execute(db);
  const frozen = rows[0];
  if (!frozen) return null;
  const { channel, to, simulated, attachments } = frozen;
  const written = write(frozen, {
    ...linksFor(frozen.preferencesToken, frozen.userId),
    password: HIDDEN_LINK,
    // It is read in the console, so its links lead there without the public address.
    site: "",
  });
  return {
    channel,
    to,
    from: senderOf(frozen),
    simulated,
    ...written,
    attachments: writtenAs(channel) === "email" ? attachments : [],
  };
}

function senderOf({ channel, sender, provider, compiled }: Frozen): string {
  const name =
    (addressKind(channel) === "email" && sender?.name) || (compiled.email?.fromName ?? provider ?? "");
  return addressKind(channel) === "email" && sender ? `${name} <${sender.address}>` : name;
}

function write(
  { channel, compiled, ...frozen }: Frozen,
  links: RecipientLinks,
): Pick<RenderedMessage, "subject" | "html" | "text"> {
  const values = { ...frozen.values, ...ownReason(frozen) };
  const reading = writtenAs(channel);
  switch (reading) {
    case "email": {
      const email = renderEmail(compiled, values, links);
      return { ...email, html: email.html.replaceAll(HIDDEN_ANCHOR, HIDDEN_LINK) };
    }
    case "sms":
      return { subject: null, html: null, ...renderSms(compiled, values, links) };
    case "push": {
      const { title, body } = renderPush(compiled, values);
      return { subject: title, html: null, text: body };
    }
    default:
      return reading satisfies never;
  }
}
