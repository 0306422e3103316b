import { expect, onTestFinished, test, vi } from "vitest";
import { startLoop } from "./loop.ts";
import { until } from "#server/testing/until.ts";

const ignore = () => undefined;

test("a bell ends the pause, also one that rings during the step", async () => {
  let steps = 0;
  const loop = startLoop(() => {
    steps += 1;
    return Promise.resolve(60_000);
  }, ignore);
  await until(() => expect(steps).toBe(1));
  loop.wake();
  await until(() => expect(steps).toBe(2));
  await loop.stop();

  let inside = 0;
  const selfRinging = startLoop(() => {
    inside += 1;
    if (inside === 1) selfRinging.wake();
    return Promise.resolve(60_000);
  }, ignore);
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
      (error) => errors.push(error),
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
  }, ignore);
  await begun.promise;
  const stopped = loop.stop().then(() => order.push("stopped"));
  gate.resolve();
  await stopped;
  expect(order).toEqual(["step", "stopped"]);
});

test("a step that hangs for a minute is left alone and reported, and a stop doesn't wait for it", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const late = Promise.withResolvers<number>();
  const stuck: unknown[] = [];
  const errors: unknown[] = [];
  let steps = 0;
  const loop = startLoop(
    () => {
      steps += 1;
      return late.promise;
    },
    (error) => errors.push(error),
    { onStuck: (error) => stuck.push(error) },
  );
  await vi.advanceTimersByTimeAsync(59_000);
  expect(stuck).toEqual([]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([stuck.length, steps]).toEqual([1, 1]);
  await loop.stop();
  late.reject(new Error("at last"));
  await vi.advanceTimersByTimeAsync(1);
  expect(errors).toEqual([new Error("at last")]);
});
