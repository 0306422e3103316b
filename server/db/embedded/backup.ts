import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Client, type ClientConfig, Query } from "pg";
import { keyId, keyIdOf } from "../secret-box.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { startEmbedded } from "./embedded.ts";
import type { EmbeddedLog } from "./postmaster.ts";

type Backup = {
  /** Absolute path of the .tar.gz. */
  file: string;
  bytes: number;
  /** Whether it holds the key that opens the saved passwords and keys. */
  secretKey: boolean;
};

/** A running backup never pauses for this long. */
const ABANDONED_MS = 3_600_000;

/** Where our own files are in the archive. Everything else in it is the cluster. */
export const ownEntries = { folder: "porchlight", password: "password", port: "port", key: "secret.key" };

/**
 * Copies the whole data folder into one file in `folder`, while it is in use or not: PostgreSQL's base backup, with the
 * write-ahead log that makes it consistent, and our own files in front. See `docs/decisions/0056-backups.md`.
 *
 * @param dataDir absolute path @param signal ends it, and it leaves nothing behind
 * @throws {EmbeddedError} there is no database, it does not run here, or the backup can't be written
 */
export async function backUp(options: {
  dataDir: string;
  folder: string;
  log: EmbeddedLog;
  now?: Date;
  signal?: AbortSignal;
}): Promise<Backup> {
  const { dataDir, folder, log, now = new Date(), signal } = options;
  await findCluster(dataDir);
  const time = now.toISOString().slice(0, 19).replaceAll(":", "-");
  // Another process, or another machine, may back up into this folder in the same second.
  const file = join(folder, `porchlight-${time}Z-${randomBytes(4).toString("hex")}.tar.gz`);
  const draft = `${file}${DRAFT}`;
  const embedded = await startEmbedded({ dataDir, log });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeAbandoned(folder);
    const own = await ownFiles(dataDir);
    const archive = Readable.from(tarOf(own, embedded.url));
    // Only for its owner: it holds everyone's data and the keys.
    const output = await open(draft, "wx", 0o600);
    await pipeline(archive, createGzip({ level: 1 }), output.createWriteStream({ flush: true }), { signal });
    await rename(draft, file);
    const { size } = await stat(file);
    const secretKey = await opensSecrets(embedded.url, own.get(ownEntries.key)).catch(() => false);
    return { file, bytes: size, secretKey };
  } catch (error) {
    await rm(draft, { force: true });
    throw new EmbeddedError(
      signal?.aborted
        ? "The backup was stopped. No file was left behind."
        : `The backup failed. No file was left behind. ${(error as Error).message}`,
    );
  } finally {
    await embedded.stop();
  }
}

const DRAFT = ".partial";

/** What backups that were killed have left there. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith("porchlight-") || !name.endsWith(DRAFT)) continue;
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

/** Whether the keys in this file open everything that is encrypted in the database. Another may be in the environment. */
export async function opensSecrets(url: string, keyFile: Buffer | undefined): Promise<boolean> {
  if (!keyFile) return false;
  const keys = keyFile.toString().trim().split(/\s+/);
  const known = new Set(keys.map((key) => keyId(Buffer.from(key, "base64"))));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const query of sealed) {
      const rows = await rowsIfAny(client, query);
      if (!rows.every((row) => known.has(keyIdOf(row.sealed)))) return false;
    }
    return true;
  } finally {
    await client.end();
  }
}

const sealed = [
  "SELECT value AS sealed FROM accounts, jsonb_each_text(secrets)",
  "SELECT secret AS sealed FROM totp_secrets",
];
/** PostgreSQL's codes for a table and a column that aren't there. */
const notThere = ["42P01", "42703"];

/** None if this build has not started with the database yet, and its schema is from before there were any. */
async function rowsIfAny(client: Client, query: string): Promise<{ sealed: string }[]> {
  try {
    return (await client.query<{ sealed: string }>(query)).rows;
  } catch (error) {
    if (notThere.includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

async function ownFiles(dataDir: string): Promise<Map<string, Buffer>> {
  const paths = [
    [ownEntries.password, join(dataDir, "postgresql", "password")],
    [ownEntries.port, join(dataDir, "postgresql", "port")],
    [ownEntries.key, join(dataDir, "secret.key")],
  ] as const;
  const files = new Map<string, Buffer>();
  for (const [name, path] of paths) {
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (content) files.set(name, content);
  }
  return files;
}

async function* tarOf(own: ReadonlyMap<string, Buffer>, url: string): AsyncGenerator<Buffer> {
  yield tarHeader(`${ownEntries.folder}/`, 0, "5");
  for (const [name, content] of own) {
    yield tarHeader(`${ownEntries.folder}/${name}`, content.length, "0");
    yield Buffer.concat([content, Buffer.alloc(-content.length & (BLOCK - 1))]);
  }
  const client = new Client({ connectionString: url, replication: "true" } as ClientConfig);
  await client.connect();
  try {
    // Without it, a busy server could throw away the log that belongs to the backup before it is sent.
    await client.query(
      `CREATE_REPLICATION_SLOT porchlight_${randomBytes(8).toString("hex")} TEMPORARY PHYSICAL RESERVE_WAL`,
    );
    yield* baseBackup(client);
  } finally {
    await client.end();
  }
}

const BLOCK = 512;

/** A header as POSIX's ustar has it. */
function tarHeader(name: string, size: number, type: "0" | "5"): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(type === "5" ? 0o700 : 0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  // The checksum counts itself as spaces.
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  return header;
}

const DATA = "d".charCodeAt(0);

/** The archive that PostgreSQL's own pg_basebackup asks for; the packages don't include that program. */
function baseBackup(client: Client): Readable {
  let socket: { pause(): void; resume(): void } | undefined;
  const archive = new Readable({ read: () => socket?.resume() });
  const query = Object.assign(
    new Query("BASE_BACKUP (TARGET 'client', WAL true, CHECKPOINT 'fast', MANIFEST 'no')"),
    {
      handleCopyData({ chunk }: { chunk: Buffer }, { stream }: { stream: typeof socket }) {
        socket = stream;
        // A copy, because the driver reuses its buffer.
        if (chunk[0] === DATA && !archive.push(Buffer.from(chunk.subarray(1)))) socket?.pause();
      },
    },
  );
  query.on("end", () => archive.push(null));
  query.on("error", (error) => archive.destroy(error));
  client.on("error", (error) => archive.destroy(error));
  client.query(query);
  return archive;
}

/** Throws if the data folder has none, instead of making one. */
export async function findCluster(dataDir: string): Promise<void> {
  if (!(await stat(join(dataDir, "postgresql")).catch(() => undefined))) {
    throw new EmbeddedError(`There is no database in ${dataDir}. Name the data folder in PORCHLIGHT_DATA.`);
  }
}
