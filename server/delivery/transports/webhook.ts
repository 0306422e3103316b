import type { IncomingHttpHeaders } from "node:http";
import type { OutgoingMessage } from "./transport.ts";

/** A provider's call to our webhook, as it arrived. */
export type WebhookCall = {
  /** The address that the provider was given, with its query: some sign it. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: Date;
};

/** In the order in which they are applied where several arrive together. `accepted`: the provider has it. */
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

/** What became of a message that the provider took. It names the message by `messageId`, `reference` or both. */
export type Receipt = {
  what: (typeof receiptKinds)[number];
  /** The provider's name for this event: whatever comes twice with it counts once. */
  eventId: string;
  /** As in the outcome with which the provider took it. Where several messages share one, `reference` tells them apart. */
  messageId?: string | undefined;
  /** What the message carried (`referenceOf`), as the provider brings it back: it also names one whose answer was lost. */
  reference?: string | undefined;
  at: Date;
  /** Stable and short, as in an attempt. */
  code?: string | undefined;
  /** The provider's own sentence, or the link that was clicked. */
  detail?: string | undefined;
  /** No one is there, or they want no more: the address is not used again. */
  suppress?: boolean | undefined;
};

/** A person wrote to the number that our messages come from. */
export type IncomingText = {
  what: "text";
  eventId: string;
  /** In E.164, as is `to`. */
  from: string;
  to: string;
  text: string;
  at: Date;
};

export type ProviderEvent = Receipt | IncomingText;

/** How a provider's calls are told from forged ones, and read. */
export type Webhook<Settings> = {
  /** What a person does with its address at the provider, in a sentence or two, where there is more to it than pasting it. */
  setUp?: string;
  /**
   * Whether the provider made this call, by its signature over the bytes as they came, and not too long ago. `apiUrl`:
   * where the environment says that the provider's API is.
   */
  isGenuine(call: WebhookCall, settings: Settings, apiUrl?: string): boolean | Promise<boolean>;
  /** What the provider signs for one genuine call alone, where its signature does not cover what the call says. */
  token?(call: WebhookCall): string;
  /** Does what a genuine call asks before the provider reports anything: Amazon SNS wants an address of its own opened. */
  confirm?(call: WebhookCall): Promise<void>;
  /** What the call tells, in its order; events that mean nothing to us are left out. Throws where it cannot be read. */
  read(call: WebhookCall): ProviderEvent[];
};

/**
 * Our name for one message: letters, digits and hyphens, at most 60. No other installation has the same. Automatic
 * retries keep it, because providers recognize a repeated request by its equal content; a retry by a person does not.
 */
export function referenceOf(message: Pick<OutgoingMessage, "content" | "deliveryId" | "round">): string {
  return `${message.content.compiled.key}-${placeOf(message)}`;
}

/** Its delivery, and from the first retry by a person on which one: "7", "7r1". */
export function placeOf({ deliveryId, round = 0 }: Pick<OutgoingMessage, "deliveryId" | "round">): string {
  return round === 0 ? String(deliveryId) : `${deliveryId}r${round}`;
}
