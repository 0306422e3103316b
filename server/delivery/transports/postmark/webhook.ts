import { timingSafeEqual, hash } from "node:crypto";
import * as z from "zod";
import type { ProviderEvent, Receipt, Webhook, WebhookCall } from "../webhook.ts";

/**
 * Postmark's webhooks: one event per call, unsigned. Calls authenticate with the user and password that were entered at
 * Postmark (HTTP Basic). Fields as documented for Delivery, Bounce, SpamComplaint, Open, Click and SubscriptionChange;
 * `reference` is our metadata.
 */

const postmarkEvent = z.looseObject({
  RecordType: z.string(),
  MessageID: z.string().min(1),
  Metadata: z.looseObject({ reference: z.string().optional() }).default({}),
  /** Only of a bounce or complaint. */
  ID: z.number().optional(),
  /** Of a bounce or complaint, and of anything else. */
  Email: z.string().optional(),
  Recipient: z.string().optional(),
  Type: z.string().optional(),
  Description: z.string().optional(),
  Details: z.string().optional(),
  DeliveredAt: z.string().optional(),
  BouncedAt: z.string().optional(),
  ReceivedAt: z.string().optional(),
  ChangedAt: z.string().optional(),
  OriginalLink: z.string().optional(),
  SuppressSending: z.boolean().optional(),
  SuppressionReason: z.string().nullish(),
});
type PostmarkEvent = z.output<typeof postmarkEvent>;

type Meaning = Pick<Receipt, "what" | "suppress">;

const kinds: Record<string, (event: PostmarkEvent) => Meaning | undefined> = {
  Delivery: () => ({ what: "delivered" }),
  Open: () => ({ what: "opened" }),
  Click: () => ({ what: "clicked" }),
  SpamComplaint: () => ({ what: "complained", suppress: true }),
  Bounce: ({ Type = "" }) => bounces[Type] ?? { what: "bounced" },
  // Bounces and complaints have their own records.
  SubscriptionChange: ({ SuppressSending, SuppressionReason }) =>
    SuppressSending && SuppressionReason === "ManualSuppression"
      ? { what: "unsubscribed", suppress: true }
      : undefined,
};

/** Bounce types with a specific meaning (postmarkapp.com/developer/api/bounce-api#bounce-types). */
const bounces: Record<string, Meaning | undefined> = {
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

function read({ body }: WebhookCall): ProviderEvent[] {
  const event = postmarkEvent.parse(JSON.parse(body.toString("utf8")));
  const { RecordType, MessageID, ID, Type = "", Details, Description } = event;
  const { reference } = event.Metadata;
  const meaning = kinds[RecordType]?.(event);
  // Another system may use the same server.
  if (!meaning || reference === undefined || (RecordType === "Bounce" && AUTO_REPLIES.has(Type))) return [];
  const time = event.DeliveredAt ?? event.BouncedAt ?? event.ReceivedAt ?? event.ChangedAt ?? "";
  return [
    {
      ...meaning,
      eventId: `${RecordType} ${ID ?? `${MessageID} ${time}`}`,
      messageId: MessageID,
      reference,
      address: event.Email ?? event.Recipient,
      at: z.coerce.date().parse(time),
      code: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(Details ?? "")?.[0] ?? (Type || undefined),
      detail: meaning.what === "clicked" ? event.OriginalLink : Details || Description,
    },
  ];
}
