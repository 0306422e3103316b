import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { minuteTick } from "#web/ui/time/use-minute-tick.ts";

beforeEach(() => vi.useFakeTimers({ now: Date.parse("2025-11-24T20:00:40Z") }));
afterEach(() => vi.useRealTimers());

test("one timer notifies all subscribers every minute, and stops with the last of them", () => {
  const told: string[] = [];
  const leave = ["one", "other"].map((name) => minuteTick.subscribe(() => told.push(name)));
  expect(vi.getTimerCount()).toBe(1);
  const before = minuteTick.get();
  vi.advanceTimersByTime(19_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["one", "other"]);
  expect(minuteTick.get()).toBe(before + 1);
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(4);
  leave[0]?.();
  vi.advanceTimersByTime(60_000);
  expect(told.slice(4)).toEqual(["other"]);
  leave[1]?.();
  expect(vi.getTimerCount()).toBe(0);
});
