import { expect, test } from "vitest";
import { QueueShares } from "./queue-shares.ts";

/** A repeatable row of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const noWake = () => undefined;

test("accounts that keep up share by weight, whichever asks first", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = numbers(seed);
    const shares = new QueueShares(() => 0);
    const weights = Array.from(
      { length: 2 + Math.floor(random() * 3) },
      () => 1 + Math.floor(random() * 100),
    );
    const capacity = 2 + Math.floor(random() * 40);
    weights.forEach((weight, id) => shares.join(id, weight, capacity, noWake));
    const taken = weights.map(() => 0);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let queue = Math.max(3000, total * 20);
    const all = queue;
    while (queue > 0) {
      const id = Math.floor(random() * weights.length);
      const count = Math.min(queue, capacity, shares.allowance(id));
      taken[id]! += count;
      queue -= count;
      shares.claimed(id, count);
    }
    taken.forEach((count, id) => {
      expect(Math.abs(count / all - weights[id]! / total), `seed ${seed}`).toBeLessThan(0.05);
    });
  }
});

test("the account furthest behind is never held back, so the queue never stops", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = numbers(seed);
    const shares = new QueueShares(() => 0);
    const ids = [0, 1, 2, 3];
    for (let step = 0; step < 300; step += 1) {
      const id = Math.floor(random() * ids.length);
      const what = random();
      if (what < 0.1) shares.leave(id);
      else if (what < 0.3) shares.join(id, Math.floor(random() * 4), 1 + Math.floor(random() * 20), noWake);
      else {
        const count = Math.min(5, shares.allowance(id));
        shares.claimed(id, count);
      }
      const sharing = ids.filter((each) => shares.has(each));
      if (sharing.length === 0) continue;
      expect(
        Math.max(...sharing.map((each) => shares.allowance(each))),
        `seed ${seed}`,
      ).toBeGreaterThanOrEqual(1);
    }
  }
});

test("an account waits a moment for a slow one and then continues without it; a standby waits", () => {
  let now = 0;
  const shares = new QueueShares(() => now);
  let woken = 0;
  shares.join(1, 1, 10, () => (woken += 1));
  shares.join(2, 1, 10, noWake);
  shares.join(3, 0, 10, noWake);
  shares.claimed(1, shares.allowance(1));
  expect(shares.allowance(1)).toBe(0);
  // However often it asks, it is woken once.
  expect(shares.allowance(1)).toBe(0);
  now = 1000;
  expect(shares.allowance(1)).toBe(10);
  expect(shares.allowance(3)).toBe(0);
  shares.claimed(2, 5);
  expect(woken).toBe(1);
  shares.leave(1);
  shares.leave(2);
  expect(shares.allowance(3)).toBe(Infinity);
});
