import { useSyncExternalStore } from "react";

let updated = false;
const watchers = new Set<() => void>();

const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');

/**
 * Looks whether the server has another version of this app than the one that runs here, whose code it may not have
 * anymore. A server that is away or answers anything else tells nothing.
 */
export async function lookForUpdate(): Promise<void> {
  if (updated || !entry) return;
  try {
    const reply = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!reply.ok || (await reply.text()).includes(new URL(entry.src).pathname)) return;
  } catch {
    return;
  }
  updated = true;
  for (const watch of watchers) watch();
}

/** Whether `lookForUpdate` has found another version. It stays so until the page is loaded again. */
export function useUpdated(): boolean {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    () => updated,
  );
}
