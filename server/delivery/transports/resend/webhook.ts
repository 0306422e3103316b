import { createHmac } from "node:crypto";
import * as z from "zod";
import type { Cause } from "#server/delivery/runs/suppressed.ts";
import { sameSignature } from "../same-signature.ts";
import { entryOf } from "../entry-of.ts";
import {
  jsonIn,
  said,
  type ProviderEvent,
  type Receipt,
  type Webhook,
  type WebhookCall,
} from "../webhook.ts";

/**
 * Resend's webhooks: one event per call, signed by Svix with HMAC-SHA256 over the id, the timestamp and the body. Each
 * retry has a fresh timestamp, so calls may not be old. Fields as documented under "Event types"; `reference` is our tag.
 */

const CLOCK_SKEW_MS = 5 * 60_000;

const reference = z.object({ reference: z.string() });
const tags = z
  // Both formats are documented.
  .union([
    reference,
    z.array(z.object({ name: z.string(), value: z.string() })).transform((list) => ({
      reference: list.find(({ name }) => name === "reference")?.value,
    })),
  ])
  .catch({ reference: undefined });

/** Another system may use the same account. Its emails lack our tag, and other events have none. */
const ours = z.object({
  type: z.string(),
  data: z.object({ tags: tags.refine((tag) => tag.reference !== undefined) }),
});

const resendEvent = z.object({
  created_at: z.coerce.date(),
  data: z.object({
    email_id: said,
    to: z.array(z.string()).optional().catch(undefined),
    bounce: z.object({ type: said, subType: said, message: said }).optional().catch(undefined),
    suppressed: z.object({ message: said }).optional().catch(undefined),
    failed: z.object({ reason: said }).optional().catch(undefined),
    click: z.object({ link: said }).optional().catch(undefined),
  }),
});
type ResendEvent = z.output<typeof resendEvent>;

const kinds: Record<string, Receipt["what"]> = {
  "email.sent": "accepted",
  "email.delivery_delayed": "delayed",
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.suppressed": "failed",
  "email.failed": "failed",
  "email.opened": "opened",
  "email.clicked": "clicked",
  "email.complained": "complained",
};

export const resendWebhook: Webhook<{ signingSecret: string }> = {
  key: "signingSecret",
  setUp:
    "In Resend, add a webhook with this address and all email events, and copy its signing secret to this account.",
  isGenuine,
  read,
};

function isGenuine(
  { headers, body, receivedAt }: WebhookCall,
  { signingSecret }: { signingSecret: string },
): boolean {
  const [id, time, signatures] = ["svix-id", "svix-timestamp", "svix-signature"].map((name) => headers[name]);
  if (signingSecret === "" || typeof id !== "string" || typeof signatures !== "string") return false;
  if (!(Math.abs(receivedAt.getTime() - Number(time) * 1000) < CLOCK_SKEW_MS)) return false;
  const expected = svixSignature({ id, time: String(time), body }, signingSecret);
  // Several while the secret is being rotated.
  return signatures.split(" ").some((given) => sameSignature(given, expected));
}

/** The expected signature: `v1,` and Base64. `secret` starts with `whsec_`. */
export function svixSignature(
  { id, time, body }: { id: string; time: string; body: string | Buffer },
  secret: string,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64")}`;
}

function read(call: WebhookCall): ProviderEvent[] {
  const told = jsonIn(call);
  const named = ours.safeParse(told).data;
  const what = entryOf(kinds, named?.type);
  const eventId = call.headers["svix-id"];
  if (!named || !what || typeof eventId !== "string") return [];
  const { type } = named;
  const { created_at: at, data } = resendEvent.parse(told);
  return [
    {
      what,
      eventId,
      messageId: data.email_id,
      reference: named.data.tags.reference,
      address: data.to?.[0],
      at,
      // A bounce or a complaint; Resend doesn't say which.
      code:
        type === "email.suppressed"
          ? ("suppressed" satisfies Cause)
          : data.bounce && [data.bounce.type, data.bounce.subType].filter(Boolean).join(" "),
      detail: data.click?.link ?? data.bounce?.message ?? data.suppressed?.message ?? data.failed?.reason,
      suppress: isGone(type, data),
    },
  ];
}

/** Whether to suppress the address: it doesn't exist, the recipient complained, or Resend has suppressed it. */
function isGone(type: string, { bounce }: ResendEvent["data"]): boolean {
  if (type === "email.bounced") return bounce?.type === "Permanent" && bounce.subType !== "ContentRejected";
  return type === "email.complained" || type === "email.suppressed";
}
