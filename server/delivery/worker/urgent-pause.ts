import type { Outcome } from "#server/delivery/transports/transport.ts";
import { slowdownMs } from "./account-health.ts";

/**
 * Emergencies don't wait for as long as an account asks, which may be longer than they are of use. But each time that
 * one is answered with "slow down", the next one waits longer, as the account itself would without being asked.
 */
export class UrgentPause {
  readonly #now: () => number;
  #slowed = 0;
  #until = -Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get over(): boolean {
    return this.#now() >= this.#until;
  }

  /** The outcome of an emergency. */
  settled({ kind }: Outcome): void {
    if (kind === "accepted") this.#slowed = 0;
    // Of those that were answered so at the same moment, one counts.
    if (kind !== "throttled" || !this.over) return;
    this.#until = this.#now() + slowdownMs(this.#slowed);
    this.#slowed += 1;
  }
}
