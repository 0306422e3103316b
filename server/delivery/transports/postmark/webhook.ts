import { timingSafeEqual, hash } from "node:crypto";
import * as z from "zod";
import { entryOf } from "../entry-of.ts";
import {
  counted,
  jsonIn,
  said,
  type ProviderEvent,
  type Receipt,
  type Webhook,
  type WebhookCall,
} from "../webhook.ts";

/**
 * Postmark's webhooks: one event per call, unsigned. Calls authenticate with the user and password that were entered at
 * Postmark (HTTP Basic). Fields as documented for Delivery, Bounce, SpamComplaint, Open, Click and SubscriptionChange;
 * `reference` is our metadata.
 */

const postmarkEvent = z.object({
  RecordType: z.string(),
  /** None of a suppression that someone entered at Postmark. */
  MessageID: said,
  Metadata: z.object({ reference: said }).default({}).catch({}),
  /** Only of a bounce or complaint. */
  ID: counted,
  /** Of a bounce or complaint, and of anything else. */
  Email: said,
  Recipient: said,
  Type: said,
  Description: said,
  Details: said,
  DeliveredAt: said,
  BouncedAt: said,
  ReceivedAt: said,
  ChangedAt: said,
  OriginalLink: said,
  SuppressSending: z.boolean().optional().catch(undefined),
  SuppressionReason: said,
});
type PostmarkEvent = z.output<typeof postmarkEvent>;

type Meaning = Pick<Receipt, "what" | "suppress">;

const kinds: Record<string, (event: PostmarkEvent) => Meaning | undefined> = {
  Delivery: () => ({ what: "delivered" }),
  Open: () => ({ what: "opened" }),
  Click: () => ({ what: "clicked" }),
  SpamComplaint: () => ({ what: "complained", suppress: true }),
  Bounce: ({ Type = "" }) => entryOf(bounces, Type) ?? { what: "bounced" },
  // Bounces and complaints have their own records, except those that someone entered.
  SubscriptionChange: ({ SuppressSending, SuppressionReason, MessageID }) => {
    if (!SuppressSending) return undefined;
    const { what, entered } = entryOf(suppressions, SuppressionReason) ?? {};
    return what && (!entered || MessageID === undefined) ? { what, suppress: true } : undefined;
  },
};

const suppressions: Record<string, { what: Receipt["what"]; entered?: true }> = {
  ManualSuppression: { what: "unsubscribed" },
  HardBounce: { what: "bounced", entered: true },
  SpamComplaint: { what: "complained", entered: true },
};

/** Bounce types with a specific meaning (postmarkapp.com/developer/api/bounce-api#bounce-types). */
const bounces: Record<string, Meaning> = {
  HardBounce: { what: "bounced", suppress: true },
  BadEmailAddress: { what: "bounced", suppress: true },
  Transient: { what: "delayed" },
  DnsError: { what: "delayed" },
  Unsubscribe: { what: "unsubscribed", suppress: true },
  SpamComplaint: { what: "complained", suppress: true },
};
/** Automatic replies, which Postmark reports as bounces although the email was delivered. */
const AUTO_REPLIES = new Set([
  "AutoResponder",
  "AddressChange",
  "ChallengeVerification",
  "OpenRelayTest",
  "Subscribe",
]);

export const postmarkWebhook: Webhook<{ webhookPassword: string }> = {
  key: "webhookPassword",
  setUp:
    "In Postmark, add a webhook to the message stream with this address. Choose delivery, bounce, spam complaint and " +
    "subscription change, and under Basic auth enter any user and the password that you have entered here.",
  isGenuine,
  read,
};

function isGenuine({ headers }: WebhookCall, { webhookPassword }: { webhookPassword: string }): boolean {
  const [, encoded = ""] = /^Basic ([\w+/]+=*)$/.exec(headers.authorization ?? "") ?? [];
  const given = Buffer.from(encoded, "base64").toString("utf8");
  if (webhookPassword === "" || !given.includes(":")) return false;
  const password = given.slice(given.indexOf(":") + 1);
  return timingSafeEqual(hash("sha256", password, "buffer"), hash("sha256", webhookPassword, "buffer"));
}

function read(call: WebhookCall): ProviderEvent[] {
  const event = postmarkEvent.safeParse(jsonIn(call)).data;
  if (!event) return [];
  const { RecordType, MessageID, ID, Type = "", Details, Description, Metadata } = event;
  const meaning = entryOf(kinds, RecordType)?.(event);
  if (!meaning || (RecordType === "Bounce" && AUTO_REPLIES.has(Type))) return [];
  const address = event.Email ?? event.Recipient;
  const { reference } = Metadata;
  // Another system may use the same server. Its messages have no reference, and its suppressions no address of ours.
  if (reference === undefined && (MessageID !== undefined || address === undefined)) return [];
  const time = event.DeliveredAt ?? event.BouncedAt ?? event.ReceivedAt ?? event.ChangedAt ?? "";
  return [
    {
      ...meaning,
      eventId: `${RecordType} ${ID ?? `${MessageID ?? address} ${time}`}`,
      messageId: MessageID,
      reference,
      address,
      at: z.coerce.date().catch(call.receivedAt).parse(time),
      code: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(Details ?? "")?.[0] ?? (Type || undefined),
      detail: meaning.what === "clicked" ? event.OriginalLink : Details || Description,
    },
  ];
}
