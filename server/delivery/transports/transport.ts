import type { CompiledContent, FieldValues, RecipientLinks } from "#server/delivery/content/compiled.ts";
import type { EncodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import type { BounceMailbox } from "./bounce-mailbox.ts";

/**
 * The outcome of one attempt at a delivery. Transports return it and never throw it.
 *
 * `code` is stable and short (an SMTP reply such as `550 5.1.1`, or a word such as `connection_lost`);
 * `detail` is the provider's own sentence, made safe to store and show. Both are stored with the attempt.
 *
 * | kind | the provider … | lengthens its next pause |
 * |---|---|---|
 * | accepted | accepted it. `delivered`: no receipt will follow, acceptance is delivery | – |
 * | refused | will never accept it: for this recipient, or this message for anyone | – |
 * | throttled | accepts it later; everyone has to wait | no |
 * | unavailable | certainly did not get it; retry. `account`: it could not be reached at all, so try another account | yes; with `account` no |
 * | misconfigured | accepts nothing until someone fixes the account's settings | no |
 * | uncertain | may have it: there was no answer | if it can be repeated at once (`keyed`) |
 */
export type Outcome =
  | { kind: "accepted"; messageId?: string; detail?: string; delivered?: boolean }
  | {
      kind: "refused";
      of: "recipient" | "message";
      code: string;
      detail: string;
      /** Suppress the address: it doesn't exist, or the `code` is the `Cause`. */
      suppress?: boolean;
      /** The person has no subscribed device, which says nothing about the account. */
      noDevice?: true;
    }
  | { kind: "throttled"; retryAfterMs?: number; code: string; detail: string }
  | { kind: "unavailable"; account?: true; code: string; detail: string }
  | { kind: "misconfigured"; code: string; detail: string }
  | { kind: "uncertain"; code: string; detail: string };

/** Any outcome except success. */
export type Failure = Exclude<Outcome, { kind: "accepted" }>;

/**
 * The content of one run. Pass the *same object* with every message of a run: transports cache what they derive from it
 * (such as the MIME message without the recipient's values) by object identity.
 */
export type RunContent = {
  compiled: CompiledContent;
  /** In the author's order; only sent by email. */
  attachments: readonly EncodedAttachment[];
};

export type OutgoingMessage = {
  deliveryId: number;
  /** 1 for the first attempt. */
  attempt: number;
  /** How often someone retried it; 0 unless given. */
  round?: number;
  /** The normalized address: a mailbox, an E.164 number, or a push subject. */
  address: string;
  /** The person's name for the To header; may be empty. */
  name: string;
  content: RunContent;
  /** A value for each of `content.compiled.fields`; a missing one makes the outcome `refused` of `message`. */
  values: FieldValues;
  links: RecipientLinks;
  /** After this it is too old to be shown. Automatic attempts keep it; a retry by a person sets a new one. */
  expiresAt: Date;
  /** An emergency. */
  urgent: boolean;
};

/**
 * Callbacks for each message's progress. If one returns a promise, the connection that carries the message waits for it,
 * so a crash leaves at most one message per connection in doubt. They must not throw.
 */
export type Progress = {
  /**
   * Called before the first byte after which a crash would leave it unknown whether the message went out. `false` means
   * that the message must not be sent (it was cancelled, or its lease was lost): skip it. It takes time, so call it early
   * (with the envelope) and await it late.
   */
  begun?(message: OutgoingMessage): void | boolean | Promise<void | boolean>;
  /** Its content has started to leave, or more of it has left: restarts the time limit of `timeoutMs`. */
  advanced?(message: OutgoingMessage): void;
  /** Called exactly once for every message that was begun, or whose outcome is clear without sending. */
  settled(message: OutgoingMessage, outcome: Outcome): void | Promise<void>;
  /**
   * Called immediately for a message that is skipped: because of another message's account-wide outcome (`because`), or
   * because `signal` aborted or the transport is closing.
   */
  left?(message: OutgoingMessage, because?: Failure): void;
};

/** The result of a connection test. `detail` is the provider's own reason, safe to show to an administrator. */
export type Check =
  | { ok: true; detail: string }
  | { ok: false; of: "unavailable" | "misconfigured"; code: string; detail: string };

/**
 * How to recover from an attempt without an answer.
 * - `keyed`: resend; the provider recognizes its idempotency key
 * - `queryable`: look it up at the provider (`lookUp`), after a delay for its index
 * - `blind`: neither
 */
export type Recovery = "keyed" | "queryable" | "blind";

/** Whether the provider has a message. `unanswered`: the lookup failed. */
export type LookUp = { found: true; messageId?: string } | { found: false } | { unanswered: string };

/** Sends for one account. */
export interface Transport {
  /** How many messages it sends concurrently. Pass several times as many in one call. */
  readonly concurrency: number;
  /** In milliseconds: the longest a message takes from `begun`, or from its last `advanced`, to its outcome. */
  timeoutMs(message: OutgoingMessage): number;

  /**
   * Sends the messages in order, emergencies first, up to `concurrency` at a time. It may be called again while an earlier
   * call is still running: calls share the connections, so that none idles at the tail of a batch.
   *
   * Resolves when every message has been settled or skipped. After `signal` aborts, no further message of this call is
   * begun; after an account-wide outcome (throttled, misconfigured, or unavailable because no connection could be
   * opened), none of any call. A message that was never settled was never begun and costs no attempt, even if `left`
   * wasn't called for it. Never rejects.
   */
  send(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void>;

  /**
   * For `queryable` transports: looks up the message with this reference (`referenceOf`). Resolves within 30 seconds and
   * never rejects.
   */
  readonly lookUp?: ((reference: string) => Promise<LookUp>) | undefined;

  /** The mailbox that receives its bounces, if it has one. */
  readonly bounceMailbox?: BounceMailbox | undefined;

  /** A real but cheap call to the provider that sends nothing. Resolves within 30 seconds and never rejects. */
  check(): Promise<Check>;

  /** Lets messages in progress finish, then closes every connection. Nothing may be sent afterwards. */
  close(): Promise<void>;
}
