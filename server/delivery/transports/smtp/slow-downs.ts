import type { Outcome } from "../transport.ts";
import { asksToWait } from "./outcome.ts";

/** A throttling reply may also come from one recipient's server, or from a blocklist for one address. */
const RECIPIENTS = 3;

/**
 * Tells a rate limit on the account from a deferral of one recipient. A throttling reply counts as a rate limit once this
 * many different recipients have received it with nothing accepted in between.
 */
export class SlowDowns {
  readonly #since = new Set<string>();

  judge(outcome: Outcome, address: string): Outcome {
    if (outcome.kind === "accepted") this.#since.clear();
    if (!asksToWait(outcome)) return outcome;
    this.#since.add(address);
    return this.#since.size < RECIPIENTS ? outcome : { ...outcome, kind: "throttled" };
  }
}
