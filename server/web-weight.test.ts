import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { consoleChunk, readManifest, withImports, type Manifest } from "#server/http/page.ts";
import { ensureWebBuild } from "#server/web-build.ts";

/** The scripts that a page must fetch before it can be drawn: bytes after gzip, and how many requests. */

// What a page only prefetches for later, such as its dialogs, is a dynamic import and does not count.
let webRoot: string;
let manifest: Manifest;

beforeAll(async () => {
  webRoot = await ensureWebBuild();
  manifest = (await readManifest(webRoot)) ?? {};
}, 120_000);

async function weight(...entries: string[]): Promise<{ bytes: number; requests: number }> {
  let bytes = 0;
  const needed = withImports(manifest, entries);
  for (const name of needed) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build has no ${name}`);
    bytes += gzipSync(await readFile(join(webRoot, chunk.file))).length;
  }
  return { bytes, requests: needed.size };
}

const signedOut = ["pages/auth.tsx", "pages/set-password.tsx"];

/** They need zod and the schemas at once. On all other screens, forms are in dialogs (web/schemas-apart.ts). */
const withForms = ["profile", "settings", "expired-password", "welcome"].map((name) => `pages/${name}.tsx`);

test.each(signedOut)("%s stays under 102 KB and takes at most 10 requests", async (page) => {
  const { bytes, requests } = await weight("index.html", page);
  expect(bytes).toBeLessThan(102_000);
  expect(requests).toBeLessThanOrEqual(10);
});

test("every screen behind the sign-in stays under 250 KB, without a form under 232 KB, and takes at most 8 requests", async () => {
  const screens = Object.keys(manifest).filter(
    (name) => /^pages\/[\w-]+\.tsx$/.test(name) && !signedOut.includes(name),
  );
  expect(screens.length).toBeGreaterThan(4);
  const heavy = [];
  for (const screen of screens) {
    const { bytes, requests } = await weight("index.html", consoleChunk(manifest), screen);
    const limit = withForms.includes(screen) ? 250_000 : 232_000;
    if (bytes >= limit || requests > 8) heavy.push(`${screen}: ${bytes} bytes, ${requests} requests`);
  }
  expect(heavy).toEqual([]);
});
