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

/** One timer for a whole page of times; none runs while no one watches. */
export const minuteTick = {
  /** The minute that it is, since 1970. */
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

/** Draws again with every minute that begins, so that "5 minutes ago" stays true. */
export function useMinuteTick(): void {
  useSyncExternalStore(minuteTick.subscribe, minuteTick.get);
}
