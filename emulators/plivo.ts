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
import { plivoSignature } from "#server/delivery/transports/plivo/webhook.ts";

/** Emulates what we use of Plivo's API v1, as strictly as its documentation. */

export const EMULATED_TOKEN = "emulatedPlivoTokenEmulatedPlivoToken0123";
export const EMULATED_NUMBER = "+15551234567";
export const EMULATED_POWERPACK = "86bbb125-97bb-4d72-89fd-81d5c515b015";
const AUTH_ID = "MAEMULATED0123456789";
const BASE = `/v1/Account/${AUTH_ID}/`;
const BASIC = basicAuth(AUTH_ID, EMULATED_TOKEN).authorization;
/** A voice-only number. */
const VOICE_NUMBER = "15551230000";

const message = z.strictObject({
  src: z.string().optional(),
  powerpack_uuid: z.string().optional(),
  dst: z.string().min(1),
  text: z.string(),
  type: z.enum(["sms", "mms"]).default("sms"),
  message_expiry: z.int().min(5).max(10_799).optional(),
  url: z.url().optional(),
  method: z.enum(["GET", "POST"]).default("POST"),
});

export const plivoEmulator: EmulatedApi = {
  settings: { authId: AUTH_ID, authToken: EMULATED_TOKEN, fromNumber: EMULATED_NUMBER },
  answer(request, emulator): EmulatedAnswer {
    const { method, path, headers } = request;
    if (emulator.faults.refuseKey || headers.authorization !== BASIC) {
      return problem(401, "Could not verify your access level for that URL.");
    }
    const number = (sms: boolean) => ({
      status: 200,
      body: { api_id: API_ID, sms_enabled: sms, voice_enabled: true },
    });
    switch (`${method} ${path}`) {
      case `GET ${BASE}`:
        return {
          status: 200,
          body: { api_id: API_ID, auth_id: AUTH_ID, cash_credits: "10.00", enabled: true },
        };
      case `GET ${BASE}Number/${EMULATED_NUMBER.slice(1)}/`:
        return number(true);
      case `GET ${BASE}Number/${VOICE_NUMBER}/`:
        return number(false);
      case `POST ${BASE}Message/`:
        return send(request, emulator);
      default:
        return problem(404, "not found");
    }
  },
  refusal: (status) => errorOf(status === 429 ? "too many requests" : "internal server error"),
};

function send({ headers, body }: EmulatedRequest, { received, faults }: EmulatorState): EmulatedAnswer {
  if (headers["content-type"] !== "application/json")
    return problem(415, "the content type must be application/json");
  const parsed = message.safeParse(JSON.parse(body));
  if (!parsed.success) return problem(400, z.prettifyError(parsed.error));
  const { src, powerpack_uuid: powerpack, dst, text, url } = parsed.data;
  if ((src === undefined) === (powerpack === undefined)) {
    return problem(400, "exactly one of src and powerpack_uuid parameters is needed");
  }
  if ((src ?? EMULATED_NUMBER.slice(1)) !== EMULATED_NUMBER.slice(1))
    return problem(400, "src parameter is not valid");
  if ((powerpack ?? EMULATED_POWERPACK) !== EMULATED_POWERPACK) return problem(400, "powerpack not found");
  if (text === "") return problem(400, "text parameter not present");
  if (text.length > (smsParts(text).encoding === "UCS-2" ? 737 : 1600))
    return problem(400, "text is too long");
  if (!/^[1-9]\d{6,14}$/.test(dst) || faults.refused.has(`+${dst}`)) {
    return problem(400, "dst parameter is not valid");
  }
  received.push({ to: `+${dst}`, text });
  const uuid = randomUUID();
  const call = (Status: string) =>
    plivoCall(url!, { ...receipt, MessageUUID: uuid, ParentMessageUUID: uuid, To: dst, Status });
  return {
    status: 202,
    ...(url && { calls: [call("sent"), call("delivered")] }),
    body: { api_id: API_ID, message: "message(s) queued", message_uuid: [uuid] },
  };
}

const API_ID = "db342550-7f1d-11e1-8ea7-1231380bc196";
const errorOf = (error: string) => ({ api_id: API_ID, error });
const problem = (status: number, error: string): EmulatedAnswer => ({ status, body: errorOf(error) });

/** A webhook call, with both versions of the signature or only v2. */
export function plivoCall(
  url: string,
  form: Record<string, string>,
  { token = EMULATED_TOKEN, versions = ["v2", "v3"] as readonly ("v2" | "v3")[] } = {},
): EmulatedCall {
  const fields = new URLSearchParams(form);
  const nonce = "05429567804466091622";
  const signatures = versions.flatMap((version) => [
    [`x-plivo-signature-${version}`, plivoSignature[version]({ url, fields, nonce }, token)],
    [`x-plivo-signature-${version}-nonce`, nonce],
  ]);
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return { url, headers: { ...type, ...Object.fromEntries(signatures) }, body: fields.toString() };
}

/** The fields of a receipt. */
export const receipt = {
  From: EMULATED_NUMBER.slice(1),
  To: "14155551001",
  MessageUUID: "9b8d1a62-96c7-4e08-a0d6-1a2b3c4d5e6f",
  ParentMessageUUID: "9b8d1a62-96c7-4e08-a0d6-1a2b3c4d5e6f",
  Status: "delivered",
  Type: "sms",
  Units: "1",
  TotalRate: "0.0050",
  TotalAmount: "0.0050",
  MCC: "310",
  MNC: "150",
  PartInfo: "1 of 1",
  Sequence: "2",
  MessageTime: "2026-11-25 14:00:00.123456",
};

/** The fields of an incoming text. */
export const incomingText = {
  From: "14155551001",
  To: EMULATED_NUMBER.slice(1),
  Text: "Stop",
  Type: "sms",
  Units: "1",
  MessageUUID: "0c5a7f3e-1111-2222-3333-444455556666",
};
