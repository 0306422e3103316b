import { createHmac } from "node:crypto";
import { entryOf } from "../entry-of.ts";
import { sameSignature } from "../same-signature.ts";
import { formIn, sortedFields } from "../sms/form.ts";
import { providerKeyword } from "../sms/opt-out-words.ts";
import { receiptAbout } from "../sms/meanings.ts";
import { referenceIn } from "../sms/sms-transport.ts";
import type { ProviderEvent, Webhook, WebhookCall } from "../webhook.ts";
import type { TwilioSettings } from "./adapter.ts";
import { meanings } from "./provider.ts";

/** Sentences for error codes, because receipts only have the code. */
const sentences: Readonly<Record<string, string>> = {
  21610: "They replied STOP to your number.",
  30001: "Too many texts from your number were waiting.",
  30002: "Twilio suspended the account.",
  30003: "The phone is off or out of reach.",
  30004: "The number is blocked or can't take texts.",
  30005: "The number is unknown or no longer in service.",
  30006: "The number is a landline, or its carrier takes no texts.",
  30007: "The carrier treated the text as spam.",
  30008: "The carrier gave no reason.",
  30032: "Your toll-free number is not verified yet.",
  30034: "Your number is not registered for a campaign (A2P 10DLC).",
};

/**
 * Calls are forms, signed with the account's auth token: Base64 of HMAC-SHA1 over the URL and the sorted fields. There is
 * no timestamp, so replays are recognized by the event's id.
 */
export const twilioWebhook: Webhook<TwilioSettings> = {
  automatic: true,
  setUp:
    "Delivery reports need no setup. For replies, paste this address in Twilio at your number, as “A message comes in”.",
  isGenuine({ url, headers, body }, { authToken }) {
    const given = headers["x-twilio-signature"];
    const fields = formIn({ body });
    // Twilio signs the URL with or without its port.
    return [url, withoutPort(url), withPort(url)].some((address) =>
      sameSignature(given, twilioSignature(address, fields, authToken)),
    );
  },
  read(call) {
    const fields = formIn(call);
    const sid = fields.get("MessageSid");
    // Such as a phone call to the number.
    return sid ? eventsOf(sid, fields, call) : [];
  },
};

export function twilioSignature(url: string, fields: URLSearchParams, authToken: string): string {
  const signed = sortedFields(fields).map(([name, values]) =>
    [...new Set(values)].map((value) => name + value).join(""),
  );
  return createHmac("sha1", authToken)
    .update(url + signed.join(""))
    .digest("base64");
}

function eventsOf(sid: string, fields: URLSearchParams, call: WebhookCall): ProviderEvent[] {
  const status = fields.get("MessageStatus") ?? fields.get("SmsStatus") ?? "";
  const event = { eventId: `${sid}.${status}`, at: call.receivedAt };
  const message = { messageId: sid, reference: referenceIn(call) };
  const code = fields.get("ErrorCode") ?? "";
  switch (status) {
    case "received": {
      const [from, to] = [fields.get("From") ?? "", fields.get("To") ?? ""];
      const keyword = providerKeyword(fields.get("OptOutType"));
      return [{ ...event, what: "text", from, to, text: fields.get("Body") ?? "", keyword }];
    }
    case "queued":
    case "sent":
      return [{ ...event, what: "accepted", ...message }];
    case "delivered":
      return [{ ...event, what: "delivered", ...message }];
    case "undelivered":
    case "failed": {
      const detail =
        fields.get("ErrorMessage") || entryOf(sentences, code) || `Twilio gave the code ${code || "none"}.`;
      return [{ ...event, ...receiptAbout(entryOf(meanings, code), code || status), ...message, detail }];
    }
    case "canceled":
      return [{ ...event, what: "failed", ...message, code: status, detail: "It was cancelled at Twilio." }];
    default:
      return [];
  }
}

function withoutPort(url: string): string {
  const address = new URL(url);
  address.port = "";
  return address.href;
}

/** Adds the default port, which `URL` drops. */
function withPort(url: string): string {
  const { protocol, host, port, pathname, search } = new URL(url);
  return port ? url : `${protocol}//${host}:${protocol === "https:" ? 443 : 80}${pathname}${search}`;
}
