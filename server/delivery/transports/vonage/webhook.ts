import { createHmac } from "node:crypto";
import * as z from "zod";
import { entryOf } from "../entry-of.ts";
import { sameSignature } from "../same-signature.ts";
import { formIn, MOST_FIELDS } from "../sms/form.ts";
import { receiptAbout, type Meanings } from "../sms/meanings.ts";
import { jsonIn, unverifiedJsonIn, type ProviderEvent, type Webhook, type WebhookCall } from "../webhook.ts";
import type { VonageSettings } from "./adapter.ts";

/** Vonage retries a call for a day. */
const MAX_AGE_SECONDS = 25 * 3600;

/** The `err-code` of a receipt (developer.vonage.com/messaging/sms/guides/delivery-receipts). */
const codes: Readonly<Record<string, [about: Meanings[string], sentence: string]>> = {
  1: ["recipient", "The carrier gave no reason."],
  2: ["recipient", "The phone is off or out of reach."],
  3: ["nobody", "The number is no longer in service."],
  4: ["recipient", "The recipient's carrier bars texts to this number."],
  5: ["recipient", "The number moved to another carrier, and the text got lost between the two."],
  6: ["message", "The carrier treated the text as spam."],
  7: ["recipient", "The phone was busy."],
  8: ["recipient", "The carrier's network failed."],
  9: ["nobody", "The number does not exist, or they replied STOP."],
  10: ["message", "The carrier refused the text."],
  11: ["recipient", "No carrier reaches this number."],
  12: ["recipient", "The carrier could not reach the phone."],
  13: ["recipient", "The carrier restricts texts to this number by age."],
  14: ["recipient", "The carrier blocks texts to this number."],
  15: ["recipient", "The recipient's prepaid account has no funds."],
};

type Fields = Readonly<Record<string, string>>;

/**
 * Calls are JSON or forms. The signature is the hex HMAC-SHA256 of all other fields, sorted, as "&name=value", which
 * include the timestamp.
 */
export const vonageWebhook: Webhook<VonageSettings> = {
  key: "signatureSecret",
  setUp:
    "In the Vonage dashboard, under API Settings, paste this address as the webhook for delivery receipts and for inbound " +
    "messages, with the format POST-JSON and signed webhooks (SHA-256 HMAC).",
  isGenuine(call, { signatureSecret }) {
    if (signatureSecret === "") return false;
    // A null is signed as the word.
    const { sig = "", ...signed } = fieldsOf(call, unverifiedJsonIn);
    const age = Math.abs(call.receivedAt.getTime() / 1000 - Number(signed.timestamp));
    return (
      age <= MAX_AGE_SECONDS && sameSignature(sig.toLowerCase(), vonageSignature(signed, signatureSecret))
    );
  },
  read(call) {
    const said = fieldsOf(call);
    return said.messageId ? eventsOf(said.messageId, said, call) : [];
  },
};

export function vonageSignature(signed: Fields, secret: string): string {
  const text = Object.keys(signed)
    .toSorted()
    .map((name) => `&${name}=${signed[name]!.replaceAll(/[&=]/g, "_")}`)
    .join("");
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** Empty if the body can't be parsed, or has more fields than Vonage sends. */
function fieldsOf(call: WebhookCall, parse: (call: WebhookCall) => unknown = jsonIn): Fields {
  if (!call.headers["content-type"]?.includes("json")) return Object.fromEntries(formIn(call));
  const fields = Object.entries(z.record(z.string(), z.unknown()).safeParse(parse(call)).data ?? {});
  if (fields.length > MOST_FIELDS) return {};
  // No field of Vonage's has fields of its own.
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === "object" && value ? "" : String(value)]),
  );
}

function eventsOf(messageId: string, said: Fields, { receivedAt }: WebhookCall): ProviderEvent[] {
  const seconds = Number(said.timestamp);
  const at = seconds > 0 ? new Date(seconds * 1000) : receivedAt;
  if (said.status === undefined) {
    const { msisdn = "", to = "", text = "" } = said;
    return [{ what: "text", eventId: messageId, from: `+${msisdn}`, to: `+${to}`, text, at }];
  }
  const { status, "err-code": code = "", "client-ref": reference } = said;
  // Each part of a long text has its own id, and we stored the first. All parts share the reference.
  const event = { eventId: `${messageId}.${status}`, at, ...(reference ? { reference } : { messageId }) };
  switch (status) {
    case "accepted":
    case "buffered":
      return [{ ...event, what: "accepted" }];
    case "delivered":
      return [{ ...event, what: "delivered" }];
    case "expired":
    case "failed":
    case "rejected": {
      const [about, sentence] = entryOf(codes, code) ?? [
        "recipient",
        `Vonage gave the code ${code || "none"}.`,
      ];
      const detail = status === "expired" ? "It could not be delivered in time." : sentence;
      return [
        { ...event, ...receiptAbout(status === "expired" ? "recipient" : about, code || status), detail },
      ];
    }
    default:
      return [];
  }
}
