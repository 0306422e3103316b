import { randomUUID } from "node:crypto";
import * as z from "zod";
import { smsParts } from "#server/delivery/content/sms.ts";
import { basicAuth } from "#server/delivery/transports/http/api-client.ts";
import type {
  EmulatedAnswer,
  EmulatedApi,
  EmulatedCall,
  EmulatedRequest,
  EmulatorState,
} from "./emulator.ts";
import { vonageSignature } from "#server/delivery/transports/vonage/webhook.ts";

/** Emulates what we use of Vonage's SMS, Account and Numbers APIs, as strictly as their specification. */

export const EMULATED_SECRET = "emulatedSecret01";
export const EMULATED_NUMBER = "+15551234567";
const EMULATED_KEY = "abcd1234";
const SIGNATURE_SECRET = "emulated-signature-secret";
const BASIC = basicAuth(EMULATED_KEY, EMULATED_SECRET).authorization;
/** A voice-only number. */
const VOICE_NUMBER = "15551230000";

const sms = z.strictObject({
  api_key: z.string(),
  api_secret: z.string(),
  from: z.string().min(1),
  to: z.string().regex(/^\d{7,15}$/),
  text: z.string().min(1),
  type: z.enum(["text", "unicode"]).default("text"),
  ttl: z.coerce.number().int().min(20_000).max(604_800_000).optional(),
  "client-ref": z.string().max(100).optional(),
  callback: z.url().optional(),
});

export const vonageEmulator: EmulatedApi = {
  settings: {
    apiKey: EMULATED_KEY,
    apiSecret: EMULATED_SECRET,
    fromNumber: EMULATED_NUMBER,
    signatureSecret: SIGNATURE_SECRET,
  },
  answer(request, emulator): EmulatedAnswer {
    const { method, path, query, headers } = request;
    if (`${method} ${path}` === "POST /sms/json") return send(request, emulator);
    if (emulator.faults.refuseKey || headers.authorization !== BASIC) {
      return { status: 401, body: { "error-code": "401", "error-code-label": "authentication failed" } };
    }
    if (`${method} ${path}` === "GET /account/get-balance") {
      return { status: 200, body: { value: 10.28, autoReload: false } };
    }
    if (`${method} ${path}` !== "GET /account/numbers") return { status: 404 };
    const own = [EMULATED_NUMBER.slice(1), VOICE_NUMBER].filter((number) => number === query.get("pattern"));
    const numbers = own.map((msisdn) => ({
      country: "US",
      msisdn,
      type: "mobile-lvn",
      features: msisdn === VOICE_NUMBER ? ["VOICE"] : ["SMS", "VOICE"],
    }));
    return { status: 200, body: numbers.length > 0 ? { count: numbers.length, numbers } : {} };
  },
  refusal: (status) => ({
    title: status === 429 ? "Too Many Requests" : "Internal Server Error",
    detail: "Later",
  }),
};

/** Always 200: the outcome is in each message's status. */
function send({ headers, body }: EmulatedRequest, { received, faults }: EmulatorState): EmulatedAnswer {
  if (headers["content-type"] !== "application/x-www-form-urlencoded") return { status: 415 };
  const form = Object.fromEntries(new URLSearchParams(body));
  if (faults.refuseKey || form.api_key !== EMULATED_KEY || form.api_secret !== EMULATED_SECRET) {
    return refused("4", "Bad Credentials");
  }
  const parsed = sms.safeParse(form);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]!.path[0] ?? "text");
    return name in form
      ? refused("3", `Invalid value for parameter: ${name}`)
      : refused("2", `Missing ${name} param`);
  }
  const { from, to, text, type, callback, "client-ref": reference } = parsed.data;
  if (from !== EMULATED_NUMBER.slice(1)) return refused("15", "Illegal Sender Address - rejected");
  if (faults.refused.has(`+${to}`)) return refused("3", "Invalid value for parameter: to");
  // Without `type=unicode`, characters beyond GSM-7 arrive as question marks.
  const { encoding, parts } = smsParts(text);
  const arrives = encoding === "UCS-2" && type === "text" ? text.replaceAll(/[^\x20-\x7e]/g, "?") : text;
  received.push({ to: `+${to}`, text: arrives });
  const ids = Array.from({ length: parts }, () => `0A${randomUUID().slice(-12).toUpperCase()}`);
  return {
    status: 200,
    ...(callback && {
      calls: ids.map((messageId) =>
        vonageCall(callback, {
          ...receipt,
          msisdn: to,
          messageId,
          ...(reference && { "client-ref": reference }),
        }),
      ),
    }),
    body: {
      "message-count": String(parts),
      messages: ids.map((id) => ({
        to,
        "message-id": id,
        status: "0",
        "remaining-balance": "3.14159265",
        "message-price": "0.03330000",
        network: "12345",
        ...(reference && { "client-ref": reference }),
      })),
    },
  };
}

const refused = (status: string, message: string): EmulatedAnswer => ({
  status: 200,
  body: { "message-count": "1", messages: [{ status, "error-text": message }] },
});

/** A signed webhook call in the POST-JSON format. */
export function vonageCall(
  url: string,
  fields: Record<string, string>,
  { secret = SIGNATURE_SECRET, at = new Date() } = {},
): EmulatedCall {
  const signed = {
    ...fields,
    timestamp: String(Math.floor(at.getTime() / 1000)),
    nonce: "aaaaaaaa-bbbb-cccc-dddd-0123456789ab",
  };
  const sig = vonageSignature(signed, secret).toUpperCase();
  return { url, headers: { "content-type": "application/json" }, body: JSON.stringify({ ...signed, sig }) };
}

/** The fields of a receipt. */
export const receipt = {
  msisdn: "14155551001",
  to: EMULATED_NUMBER.slice(1),
  "network-code": "12345",
  messageId: "0A0000001234567B",
  price: "0.03330000",
  status: "delivered",
  scts: "2611251400",
  "err-code": "0",
  "api-key": EMULATED_KEY,
  "message-timestamp": "2026-11-25 14:00:00",
};

/** The fields of an incoming text. */
export const incomingText = {
  msisdn: "14155551001",
  to: EMULATED_NUMBER.slice(1),
  messageId: "0B0000001234567C",
  text: "Thanks & see you = soon",
  type: "text",
  keyword: "THANKS",
  "api-key": EMULATED_KEY,
  "message-timestamp": "2026-11-25 14:05:00",
};
