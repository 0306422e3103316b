import { refusal } from "#contract/refusals/refusal.ts";

type Allowance = {
  most: number;
  minutes: number;
  /** What is refused to someone who has used it up. */
  refused: "too-many-rows-read" | "too-many-changes";
};

/** Two thousand pages of a list. A person reads a few; a script that copies everything reads them all. */
export const MOST_ROWS = 50_000;

/** How many list rows a person may read. Calls that declare `export` have a separate limit. */
export const readBudget = (most: number = MOST_ROWS) =>
  new Budget({
    most,
    minutes: 10,
    refused: "too-many-rows-read",
  });

/** Five changes a second, for a whole minute. Each may be a row of the audit log, which is kept for good. */
export const MOST_WRITES = 300;

/** How many calls that change something a person may make. */
export const writeBudget = (most: number = MOST_WRITES) =>
  new Budget({
    most,
    minutes: 1,
    refused: "too-many-changes",
  });

/** How much each person has used lately in this process. */
export class Budget {
  readonly #allowance: Allowance;
  readonly #used = new Map<number, number>();
  #ends = 0;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /**
   * Reserves this much before it is used, so that simultaneous calls count too. Throws too-many-requests if this
   * person has used too much.
   */
  reserve(userId: number, amount: number): void {
    const { most, minutes, refused } = this.#allowance;
    const left = this.#ends - performance.now();
    if (left <= 0) {
      this.#used.clear();
      this.#ends = performance.now() + minutes * 60_000;
    } else if ((this.#used.get(userId) ?? 0) >= most) {
      throw refusal(refused, {}, { retryAfter: left / 1000 });
    }
    this.#used.set(userId, (this.#used.get(userId) ?? 0) + amount);
  }

  /** Corrects a reservation by the difference to what was used. Whatever was reserved may be forgotten by then. */
  settle(userId: number, difference: number): void {
    this.#used.set(userId, Math.max(0, (this.#used.get(userId) ?? 0) + difference));
  }
}
