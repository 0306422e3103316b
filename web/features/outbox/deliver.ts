import { ApiError } from "#web/api/client.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import type { OutboxEntry, PendingCall } from "#web/features/outbox/entry.ts";
import type { Outbox } from "#web/features/outbox/outbox.ts";

export type Post = (call: PendingCall) => Promise<unknown>;

export type Round = {
  delivered: OutboxEntry[];
  refused: OutboxEntry[];
  /** Something still waits for the server, so another round makes sense. */
  unfinished: boolean;
};

/** What waits for the server and may be sent by this person. */
export function waitingOf(outbox: Outbox, userId: number): OutboxEntry[] {
  return outbox.entries().filter((one) => one.userId === userId && one.refusal === null);
}

/**
 * Makes every waiting call once, the oldest first. The server takes a client key once, so a call that had
 * arrived before is answered with the notification that it made then. Stops when the server is out of reach or
 * the session is over; never throws for what the server answers.
 */
export async function deliverWaiting(outbox: Outbox, userId: number, post: Post): Promise<Round> {
  const round: Round = { delivered: [], refused: [], unfinished: false };
  outbox.reload();
  for (const entry of waitingOf(outbox, userId).reverse()) {
    const { clientKey } = entry;
    // It may have been discarded, here or in another tab, while the ones before it were on their way.
    if (!(await outbox.begin(clientKey))) continue;
    try {
      await post(entry.call);
      await outbox.remove(clientKey);
      round.delivered.push(entry);
    } catch (error) {
      const verdict = judge(error);
      if (verdict === "stop" || verdict === "later") await outbox.pause(clientKey);
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
 * `stop`: no other call would fare better now. `later`: only this one failed, and not by its own fault. Else
 * the server read the call and will never take it as it is.
 */
function judge(error: unknown): "stop" | "later" | { refusal: string } {
  if (isUnreachable(error)) return "stop";
  if (!(error instanceof ApiError) || error.status >= 500) return "later";
  const sessionOver = error.status === 401;
  const tooMany = error.status === 429 || error.status === 408;
  return sessionOver || tooMany ? "stop" : { refusal: error.reason };
}
