import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TOAST_DURATION, TOAST_REMOVE_DELAY, dismissToast, toast, toastStore } from "#web/ui/toast-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const one of toastStore.get()) dismissToast(one.id);
  vi.runAllTimers();
  vi.useRealTimers();
});

test("one at a time: the newest takes the place", () => {
  toast({ title: "Logged out" });
  toast({ title: "Login failed", variant: "destructive" });
  expect(toastStore.get().map((one) => one.title)).toEqual(["Login failed"]);
});

test("a dismissed one closes at once and is removed 1,000,000 ms later", () => {
  expect(TOAST_REMOVE_DELAY).toBe(1_000_000);
  expect(TOAST_DURATION).toBe(5000);
  const id = toast({ title: "Copied!" });
  dismissToast(id);
  expect(toastStore.get()).toMatchObject([{ id, open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(toastStore.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toastStore.get()).toEqual([]);
});

test("the removal of an old one does not touch the one that took its place", () => {
  dismissToast(toast({ title: "first" }));
  toast({ title: "second" });
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY);
  expect(toastStore.get()).toMatchObject([{ title: "second", open: true }]);
});

test("anyone who watches hears of each change, and of none after leaving", () => {
  const watch = vi.fn<() => void>();
  const leave = toastStore.subscribe(watch);
  const id = toast({ title: "Copied!" });
  dismissToast(id);
  leave();
  toast({ title: "Copied again" });
  expect(watch).toHaveBeenCalledTimes(2);
});
