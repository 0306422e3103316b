import { startEmbedded } from "#server/db/embedded/embedded.ts";
import type { ServerSettings } from "#server/db/embedded/postmaster.ts";

/**
 * A process of its own that uses the embedded PostgreSQL in the folder named by its first argument, with the
 * settings of its second, as JSON. It says the
 * server's URL on standard output, and stops when its standard input ends: on request, or with the test that
 * started it.
 */
const log = (message: string) => process.stderr.write(`${message}\n`);
const [, , dataDir = "", settings = "{}"] = process.argv;
const embedded = await startEmbedded({
  dataDir,
  settings: JSON.parse(settings) as ServerSettings,
  log: { info: log, warn: log, error: log },
});
process.stdout.write(`${embedded.url}\n`);
process.stdin.resume().on("end", () => void embedded.stop());
