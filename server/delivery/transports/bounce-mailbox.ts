import type { Check } from "./transport.ts";
import type { Receipt } from "./webhook.ts";

/** How far a mailbox was read. If `uidValidity` changes, UIDs no longer refer to the same emails. */
export type MailboxPosition = { uidValidity: string; lastUid: number };

/** A bounce or delay notification. Anyone can forge one, so it only counts if one of its `marks` verifies. */
export type BounceMail = {
  /** Candidates for marks from our Message-IDs (`markOf`), not yet verified. */
  marks: readonly string[];
  receipt: Omit<Receipt, "reference" | "messageId">;
  /** The status fields, without the returned message, which may contain a one-time link. */
  report: Buffer;
};

/** The mailbox that mail servers return undeliverable email to. */
export interface BounceMailbox {
  /** Identifies the mailbox: a position is only valid for the same name. */
  readonly name: string;

  /** Signs in and opens the mailbox; changes nothing. Resolves within 30 seconds and never rejects. */
  check(): Promise<Check>;

  /**
   * Passes each new bounce to `taken`, and marks it as read if that returns true; all other email is left as it is. Without
   * a position it starts a week back. `more`: there may be more to read immediately. An interrupted read is repeated from
   * its position, so `taken` may see a bounce twice. It ends within five minutes; a failed read has a position if it got
   * further than `since`.
   *
   * Rejects only if `taken` does. `signal` aborts it.
   */
  read(
    since: MailboxPosition | null,
    taken: (mail: BounceMail) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<
    | { ok: true; position: MailboxPosition; more: boolean }
    | (Extract<Check, { ok: false }> & { position?: MailboxPosition })
  >;
}
