import { spawn } from "node:child_process";
import { constants, openSync } from "node:fs";
import { open, readFile, rename, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Binaries } from "./binaries.ts";
import { clusterArgument, superuser, type Cluster } from "./cluster.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { LockFile } from "./lock-file.ts";
import { accountOptions, programEnvironment, runProgram } from "./program.ts";

/** PostgreSQL's name of a setting → value, for the server's command line. */
export type ServerSettings = Record<string, string | number>;

export type EmbeddedLog = Record<"info" | "warn" | "error", (message: string) => void>;

export type Server = {
  cluster: Cluster;
  binaries: Binaries;
  /** Override our defaults. */
  settings: ServerSettings;
  log: EmbeddedLog;
};

/** For a machine with two cores that also runs the application. */
const defaultSettings: ServerSettings = {
  max_connections: 100,
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  max_wal_size: "2GB",
  // A statement that looks in all months locks each of their tables and indexes.
  max_locks_per_transaction: 256,
  random_page_cost: 1.1,
  timezone: "UTC",
  // The application that sent a failed statement reports it. Here, statements would only expose people's data.
  log_min_messages: "log",
  log_checkpoints: "off",
};

const socketPort = 5432;
const patience = 30_000;

/**
 * The URL for clients. Normally a Unix socket in the cluster's folder, which only the server's account and root can
 * enter. The server calls it ".", so the path can have any length. For a client, it is limited to 107 bytes. Beyond that,
 * the client uses the name of a folder that this process keeps open.
 *
 * @throws {EmbeddedError} the path is too long for a socket on a system without such names
 */
export function serverUrl(cluster: Cluster, database: string): string {
  const host = cluster.port ? "127.0.0.1" : encodeURIComponent(socketFolder(cluster.path));
  return `postgres://${superuser}:${cluster.password}@${host}:${cluster.port ?? socketPort}/${database}`;
}

const heldFolders = new Map<string, number>();

function socketFolder(path: string): string {
  const limit = process.platform === "darwin" ? 103 : 107;
  if (Buffer.byteLength(join(path, `.s.PGSQL.${socketPort}`)) <= limit) return path;
  if (process.platform !== "linux") {
    throw new EmbeddedError(
      `The path ${path} is too long for a socket. Name a shorter folder in PORCHLIGHT_DATA.`,
    );
  }
  const descriptor = heldFolders.get(path) ?? openSync(path, "r");
  heldFolders.set(path, descriptor);
  return `/proc/${process.pid}/fd/${descriptor}`;
}

/**
 * Connects to the cluster's server, starting it if it is not running. Several processes may do this at the same time:
 * PostgreSQL's own lock lets only one of their servers run, and all connect to it. A server that outlived the process
 * that started it is used as it is. While a server recovers from a crash, this waits as long as it takes.
 *
 * @returns a connection to the database `postgres`; its end means that the server is gone
 * @throws {EmbeddedError} the server does not start
 */
export async function connectToServer(server: Server): Promise<Client> {
  const { cluster, log } = server;
  const giveUp = Date.now() + patience;
  const lock = new LockFile(cluster);
  for (let tries = 1; ; tries += 1) {
    const answer = await tryToConnect(cluster);
    if (answer instanceof Client) return answer;
    if (answer.listens) {
      if (tries % 50 === 0) log.info(`Waiting for PostgreSQL: ${answer.says}`);
    } else {
      const failure = await launch(server, await lock.staleHolder());
      if (failure && (!mayPass.test(failure) || Date.now() > giveUp)) {
        throw new EmbeddedError(`The embedded PostgreSQL did not start. It said: ${failure}`);
      }
    }
    await sleep(100);
  }
}

/**
 * Another process's server is starting or stopping, or the last processes of a killed one are still ending. PostgreSQL
 * refuses to touch the data until they are gone, and so do we.
 */
const mayPass = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/;

/** @returns a connection, or whether a server is listening and why it accepts none (starting, recovering, stopping) */
async function tryToConnect(cluster: Cluster): Promise<Client | { listens: boolean; says: string }> {
  const client = new Client({
    connectionString: serverUrl(cluster, "postgres"),
    application_name: "porchlight presence",
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  // The next event is "end". Without this listener, the process would crash before that.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith("28")) {
      throw new EmbeddedError(`The embedded PostgreSQL rejects the password stored beside it: ${message}`);
    }
    return { listens: code !== "ECONNREFUSED" && code !== "ENOENT", says: message };
  }
}

/**
 * Starts a server and waits until it listens.
 *
 * @param stalePid the process in a leftover lock file, see `LockFile`
 * @returns what the server said, if it ended instead
 */
async function launch(server: Server, stalePid: number | undefined): Promise<string | undefined> {
  const { cluster, binaries, settings } = server;
  await using log = await openLog(cluster);
  const { size: alreadyLogged } = await log.stat();
  const transport = cluster.port
    ? { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: cluster.port }
    : { listen_addresses: "", unix_socket_directories: ".", port: socketPort };
  const options = Object.entries({ ...defaultSettings, ...settings, ...transport });
  const postmaster = spawn(
    binaries.postgres,
    [
      "-D",
      clusterArgument(cluster.path, cluster.account),
      ...options.flatMap(([k, v]) => ["-c", `${k}=${v}`]),
    ],
    {
      cwd: cluster.path,
      // PostgreSQL ignores a lock file that names this variable's process, and still checks in shared memory that no
      // other server has the data open.
      env: programEnvironment(stalePid ? { PG_GRANDPARENT_PID: String(stalePid) } : {}),
      // A file, not a pipe: the server may outlive us.
      stdio: ["ignore", log.fd, log.fd],
      // Ctrl+C in a terminal goes to the whole process group, but the server must end after us, not with us.
      detached: true,
      windowsHide: true,
      ...accountOptions(cluster.account),
    },
  );
  postmaster.unref();
  let failure: string | undefined;
  postmaster.once("error", (error) => (failure = error.message));
  const ended = () => failure !== undefined || postmaster.exitCode !== null || postmaster.signalCode !== null;

  const giveUp = Date.now() + patience;
  while (!ended()) {
    const answer = await tryToConnect(cluster);
    if (answer instanceof Client) await answer.end();
    if (answer instanceof Client || answer.listens) return undefined;
    if (Date.now() > giveUp) {
      postmaster.kill("SIGINT");
      return `nothing within ${patience / 1000} seconds; its log is ${cluster.logFile}`;
    }
    await sleep(50);
  }
  if (failure !== undefined) return failure;
  const said = (await readFile(cluster.logFile)).subarray(alreadyLogged).toString().trim();
  return said || `nothing; it ended with ${postmaster.signalCode ?? postmaster.exitCode}`;
}

/** The server's account can write to this folder, so we must not follow a symbolic link in it to another file. */
async function openLog(cluster: Cluster): Promise<FileHandle> {
  const { size } = await stat(cluster.logFile).catch(() => ({ size: 0 }));
  if (size > 10_000_000) await rename(cluster.logFile, `${cluster.logFile}.1`);
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  const log = await open(cluster.logFile, O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0), 0o600);
  if (cluster.account) await log.chown(cluster.account.uid, cluster.account.gid);
  return log;
}

/**
 * Stops the server. Its connections are closed, and committed data is on disk.
 *
 * @throws {EmbeddedError} it did not end within a minute
 */
export async function stopServer({ cluster, binaries }: Server): Promise<void> {
  const { status, output } = await runProgram(
    binaries.pgCtl,
    ["stop", "-D", clusterArgument(cluster.path, cluster.account), "-m", "fast", "-w", "-t", "60"],
    { cwd: cluster.path, account: cluster.account },
  );
  // It may have ended on its own just before.
  if (status === 0 || /No such process|does not exist|no server running/.test(output)) return;
  throw new EmbeddedError(`The embedded PostgreSQL did not stop. pg_ctl said: ${output}`);
}
