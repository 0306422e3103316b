import { randomUUID } from "node:crypto";
import * as z from "zod";
import { basicAuth } from "#server/delivery/transports/http/api-client.ts";
import type {
  EmulatedAnswer,
  EmulatedApi,
  EmulatedCall,
  EmulatedRequest,
  EmulatorState,
} from "./emulator.ts";
import { twilioSignature } from "#server/delivery/transports/twilio/webhook.ts";

/** Emulates what we use of Twilio's API 2010-04-01, as strictly as its specification (twilio_api_v2010). */

const EMULATED_ACCOUNT = "AC0123456789abcdef0123456789abcdef";
export const EMULATED_TOKEN = "emulated0123456789abcdef01234567";
export const EMULATED_NUMBER = "+15551234567";
export const EMULATED_SERVICE = "MG0123456789abcdef0123456789abcdef";

const BASE = `/2010-04-01/Accounts/${EMULATED_ACCOUNT}`;
const BASIC = basicAuth(EMULATED_ACCOUNT, EMULATED_TOKEN).authorization;
/** A voice-only number. */
const VOICE_NUMBER = "+15551230000";

const message = z.strictObject({
  To: z.string(),
  From: z.string().optional(),
  MessagingServiceSid: z.string().optional(),
  Body: z.string().default(""),
  StatusCallback: z.url().optional(),
  ValidityPeriod: z.coerce.number().int().min(1).max(36_000).optional(),
});

export const twilioEmulator: EmulatedApi = {
  settings: { accountSid: EMULATED_ACCOUNT, authToken: EMULATED_TOKEN, fromNumber: EMULATED_NUMBER },
  answer(request, emulator): EmulatedAnswer {
    const { method, path, query, headers } = request;
    if (emulator.faults.refuseKey || headers.authorization !== BASIC)
      return problem(401, 20003, "Authenticate");
    const does: Record<string, () => EmulatedAnswer> = {
      [`GET ${BASE}.json`]: () => ({
        status: 200,
        body: { sid: EMULATED_ACCOUNT, status: "active", type: "Full", friendly_name: "Maple Court" },
      }),
      [`GET ${BASE}/IncomingPhoneNumbers.json`]: () => ({
        status: 200,
        body: {
          incoming_phone_numbers: [EMULATED_NUMBER, VOICE_NUMBER]
            .filter((number) => number === query.get("PhoneNumber"))
            .map((number) => ({
              phone_number: number,
              capabilities: { voice: true, sms: number === EMULATED_NUMBER, mms: false },
            })),
        },
      }),
      [`GET ${BASE}/SMS/ShortCodes.json`]: () => ({ status: 200, body: { short_codes: [] } }),
      [`POST ${BASE}/Messages.json`]: () => send(request, emulator),
    };
    return (
      does[`${method} ${path}`]?.() ?? problem(404, 20404, `The requested resource ${path} was not found`)
    );
  },
  refusal: (status) =>
    status === 429
      ? problemBody(429, 20429, "Too Many Requests")
      : problemBody(500, 20500, "An internal server error has occurred"),
};

function send({ headers, body }: EmulatedRequest, { received, faults }: EmulatorState): EmulatedAnswer {
  if (headers["content-type"] !== "application/x-www-form-urlencoded") {
    return problem(415, 20415, "Unsupported Media Type");
  }
  const form = new URLSearchParams(body);
  const parsed = message.safeParse(Object.fromEntries(form));
  if (!parsed.success) return problem(400, 20001, z.prettifyError(parsed.error));
  const { To: to, From: from, MessagingServiceSid: service, Body: text, StatusCallback } = parsed.data;
  if (text === "") return problem(400, 21602, "Message body is required.");
  if (text.length > 1600) {
    return problem(400, 21617, "The concatenated message body exceeds the 1600 character limit.");
  }
  if (!from && !service) return problem(400, 21603, "A 'From' phone number is required.");
  if (service && service !== EMULATED_SERVICE) {
    return problem(404, 20404, `The requested resource ${service} was not found`);
  }
  if (from && from !== EMULATED_NUMBER) {
    return problem(
      400,
      21660,
      `Mismatch between the 'From' number ${from} and the account ${EMULATED_ACCOUNT}`,
    );
  }
  if (!/^\+[1-9]\d{6,14}$/.test(to) || faults.refused.has(to)) {
    return problem(400, 21211, `Invalid 'To' Phone Number: ${to}`);
  }
  if (StatusCallback !== undefined && !/^https?:/.test(StatusCallback)) {
    return problem(400, 21609, `The StatusCallback URL ${StatusCallback} is not a valid URL.`);
  }
  received.push({ to, text });
  const sid = `SM${randomUUID().replaceAll("-", "")}`;
  const receipt = (status: string) =>
    twilioCall(StatusCallback!, { ...statusCallback, MessageSid: sid, To: to, MessageStatus: status });
  return {
    status: 201,
    ...(StatusCallback && { calls: [receipt("sent"), receipt("delivered")] }),
    body: {
      account_sid: EMULATED_ACCOUNT,
      sid,
      status: "queued",
      direction: "outbound-api",
      to,
      from: from ?? null,
      messaging_service_sid: service ?? null,
      body: text,
      error_code: null,
      error_message: null,
    },
  };
}

/** A signed webhook call. */
export function twilioCall(
  url: string,
  fields: Record<string, string>,
  authToken = EMULATED_TOKEN,
): EmulatedCall {
  const form = new URLSearchParams(fields);
  return {
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      "x-twilio-signature": twilioSignature(url, form, authToken),
    },
    body: form.toString(),
  };
}

/** The fields of every status callback. `SmsSid` and `SmsStatus` are legacy duplicates. */
export const statusCallback = {
  AccountSid: EMULATED_ACCOUNT,
  ApiVersion: "2010-04-01",
  From: EMULATED_NUMBER,
  To: "+14155551001",
};

/** The fields of an incoming text. */
export const incomingText = {
  AccountSid: EMULATED_ACCOUNT,
  ApiVersion: "2010-04-01",
  MessageSid: "SM11112222333344445555666677778888",
  SmsSid: "SM11112222333344445555666677778888",
  SmsStatus: "received",
  From: "+14155551001",
  FromCity: "SAN FRANCISCO",
  FromState: "CA",
  To: EMULATED_NUMBER,
  Body: "Stop",
  NumMedia: "0",
  NumSegments: "1",
};

const problemBody = (status: number, code: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});
const problem = (status: number, code: number, message: string): EmulatedAnswer => ({
  status,
  body: problemBody(status, code, message),
});
