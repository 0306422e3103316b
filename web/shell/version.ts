import { useSyncExternalStore } from "react";

let updated = false;
const watchers = new Set<() => void>();

const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');

/**
 * Checks whether the server has another version of the app than this page, whose code may be gone from the server. An
 * unreachable server or any other reply says nothing.
 */
export async function lookForUpdate(): Promise<void> {
  if (updated || !entry) return;
  try {
    const reply = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" });
    const page = await reply.text();
    // Without our root it is someone else's page, such as a network's that wants people to sign in.
    if (!reply.ok || !page.includes('<div id="root">') || page.includes(new URL(entry.src).pathname)) return;
  } catch {
    return;
  }
  updated = true;
  for (const watch of watchers) watch();
}

/** Whether `lookForUpdate` has found another version. Stays true until the page is reloaded. */
export function useUpdated(): boolean {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    () => updated,
  );
}
