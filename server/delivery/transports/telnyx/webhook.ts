import { createPublicKey, verify } from "node:crypto";
import * as z from "zod";
import { entryOf } from "../entry-of.ts";
import { providerKeyword } from "../sms/opt-out-words.ts";
import { receiptAbout } from "../sms/meanings.ts";
import { referenceIn } from "../sms/sms-transport.ts";
import { jsonIn, said, type ProviderEvent, type Webhook } from "../webhook.ts";
import type { TelnyxSettings } from "./adapter.ts";
import { meanings } from "./provider.ts";

const MAX_AGE_SECONDS = 300;
/** The SPKI prefix of a 32-byte Ed25519 public key (RFC 8410). */
const ED25519_SPKI = Buffer.from("302a300506032b6570032100", "hex");

const phone = z.object({ phone_number: said });
/** Other products report to the same address. */
const ours = z.object({ data: z.object({ event_type: z.string().startsWith("message.") }) });
const event = z.object({
  data: z.object({
    event_type: z.string(),
    id: z.string(),
    occurred_at: z.coerce.date(),
    payload: z.object({
      id: z.string(),
      from: phone.optional().catch(undefined),
      to: z
        .array(phone.extend({ status: said }))
        .default([])
        .catch([]),
      text: said,
      /** Set where Telnyx acted on the text and answered it. */
      autoresponse_type: z.unknown().optional(),
      errors: z
        .array(z.object({ code: z.coerce.string(), title: said, detail: said }))
        .optional()
        .catch(undefined),
    }),
  }),
});
type Event = z.output<typeof event>["data"];

/** Calls are JSON. The signature is Ed25519 over "timestamp|body", with a Unix timestamp. */
export const telnyxWebhook: Webhook<TelnyxSettings> = {
  automatic: true,
  key: "publicKey",
  setUp:
    "Delivery reports need no setup. For replies, paste this address as the webhook of your messaging profile.",
  isGenuine({ headers, body, receivedAt }, { publicKey }) {
    const signature = headers["telnyx-signature-ed25519"];
    const time = headers["telnyx-timestamp"];
    if (publicKey === "" || typeof signature !== "string" || typeof time !== "string") return false;
    const age = Math.abs(receivedAt.getTime() / 1000 - Number(time));
    if (!(age <= MAX_AGE_SECONDS)) return false;
    const der = Buffer.concat([ED25519_SPKI, Buffer.from(publicKey, "base64")]);
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    const signed = Buffer.concat([Buffer.from(`${time}|`), body]);
    return verify(null, signed, key, Buffer.from(signature, "base64"));
  },
  read(call) {
    const told = jsonIn(call);
    return ours.safeParse(told).success ? eventsOf(event.parse(told).data, referenceIn(call)) : [];
  },
};

function eventsOf(
  { event_type, id: eventId, occurred_at: at, payload }: Event,
  reference?: string,
): ProviderEvent[] {
  const { id: messageId, from, to, text, autoresponse_type: autoresponse } = payload;
  if (event_type === "message.received") {
    const number = to[0]?.phone_number ?? "";
    const keyword = providerKeyword(autoresponse);
    return [
      { what: "text", eventId, from: from?.phone_number ?? "", to: number, text: text ?? "", keyword, at },
    ];
  }
  if (event_type === "message.sent") return [{ what: "accepted", eventId, messageId, reference, at }];
  if (event_type !== "message.finalized") return [];
  const status = to[0]?.status ?? "";
  if (status === "delivered") return [{ what: "delivered", eventId, messageId, reference, at }];
  // The carrier sent no receipt, so the text may have arrived.
  if (status === "delivery_unconfirmed") return [{ what: "accepted", eventId, messageId, reference, at }];
  const [error] = payload.errors ?? [];
  const code = error?.code ?? status;
  const detail = error?.detail || error?.title || `Telnyx reports it as ${status.replaceAll("_", " ")}.`;
  return [{ ...receiptAbout(entryOf(meanings, code), code), eventId, messageId, reference, at, detail }];
}
