import { randomBytes } from "node:crypto";
import PostalMime from "postal-mime";
import { basicAuth } from "#server/delivery/transports/http/api-client.ts";
import type {
  EmulatedAnswer,
  EmulatedApi,
  EmulatedCall,
  EmulatedRequest,
  EmulatorState,
} from "./emulator.ts";
import { mailgunSignature } from "#server/delivery/transports/mailgun/webhook.ts";

/** Emulates what we use of Mailgun's API, as strictly as its documentation (messages.mime, domains). */

export const EMULATED_KEY = "emulated-0123456789abcdef0123456789abcdef-01234567-89abcdef";
const EMULATED_SIGNING_KEY = "emulated-signing-0123456789abcdef0123";
const DOMAIN = "mg.maple.example";
const BASIC = basicAuth("api", EMULATED_KEY).authorization;
const MAX_BYTES = 25 * 2 ** 20;

export const mailgunEmulator: EmulatedApi = {
  settings: { apiKey: EMULATED_KEY, domain: DOMAIN, signingKey: EMULATED_SIGNING_KEY },
  answer(request, emulator): EmulatedAnswer | Promise<EmulatedAnswer> {
    const { method, path, headers } = request;
    // Mailgun's 401 has no JSON body.
    if (emulator.faults.refuseKey || headers.authorization !== BASIC) return { status: 401 };
    const [, version, ...rest] = path.split("/");
    const named = version === "v4" ? rest[1] : rest[0];
    if (named !== DOMAIN) return refusal(404, `Domain not found: ${named}`);
    if (path === `/v4/domains/${DOMAIN}`) {
      return method === "GET"
        ? { status: 200, body: { domain: { name: DOMAIN, state: "active", type: "custom" } } }
        : refusal(405, "Method not allowed");
    }
    if (method !== "POST") return refusal(405, "Method not allowed");
    if (path === `/v3/${DOMAIN}/messages`) return refusal(400, "from parameter is missing");
    return path === `/v3/${DOMAIN}/messages.mime` ? send(request, emulator) : refusal(404, "Not found");
  },
  refusal: (status) => ({ message: status === 429 ? "Too many requests" : "Internal server error" }),
  report: ({ to, messageId = "", reference = "" }, what, url) => {
    const of = {
      recipient: to,
      "user-variables": { reference },
      message: { headers: { "message-id": messageId } },
    };
    return mailgunCall(url, { ...(what === "delivered" ? delivered : failed), ...of });
  },
};

/** The documented fields of a delivery and of a permanent failure. */
export const delivered = {
  id: "CPgfbmQMTCKtHW6uIWtuVe",
  timestamp: 1_521_472_262.908181,
  "log-level": "info",
  event: "delivered",
  "delivery-status": {
    tls: true,
    "mx-host": "smtp-in.example.com",
    "attempt-no": 1,
    description: "",
    code: 250,
    "enhanced-code": "2.0.0",
    message: "OK",
  },
  flags: { "is-routed": false, "is-authenticated": true, "is-test-mode": false },
  recipient: "alice@example.com",
  "recipient-domain": "example.com",
  tags: ["my_tag_1"],
};
export const failed = {
  ...delivered,
  "log-level": "error",
  event: "failed",
  severity: "permanent",
  reason: "bounce",
  "delivery-status": {
    "attempt-no": 1,
    description: "",
    code: 550,
    "enhanced-code": "5.1.1",
    message: "5.1.1 The email account that you tried to reach does not exist.",
  },
};

/** A webhook call, signed at `at`. */
export function mailgunCall(
  url: string,
  event: object,
  { at = new Date(), token = randomBytes(25).toString("hex"), key = EMULATED_SIGNING_KEY } = {},
): EmulatedCall {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = { timestamp, token, signature: mailgunSignature(timestamp, token, key) };
  const body = JSON.stringify({ signature, "event-data": event });
  return { url, headers: { "content-type": "application/json" }, body };
}

async function send(
  { headers, bytes }: EmulatedRequest,
  { received, faults }: EmulatorState,
): Promise<EmulatedAnswer> {
  const type = headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return refusal(400, "Need multipart/form-data");
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const unknown = [...form.keys()].find(
    (name) => !/^(?:to|message|o:tracking(?:-clicks|-opens)?|v:[\w-]+)$/.test(name),
  );
  if (unknown !== undefined) return refusal(400, `${unknown} parameter is unknown to this emulator`);
  const options = [...form].filter(([name]) => name.startsWith("o:"));
  if (options.some(([, value]) => value !== "no" && value !== "yes")) {
    return refusal(400, "o:tracking parameter must be yes or no");
  }
  const message = form.get("message");
  if (!(message instanceof Blob)) return refusal(400, "message parameter is missing");
  if (message.size > MAX_BYTES) return refusal(413, "Message is too large");
  const [to, ...more] = form.getAll("to");
  if (typeof to !== "string" || more.length > 0) return refusal(400, "to parameter is missing");
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to) || faults.refused.has(to)) {
    return refusal(400, "to parameter is not a valid address. please check documentation");
  }
  const mail = await PostalMime.parse(await message.arrayBuffer());
  if (!mail.from?.address)
    return refusal(400, "from parameter is not a valid address. please check documentation");
  if (!mail.messageId) return refusal(400, "The message has no Message-Id");
  const messageId = mail.messageId.replaceAll(/^<|>$/g, "");
  const reference = form.get("v:reference");
  received.push({
    to,
    text: mail.text ?? "",
    messageId,
    ...(typeof reference === "string" && { reference }),
  });
  return { status: 200, body: { id: mail.messageId, message: "Queued. Thank you." } };
}

const refusal = (status: number, message: string): EmulatedAnswer => ({ status, body: { message } });
