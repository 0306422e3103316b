import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import { jsonAsWritten, jsonOf } from "./http/api-client.ts";
import type { OutgoingMessage } from "./transport.ts";

/** A provider's call to our webhook, as it arrived. */
export type WebhookCall = {
  /** The URL as the provider was given it, with its query, because some providers sign it. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: Date;
};

/** In the order in which they apply if several arrive together. `accepted`: the provider has the message. */
export const receiptKinds = [
  "accepted",
  "delayed",
  "delivered",
  "bounced",
  "failed",
  "opened",
  "clicked",
  "complained",
  "unsubscribed",
] as const;

/** A report on a message that the provider accepted, identified by `messageId`, `reference` or both. */
export type Receipt = {
  what: (typeof receiptKinds)[number];
  /** The provider's id for this event, for deduplication. */
  eventId: string;
  /** The id from the provider's acceptance. If several messages share one, `reference` tells them apart. */
  messageId?: string | undefined;
  /** Our reference (`referenceOf`), as sent with the message: also identifies a message whose answer was lost. */
  reference?: string | undefined;
  /** Where it went, as the provider says. Someone who opts out of an archived message is known only by it. */
  address?: string | undefined;
  at: Date;
  /** Stable and short, as in `Outcome`. */
  code?: string | undefined;
  /** The provider's own sentence, or the link that was clicked. */
  detail?: string | undefined;
  /** Suppress the address: it doesn't exist, or the `code` is the `Cause`. */
  suppress?: boolean | undefined;
  /** The addresses that a bounce is about. If the delivery's isn't one of them, it only adds an event. */
  recipients?: readonly string[] | undefined;
};

/** A reply to the number that we send from. */
export type IncomingText = {
  what: "text";
  eventId: string;
  /** E.164, as is `to`. */
  from: string;
  to: string;
  text: string;
  /** What the provider itself took the text for, and answered: that decides, whatever the text says. */
  keyword?: "stop" | "start" | "help" | undefined;
  at: Date;
};

/** An event of ours that can't be read. It is kept for people to look at, and nothing applies it. */
export type Unreadable = { what: "unreadable"; eventId: string; at: Date };

export type ProviderEvent = Receipt | IncomingText | Unreadable;

/** Text that an event may have. Anything else counts as absent, so that one odd field doesn't cost the event. */
export const said = z.string().optional().catch(undefined);
/** The same for a number. */
export const counted = z.number().optional().catch(undefined);

/** A call's JSON, in which a null is an absent value; undefined if it has none. */
export const jsonIn = ({ body }: Pick<WebhookCall, "body">): unknown => jsonOf(body.toString("utf8"));

/** A call's JSON with its nulls: for what is read before it is known who made the call. */
export const unverifiedJsonIn = ({ body }: Pick<WebhookCall, "body">): unknown =>
  jsonAsWritten(body.toString("utf8"));

/** The event for what can't be read, by the text that it came in. */
export function unreadable(text: string | Buffer, at: Date): Unreadable {
  return { what: "unreadable", eventId: `unreadable ${hash("sha256", text, "hex")}`, at };
}

/** Verifies and parses a provider's webhook calls. */
export type Webhook<Settings> = {
  /** Each message names its webhook, so that nothing has to be set up for reports. */
  automatic?: true;
  /** The setting that calls are verified with. Without it, none is accepted. */
  key?: string;
  /** Setup instructions for people, if there is more to do than to paste the address. */
  setUp?: string;
  /**
   * Verifies the signature over the raw body, and the timestamp, if the provider signs one. `apiUrl`: the API's base URL,
   * which is a loopback address for an emulator.
   */
  isGenuine(call: WebhookCall, settings: Settings, apiUrl?: string): boolean | Promise<boolean>;
  /** The call's one-time token, for a provider whose signature doesn't cover the content. */
  token?(call: WebhookCall): string;
  /** Completes a handshake that a valid call asks for: Amazon SNS requires fetching a confirmation URL. */
  confirm?(call: WebhookCall): Promise<void>;
  /**
   * Parses the call's events, in order. Skips what isn't about a message of ours, and what we don't use. Throws if an event
   * of ours can't be parsed.
   */
  read(call: WebhookCall): ProviderEvent[];
};

/**
 * Our reference for one message: letters, digits and hyphens, at most 60, unique across installations. Automatic retries
 * keep it, because providers recognize a repeated request by its content; a retry by a person gets a new one.
 */
export function referenceOf(message: Pick<OutgoingMessage, "content" | "deliveryId" | "round">): string {
  return `${message.content.compiled.key}-${placeOf(message)}`;
}

/** The delivery, with the number of retries by a person, if any: "7", "7r1". */
export function placeOf({ deliveryId, round = 0 }: Pick<OutgoingMessage, "deliveryId" | "round">): string {
  return round === 0 ? String(deliveryId) : `${deliveryId}r${round}`;
}
