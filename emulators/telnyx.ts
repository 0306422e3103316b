import { createPrivateKey, createPublicKey, randomUUID, sign } from "node:crypto";
import * as z from "zod";
import { smsParts } from "#server/delivery/content/sms.ts";
import type {
  EmulatedAnswer,
  EmulatedApi,
  EmulatedCall,
  EmulatedRequest,
  EmulatorState,
} from "./emulator.ts";

/** Emulates what we use of Telnyx's v2 API, as strictly as its specification (spec3). */

export const EMULATED_KEY = "KEY0123456789ABCDEF_emulated0123456789";
export const EMULATED_NUMBER = "+15551234567";
/** A number without a messaging profile. */
const UNASSIGNED_NUMBER = "+15551230000";
const PROFILE = "16fd2706-8baf-433b-82eb-8c7fada847da";
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, "emulated")]),
  format: "der",
  type: "pkcs8",
});
const PUBLIC_KEY = createPublicKey(PRIVATE_KEY).export({ format: "der", type: "spki" }).subarray(-32);

const message = z.strictObject({
  from: z.string().min(1),
  to: z.string(),
  text: z.string(),
  type: z.enum(["SMS", "MMS"]).optional(),
  messaging_profile_id: z.uuid().optional(),
  webhook_url: z.url().max(2000).optional(),
});

export const telnyxEmulator: EmulatedApi = {
  settings: { apiKey: EMULATED_KEY, fromNumber: EMULATED_NUMBER, publicKey: PUBLIC_KEY.toString("base64") },
  answer(request, emulator): EmulatedAnswer {
    const { method, path, query, headers } = request;
    if (emulator.faults.refuseKey || headers.authorization !== `Bearer ${EMULATED_KEY}`) {
      const detail =
        "The required authentication headers were either invalid or not included in the request.";
      return problem(401, "10009", "Authentication failed", detail);
    }
    switch (`${method} ${path}`) {
      case "GET /v2/balance":
        return {
          status: 200,
          body: { data: { record_type: "balance", balance: "300.00", currency: "USD" } },
        };
      case "GET /v2/phone_numbers": {
        const own = [EMULATED_NUMBER, UNASSIGNED_NUMBER].filter(
          (number) => number === query.get("filter[phone_number]"),
        );
        const data = own.map((number) => ({
          phone_number: number,
          status: "active",
          messaging_profile_id: number === UNASSIGNED_NUMBER ? null : PROFILE,
        }));
        return { status: 200, body: { data, meta: { total_results: data.length } } };
      }
      case "POST /v2/messages":
        return send(request, emulator);
      default:
        return problem(404, "10005", "Resource not found", "The requested resource could not be found.");
    }
  },
  refusal: (status) =>
    status === 429
      ? errorsOf("10011", "Too many requests", "You have exceeded the maximum number of allowed requests.")
      : errorsOf("10007", "Unexpected error", "An unexpected error occurred."),
};

function send({ headers, body }: EmulatedRequest, { received, faults }: EmulatorState): EmulatedAnswer {
  if (headers["content-type"] !== "application/json") {
    return problem(415, "10014", "Unsupported Media Type", "The request needs the type application/json.");
  }
  const parsed = message.safeParse(JSON.parse(body));
  if (!parsed.success) return problem(422, "10015", "Bad Request", z.prettifyError(parsed.error));
  const { from, to, text, webhook_url: url } = parsed.data;
  if (text === "") return problem(400, "40316", "No content provided", "The message has no content.");
  const { parts, encoding } = smsParts(text);
  if (parts > 10) return problem(400, "40302", "Message too large", "The message has more than 10 parts.");
  if (from !== EMULATED_NUMBER) {
    return problem(400, "40305", "Invalid 'from' address", "The 'from' address must be one of your numbers.");
  }
  if (!/^\+[1-9]\d{6,14}$/.test(to) || faults.refused.has(to)) {
    return problem(400, "40310", "Invalid 'to' address", "The 'to' address should be a single valid number.");
  }
  received.push({ to, text });
  const id = randomUUID();
  const payload = { ...outbound, id, to: [{ ...outbound.to[0], phone_number: to }], text };
  return {
    status: 200,
    ...(url && {
      calls: [
        telnyxCall(url, "message.sent", { ...payload, to: [{ ...payload.to[0], status: "sent" }] }),
        telnyxCall(url, "message.finalized", { ...payload, to: [{ ...payload.to[0], status: "delivered" }] }),
      ],
    }),
    body: { data: { ...payload, to: [{ ...payload.to[0], status: "queued" }], encoding, parts, errors: [] } },
  };
}

const errorsOf = (code: string, title: string, detail: string) => ({ errors: [{ code, title, detail }] });
const problem = (status: number, code: string, title: string, detail: string): EmulatedAnswer => ({
  status,
  body: errorsOf(code, title, detail),
});

/** A signed webhook call. */
export function telnyxCall(
  url: string,
  type: string,
  payload: object,
  { key = PRIVATE_KEY, at = new Date() } = {},
): EmulatedCall {
  const body = JSON.stringify({
    data: {
      event_type: type,
      id: "4ee8c3a6-4995-4309-a3c6-38e3db9ea4be",
      occurred_at: at.toISOString(),
      payload,
      record_type: "event",
    },
    meta: { attempt: 1, delivered_to: url },
  });
  const time = String(Math.floor(at.getTime() / 1000));
  return {
    url,
    headers: {
      "content-type": "application/json",
      "telnyx-timestamp": time,
      "telnyx-signature-ed25519": sign(null, Buffer.from(`${time}|${body}`), key).toString("base64"),
    },
    body,
  };
}

/** The payload of a receipt. */
export const outbound = {
  completed_at: "2026-11-25T14:00:05.148+00:00",
  cost: { amount: "0.0051", currency: "USD" },
  direction: "outbound",
  encoding: "GSM-7",
  errors: [] as object[],
  from: { carrier: "TELNYX LLC", line_type: "Wireless", phone_number: EMULATED_NUMBER },
  id: "ac012cbf-5e09-46af-a69a-7c0e2d90993c",
  messaging_profile_id: PROFILE,
  parts: 1,
  received_at: "2026-11-25T14:00:00.596+00:00",
  record_type: "message",
  sent_at: "2026-11-25T14:00:01.000+00:00",
  tags: [],
  text: "Hello Ann",
  to: [
    {
      carrier: "T-MOBILE USA, INC.",
      line_type: "Wireless",
      phone_number: "+14155551001",
      status: "delivered",
    },
  ],
  type: "SMS",
};

/** The payload of an incoming text. */
export const inbound = {
  ...outbound,
  direction: "inbound",
  id: "84cca175-9755-4859-b67f-4730d7f58aa3",
  from: { carrier: "T-Mobile USA", line_type: "Wireless", phone_number: "+14155551001" },
  to: [
    { carrier: "Telnyx", line_type: "Wireless", phone_number: EMULATED_NUMBER, status: "webhook_delivered" },
  ],
  text: "Stop",
};
