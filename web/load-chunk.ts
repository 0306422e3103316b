const fetches = new Map<string, Promise<void>>();

/**
 * Stands in for Vite's preload helper (see vite.config.ts): fetches a chunk and everything it imports, and imports it
 * only when all of that has arrived. Chromium 153 never asks again for a module whose import or preload failed once, so
 * what an outage kept away would be missing until the page is reloaded. A plain fetch can be repeated, and leaves the
 * file in the browser's cache, where the import finds it.
 *
 * @param files paths from the root of the site, without the leading slash
 * @throws what `fetch` throws, or an Error for a file that the server does not have, or a page in its place
 */
export async function loadChunk<Chunk>(
  importChunk: () => Promise<Chunk>,
  files: readonly string[] = [],
): Promise<Chunk> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)));
  return importChunk();
}

/**
 * Fetches the code of all other screens and dialogs, as the page lists it (http/page.ts), so that it works during an outage.
 * It is only run when it is first needed: running all of it takes a second of a phone's time. One file after the other, each
 * when the browser has nothing else to do.
 *
 * @throws as `loadChunk`; the next call goes on from there
 */
export async function fetchRemainingCode(): Promise<void> {
  const list = document.querySelector("#remaining-code")?.textContent ?? "[]";
  for (const url of JSON.parse(list) as string[]) {
    await idle();
    await fetchOnce(url, { priority: "low" });
  }
}

function fetchOnce(url: string, options: RequestInit = {}): Promise<void> {
  let fetching = fetches.get(url);
  if (!fetching) {
    fetching = fetchFile(url, options);
    fetches.set(url, fetching);
    fetching.catch(() => fetches.delete(url));
  }
  return fetching;
}

async function fetchFile(url: string, options: RequestInit): Promise<void> {
  const reply = await fetch(url, options);
  // A network that wants people to sign in answers everything with its page.
  const isPage = reply.headers.get("Content-Type")?.startsWith("text/html");
  if (!reply.ok || isPage) throw new Error(`${url}: ${isPage ? "a page" : reply.status}`);
  await reply.arrayBuffer();
}

/** A hidden tab is never idle, so it waits no longer than this. */
const IDLE_MS = 500;

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
    else setTimeout(resolve, 50);
  });
}
