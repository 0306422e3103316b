import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { constants, copyFile, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Client } from "pg";
import { opensSecrets, ownEntries } from "./backup.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { startEmbedded } from "./embedded.ts";
import type { EmbeddedLog } from "./postmaster.ts";

/**
 * Makes a data folder from a backup, and starts its PostgreSQL once to see that it works.
 *
 * @param dataDir absolute path of a folder that is empty or not there @param signal ends it while it unpacks
 * @returns whether the key that opens the saved passwords and keys was in it
 * @throws {EmbeddedError} the folder is in use, the file is no whole backup, or, and then the folder stays, it does not run here
 */
export async function restore(options: {
  dataDir: string;
  file: string;
  log: EmbeddedLog;
  signal?: AbortSignal;
}): Promise<{ secretKey: boolean }> {
  const { dataDir, file, log, signal } = options;
  const folder = join(dataDir, "postgresql");
  const cluster = join(folder, "cluster");
  await claim(dataDir, cluster);
  const placed = [folder];
  try {
    await unpack(file, cluster, signal);
    const own = join(cluster, ownEntries.folder);
    if (await placeKey(join(own, ownEntries.key), dataDir)) placed.push(join(dataDir, ownEntries.key));
    await rename(join(own, ownEntries.port), join(folder, ownEntries.port)).catch(ignoreMissing);
    for (const name of await readdir(cluster)) {
      // The lock of the socket of the server that was backed up. The new one would take it for that server.
      if (name.startsWith(".s.PGSQL.")) await rm(join(cluster, name));
    }
    // Last, because from here on Porchlight starts on it.
    await rename(join(own, ownEntries.password), join(folder, ownEntries.password));
  } catch (error) {
    for (const path of placed) await rm(path, { recursive: true, force: true });
    throw new EmbeddedError(
      signal?.aborted
        ? "The restore was stopped, and nothing was changed."
        : `${file} can't be restored, and nothing was changed: ${(error as Error).message}`,
    );
  }
  // The data is restored now, whatever else goes wrong. Another process may be using it already.
  await rm(join(cluster, ownEntries.folder), { recursive: true });
  const embedded = await startEmbedded({ dataDir, log }).catch((error: Error) => {
    throw new EmbeddedError(
      `${file} is restored to ${dataDir}, but its database doesn't start. Once this is fixed, delete the folder and restore again: ${error.message}`,
    );
  });
  await skipUsedIds(embedded.url).catch((error: Error) => log.error(error.message));
  const keyFile = await readFile(join(dataDir, ownEntries.key)).catch(() => undefined);
  const secretKey = await opensSecrets(embedded.url, keyFile).catch(() => false);
  await embedded.stop().catch((error: Error) => log.error(error.message));
  return { secretKey };
}

/**
 * Creates the cluster's folder. From then on, a Porchlight that starts finds no password there and gives up, and one that
 * is creating a cluster can't rename it to a folder that isn't empty.
 */
async function claim(dataDir: string, cluster: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    if ((await readdir(dataDir)).length === 0) {
      for (const path of [dirname(cluster), cluster]) await mkdir(path, { mode: 0o700 });
      return;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  throw new EmbeddedError(
    `The data folder ${dataDir} is not empty. Nothing was changed. Stop Porchlight and move the folder away, ` +
      "or name another in PORCHLIGHT_DATA.",
  );
}

/** Whether there was one. Replaces none that was created meanwhile, because nothing else opens what it has encrypted. */
async function placeKey(from: string, dataDir: string): Promise<boolean> {
  try {
    await copyFile(from, join(dataDir, ownEntries.key), constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code !== "EEXIST") throw error;
    const now = `${dataDir} has a ${ownEntries.key} now`;
    throw new Error(`${now}. Stop Porchlight, move the file away and restore again.`, { cause: error });
  }
}

/**
 * Links in mail that went out after the backup are signed for ids that the restored database would give to other
 * deliveries. So many ids are left out that no day sends more.
 */
async function skipUsedIds(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `SELECT setval('delivery_ids', (last_value + 49999999) % 999999999 + 1) FROM delivery_ids`,
    );
  } finally {
    await client.end();
  }
}

/** The system's tar: Windows, macOS and every Linux have one. */
async function unpack(file: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const tar = spawn("tar", ["-x", "-f", "-", "-C", folder, "--no-same-owner"], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  tar.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(tar, "close") as Promise<[number | null]>;
  // tar ends at the archive's end mark, but the file's checksum follows it. Its exit status says whether it failed.
  tar.stdin.on("error", () => undefined);
  const input = new Writable({
    write: (part, _encoding, done) => void tar.stdin.write(part, () => done()),
    final(done) {
      // Not as its callback: Node never calls that of a stream that it closed when tar ended.
      tar.stdin.end();
      done();
    },
    destroy(error, done) {
      tar.stdin.destroy();
      done(error);
    },
  });
  const [fed, [status]] = await Promise.all([
    pipeline(createReadStream(file), createGunzip(), input, { signal }).catch((error: Error) => error),
    ended,
  ]);
  if (fed) throw fed;
  if (status !== 0) throw new Error(said.trim() || `tar ended with status ${status}`);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
