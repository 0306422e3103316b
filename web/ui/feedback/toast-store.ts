import type { ReactNode } from "react";

export type ToastInput = {
  title: string;
  description?: ReactNode;
  /** `waiting`: neither done nor failed, and continues automatically. */
  variant?: "default" | "destructive" | "waiting";
  /** How long it stays, in milliseconds. */
  duration?: number;
  action?: { label: string; onClick: () => void };
};

export type Toast = ToastInput & { id: number; open: boolean };

/** Only the newest is shown. */
const LIMIT = 1;
export const TOAST_DURATION = 5000;
/** A dismissed toast stays mounted this long unless the next one replaces it. */
export const TOAST_REMOVE_DELAY = 1_000_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const watchers = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const watch of watchers) watch();
}

export const toastStore = {
  get: () => toasts,
  subscribe: (watch: () => void) => {
    watchers.add(watch);
    return () => void watchers.delete(watch);
  },
};

/** Shows a message, replacing the previous one. Can be called from anywhere. */
export function toast(input: ToastInput): number {
  lastId += 1;
  const shown = [{ ...input, id: lastId, open: true }, ...toasts].slice(0, LIMIT);
  for (const [id, timer] of removals) {
    if (shown.some((one) => one.id === id)) continue;
    clearTimeout(timer);
    removals.delete(id);
  }
  set(shown);
  return lastId;
}

export function dismissToast(id: number) {
  set(toasts.map((one) => (one.id === id ? { ...one, open: false } : one)));
  if (removals.has(id)) return;
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id);
      set(toasts.filter((one) => one.id !== id));
    }, TOAST_REMOVE_DELAY),
  );
}
