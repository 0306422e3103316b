import { createECDH, createPrivateKey, createPublicKey, hash, randomUUID, sign } from "node:crypto";
import * as z from "zod";
import type { EmulatedAnswer, EmulatedApi, EmulatedCall, Received } from "./emulator.ts";
import type { Receipt } from "#server/delivery/transports/webhook.ts";

/** Emulates what we use of SendGrid's v3 API, as strictly as its specification (tsg_mail_v3, tsg_scopes_v3). */

export const EMULATED_KEY = "SG.emulated-key-0123456789.abcdefghijklmnopqrstuvwxyz";

const key = emulatedKey();

/** The public key for webhook signatures. Stable across restarts, so that accounts keep working. */
export const EMULATED_VERIFICATION_KEY = createPublicKey(key)
  .export({ type: "spki", format: "der" })
  .toString("base64");

function emulatedKey() {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(hash("sha256", "SendGrid's emulator", "buffer"));
  const point = pair.getPublicKey();
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), pair.getPrivateKey()].map((part) =>
    part.toString("base64url"),
  );
  return createPrivateKey({ key: { kty: "EC", crv: "P-256", x: x!, y: y!, d: d! }, format: "jwk" });
}

const email = z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "Does not contain a valid address.");
const mailbox = z.strictObject({ email, name: z.string().optional() });
const kept =
  /^(?:x-sg-id|x-sg-eid|received|dkim-signature|content-type|content-transfer-encoding|to|from|subject|reply-to|cc|bcc)$/i;
const headers = z
  .record(z.string(), z.string())
  .refine(
    (value) => Object.keys(value).every((name) => !kept.test(name)),
    "You may not override this header.",
  );
const within = (limit: number) => (value: Record<string, string>) =>
  Object.entries(value).reduce((sum, pair) => sum + Buffer.byteLength(pair.join("")), 0) <= limit;
const map = z.record(z.string(), z.string());

const mail = z.strictObject({
  personalizations: z
    .array(
      z.strictObject({
        to: z.array(mailbox).min(1).max(1000),
        headers: headers.optional(),
        substitutions: map.refine(within(10_000), "Substitutions may not exceed 10000 bytes.").optional(),
        custom_args: map.refine(within(10_000), "Custom args may not exceed 10000 bytes.").optional(),
      }),
    )
    .min(1)
    .max(1000),
  from: mailbox,
  reply_to: mailbox.optional(),
  subject: z.string().min(1, "The subject is required."),
  content: z.array(z.strictObject({ type: z.string().min(1), value: z.string().min(1) })).min(1),
  attachments: z
    .array(
      z.strictObject({
        content: z.base64().min(1),
        type: z.string().min(1).optional(),
        filename: z.string(),
        disposition: z.enum(["inline", "attachment"]).optional(),
      }),
    )
    .optional(),
  tracking_settings: z
    .strictObject({
      click_tracking: z.strictObject({ enable: z.boolean(), enable_text: z.boolean() }),
      open_tracking: z.strictObject({ enable: z.boolean() }),
      subscription_tracking: z.strictObject({ enable: z.boolean() }),
    })
    .partial()
    .optional(),
});

const MAX_BYTES = 30 * 2 ** 20;

export const sendgridEmulator: EmulatedApi = {
  settings: { apiKey: EMULATED_KEY, verificationKey: EMULATED_VERIFICATION_KEY },
  answer({ method, path, headers: sent, body }, { received, faults }): EmulatedAnswer {
    const known: Record<string, string> = { "/v3/mail/send": "POST", "/v3/scopes": "GET" };
    if (!known[path]) return refusal(404, "not found");
    if (known[path] !== method) return refusal(405, "method not allowed");
    if (faults.refuseKey || sent.authorization !== `Bearer ${EMULATED_KEY}`) {
      return refusal(401, "The provided authorization grant is invalid, expired, or revoked");
    }
    if (path === "/v3/scopes")
      return { status: 200, body: { scopes: ["mail.send", "sender_verification_eligible"] } };
    if (sent["content-type"] !== "application/json")
      return refusal(415, "Content-Type should be application/json.");
    if (Buffer.byteLength(body) > MAX_BYTES) return refusal(413, "content too large");
    const parsed = mail.safeParse(json(body));
    if (!parsed.success) {
      return {
        status: 400,
        body: {
          errors: parsed.error.issues.map(({ path: at, message }) => ({
            message,
            field: at.join("."),
            help: null,
          })),
        },
      };
    }
    const { personalizations, content } = parsed.data;
    const [plain] = content;
    const bad = personalizations.flatMap(({ to }, index) =>
      to.some((one) => faults.refused.has(one.email))
        ? [
            {
              message: "Does not contain a valid address.",
              field: `personalizations.${index}.to.0.email`,
              help: null,
            },
          ]
        : [],
    );
    // One bad recipient fails the whole request.
    if (bad.length > 0) return { status: 400, body: { errors: bad } };
    const messageId = `emulated-${received.length}`;
    for (const { to, substitutions = {}, custom_args: args } of personalizations) {
      const text = Object.entries(substitutions).reduce(
        (filled, [tag, value]) => filled.replaceAll(tag, () => value),
        plain!.value,
      );
      const reference = `${args?.["run"]}-${args?.["delivery"]}`;
      for (const one of to) received.push({ to: one.email, text, messageId, reference });
    }
    return { status: 202, headers: { "x-message-id": messageId } };
  },
  refusal: (status) => errorsOf(status === 429 ? "too many requests" : "internal server error"),
  report: (message, what, url) =>
    sendgridCall(url, [
      sendgridEvent({ message, what, eventId: randomUUID(), at: new Date(), suppress: what === "bounced" }),
    ]),
};

/** An event to report for an accepted message. A repeated event has the same `eventId`. */
export type EmulatedReport = {
  message: Received;
  what: Receipt["what"];
  eventId: string;
  at: Date;
  /** Of a bounce or failure: the address doesn't exist. */
  suppress?: boolean;
};

/** A webhook call, signed at `at`. */
export function sendgridCall(url: string, events: readonly object[], at = new Date()): EmulatedCall {
  const body = JSON.stringify(events);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = sign("sha256", Buffer.from(timestamp + body), key).toString("base64");
  return {
    url,
    headers: {
      "content-type": "application/json",
      "x-twilio-email-event-webhook-timestamp": timestamp,
      "x-twilio-email-event-webhook-signature": signature,
    },
    body,
  };
}

const names: Record<EmulatedReport["what"], string> = {
  accepted: "processed",
  delayed: "deferred",
  delivered: "delivered",
  bounced: "bounce",
  failed: "dropped",
  opened: "open",
  clicked: "click",
  complained: "spamreport",
  unsubscribed: "unsubscribe",
};

/** An event, as documented. */
export function sendgridEvent({ message, what, eventId, at, suppress }: EmulatedReport) {
  const { to, messageId, reference = "" } = message;
  const cut = reference.lastIndexOf("-");
  return {
    email: to,
    timestamp: Math.floor(at.getTime() / 1000),
    event: names[what],
    sg_event_id: eventId,
    sg_message_id: `${messageId}.filterdrecv-5645d9c87f-78xf4-1-0.0`,
    run: reference.slice(0, cut),
    delivery: reference.slice(cut + 1),
    ...(what === "bounced" && {
      type: suppress ? "bounce" : "blocked",
      status: suppress ? "5.1.1" : "5.7.1",
      reason: suppress ? "550 5.1.1 The email account does not exist." : "550 5.7.1 Blocked for spam.",
      bounce_classification: suppress ? "Invalid Address" : "Reputation",
    }),
    ...(what === "failed" && { reason: suppress ? "Bounced Address" : "Spam Content", status: "5.0.0" }),
    ...(what === "clicked" && { url: "https://maple.example/" }),
    ...(what === "delivered" && { response: "250 2.0.0 OK" }),
  };
}

const errorsOf = (message: string) => ({ errors: [{ message, field: null, help: null }] });
const refusal = (status: number, message: string): EmulatedAnswer => ({ status, body: errorsOf(message) });

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
