import { startEmbedded } from "#server/db/embedded/embedded.ts";

/**
 * A process of its own that uses the embedded PostgreSQL in the folder named by its first argument. It says the
 * server's URL on standard output, and stops when its standard input ends: on request, or with the test that
 * started it.
 */
const log = (message: string) => process.stderr.write(`${message}\n`);
const embedded = await startEmbedded({
  dataDir: process.argv[2] ?? "",
  log: { info: log, warn: log, error: log },
});
process.stdout.write(`${embedded.url}\n`);
process.stdin.resume().on("end", () => void embedded.stop());
