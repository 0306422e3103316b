import { useSyncExternalStore } from "react";

const MINUTE = 60_000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function wait(): void {
  timer = setTimeout(
    () => {
      wait();
      for (const watch of watchers) watch();
    },
    MINUTE - (Date.now() % MINUTE),
  );
}

/** One timer for all times on a page. It stops when nothing uses it. */
export const minuteTick = {
  /** The current minute, counted from 1970. */
  get: () => Math.floor(Date.now() / MINUTE),
  subscribe: (watch: () => void): (() => void) => {
    if (watchers.size === 0) wait();
    watchers.add(watch);
    return () => {
      watchers.delete(watch);
      if (watchers.size === 0) clearTimeout(timer);
    };
  },
};

/** The current minute as an instant in ISO 8601. Renders again every minute. */
export function useThisMinute(): string {
  return new Date(useSyncExternalStore(minuteTick.subscribe, minuteTick.get) * MINUTE).toISOString();
}

/** Renders again every minute, so that "5 minutes ago" stays true. */
export function useMinuteTick(): void {
  useSyncExternalStore(minuteTick.subscribe, minuteTick.get);
}
