import { parseConfig } from "#server/config.ts";
import { connect, type Db } from "#server/db/database.ts";
import { EmbeddedError } from "#server/db/embedded/embedded-error.ts";
import { findCluster } from "#server/db/embedded/backup.ts";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { checkExternalDatabase, DatabaseError } from "#server/db/external.ts";
import { discardMonth } from "#server/delivery/archive/discard-month.ts";
import { parseManifest, problemsOf } from "#server/delivery/archive/month-files.ts";
import {
  ArchiveError,
  listArchived,
  restoreMonth,
  type ArchivedMonth,
} from "#server/delivery/archive/restore-month.ts";
import { ConfigError } from "#server/environment.ts";
import { join } from "node:path";
import { numberText } from "#contract/text/locale.ts";

/**
 * `npm run archive` shows the archived months and checks their files; `npm run archive -- restore MONTH` brings one
 * back, and `discard MONTH` deletes its files. Also while Porchlight runs. See `docs/archive.md`.
 */

const say = (text: string) => process.stdout.write(`${text}\n`);
const quiet = () => undefined;

const [task, month, flag] = process.argv.slice(2);
try {
  const { dataDir, databaseUrl, archiveDir } = parseConfig(process.env);
  if (archiveDir === undefined)
    throw new ArchiveError("Set PORCHLIGHT_ARCHIVE to the folder of archived months.");
  const log = { info: quiet, warn: quiet, error: say };
  if (databaseUrl) await checkExternalDatabase(databaseUrl, { log, patience: 0 });
  else await findCluster(dataDir);
  const server = databaseUrl
    ? { url: databaseUrl, stop: () => Promise.resolve() }
    : await startEmbedded({ dataDir, log });
  // A month takes as long as it takes.
  const db = connect(server.url, { purpose: "archive", max: 1, answerWithin: 0 });
  try {
    if (task === undefined) await check(db, archiveDir);
    else if (task === "restore" && month !== undefined) await bringBack(db, archiveDir, month);
    else if (task === "discard" && month !== undefined) await discard(db, archiveDir, month);
    else {
      throw new ArchiveError(
        "Either npm run archive, or npm run archive -- restore 2025-03, or npm run archive -- discard 2025-03",
      );
    }
  } finally {
    await db.destroy();
    await server.stop();
  }
} catch (error) {
  const kinds = [ArchiveError, DatabaseError, EmbeddedError, ConfigError];
  if (!(error instanceof Error) || !kinds.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function check(db: Db, folder: string): Promise<void> {
  const months = await listArchived(db);
  if (months.length === 0) say("No month has been archived.");
  for (const one of months) {
    const problems =
      one.archivedAt && !one.restoredAt && one.manifest !== null
        ? await problemsOf(join(folder, one.name), one.manifest)
        : [];
    say(`${one.name}  ${stateOf(one, problems)}`);
    for (const problem of problems) say(`         ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

function stateOf(month: ArchivedMonth, problems: readonly string[]): string {
  const { archivedAt, restoredAt, manifest, sha256, lateReceipts } = month;
  if (!archivedAt) return `being archived since ${dayOf(month.beganAt)}`;
  if (restoredAt) return `brought back on ${dayOf(restoredAt)}; archived again after 30 days`;
  if (manifest === null) return `archived on ${dayOf(archivedAt)}, and discarded since`;
  const rows = parseManifest(manifest).files.find(({ table }) => table === "deliveries")?.rows ?? 0;
  return [
    `archived on ${dayOf(archivedAt)}`,
    `${numberText(rows)} deliveries`,
    ...(lateReceipts > 0 ? [`${numberText(lateReceipts)} receipts came later`] : []),
    `manifest ${sha256}`,
    problems.length === 0 ? "unaltered" : "MISSING OR ALTERED",
  ].join(", ");
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

async function bringBack(db: Db, folder: string, name: string): Promise<void> {
  const rows = await restoreMonth(db, { folder, name });
  say(
    `${name} is back in the database: ${numberText(rows)} rows. If the setting still asks for it, it is ` +
      "archived again after 30 days.",
  );
}

async function discard(db: Db, folder: string, name: string): Promise<void> {
  await discardMonth(db, { folder, name, confirmed: flag === "--yes" });
  say(`${name} is discarded: its files are deleted. Delete the copies of its folder, too.`);
}
