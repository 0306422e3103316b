import type { Check } from "./transport.ts";
import type { Receipt } from "./webhook.ts";

/** How far a mailbox was read. Of another `uidValidity`, the numbers mean other mails. */
export type MailboxPosition = { uidValidity: string; lastUid: number };

/** A mail that says that another one bounced, or is late. Anyone can write one: what it says counts by its `marks`. */
export type BounceMail = {
  /** What may be the marks of our Message-IDs (`markOf`): it is about the one that is genuine. */
  marks: readonly string[];
  receipt: Omit<Receipt, "reference" | "messageId">;
  /** The fields in which it says so, without the message that came back: that may hold a one-time link. */
  report: Buffer;
};

/** Where mail servers return what they could not deliver. */
export interface BounceMailbox {
  /** Tells it from another mailbox, for which a position would mean nothing. */
  readonly name: string;

  /** Signs in and opens it; changes nothing. Answers within half a minute and never rejects. */
  check(): Promise<Check>;

  /**
   * Hands over the bounces that came since, one by one, and marks as read those that were `taken`; every other mail is
   * left as it is. Without a position it begins a week ago. `more`: there may be more to read at once. A position may be
   * returned again: whoever stops in the middle reads some of them twice.
   *
   * Rejects only if `taken` does. `signal` breaks it off.
   */
  read(
    since: MailboxPosition | null,
    taken: (mail: BounceMail) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<{ ok: true; position: MailboxPosition; more: boolean } | Extract<Check, { ok: false }>>;
}
