import { randomUUID } from "node:crypto";
import * as z from "zod";
import { jsonOf } from "#server/delivery/transports/http/api-client.ts";
import type {
  EmulatedAnswer,
  EmulatedApi,
  EmulatedCall,
  EmulatedRequest,
  EmulatorState,
  Received,
} from "./emulator.ts";
import { svixSignature } from "#server/delivery/transports/resend/webhook.ts";

/** Emulates what we use of Resend's API, as strictly as its specification (resend-openapi, errors, batch emails). */

export const EMULATED_KEY = "re_emulated_0123456789abcdefghijklmn";

const EMULATED_SECRET = "whsec_ZW11bGF0ZWQtc2lnbmluZy1zZWNyZXQtMDEyMw==";

// Quoted names are refused, although RFC 5322 allows them.
const mailbox = z.string().regex(/^(?:[^<>",]+ )?<?[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+>?$/);
const tag = z.string().regex(/^[\w-]{1,256}$/);

const mail = z.strictObject({
  from: mailbox,
  to: z.array(mailbox).min(1).max(50),
  subject: z.string().min(1),
  text: z.string(),
  html: z.string().min(1),
  reply_to: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z.array(z.strictObject({ name: tag, value: tag })).optional(),
});
const withAttachments = mail.extend({
  attachments: z
    .array(
      z.strictObject({
        filename: z.string().min(1),
        content: z.string().regex(/^[\w+/]+={0,2}$/),
        content_type: z.string().optional(),
      }),
    )
    .optional(),
});

const MAX_MAILS = 100;
const MAX_BYTES = 40 * 2 ** 20;
const DOMAIN = "maple.example";

/** The responses by idempotency key, with the request's body. */
const answers = new WeakMap<Received[], Map<string, { body: string; answer: EmulatedAnswer }>>();

export const resendEmulator: EmulatedApi = {
  settings: { apiKey: EMULATED_KEY, fromEmail: `notices@${DOMAIN}`, signingSecret: EMULATED_SECRET },
  answer(request, emulator): EmulatedAnswer {
    const { method, path, headers } = request;
    const known: Record<string, string> = { "/emails": "POST", "/emails/batch": "POST", "/domains": "GET" };
    if (!known[path]) return problem(404, "not_found", "The requested endpoint does not exist");
    if (known[path] !== method)
      return problem(405, "method_not_allowed", "Method is not allowed for the requested path");
    if (!headers["user-agent"]) return problem(403, "1010", "A User-Agent header is required");
    if (!headers.authorization)
      return problem(401, "missing_api_key", "Missing API key in the authorization header");
    if (emulator.faults.refuseKey || headers.authorization !== `Bearer ${EMULATED_KEY}`) {
      return problem(403, "invalid_api_key", "API key is invalid");
    }
    if (path === "/domains") {
      const domain = { id: randomUUID(), name: DOMAIN, status: "verified", region: "us-east-1" };
      return { status: 200, body: { object: "list", has_more: false, data: [domain] } };
    }
    return once(request, emulator, () =>
      path === "/emails" ? single(request, emulator) : batch(request, emulator),
    );
  },
  refusal: (status) =>
    status === 429
      ? error(429, "rate_limit_exceeded", "Too many requests. You can only make 5 requests per second.")
      : error(500, "internal_server_error", "An unexpected error occurred."),
  report: ({ to, messageId = "", reference = "" }, what, url) =>
    resendCall(url, resendEvent(`email.${what}`, { email_id: messageId, to: [to], tags: { reference } })),
};

/** An event, as documented. */
export function resendEvent(type: string, data: object) {
  const at = new Date().toISOString();
  return {
    type,
    created_at: at,
    data: {
      broadcast_id: "8b146471-e88e-4322-86af-016cd36fd216",
      created_at: at,
      from: "Acme <onboarding@resend.dev>",
      to: ["delivered@resend.dev"],
      subject: "Sending this example",
      ...(type === "email.bounced" && {
        bounce: {
          type: "Permanent",
          subType: "General",
          message: "The recipient's email provider sent a hard bounce message.",
        },
      }),
      ...data,
    },
  };
}

/** A webhook call, signed at `at`. */
export function resendCall(
  url: string,
  event: object,
  { at = new Date(), id = `msg_${randomUUID()}`, secret = EMULATED_SECRET } = {},
): EmulatedCall {
  const body = JSON.stringify(event);
  const time = String(Math.floor(at.getTime() / 1000));
  return {
    url,
    headers: {
      "content-type": "application/json",
      "svix-id": id,
      "svix-timestamp": time,
      "svix-signature": svixSignature({ id, time, body }, secret),
    },
    body,
  };
}

/** Replays the response to an earlier request with the same key and body. */
function once(
  { headers, body }: EmulatedRequest,
  { received }: EmulatorState,
  does: () => EmulatedAnswer,
): EmulatedAnswer {
  const key = headers["idempotency-key"];
  if (typeof key !== "string") return does();
  if (key.length === 0 || key.length > 256) {
    return problem(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
  }
  const known = answers.get(received) ?? new Map<string, { body: string; answer: EmulatedAnswer }>();
  answers.set(received, known);
  const before = known.get(key);
  if (before && before.body !== body) {
    return problem(
      409,
      "invalid_idempotent_request",
      "Same idempotency key used with a different request payload",
    );
  }
  const answer = before?.answer ?? does();
  known.set(key, { body, answer });
  return answer;
}

function single({ body }: EmulatedRequest, emulator: EmulatorState): EmulatedAnswer {
  if (Buffer.byteLength(body) > MAX_BYTES)
    return problem(413, "validation_error", "The request is too large.");
  const accepted = accept(withAttachments.safeParse(jsonOf(body)), emulator);
  return typeof accepted === "string"
    ? problem(422, "validation_error", accepted)
    : { status: 200, body: accepted };
}

function batch({ headers, body }: EmulatedRequest, emulator: EmulatorState): EmulatedAnswer {
  const mails = z.array(z.unknown()).min(1).max(MAX_MAILS).safeParse(jsonOf(body));
  if (!mails.success)
    return problem(422, "validation_error", "The batch must be an array of 1 to 100 emails.");
  if (headers["x-batch-validation"] !== "permissive") {
    return problem(422, "validation_error", "This emulator knows the permissive mode.");
  }
  const results = mails.data.map((one) => accept(mail.safeParse(one), emulator));
  return {
    status: 200,
    body: {
      data: results.filter((result) => typeof result !== "string"),
      errors: results.flatMap((message, index) => (typeof message === "string" ? [{ index, message }] : [])),
    },
  };
}

/** The accepted email's id, or the error. */
function accept(
  parsed: z.ZodSafeParseResult<z.output<typeof mail>>,
  { received, faults }: EmulatorState,
): { id: string } | string {
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return `Invalid \`${String(path[0])}\` field. ${message}`;
  }
  const { to, text, from, tags = [] } = parsed.data;
  const addresses = to.map((one) => /<([^<>]+)>$/.exec(one)?.[1] ?? one);
  if (!new RegExp(`@${DOMAIN}>?$`).test(from)) return "Invalid `from` field. The domain is not verified.";
  if (addresses.some((address) => faults.refused.has(address))) {
    return "Invalid `to` field. The email address needs to follow the `email@example.com` format.";
  }
  const id = randomUUID();
  const reference = tags.find(({ name }) => name === "reference")?.value ?? "";
  for (const address of addresses) received.push({ to: address, text, messageId: id, reference });
  return { id };
}

const error = (statusCode: number, name: string, message: string) => ({ statusCode, name, message });
const problem = (status: number, name: string, message: string): EmulatedAnswer => ({
  status,
  body: error(status, name, message),
});
