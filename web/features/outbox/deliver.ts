import { isAway } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import type { OutboxEntry, PendingCall } from "#web/features/outbox/entry.ts";
import type { Outbox } from "#web/features/outbox/outbox.ts";

export type Post = (call: PendingCall) => Promise<{ id: number; sandboxOnly?: boolean }>;

export type Round = {
  delivered: (OutboxEntry & { sandboxOnly: boolean })[];
  refused: OutboxEntry[];
  /** Entries still wait for the server, so another round makes sense. */
  unfinished: boolean;
};

/** Entries that wait for the server and may be sent by this person. */
export function waitingOf(outbox: Pick<Outbox, "entries">, userId: number): OutboxEntry[] {
  return outbox.entries().filter((one) => one.userId === userId && one.refusal === null);
}

/**
 * Makes every waiting call once, oldest first. The server accepts a client key once, so if a call has arrived before, it
 * returns what it created then. Stops if the server cannot be reached or the session has ended. Never throws
 * because of a reply.
 */
export async function deliverWaiting(outbox: Outbox, userId: number, post: Post): Promise<Round> {
  const round: Round = { delivered: [], refused: [], unfinished: false };
  outbox.reload();
  for (const entry of waitingOf(outbox, userId).reverse()) {
    const { clientKey } = entry;
    // It may have been discarded, here or in another tab, while the ones before it were being sent.
    if (!(await outbox.begin(clientKey))) continue;
    try {
      const { sandboxOnly = false } = await post(entry.call);
      await outbox.remove(clientKey);
      round.delivered.push({ ...entry, sandboxOnly });
    } catch (error) {
      const verdict = judge(error);
      if (verdict === "stop" || verdict === "later") {
        await outbox.pause(clientKey, error instanceof ApiError ? error.message : null);
      }
      if (verdict === "stop") return { ...round, unfinished: true };
      if (verdict === "later") {
        round.unfinished = true;
        continue;
      }
      await outbox.refuse(clientKey, verdict.refusal);
      round.refused.push({ ...entry, refusal: verdict.refusal });
    }
  }
  return round;
}

/**
 * `stop`: no other call would succeed now. `later`: this one failed, and others may not, because a proxy can object to
 * one text alone. Otherwise it has been read and will never be accepted as it is.
 */
function judge(error: unknown): "stop" | "later" | { refusal: string } {
  if (!(error instanceof ApiError)) return isUnreachable(error) ? "stop" : "later";
  const { status, reason } = error;
  if (isAway(status) || notNow.includes(status)) return "stop";
  return isUnreachable(error) || status >= 500 ? "later" : { refusal: reason };
}

/** Not signed in, here or to the network; too slow; too many requests. */
const notNow = [401, 407, 408, 429, 511];
