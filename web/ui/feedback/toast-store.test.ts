import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  TOAST_DURATION,
  TOAST_REMOVE_DELAY,
  dismissToast,
  toast,
  toastStore,
} from "#web/ui/feedback/toast-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const one of toastStore.get()) dismissToast(one.id);
  vi.runAllTimers();
  vi.useRealTimers();
});

// spec 268
test("shows one at a time, and the newest replaces it", () => {
  toast({ title: "Logged out" });
  toast({ title: "Login failed", variant: "destructive" });
  expect(toastStore.get().map((one) => one.title)).toEqual(["Login failed"]);
});

// spec 269
test("a dismissed toast closes right away and is removed after 1,000,000 ms", () => {
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

test("removing an old toast doesn't affect the one that replaced it", () => {
  dismissToast(toast({ title: "first" }));
  toast({ title: "second" });
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY);
  expect(toastStore.get()).toMatchObject([{ title: "second", open: true }]);
});

test("notifies subscribers of each change, until they unsubscribe", () => {
  const watch = vi.fn<() => void>();
  const leave = toastStore.subscribe(watch);
  const id = toast({ title: "Copied!" });
  dismissToast(id);
  leave();
  toast({ title: "Copied again" });
  expect(watch).toHaveBeenCalledTimes(2);
});
