import type { CompiledContent, FieldValues, RecipientLinks } from "#server/delivery/content/compiled.ts";
import type { EncodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import type { BounceMailbox } from "./bounce-mailbox.ts";

/**
 * What one try of one delivery came to. A channel returns it and never throws it.
 *
 * `code` is stable and short (an SMTP reply such as `550 5.1.1`, or a word such as `connection_lost`);
 * `detail` is the provider's own sentence, made safe to store and show. Both stand in the attempt's row.
 *
 * | kind | the provider … | costs an attempt |
 * |---|---|---|
 * | accepted | took it. `delivered`: the channel itself is the receipt | yes |
 * | refused | will never take it: this recipient, or this message to anyone | yes, final |
 * | throttled | takes it later; slow down for everyone | no |
 * | unavailable | certainly did not get it; try again. `account`: no one could be reached, so another account may | yes; with `account` no |
 * | misconfigured | takes nothing from us until someone fixes its settings | no |
 * | uncertain | may have it: the answer never came | yes |
 */
export type Outcome =
  | { kind: "accepted"; messageId?: string; detail?: string; delivered?: boolean }
  | {
      kind: "refused";
      of: "recipient" | "message";
      code: string;
      detail: string;
      suppress?: boolean;
      /** The person has turned on notifications nowhere that this account reaches: it says nothing about the account. */
      noDevice?: true;
    }
  | { kind: "throttled"; retryAfterMs?: number; code: string; detail: string }
  | { kind: "unavailable"; account?: true; code: string; detail: string }
  | { kind: "misconfigured"; code: string; detail: string }
  | { kind: "uncertain"; code: string; detail: string };

/** Any outcome except success. */
export type Failure = Exclude<Outcome, { kind: "accepted" }>;

/**
 * The content of one run as a worker holds it. Pass the *same object* with every message of a run: a channel caches
 * what it derives from it (such as the MIME message without the recipient's values) by the object's identity.
 */
export type RunContent = {
  compiled: CompiledContent;
  /** In the order in which the author added them; only sent by email. */
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
  /** From then on it is too old to be shown. Another try of the same message keeps it, a retry by a person does not. */
  expiresAt: Date;
  /** An emergency. */
  urgent: boolean;
};

/**
 * Called by the channel as each message progresses. Either function may return a promise: the connection that carries
 * the message then waits for it, so the engine can promise that a crash leaves at most one message per connection in
 * doubt. Neither may throw.
 */
export type Progress = {
  /**
   * Called just before the first byte after which a crash would leave it unknown whether the message went out. `false`
   * means that the message is no longer the caller's to send (cancelled, or its lease was lost): leave it alone and go
   * on with the next. It takes time: ask early (with the envelope) and await the answer late.
   */
  begun?(message: OutgoingMessage): void | boolean | Promise<void | boolean>;
  /** Its content started to leave, or more of a long one has left: the time allowed by `timeoutMs` starts again. */
  advanced?(message: OutgoingMessage): void;
  /** Called exactly once for every message that was begun or could be decided without beginning. */
  settled(message: OutgoingMessage, outcome: Outcome): void | Promise<void>;
  /**
   * Called at once for a message that is left alone: because of another's outcome that concerns the whole account, or,
   * without one, because `signal` aborted or the channel closes.
   */
  left?(message: OutgoingMessage, because?: Failure): void;
};

/** The answer of a connection test. `detail` is the provider's own reason, safe to show to an administrator. */
export type Check =
  | { ok: true; detail: string }
  | { ok: false; of: "unavailable" | "misconfigured"; code: string; detail: string };

/**
 * What can be done about a try whose answer never came.
 * - `keyed`: send it again, the provider knows it by its key
 * - `queryable`: ask the provider (`lookUp`) once it has had time to find it again
 * - `blind`: neither
 */
export type Recovery = "keyed" | "queryable" | "blind";

/** Whether the provider has a message of ours. `unanswered`: it couldn't be asked. */
export type LookUp = { found: true; messageId?: string } | { found: false } | { unanswered: string };

/** What sends for one account. */
export interface Transport {
  /** How many messages it works on at a time. Pass several times as many in one call. */
  readonly concurrency: number;
  /** In milliseconds: the longest a message takes from `begun`, or from when it last `advanced`, to its outcome. */
  timeoutMs(message: OutgoingMessage): number;

  /**
   * Sends the messages, in their order, as many at one time as `concurrency` says. It may be called again while
   * an earlier call still runs: calls share the connections, so that none idles at the tail of a batch.
   *
   * Resolves when every message has been settled, or has been left alone: after `signal` aborts, and after an
   * outcome that concerns the whole account (throttled, misconfigured, or unavailable because no connection
   * could be opened), no further message of any call is begun. A message that was never settled was never
   * begun and costs no attempt, also where `left` was not told of it. Does not reject.
   */
  send(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void>;

  /**
   * Of a `queryable` one: asks for the message with this reference (`referenceOf`), whose answer was lost. Answers within
   * half a minute and never rejects.
   */
  readonly lookUp?: ((reference: string) => Promise<LookUp>) | undefined;

  /** Where its bounces come by mail, if it has such a mailbox. */
  readonly bounceMailbox?: BounceMailbox | undefined;

  /** A real, cheap call to the provider that sends nothing. Answers within half a minute and never rejects. */
  check(): Promise<Check>;

  /** Lets begun messages finish, then closes every connection. Nothing may be sent afterwards. */
  close(): Promise<void>;
}
