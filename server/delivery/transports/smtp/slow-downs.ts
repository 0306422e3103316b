import type { Outcome } from "../transport.ts";
import { asksToWait } from "./outcome.ts";

/** "Slow down" may also come from one recipient's server, or from a list that one address is on. */
const RECIPIENTS = 3;

/**
 * Distinguishes a server that asks all of us to slow down from one that defers a single recipient. Said about this many
 * different recipients with nothing accepted in between, it is about us. Otherwise it is about that message.
 */
export class SlowDowns {
  readonly #since = new Set<string>();

  /** The outcome of a message to this address, interpreted that way. */
  judge(outcome: Outcome, address: string): Outcome {
    if (outcome.kind === "accepted") this.#since.clear();
    if (!asksToWait(outcome)) return outcome;
    this.#since.add(address);
    return this.#since.size < RECIPIENTS ? outcome : { ...outcome, kind: "throttled" };
  }
}
