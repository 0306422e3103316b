import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#server/db/embedded/embedded.ts";

/** Says only what is wrong. */
export const quiet = { info: () => undefined, warn: console.warn, error: console.error };

type Postgres = { url: string; stop: () => Promise<void> };

/** A new PostgreSQL, whose data goes when it stops. `given`: the URL of one to use instead. */
export async function startPostgres(given?: string): Promise<Postgres> {
  if (given) return { url: given, stop: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), "porchlight-bench-"));
  const { url, stop } = await startEmbedded({ dataDir, log: quiet });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
