import { describe, expect, test } from "vitest";
import { startSending, waitBefore } from "#web/features/outbox/start-sending.ts";
import type { Round } from "#web/features/outbox/deliver.ts";
import { pending, tab } from "#web/features/outbox/testing.ts";

const nothing: Round = { delivered: [], refused: [], unfinished: true };

/** Sending with a fake clock and fixed randomness. `fire` runs the next attempt. */
function bench(round: () => Promise<Round | undefined>) {
  const outbox = tab();
  const planned: { wait: number; work: () => void }[] = [];
  let serverMayBeBack = () => {};
  let rounds = 0;
  const heard: Round[] = [];
  const start = () =>
    startSending({
      outbox,
      userId: 7,
      round: async () => {
        rounds += 1;
        return round();
      },
      onRetrySignal(again) {
        serverMayBeBack = again;
        return () => (serverMayBeBack = () => {});
      },
      after(wait, work) {
        const plan = { wait, work };
        planned.push(plan);
        return () => void planned.splice(planned.indexOf(plan), 1);
      },
      random: () => 0.5,
      onRound: (one) => heard.push(one),
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    outbox,
    start,
    heard,
    waits: () => planned.map((one) => one.wait),
    rounds: () => rounds,
    fire: async () => {
      planned.shift()?.work();
      await settle();
    },
    serverMayBeBack: async () => {
      serverMayBeBack();
      await settle();
    },
    settle,
  };
}

describe("sending", () => {
  test("makes no calls while nothing is waiting", async () => {
    const { start, serverMayBeBack, rounds, waits } = bench(async () => nothing);
    start();
    await serverMayBeBack();
    expect([rounds(), waits()]).toEqual([0, []]);
  });

  test("tries existing entries at once, then after growing pauses", async () => {
    const { outbox, start, settle, fire, waits, rounds } = bench(async () => nothing);
    await outbox.keep(7, pending("a"));
    start();
    await settle();
    const pauses = [];
    for (let tries = 0; tries < 8; tries += 1) {
      pauses.push(...waits());
      await fire();
    }
    expect(rounds()).toBe(9);
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000));
  });

  test("a sign of the server ends the pause and resets the count", async () => {
    const { outbox, start, settle, fire, serverMayBeBack, waits, rounds } = bench(async () => nothing);
    await outbox.keep(7, pending("a"));
    start();
    await settle();
    await fire();
    await fire();
    await serverMayBeBack();
    expect(rounds()).toBe(4);
    expect(waits()).toEqual([5000]);
  });

  test("an entry added meanwhile waits instead of being tried at once", async () => {
    const { outbox, start, rounds, waits } = bench(async () => nothing);
    start();
    await outbox.keep(7, pending("a"));
    expect([rounds(), waits()]).toEqual([0, [5000]]);
  });

  test("waits for another tab's round", async () => {
    const { outbox, start, settle, waits, heard } = bench(async () => undefined);
    await outbox.keep(7, pending("a"));
    start();
    await settle();
    expect([waits(), heard]).toEqual([[5000], []]);
  });

  test("ignores other people's entries and refused ones", async () => {
    const { outbox, start, settle, rounds } = bench(async () => nothing);
    await outbox.keep(8, pending("theirs"));
    await outbox.keep(7, pending("refused"));
    await outbox.refuse("refused", "No.");
    start();
    await settle();
    expect(rounds()).toBe(0);
  });

  test("stopping cancels everything", async () => {
    const { outbox, start, settle, serverMayBeBack, waits, rounds } = bench(async () => nothing);
    await outbox.keep(7, pending("a"));
    const stop = start();
    await settle();
    stop();
    await serverMayBeBack();
    expect([rounds(), waits()]).toEqual([1, []]);
  });
});

test("varies pauses by a quarter", () => {
  expect([waitBefore(1, () => 0), waitBefore(1, () => 1)]).toEqual([3750, 6250]);
});
