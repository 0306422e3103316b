const fetches = new Map<string, Promise<void>>();

/**
 * Stands in for Vite's preload helper (see vite.config.ts): fetches a chunk and everything it imports, and imports it
 * only when all of that has arrived. Chromium 153 never asks again for a module whose import or preload failed once, so
 * what an outage kept away would be missing until the page is reloaded. A plain fetch can be repeated, and leaves the
 * file in the browser's cache, where the import finds it.
 *
 * @param files paths from the root of the site, without the leading slash
 * @throws what `fetch` throws, or an Error for a file that the server does not have
 */
export async function loadChunk<Chunk>(
  importChunk: () => Promise<Chunk>,
  files: readonly string[] = [],
): Promise<Chunk> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)));
  return importChunk();
}

function fetchOnce(url: string): Promise<void> {
  let fetching = fetches.get(url);
  if (!fetching) {
    fetching = fetchFile(url);
    fetches.set(url, fetching);
    fetching.catch(() => fetches.delete(url));
  }
  return fetching;
}

async function fetchFile(url: string): Promise<void> {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
  await reply.arrayBuffer();
}
