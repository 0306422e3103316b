import { createHmac } from "node:crypto";
import * as z from "zod";
import type { Cause } from "#server/delivery/runs/suppressed.ts";
import { isDeadMailbox } from "../email/dead-mailbox.ts";
import { entryOf } from "../entry-of.ts";
import { sameSignature } from "../same-signature.ts";
import {
  counted,
  jsonIn,
  said,
  unverifiedJsonIn,
  type ProviderEvent,
  type Receipt,
  type Webhook,
  type WebhookCall,
} from "../webhook.ts";

/**
 * Mailgun's webhooks: one event per call. The signature covers a timestamp and a token but not the event, so the webhook
 * must be https, and each token is accepted once: it is the event's id, and receive-call.ts stores the token of a call
 * without an event. Mailgun retries for eight hours. Fields as documented under "Event structure"; `reference` is our
 * variable.
 */

const MAX_AGE_MS = 9 * 3_600_000;
const CLOCK_SKEW_MS = 10 * 60_000;

const signature = z.object({ timestamp: z.string(), token: z.string().min(1), signature: z.string() });

/** Another system may use the same domain. Its events lack our variable. */
const ours = z.object({ "event-data": z.object({ "user-variables": z.object({ reference: z.string() }) }) });

const mailgunEvent = z.object({
  signature,
  "event-data": z.object({
    event: z.string(),
    timestamp: z.number(),
    recipient: said,
    severity: said,
    reason: said,
    message: z
      .object({ headers: z.object({ "message-id": said }) })
      .optional()
      .catch(undefined),
    "user-variables": z.object({ reference: z.string() }),
    "delivery-status": z
      .object({ code: counted, "enhanced-code": said, message: said, description: said })
      .default({})
      .catch({}),
    reject: z.object({ reason: said }).optional().catch(undefined),
    url: said,
  }),
});
type EventData = z.output<typeof mailgunEvent>["event-data"];

const kinds: Record<string, Receipt["what"]> = {
  accepted: "accepted",
  delivered: "delivered",
  rejected: "failed",
  opened: "opened",
  clicked: "clicked",
  complained: "complained",
  unsubscribed: "unsubscribed",
};

export const mailgunWebhook: Webhook<{ signingKey: string }> = {
  key: "signingKey",
  setUp:
    "In Mailgun, under Webhooks of the domain, add this address for each event, and copy the HTTP webhook signing key to " +
    "this account.",
  isGenuine,
  token: (call) => z.object({ signature }).parse(unverifiedJsonIn(call)).signature.token,
  read,
};

function isGenuine(call: WebhookCall, { signingKey }: { signingKey: string }): boolean {
  const parsed = z.object({ signature }).safeParse(unverifiedJsonIn(call));
  if (signingKey === "" || !parsed.success) return false;
  const { timestamp, token, signature: given } = parsed.data.signature;
  const age = call.receivedAt.getTime() - Number(timestamp) * 1000;
  if (!(age > -CLOCK_SKEW_MS && age < MAX_AGE_MS)) return false;
  return sameSignature(given, mailgunSignature(timestamp, token, signingKey));
}

export const mailgunSignature = (timestamp: string, token: string, signingKey: string) =>
  createHmac("sha256", signingKey)
    .update(timestamp + token)
    .digest("hex");

function read(call: WebhookCall): ProviderEvent[] {
  const told = jsonIn(call);
  if (!ours.safeParse(told).success) return [];
  const { signature: signed, "event-data": data } = mailgunEvent.parse(told);
  const what = data.event === "failed" ? ofFailure(data) : entryOf(kinds, data.event);
  const { reference } = data["user-variables"];
  if (!what) return [];
  const status = data["delivery-status"];
  return [
    {
      what,
      eventId: signed.token,
      messageId: data.message?.headers["message-id"],
      reference,
      address: data.recipient,
      at: new Date(data.timestamp * 1000),
      code:
        entryOf(listedAs, data.reason) ||
        status["enhanced-code"] ||
        (status.code ? String(status.code) : undefined),
      detail: data.url ?? (status.message || status.description || data.reject?.reason || undefined),
      suppress: isGone(data),
    },
  ];
}

/** Reasons that say that the recipient wants nothing more. */
const listedAs: Record<string, Cause> = {
  "suppress-unsubscribe": "unsubscribed",
  "suppress-complaint": "complained",
};

function ofFailure({ severity, reason = "" }: EventData): Receipt["what"] {
  if (severity === "temporary") return "delayed";
  return reason.startsWith("suppress-") ? "failed" : "bounced";
}

/** Whether to suppress the address: it doesn't exist, the recipient opted out, or Mailgun has suppressed it. */
function isGone({ event, severity, reason = "", "delivery-status": status }: EventData): boolean {
  if (event !== "failed") return event === "complained" || event === "unsubscribed";
  if (severity === "temporary") return false;
  // "bounce": Mailgun suppresses the address from now on. We don't for a policy block or a full mailbox.
  return (
    reason.startsWith("suppress-") ||
    (reason === "bounce" && !/^5\.[2-7]\./.test(status["enhanced-code"] ?? "")) ||
    isDeadMailbox(status["enhanced-code"] ?? "", status.message || status.description || "")
  );
}
