import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query matches, kept up to date. For what CSS cannot decide. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (watch: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", watch);
      return () => list.removeEventListener("change", watch);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
