import { expect, onTestFinished, test, vi } from "vitest";
import { startLoop } from "./loop.ts";
import { until } from "#server/testing/until.ts";

const given = { name: "a loop", onError: () => undefined };

test("a bell ends the pause, also one that rings during the step", async () => {
  let steps = 0;
  const loop = startLoop(() => {
    steps += 1;
    return Promise.resolve(60_000);
  }, given);
  await until(() => expect(steps).toBe(1));
  loop.wake();
  await until(() => expect(steps).toBe(2));
  await loop.stop();

  let inside = 0;
  const selfRinging = startLoop(() => {
    inside += 1;
    if (inside === 1) selfRinging.wake();
    return Promise.resolve(60_000);
  }, given);
  await until(() => expect(inside).toBe(2));
  await selfRinging.stop();
});

test("a step that throws is reported, and the loop continues", async () => {
  vi.useFakeTimers();
  try {
    const errors: unknown[] = [];
    let steps = 0;
    const loop = startLoop(
      () => {
        steps += 1;
        return Promise.reject(new Error("the database is away"));
      },
      { name: "a loop", onError: (error) => errors.push(error) },
    );
    await vi.advanceTimersByTimeAsync(2500);
    expect(steps).toBe(3);
    expect(errors).toHaveLength(3);
    await loop.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("stop waits for the step under way", async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const loop = startLoop(async () => {
    begun.resolve();
    await gate.promise;
    order.push("step");
    return 60_000;
  }, given);
  await begun.promise;
  const stopped = loop.stop().then(() => order.push("stopped"));
  gate.resolve();
  await stopped;
  expect(order).toEqual(["step", "stopped"]);
});

test("a step that hangs for a minute is given up and reported, and the next one follows", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const late = Promise.withResolvers<number>();
  const signals: AbortSignal[] = [];
  const errors: unknown[] = [];
  const loop = startLoop(
    ({ signal }) => {
      signals.push(signal);
      return signals.length === 1 ? late.promise : Promise.resolve(10 * 60_000);
    },
    { name: "receipts", onError: (error) => errors.push(error) },
  );
  await vi.advanceTimersByTimeAsync(59_000);
  expect([errors, signals[0]?.aborted]).toEqual([[], false]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(errors.map(String)).toEqual([
    'StuckError: A step of "receipts" hasn\'t moved for 60 seconds, so it was given up',
  ]);
  late.reject(new Error("at last"));
  await vi.advanceTimersByTimeAsync(1);
  expect(errors.slice(1)).toEqual([new Error("at last")]);
  await loop.stop();
});

test("a step that moves is not given up, however long it takes", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const errors: unknown[] = [];
  let moves = 0;
  const loop = startLoop(
    async ({ moved }) => {
      for (; moves < 10; moves += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50_000));
        moved();
      }
      return 60_000;
    },
    { name: "a loop", onError: (error) => errors.push(error) },
  );
  await vi.advanceTimersByTimeAsync(510_000);
  expect([moves, errors]).toEqual([10, []]);
  await loop.stop();
});

test("whoever handles a hang itself gets no further step, and a stop waits for neither", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stuck: unknown[] = [];
  let steps = 0;
  const loop = startLoop(
    () => {
      steps += 1;
      return new Promise<never>(() => undefined);
    },
    { ...given, onStuck: (error) => stuck.push(error) },
  );
  await vi.advanceTimersByTimeAsync(180_000);
  expect([stuck.length, steps]).toEqual([1, 1]);
  await loop.stop();
});

test("a stop aborts what the step under way waits for", async () => {
  const loop = startLoop(
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(60_000));
      }),
    given,
  );
  await Promise.resolve();
  await Promise.resolve();
  await expect(loop.stop()).resolves.toBeUndefined();
});
