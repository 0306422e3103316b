import { access, constants, mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { serverAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { openCluster, superuser } from "./cluster.ts";
import { EmbeddedError } from "./embedded-error.ts";
import {
  connectToServer,
  serverUrl,
  stopServer,
  type EmbeddedLog,
  type Server,
  type ServerSettings,
} from "./postmaster.ts";

export type Embedded = {
  /** Connection string of the application's database, for this process and its children while it runs. */
  url: string;
  /** Stops the server, unless another process still uses it. */
  stop: () => Promise<void>;
};

/** Advisory lock in the database `postgres`: shared by every process that uses the server. */
const presenceLock = 7_076_543_210;

/**
 * Runs the PostgreSQL that came with the packages, with its data in `<dataDir>/postgresql`, and keeps it running
 * until `stop`. Any number of processes may share one data folder on one machine. The first starts the server, the last
 * stops it. For how and why, see `docs/decisions/0001-embedded-postgresql.md`.
 *
 * @param settings PostgreSQL settings that override our defaults
 * @throws {EmbeddedError} it cannot run here; the message says how to fix it
 */
export async function startEmbedded(options: {
  dataDir: string;
  log: EmbeddedLog;
  settings?: ServerSettings;
}): Promise<Embedded> {
  const { log, settings = {} } = options;
  const dataDir = resolve(options.dataDir);
  await makeFolder(dataDir);
  const account = await serverAccount(dataDir);
  const binaries = await findBinaries(account, dataDir);
  const cluster = await openCluster(dataDir, binaries, account, { durable: settings["fsync"] !== "off" });
  const server: Server = { cluster, binaries, settings, log };

  const stopping = new AbortController();
  let presence = await join();
  let recovery = Promise.resolve();
  await createDatabase(presence);
  log.info(`PostgreSQL ${binaries.version} is running; its data is in ${cluster.path}`);
  watch();

  /** Connects and shares the lock. If the server is just stopping, a new one is started. */
  async function join(): Promise<Client> {
    for (;;) {
      const client = await connectToServer(server);
      try {
        await client.query("select pg_advisory_lock_shared($1)", [presenceLock]);
        return client;
      } catch {
        await client.end();
      }
    }
  }

  function watch(): void {
    presence.once("end", () => {
      if (!stopping.signal.aborted) recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    log.error("PostgreSQL stopped unexpectedly; restarting it");
    for (let pause = 500; !stopping.signal.aborted; pause = Math.min(pause * 2, 30_000)) {
      try {
        presence = await join();
        watch();
        log.info("PostgreSQL is running again");
        return;
      } catch (error) {
        log.error((error as Error).message);
        await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await recovery;
    try {
      if (await isLast(presence)) await stopServer(server);
      else log.info("PostgreSQL keeps running because another process is using it");
    } finally {
      await presence.end();
    }
  }

  let stopped: Promise<void> | undefined;
  return { url: serverUrl(cluster, superuser), stop: () => (stopped ??= stop()) };
}

/**
 * Releases the shared lock and waits briefly to get it exclusively, because a process that was just killed still holds it
 * for a moment. Of several processes that stop at the same time, exactly one succeeds. A process that starts meanwhile
 * waits for the lock, loses its connection with the server, and starts a new one.
 */
async function isLast(presence: Client): Promise<boolean> {
  try {
    await presence.query("select pg_advisory_unlock_shared($1)", [presenceLock]);
    await presence.query("set lock_timeout = '500ms'");
    await presence.query("select pg_advisory_lock($1)", [presenceLock]);
    return true;
  } catch {
    return false;
  }
}

/** Only the owner can access the folder, which also contains secrets. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedError(
      `The data folder ${path} cannot be used: ${(error as Error).message}. Name another in PORCHLIGHT_DATA.`,
    );
  }
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [superuser]);
  if (rowCount) return;
  // It copies files, which may take a slow machine longer than other statements may take.
  const create = { text: `create database ${superuser}`, query_timeout: 120_000 };
  await client.query(create).catch((error: NodeJS.ErrnoException) => {
    // Created by another process in the meantime.
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}
