import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { namedAccount, type Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { runProgram } from "./program.ts";

export const superuser = "porchlight";

/** A PostgreSQL data folder ("cluster") and what is needed to run it and connect to it. */
export type Cluster = {
  /** Absolute path of the cluster. */
  path: string;
  /** Absolute path of the server's log. */
  logFile: string;
  /** The account that the server runs as. */
  account: Account;
  password: string;
  /** TCP port on the loopback address, if Unix sockets cannot be used. */
  port?: number;
};

const draftPrefix = ".postgresql-draft-";
/** Far longer than initdb takes. A draft untouched for this many milliseconds has been abandoned. */
const draftLifetime = 10 * 60_000;
const portFile = "port";

/**
 * Opens the cluster in `dataDir`, creating it on first use. It is in `postgresql/`, next to its password and log. That
 * folder is created under another name and renamed when complete. A restore puts the password into it last. So without a
 * password it is not complete.
 *
 * @param durable whether a new cluster has to be on disk before it is used
 * @throws {EmbeddedError} files of another user or another PostgreSQL version; initdb failed
 */
export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  account: Account,
  { durable }: { durable: boolean },
): Promise<Cluster> {
  const folder = join(dataDir, "postgresql");
  if (!(await exists(folder)))
    await createCluster(dataDir, folder, (draft) => initialise(draft, binaries, account, durable));
  await removeDrafts(dataDir);

  const path = join(folder, "cluster");
  const version = await read(join(path, "PG_VERSION"));
  const password = await read(join(folder, "password"));
  const port = await readFile(join(folder, portFile), "utf8").catch(() => undefined);
  const major = binaries.version.split(".")[0];
  if (version !== major) {
    throw new EmbeddedError(
      `The data in ${path} was written by PostgreSQL ${version}; this version of Porchlight uses PostgreSQL ${major}. ` +
        "Nothing was changed. Move the data over with pg_dumpall, or set DATABASE_URL.",
    );
  }
  await repairAccess(folder, path, account);
  return {
    path,
    logFile: join(folder, "server.log"),
    account,
    password,
    port: port ? Number(port) : undefined,
  };
}

/** A restored backup often belongs to root or is readable by others. PostgreSQL accepts neither. */
async function repairAccess(folder: string, path: string, account: Account): Promise<void> {
  const { uid, mode } = await lstat(path);
  if (account && uid !== account.uid) await giveTo(folder, account);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) await chmod(path, 0o700);
}

async function read(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedError(unreadable(file, error));
  });
  return text.trim();
}

function unreadable(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === "EACCES" || error.code === "EPERM") {
    return (
      `${file} belongs to another user, so this user can't run the embedded PostgreSQL. ` +
      "Start Porchlight as the user who first started it, or change the owner of the data folder and everything in it."
    );
  }
  return `${file} cannot be read (${error.message}). Restore the data folder from a backup, or name an empty one in PORCHLIGHT_DATA.`;
}

async function createCluster(
  dataDir: string,
  folder: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = await mkdtemp(join(dataDir, draftPrefix));
  try {
    await fill(draft);
    await rename(draft, folder);
    await sync(dataDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process that started at the same time was faster. Its cluster is just as good.
    if (!(await exists(folder))) throw error;
  }
}

async function initialise(
  draft: string,
  binaries: Binaries,
  account: Account,
  durable: boolean,
): Promise<void> {
  const path = join(draft, "cluster");
  await mkdir(path, { mode: 0o700 });
  await writeDurably(join(draft, "password"), randomBytes(24).toString("base64url"));
  if (process.platform === "win32") await writeDurably(join(draft, portFile), String(await freePort()));

  const initdbAccount = account && (await namedAccount());
  if (account && !initdbAccount) {
    throw new EmbeddedError(
      "PostgreSQL does not run as root, and /etc/passwd lists no other account. Add one, or set DATABASE_URL.",
    );
  }
  await giveTo(draft, initdbAccount);
  const { status, output } = await runProgram(
    binaries.initdb,
    [
      `--pgdata=${clusterArgument(path, account)}`,
      `--username=${superuser}`,
      "--pwfile=../password",
      "--auth-local=scram-sha-256",
      "--auth-host=scram-sha-256",
      "--encoding=UTF8",
      // Built into PostgreSQL, so that an update of the system's C library cannot change the order of an index.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      ...(durable ? [] : ["--no-sync"]),
    ],
    { cwd: path, account: initdbAccount },
  );
  if (status !== 0) {
    throw new EmbeddedError(
      `The embedded PostgreSQL could not create its data folder. initdb said: ${output}\n` +
        "Fix that, or set DATABASE_URL to use a PostgreSQL server of your own.",
    );
  }
  await giveTo(draft, account);
}

/**
 * The path of the cluster for a PostgreSQL program that is started in its folder. Started by root, the program runs as an
 * account that may not be able to access the parent folders (/root/…), but it can access its working directory, which
 * has a name on Linux.
 */
export function clusterArgument(path: string, account: Account): string {
  return account && process.platform === "linux" ? "/proc/self/cwd" : path;
}

async function giveTo(folder: string, account: Account): Promise<void> {
  if (!account) return;
  try {
    await chown(folder, account.uid, account.gid);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
    }
  } catch (error) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root, and its files cannot be given to another account here ` +
        `(${(error as Error).message}). Start Porchlight as a normal user, or set DATABASE_URL.`,
    );
  }
}

/**
 * Removes what a killed start left behind. A recent draft may belong to another process that is starting right now and
 * cleans up after itself. Failing to remove one is not an error.
 */
async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix));
  await Promise.all(
    drafts.map(async (name) => {
      const draft = join(dataDir, name);
      const age = Date.now() - ((await stat(draft).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (age > draftLifetime) await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function writeDurably(file: string, text: string): Promise<void> {
  await using handle = await open(file, "wx", 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

/** Makes a rename inside the folder survive a power failure. Windows has no such call and needs none. */
async function sync(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}
