import { basename, join, resolve } from "node:path";
import { parseConfig } from "#server/config.ts";
import { backUp } from "#server/db/embedded/backup.ts";
import { EmbeddedError } from "#server/db/embedded/embedded-error.ts";
import { restore } from "#server/db/embedded/restore.ts";
import { ConfigError } from "#server/environment.ts";

/**
 * `npm run backup [FOLDER]` and `npm run restore FILE`, for the embedded database in PORCHLIGHT_DATA.
 * See `docs/backup.md`.
 */

const say = (text: string) => process.stdout.write(`${text}\n`);
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: say };

const withoutKey =
  "It doesn't contain the key that decrypts the passwords and keys saved in Integrations: keep PORCHLIGHT_SECRET_KEY, too, " +
  "and set it again after a restore.";

// A second one ends it at once.
const stopped = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopped.abort());
const { signal } = stopped;

const [task, argument] = process.argv.slice(2);
try {
  const { dataDir, databaseUrl } = parseConfig(process.env);
  if (databaseUrl) {
    throw new EmbeddedError(
      "DATABASE_URL is set, and this is only for the embedded database. docs/backup.md says how to back up others.",
    );
  }
  if (task === "restore") await restoreInto(dataDir);
  else await backUpFrom(dataDir);
} catch (error) {
  if (!(error instanceof EmbeddedError) && !(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function backUpFrom(dataDir: string): Promise<void> {
  const folder = resolve(argument ?? join(import.meta.dirname, "../backups"));
  const { file, bytes, secretKey } = await backUp({ dataDir, folder, log, signal });
  say(`${file} (${(bytes / 1_000_000).toFixed(1)} MB)`);
  say(
    secretKey
      ? "It contains everything, including the key that decrypts the passwords and keys saved in Integrations. Keep it safe."
      : withoutKey,
  );
}

async function restoreInto(dataDir: string): Promise<void> {
  if (argument === undefined) throw new EmbeddedError("Name the backup: npm run restore FILE");
  const { secretKey } = await restore({ dataDir, file: resolve(argument), log, signal });
  say(`${basename(argument)} is restored to ${dataDir}.`);
  if (!secretKey) say(withoutKey);
  say(
    "Messages that were waiting when the backup was made go out when Porchlight starts, even if they have been sent since. " +
      "To check and cancel them first, start it with PORCHLIGHT_ROLES=web.",
  );
}
