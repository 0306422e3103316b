type Sharer = {
  weight: number;
  capacity: number;
  wake: () => void;
  claimed: number;
  heldBackSince: number | undefined;
};

/** How long an account waits for others to take their share. Then it continues without them, since they may be slow. */
const PATIENCE_MS = 1000;

/**
 * How the accounts of one channel share its queue in this process: by weight, as long as each can keep up. Only
 * accounts that currently accept messages take part; when one leaves or returns, all start over.
 */
export class QueueShares {
  readonly #sharers = new Map<number, Sharer>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * This account accepts messages, `capacity` at a time. `wake` is called when it was told to wait, and may have to no
   * longer.
   */
  join(id: number, weight: number, capacity: number, wake: () => void): void {
    const known = this.#sharers.get(id);
    if (known?.weight === weight) {
      known.capacity = capacity;
      return;
    }
    this.#sharers.set(id, { weight, capacity, wake, claimed: 0, heldBackSince: undefined });
    this.#beginAnew();
  }

  /** It accepts none for now, so the others need not wait for it. */
  leave(id: number): void {
    if (this.#sharers.delete(id)) this.#beginAnew();
  }

  /** False if another account would take what this one cannot. */
  get none(): boolean {
    return this.#sharers.size === 0;
  }

  has(id: number): boolean {
    return this.#sharers.has(id);
  }

  /** How many messages it may claim now. */
  allowance(id: number): number {
    const own = this.#sharers.get(id);
    if (!own) return 0;
    const share = this.#share(own);
    if (share >= 1) {
      own.heldBackSince = undefined;
      return share;
    }
    own.heldBackSince ??= this.#now();
    return own.weight > 0 && this.#now() - own.heldBackSince >= PATIENCE_MS ? own.capacity : 0;
  }

  /**
   * Records that it claimed this many. What it took beyond its share, because the others were slow, is not counted
   * against it.
   */
  claimed(id: number, count: number): void {
    const own = this.#sharers.get(id);
    if (!own || count === 0) return;
    own.claimed += Math.min(count, Math.max(0, this.#share(own)));
    own.heldBackSince = undefined;
    this.#wakeHeldBack();
  }

  /** An account may be ahead of the slowest one by what that one works on, in proportion. */
  #share(own: Sharer): number {
    const weighted = [...this.#sharers.values()].filter(({ weight }) => weight > 0);
    if (weighted.length > 0 && own.weight === 0) return 0;
    const sharers = weighted.length > 0 ? weighted : [...this.#sharers.values()];
    if (sharers.length === 1) return Infinity;
    const weightOf = ({ weight }: Sharer) => weight || 1;
    const ahead = Math.max(
      1 / Math.min(...sharers.map(weightOf)),
      Math.min(...sharers.map((sharer) => sharer.capacity / 2 / weightOf(sharer))),
    );
    const last = Math.min(...sharers.map((sharer) => sharer.claimed / weightOf(sharer)));
    // Rounded, so that a sum of fractions does not hold up the slowest one.
    return Math.floor((last + ahead) * weightOf(own) - own.claimed + 1e-6);
  }

  #beginAnew(): void {
    this.#wakeHeldBack();
    for (const sharer of this.#sharers.values()) {
      sharer.claimed = 0;
      sharer.heldBackSince = undefined;
    }
  }

  #wakeHeldBack(): void {
    for (const { heldBackSince, wake } of this.#sharers.values()) if (heldBackSince !== undefined) wake();
  }
}
