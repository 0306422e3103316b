import { fileURLToPath } from "node:url";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { findChromium } from "./chromium.ts";
import { removeLeftovers } from "./databases.ts";
import { provideRun } from "./run.ts";

const dataDir = fileURLToPath(new URL("../node_modules/.cache/porchlight-e2e", import.meta.url));

/**
 * Prepares once per run: the browser, the web build, and a PostgreSQL server in which each server under test gets its
 * own database: TEST_DATABASE_URL (a user who may create databases), or an embedded one that is kept between runs. The
 * embedded one runs without fsync, because its data is worthless afterwards.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const say = (message: string) => void process.stderr.write(`${message}\n`);
  const given = process.env["TEST_DATABASE_URL"];
  const [chromium, postgres] = await Promise.all([
    findChromium(),
    given
      ? { url: given, stop: async () => undefined }
      : startEmbedded({
          dataDir,
          log: { info: () => undefined, warn: say, error: say },
          settings: {
            fsync: "off",
            synchronous_commit: "off",
            full_page_writes: "off",
            max_connections: 300,
            autovacuum: "off",
          },
        }),
    ensureWebBuild({ log: say }),
  ]);
  await removeLeftovers(postgres.url);
  provideRun({ chromium, postgresUrl: postgres.url });
  return () => postgres.stop();
}
