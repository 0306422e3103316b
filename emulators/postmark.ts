import { randomUUID } from "node:crypto";
import * as z from "zod";
import { basicAuth, jsonOf } from "#server/delivery/transports/http/api-client.ts";
import type { EmulatedAnswer, EmulatedApi, EmulatedCall, Received } from "./emulator.ts";

/** Emulates what we use of Postmark's API, as strictly as its documentation (email, batch emails, server). */

export const EMULATED_TOKEN = "b3f1c2d4-emulated-4e5f-8a9b-0123456789ab";

export const EMULATED_WEBHOOK_PASSWORD = "emulated-webhook-password";

const mail = z.strictObject({
  From: z.string().min(1),
  To: z.string().min(1),
  ReplyTo: z.string().optional(),
  Subject: z.string().max(2000).optional(),
  TextBody: z
    .string()
    .max(5 * 2 ** 20)
    .optional(),
  HtmlBody: z
    .string()
    .max(5 * 2 ** 20)
    .optional(),
  MessageStream: z.string().optional(),
  TrackOpens: z.boolean().optional(),
  TrackLinks: z.enum(["None", "HtmlAndText", "HtmlOnly", "TextOnly"]).optional(),
  // At most 10 fields, names of 20 characters, values of 80.
  Metadata: z
    .record(z.string().max(20), z.string().max(80))
    .refine((fields) => Object.keys(fields).length <= 10)
    .optional(),
  Headers: z.array(z.strictObject({ Name: z.string().min(1), Value: z.string() })).optional(),
  Attachments: z
    .array(
      z.strictObject({
        Name: z.string().min(1),
        Content: z.string().regex(/^[\w+/]+={0,2}$/),
        ContentType: z.string().min(1),
      }),
    )
    .optional(),
});

const MAX_MESSAGES = 500;
const MAX_BYTES = 50 * 2 ** 20;
const STREAMS = ["outbound", "broadcast"];

export const postmarkEmulator: EmulatedApi = {
  settings: { apiKey: EMULATED_TOKEN, webhookPassword: EMULATED_WEBHOOK_PASSWORD },
  answer({ method, path, query, headers, body }, { received, faults }): EmulatedAnswer {
    const known: Record<string, string> = {
      "/email/batch": "POST",
      "/server": "GET",
      "/messages/outbound": "GET",
    };
    if (!known[path]) return { status: 404 };
    if (known[path] !== method) return { status: 405 };
    if (headers.accept !== "application/json") return refusal(406, 0, "Accept must be application/json.");
    if (faults.refuseKey || headers["x-postmark-server-token"] !== EMULATED_TOKEN) {
      return refusal(401, 10, "No Account or Server API tokens were supplied in the HTTP headers.");
    }
    if (path === "/server") {
      return { status: 200, body: { ID: 1, Name: "Emulated", DeliveryType: "Live", SmtpApiActivated: true } };
    }
    if (path === "/messages/outbound") return searched(query, received);
    if (headers["content-type"] !== "application/json") {
      return refusal(415, 409, "Content-Type must be application/json.");
    }
    if (Buffer.byteLength(body) > MAX_BYTES) return { status: 413 };
    const messages = z.array(z.unknown()).safeParse(jsonOf(body));
    if (!messages.success) return refusal(422, 402, "Received invalid JSON input.");
    if (messages.data.length > MAX_MESSAGES) {
      return refusal(422, 410, "Batch sending is limited to 500 messages.");
    }
    return {
      status: 200,
      body: messages.data.map((one) => {
        const parsed = mail.safeParse(one);
        if (!parsed.success) return error(300, parsed.error.issues[0]!.message);
        const { To, MessageStream = "outbound", TextBody, HtmlBody, Metadata } = parsed.data;
        if (!TextBody && !HtmlBody) return error(300, "Provide either email TextBody or HtmlBody or both.");
        if (!STREAMS.includes(MessageStream)) {
          return error(1235, `The message stream “${MessageStream}” does not exist on this server.`);
        }
        const to = /<([^<>]+)>$/.exec(To)?.[1] ?? To;
        if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to)) return error(300, `Invalid 'To' address: '${to}'.`);
        if (faults.refused.has(to)) {
          return error(
            406,
            `You tried to send to a recipient that has been marked as inactive. ${INACTIVE} ${to}.`,
          );
        }
        const messageId = randomUUID();
        received.push({ to, text: TextBody ?? "", messageId, reference: Metadata?.["reference"] ?? "" });
        return { ...error(0, "OK"), To: to, SubmittedAt: new Date().toISOString(), MessageID: messageId };
      }),
    };
  },
  refusal: (status) =>
    status === 429
      ? error(429, "You have exceeded your rate limit.")
      : error(0, "An unexpected error occurred."),
  report: ({ to, messageId, reference }, what, url) => {
    const at = new Date().toISOString();
    const event =
      what === "delivered"
        ? { ...delivery, DeliveredAt: at, Recipient: to }
        : { ...bounce, ID: Date.now(), BouncedAt: at, Email: to };
    return postmarkCall(url, { ...event, MessageID: messageId, Metadata: { reference } });
  },
};

/** Outbound message search by one metadata field in one stream. `count` and `offset` are required. */
function searched(query: URLSearchParams, received: readonly Received[]): EmulatedAnswer {
  const [count, offset] = [query.get("count") ?? "", query.get("offset") ?? ""];
  if (!/^\d+$/.test(count) || !/^\d+$/.test(offset) || Number(count) > 500) {
    return refusal(422, 300, "Parameters 'count' and 'offset' are required.");
  }
  const known = ["count", "offset", "messagestream", "metadata_reference"];
  if ([...query.keys()].some((name) => !known.includes(name))) return refusal(422, 300, "Unknown parameter.");
  const stream = query.get("messagestream") ?? "outbound";
  const reference = query.get("metadata_reference");
  const found = received.filter((one) => stream === "outbound" && one.reference === reference);
  const page = found.slice(Number(offset), Number(offset) + Number(count));
  return {
    status: 200,
    body: {
      TotalCount: found.length,
      Messages: page.map(({ to, messageId }) => ({
        Tag: null,
        MessageID: messageId,
        MessageStream: stream,
        To: [{ Email: to, Name: null }],
        Recipients: [to],
        Status: "Sent",
        Metadata: { reference },
      })),
    },
  };
}

/** A webhook call with the user and password that were entered at Postmark. */
export function postmarkCall(url: string, event: object, password = EMULATED_WEBHOOK_PASSWORD): EmulatedCall {
  return {
    url,
    headers: { "content-type": "application/json", ...basicAuth("porchlight", password) },
    body: JSON.stringify(event),
  };
}

/** The documented fields of a delivery and of a bounce. */
export const delivery = {
  RecordType: "Delivery",
  ServerID: 23,
  MessageStream: "outbound",
  MessageID: "00000000-0000-0000-0000-000000000000",
  Recipient: "john@example.com",
  Tag: "welcome-email",
  DeliveredAt: "2026-11-25T14:00:00.0000000Z",
  Details: "smtp;250 2.0.0 OK",
  Metadata: {},
};
export const bounce = {
  RecordType: "Bounce",
  ID: 42,
  Type: "HardBounce",
  TypeCode: 1,
  Name: "Hard bounce",
  Tag: "Test",
  MessageID: "00000000-0000-0000-0000-000000000000",
  ServerID: 1234,
  MessageStream: "outbound",
  Description: "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
  Details: "smtp;550 5.1.1 The email account that you tried to reach does not exist",
  Email: "john@example.com",
  From: "sender@example.com",
  BouncedAt: "2026-11-25T14:00:00Z",
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: "Test subject",
  Metadata: {},
};

const INACTIVE = "Found inactive addresses:";
const error = (ErrorCode: number, Message: string) => ({ ErrorCode, Message });
const refusal = (status: number, code: number, message: string): EmulatedAnswer => ({
  status,
  body: error(code, message),
});
