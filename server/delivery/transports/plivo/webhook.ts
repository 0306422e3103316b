import { createHmac } from "node:crypto";
import { entryOf } from "../entry-of.ts";
import { sameSignature } from "../same-signature.ts";
import { formIn, sortedFields } from "../sms/form.ts";
import { receiptAbout, type About } from "../sms/meanings.ts";
import { referenceIn } from "../sms/sms-transport.ts";
import type { ProviderEvent, Webhook, WebhookCall } from "../webhook.ts";
import type { PlivoSettings } from "./adapter.ts";

/** The error codes of receipts (plivo.com/docs/messaging/troubleshooting/error-codes). */
const codes: Readonly<Record<string, [about: About, sentence: string]>> = {
  10: ["message", "The carrier refused the text."],
  20: ["recipient", "The carrier's network failed."],
  30: ["message", "The carrier treated the text as spam."],
  40: ["account", "The From number is not valid."],
  50: ["nobody", "The number is not valid."],
  60: ["recipient", "The carriers passed the text around in a loop."],
  70: ["nobody", "The number is no longer in service."],
  80: ["recipient", "The phone is off or out of reach."],
  90: ["recipient", "No carrier reaches this number."],
  100: ["message", "The carrier does not allow the text."],
  110: ["message", "The text is too long."],
  200: ["unsubscribed", "They replied STOP to your number."],
  420: ["recipient", "It could not be delivered in time."],
  450: ["recipient", "Plivo isn't allowed to send to this country."],
  900: ["account", "The Plivo account has no credit."],
  910: ["account", "The Plivo account is disabled."],
  1000: ["recipient", "The carrier gave no reason."],
};

/**
 * Calls are forms, signed with the account's auth token. Signature v3 covers the URL and the fields; v2, the only one
 * documented for texts, just the URL and a nonce. If a call has both, v3 is verified. Neither has a timestamp, so replays are
 * recognized by the event's id.
 */
export const plivoWebhook: Webhook<PlivoSettings> = {
  automatic: true,
  setUp:
    "Delivery reports need no setup. For replies, paste this address as the Message URL of an application, and " +
    "give your number that application.",
  isGenuine({ url, headers, body }, { authToken }) {
    const third = headers["x-plivo-signature-v3"];
    const version = third === undefined ? "v2" : "v3";
    const nonce = headers[`x-plivo-signature-${version}-nonce`];
    if (typeof nonce !== "string") return false;
    const fields = formIn({ body });
    const expected = plivoSignature[version]({ url, fields, nonce }, authToken);
    const given = String(third ?? headers["x-plivo-signature-v2"] ?? "").split(",");
    return given.some((one) => sameSignature(one.trim(), expected));
  },
  read(call) {
    const fields = formIn(call);
    const uuid = fields.get("MessageUUID");
    // Such as a phone call to the number.
    return uuid ? eventsOf(uuid, fields, call) : [];
  },
};

type Signed = { url: string; fields: URLSearchParams; nonce: string };

const hmac = (text: string, token: string) => createHmac("sha256", token).update(text).digest("base64");
const base = ({ origin, pathname }: URL) => origin + pathname;

export const plivoSignature = {
  v2: ({ url, nonce }: Signed, token: string) => hmac(base(new URL(url)) + nonce, token),
  v3({ url, fields, nonce }: Signed, token: string): string {
    const address = new URL(url);
    const query = sorted(address.searchParams, "=").join("&");
    const form = sorted(fields, "").join("");
    const question = query !== "" || form !== "" ? "?" : "";
    const dot = query !== "" && form !== "" ? "." : "";
    return hmac(`${base(address)}${question}${query}${dot}${form}.${nonce}`, token);
  },
};

function sorted(params: URLSearchParams, between: string): string[] {
  return sortedFields(params).flatMap(([name, values]) => values.map((value) => name + between + value));
}

function eventsOf(uuid: string, fields: URLSearchParams, call: WebhookCall): ProviderEvent[] {
  const status = fields.get("Status");
  const at = call.receivedAt;
  if (status === null) {
    const [from, to, text] = ["From", "To", "Text"].map((name) => fields.get(name) ?? "");
    return [{ what: "text", eventId: uuid, from: withPlus(from!), to: withPlus(to!), text: text!, at }];
  }
  // For a long text sent in parts, the UUID from the API's response.
  const messageId = fields.get("ParentMessageUUID") || uuid;
  const event = { eventId: `${messageId}.${status}`, messageId, reference: referenceIn(call), at };
  switch (status) {
    case "queued":
    case "sent":
      return [{ ...event, what: "accepted" }];
    case "delivered":
      return [{ ...event, what: "delivered" }];
    case "failed":
    case "undelivered":
    case "rejected": {
      const code = fields.get("ErrorCode") ?? "";
      const [about, detail] = entryOf(codes, code) ?? ["recipient", `Plivo gave the code ${code || "none"}.`];
      return [{ ...event, ...receiptAbout(about, code || status), detail }];
    }
    default:
      return [];
  }
}

const withPlus = (number: string) => (/^\d{7,15}$/.test(number) ? `+${number}` : number);
