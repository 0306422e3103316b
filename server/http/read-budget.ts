import { AppError } from "#contract/errors.ts";

const MINUTES = 10;
/** Two thousand pages of a list. A person reads a few; a script that copies everything reads them all. */
export const MOST_ROWS = 50_000;

/**
 * How many list rows each person has read lately from this process. Calls that declare `export` have a separate limit.
 */
export class ReadBudget {
  readonly #most: number;
  readonly #rows = new Map<number, number>();
  #ends = 0;

  constructor(most: number = MOST_ROWS) {
    this.#most = most;
  }

  /**
   * Reserves this many rows before they are read, so that simultaneous reads count too. Throws too-many-requests if this
   * person has read too much.
   */
  reserve(userId: number, rows: number): void {
    const left = this.#ends - performance.now();
    if (left <= 0) {
      this.#rows.clear();
      this.#ends = performance.now() + MINUTES * 60_000;
    } else if ((this.#rows.get(userId) ?? 0) >= this.#most) {
      const sentence = `You have loaded too many rows in ${MINUTES} minutes. Try again in a few minutes, or use an export.`;
      throw new AppError("too-many-requests", sentence, { retryAfter: left / 1000 });
    }
    this.#rows.set(userId, (this.#rows.get(userId) ?? 0) + rows);
  }

  /** Corrects a reservation by the difference to what was read. Whatever was reserved may be forgotten by then. */
  settle(userId: number, difference: number): void {
    this.#rows.set(userId, Math.max(0, (this.#rows.get(userId) ?? 0) + difference));
  }
}
