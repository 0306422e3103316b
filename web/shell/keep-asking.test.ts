import { expect, test } from "vitest";
import { keepAsking } from "#web/shell/keep-asking.ts";

/** A fake server and clock. `pass` runs the next scheduled request. */
function bench() {
  let reached = true;
  let watch = () => {};
  let asked = 0;
  let planned: { wait: number; work: () => void } | undefined;
  const set = (next: boolean) => {
    if (next === reached) return;
    reached = next;
    watch();
  };
  const stop = keepAsking({
    reachability: {
      get: () => reached,
      subscribe(watcher) {
        watch = watcher;
        return () => {
          watch = () => {};
        };
      },
    },
    ask: async () => void (asked += 1),
    after(wait, work) {
      const plan = { wait, work };
      planned = plan;
      return () => {
        if (planned === plan) planned = undefined;
      };
    },
  });
  return {
    set,
    stop,
    asked: () => asked,
    wait: () => planned?.wait,
    pass: async () => {
      const due = planned;
      planned = undefined;
      due?.work();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("doesn't poll a server that can be reached", () => {
  expect(bench().wait()).toBeUndefined();
});

// spec 265
test("polls an unreachable server every 5 to 30 seconds until it answers", async () => {
  const { set, wait, pass, asked } = bench();
  set(false);
  const waits = [];
  for (let tries = 0; tries < 5; tries += 1) {
    waits.push(wait());
    await pass();
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 30_000, 30_000]);
  expect(asked()).toBe(5);
  set(true);
  expect(wait()).toBeUndefined();
  set(false);
  expect(wait()).toBe(5_000);
});

test("doesn't poll after it was stopped", async () => {
  const { set, stop, wait, pass, asked } = bench();
  set(false);
  stop();
  expect(wait()).toBeUndefined();
  await pass();
  expect(asked()).toBe(0);
});
