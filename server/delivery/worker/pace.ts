const WINDOW_MS = 250;
/** While it grows, so that a run soon goes at full speed. */
const GROWING_WINDOW_MS = 25;
const BUFFER_SECONDS = 0.5;
const MOST = 2000;

/**
 * How many deliveries a worker holds at a time: what the channel works on, plus what it settles in half a second. More
 * would leave more waiting for its lease to end if it dies; fewer would let connections idle.
 */
export class Pace {
  readonly #concurrency: number;
  readonly #now: () => number;
  #settled = 0;
  #since: number;
  #perSecond = 0;
  #growing = true;

  constructor(concurrency: number, now: () => number = () => performance.now()) {
    this.#concurrency = concurrency;
    this.#now = now;
    this.#since = now();
  }

  /** A message was sent and answered. */
  settled(): void {
    this.#settled += 1;
  }

  /** How many to hold now. What was settled is measured whenever enough time has passed. */
  measure(): number {
    const passed = this.#now() - this.#since;
    if (passed >= (this.#growing ? GROWING_WINDOW_MS : WINDOW_MS)) {
      const measured = (this.#settled * 1000) / passed;
      // A short time says little, so it at most doubles.
      const most = passed < WINDOW_MS ? Math.max(this.#concurrency * 4, this.#perSecond * 2) : Infinity;
      this.#growing = measured === 0 || measured > most;
      // Grows fast. A pause between two claims does not reset it.
      this.#perSecond = Math.min(most, Math.max(measured, this.#perSecond / 2));
      this.#settled = 0;
      this.#since = this.#now();
    }
    return Math.min(MOST, this.#concurrency * 2 + Math.ceil(this.#perSecond * BUFFER_SECONDS));
  }
}
