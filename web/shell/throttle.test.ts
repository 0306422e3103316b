import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "#web/shell/throttle.ts";

const options = { pause: 1500, patience: 10_000, hidden: () => false };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs right away on the first request, once per pause during many, and once after the last", async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { trigger } = throttle(work, options);
  trigger();
  expect(work).toHaveBeenCalledTimes(1);
  for (let tenths = 0; tenths < 100; tenths += 1) {
    trigger();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(work.mock.calls.length).toBeLessThanOrEqual(7);
  const during = work.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1500);
  expect(work).toHaveBeenCalledTimes(during + 1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(during + 1);
});

test("doesn't start slow work again before it has ended, unless it never ends", async () => {
  const work = vi.fn<() => Promise<void>>(() => new Promise(() => undefined));
  const { trigger } = throttle(work, options);
  trigger();
  trigger();
  await vi.advanceTimersByTimeAsync(9999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
});

test("does nothing while no one is looking, and catches up afterwards", async () => {
  let hidden = true;
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { trigger } = throttle(work, { ...options, hidden: () => hidden });
  trigger();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).not.toHaveBeenCalled();
  hidden = false;
  trigger();
  expect(work).toHaveBeenCalledTimes(1);
});

test("does nothing after it was stopped", async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { trigger, stop } = throttle(work, options);
  trigger();
  trigger();
  await vi.advanceTimersByTimeAsync(0);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(1);
});
