import type { IncomingHttpHeaders } from "node:http";

/** A provider's call to our webhook, as it arrived. */
export type WebhookCall = {
  /** The address that the provider was given, with its query: some sign it. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: Date;
};

/** What became of a message that the provider took. */
export type Receipt = {
  what: "delivered" | "delayed" | "bounced" | "failed" | "complained" | "unsubscribed" | "opened" | "clicked";
  /** The provider's name for this event: whatever comes twice with it counts once. */
  eventId: string;
  /** As in the outcome with which the provider took it. */
  messageId: string;
  at: Date;
  /** Stable and short, as in an attempt. */
  code?: string;
  /** The provider's own sentence, or the link that was clicked. */
  detail?: string;
  /** No one is there, or they want no more: the address is not used again. */
  suppress?: boolean;
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
  /** Whether the provider made this call, by its signature over the bytes as they came, and not too long ago. */
  isGenuine(call: WebhookCall, settings: Settings): boolean;
  /** What the call tells, in its order; events that mean nothing to us are left out. Throws where it cannot be read. */
  read(call: WebhookCall): ProviderEvent[];
};
