import { createPublicKey, verify } from "node:crypto";
import * as z from "zod";
import type { Cause } from "#server/delivery/runs/suppressed.ts";
import { isDeadMailbox } from "../email/dead-mailbox.ts";
import { entryOf } from "../entry-of.ts";
import {
  jsonIn,
  said,
  unreadable,
  type ProviderEvent,
  type Receipt,
  type Webhook,
  type WebhookCall,
} from "../webhook.ts";

/**
 * SendGrid's Event Webhook: a list of events per call, signed with ECDSA over the timestamp and the body. Calls are
 * retried for 24 hours, so they may be late; event ids make replays harmless.
 */

const SIGNATURE = "x-twilio-email-event-webhook-signature";
const TIMESTAMP = "x-twilio-email-event-webhook-timestamp";
const MAX_AGE_MS = 25 * 3_600_000;
const CLOCK_SKEW_MS = 10 * 60_000;

/** As documented under "Event Webhook Reference"; `delivery` and `run` are our custom arguments. */
const sendgridEvent = z.object({
  event: z.string(),
  sg_event_id: z.string().min(1),
  timestamp: z.number(),
  sg_message_id: said,
  delivery: z.string(),
  run: z.string(),
  email: said,
  /** Of a bounce or drop: the receiving server's reply, or SendGrid's reason. */
  reason: said,
  /** Of a delivery or deferral: the receiving server's reply. */
  response: said,
  /** Enhanced status: "5.1.1". */
  status: said,
  /** Of a bounce: "bounce" is permanent, "blocked" temporary. */
  type: said,
  bounce_classification: said,
  url: said,
});
type SendGridEvent = z.output<typeof sendgridEvent>;

const kinds: Record<string, Receipt["what"]> = {
  processed: "accepted",
  deferred: "delayed",
  delivered: "delivered",
  bounce: "bounced",
  dropped: "failed",
  open: "opened",
  click: "clicked",
  spamreport: "complained",
  unsubscribe: "unsubscribed",
  group_unsubscribe: "unsubscribed",
};

export const sendgridWebhook: Webhook<{ verificationKey: string }> = {
  key: "verificationKey",
  setUp:
    "In SendGrid, under Settings, Mail Settings, Event Webhook, paste this as the Post URL, choose the events and turn on Signature Verification. Then save the verification key here.",
  isGenuine,
  read,
};

function isGenuine(
  { headers, body, receivedAt }: WebhookCall,
  settings: { verificationKey: string },
): boolean {
  const signature = headers[SIGNATURE];
  const timestamp = headers[TIMESTAMP];
  const key = publicKey(settings.verificationKey);
  if (!key || typeof signature !== "string" || typeof timestamp !== "string") return false;
  const age = receivedAt.getTime() - Number(timestamp) * 1000;
  if (!(age > -CLOCK_SKEW_MS && age < MAX_AGE_MS)) return false;
  return verify(
    "sha256",
    Buffer.concat([Buffer.from(timestamp), body]),
    key,
    Buffer.from(signature, "base64"),
  );
}

/** Parses the key as SendGrid shows it (DER in Base64). Null if it isn't valid. */
export function publicKey(typed: string): ReturnType<typeof createPublicKey> | null {
  try {
    const key = createPublicKey({ key: Buffer.from(typed, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ec" ? key : null;
  } catch {
    return null;
  }
}

/** Another system may use the same account. Its events lack our custom arguments. */
const ours = z.object({ delivery: z.string(), run: z.string() });

function read(call: WebhookCall): ProviderEvent[] {
  const events = z.array(z.unknown()).safeParse(jsonIn(call)).data ?? [];
  return events.flatMap((event): ProviderEvent[] => {
    if (!ours.safeParse(event).success) return [];
    const { data } = sendgridEvent.safeParse(event);
    if (!data) return [unreadable(JSON.stringify(event), call.receivedAt)];
    const what = entryOf(kinds, data.event);
    return what ? [receiptOf(data, what)] : [];
  });
}

function receiptOf(event: SendGridEvent, what: Receipt["what"]): Receipt {
  const { delivery, run, status, reason, response, url } = event;
  return {
    what,
    eventId: event.sg_event_id,
    reference: `${run}-${delivery}`,
    // The API's message ID, which may contain dots, followed by internal routing data.
    messageId: event.sg_message_id?.split(/\.(?:filter|recvd)/)[0],
    address: event.email,
    at: new Date(event.timestamp * 1000),
    code: (event.event === "dropped" && entryOf(listedAs, reason?.trim().toLowerCase())) || status,
    detail: what === "clicked" ? url : (reason ?? response),
    suppress: isGone(event),
  };
}

/** Drop reasons that mean SendGrid has suppressed the address. */
const SUPPRESSED = /^(?:Bounced Address|Unsubscribed Address|Spam Reporting Address|Invalid)$/i;

/** Drop reasons that say that the recipient wants nothing more. */
const listedAs: Record<string, Cause> = {
  "unsubscribed address": "unsubscribed",
  "spam reporting address": "complained",
};

/** Whether to suppress the address: it doesn't exist, or the recipient opted out. Not for blocks or full mailboxes. */
function isGone({
  event,
  type,
  status = "",
  reason = "",
  bounce_classification: why,
}: SendGridEvent): boolean {
  if (event === "dropped") return SUPPRESSED.test(reason.trim());
  if (event !== "bounce" || type === "blocked") return false;
  if (why === "Invalid Address") return true;
  return why === undefined || why === "Unclassified"
    ? !/^(?:4|5\.[2-7])\./.test(status) || isDeadMailbox(status, reason)
    : false;
}
