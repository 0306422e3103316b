import type { Outcome } from "../transport.ts";
import { asksToWait } from "./outcome.ts";

/** One recipient's server, or a list that one address is on, may say "slow down" as well as our own. */
const RECIPIENTS = 3;

/**
 * Tells a server that asks all of us to slow down from one that does not want one recipient's mail now: said of so
 * many different recipients, with nothing taken in between, it is about us. Said of fewer it is that message's own.
 */
export class SlowDowns {
  readonly #since = new Set<string>();

  /** The outcome of a message to this address, as it is to be understood. */
  judge(outcome: Outcome, address: string): Outcome {
    if (outcome.kind === "accepted") this.#since.clear();
    if (!asksToWait(outcome)) return outcome;
    this.#since.add(address);
    return this.#since.size < RECIPIENTS ? outcome : { ...outcome, kind: "throttled" };
  }
}
