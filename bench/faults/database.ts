import { execFileSync } from "node:child_process";
import { lchownSync, readFileSync, statSync } from "node:fs";
import { cp, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import type { NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Db } from "#server/db/database.ts";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import type { ServerSettings } from "#server/db/embedded/postmaster.ts";
import { migrate } from "#server/db/migrate.ts";
import { mountDisk, type Disk } from "./disk.ts";

/** A PostgreSQL of our own that can be killed and frozen. */
export type Server = {
  url: string;
  db: Db;
  /** The server's processes, the first one first. Undefined where it is not ours. */
  pids?: () => number[];
  /** The disk of its data or of its WAL, where that is a small one. */
  disk?: Disk;
  /** Where it listens. */
  target: NetConnectOpts;
  /** Its URL by way of a proxy. */
  urlAt(address: string, port: number): string;
  close(): Promise<void>;
};

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function startServer(settings: ServerSettings = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-faults-"));
  return startIn(folder, settings, () => rm(folder, { recursive: true, force: true }));
}

/** With its data, or only its WAL, on a small disk. */
export async function startOnSmallDisk(what: "data" | "wal"): Promise<Server> {
  const disk = mountDisk(what === "data" ? 300 : 80);
  const settings = { max_wal_size: "48MB", min_wal_size: "32MB" };
  const folder = what === "data" ? disk.path : await mkdtemp(join(tmpdir(), "porchlight-faults-"));
  const remove = async () => {
    disk.remove();
    await rm(folder, { recursive: true, force: true });
  };
  if (what === "wal") {
    const first = await startIn(folder, settings, async () => undefined);
    await first.close();
    await moveWal(join(folder, "postgresql", "cluster"), join(disk.path, "pg_wal"));
  }
  return { ...(await startIn(folder, settings, remove)), disk };
}

async function moveWal(cluster: string, to: string): Promise<void> {
  const wal = join(cluster, "pg_wal");
  const { uid, gid } = statSync(wal);
  await rename(wal, `${wal}.old`);
  await cp(`${wal}.old`, to, { recursive: true, preserveTimestamps: true });
  execFileSync("chown", ["-R", `${uid}:${gid}`, to]);
  await symlink(to, wal);
  lchownSync(wal, uid, gid);
}

async function startIn(
  dataDir: string,
  settings: ServerSettings,
  remove: () => Promise<void>,
): Promise<Server> {
  const embedded = await startEmbedded({ dataDir, settings, log: silent });
  const server = await openServer(embedded.url, async () => {
    await embedded.stop();
    await remove();
  });
  return {
    ...server,
    pids() {
      const lock = join(dataDir, "postgresql", "cluster", "postmaster.pid");
      const [first = ""] = readFileSync(lock, "utf8").split("\n");
      const children = readFileSync(`/proc/${first}/task/${first}/children`, "utf8");
      return [first, ...children.split(" ")].filter((pid) => pid !== "").map(Number);
    },
  };
}

/** One that someone else runs. */
export async function openServer(
  url: string,
  stop: () => Promise<void> = () => Promise.resolve(),
): Promise<Server> {
  const db = connect(url, { answerWithin: 0 });
  await migrate(db);
  const given = new URL(url);
  const host = decodeURIComponent(given.hostname);
  const port = Number(given.port) || 5432;
  return {
    url,
    db,
    target: host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    urlAt(address, at) {
      const other = new URL(url);
      other.host = `${address}:${at}`;
      return other.href;
    },
    async close() {
      await db.destroy();
      await stop();
    },
  };
}
