import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isRoot, namedAccount, serverAccount, type Account } from "#server/db/embedded/account.ts";
import { startEmbedded, type Embedded } from "#server/db/embedded/embedded.ts";
import type { ServerSettings } from "#server/db/embedded/postmaster.ts";
import { runProgram } from "#server/db/embedded/program.ts";

/** Nothing of what is tested here depends on the disk. */
const settings = { fsync: "off", shared_buffers: "16MB" };
const program = join(import.meta.dirname, "../../testing/run-embedded.ts");

/** For root to try things as a normal user, who may be unable to enter the folder of this project. */
const user = await namedAccount();
const readProgram = ["-e", "fs.readFileSync(process.argv[1])", program];
const userCanRunUs =
  (await runProgram(process.execPath, readProgram, { cwd: "/", account: user })).status === 0;

/** A folder that only its owner can enter, as mkdtemp makes it. */
let home: string;
/** A used data folder, which most tests go on with. */
let dataDir: string;
let logged: string[] = [];
let running: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "porchlight-embedded-"));
  dataDir = join(home, "data");
  const { url, stop } = await start();
  await ask(url, "create table kept as select 'kept' as word");
  await stop();
});
afterAll(() => rm(home, { recursive: true, force: true }));
afterEach(async () => {
  for (const one of running.toReversed()) await one.stop();
  running = [];
  logged = [];
});

const emptyFolder = () => mkdtemp(join(home, "empty-"));

/** For what would spoil the data folder for other tests. */
async function copy(folder = join(home, randomUUID())): Promise<string> {
  await cp(dataDir, folder, { recursive: true });
  return folder;
}

async function start(folder = dataDir): Promise<Embedded> {
  const note = (message: string) => logged.push(message);
  const log = { info: note, warn: note, error: note };
  const embedded = await startEmbedded({ dataDir: folder, log, settings });
  running.push(embedded);
  return embedded;
}

type Other = { url: string; process: ChildProcess; stop: () => Promise<void> };

async function startElsewhere(
  folder = dataDir,
  { account, settings: given = settings }: { account?: Account; settings?: ServerSettings } = {},
): Promise<Other> {
  const child = spawn(process.execPath, [program, folder, JSON.stringify(given)], {
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "pipe"],
    ...account,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const exited = once(child, "exit");
  const url = await Promise.race([
    once(createInterface(child.stdout), "line").then(([line]) => String(line)),
    exited.then(() => Promise.reject(new Error(said))),
  ]);
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  running.push({ stop });
  return { url, process: child, stop };
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}

async function postmaster(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgresql/cluster/postmaster.pid"), "utf8"), 10);
}

const isRunning = async () => (await readdir(join(dataDir, "postgresql/cluster"))).includes("postmaster.pid");

async function kill(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  for (const patience = Date.now() + 5000; Date.now() < patience; await sleep(10)) {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (!state || state.includes(") Z ")) return;
  }
}

describe("a first start", () => {
  test("makes a durable cluster in UTF-8 that asks everyone for a password", async () => {
    const fresh = join(home, "not", "there", "yet");
    const { url } = await startElsewhere(fresh, { settings: {} });
    const facts = await ask(
      url,
      `select current_setting('fsync') as fsync, current_setting('listen_addresses') as tcp,
        (select string_agg(distinct auth_method, ' ') from pg_hba_file_rules) as auth,
        datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding
        from pg_database where datname = current_database()`,
    );
    expect(facts).toEqual({
      fsync: "on",
      tcp: "",
      auth: "scram-sha-256",
      provider: "b",
      locale: "C.UTF-8",
      encoding: "UTF8",
    });
    const modes = [".", "postgresql", "postgresql/cluster", "postgresql/password"].map(
      async (path) => (await stat(join(fresh, path))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o700, 0o600]);
    await expect(ask(url.replace(/:[^:@]+@/, ":wrong@"), "select")).rejects.toThrow(/password/);
  });

  test("removes what a killed one left half done, and leaves alone what another process is making", async () => {
    const fresh = await emptyFolder();
    const [left, beingMade] = [".postgresql-draft-abc", ".postgresql-draft-def"];
    for (const draft of [left, beingMade]) await mkdir(join(fresh, draft, "cluster"), { recursive: true });
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(fresh, left), anHourAgo, anHourAgo);
    const { url } = await start(fresh);
    expect(await ask(url, "select current_database() as name")).toEqual({ name: "porchlight" });
    expect((await readdir(fresh)).filter((name) => name.startsWith("."))).toEqual([beingMade]);
  });

  test("by several processes at once gives them all the same server", async () => {
    const fresh = await emptyFolder();
    const others = await Promise.all([startElsewhere(fresh), startElsewhere(fresh), start(fresh)]);
    const identities = others.map(({ url }) => ask(url, "select pg_postmaster_start_time()::text as since"));
    const [first, ...rest] = await Promise.all(identities);
    expect(rest).toEqual([first, first]);
  });
});

describe("a later start", () => {
  test("finds the data again, and a stop ends the server", async () => {
    const { url, stop } = await start();
    expect(await ask(url, "select word from kept")).toEqual({ word: "kept" });
    await stop();
    await expect(ask(url, "select")).rejects.toThrow(/ENOENT/);
    expect(await isRunning()).toBe(false);
  });

  test("uses the server that a killed process left running, and stops it in the end", async () => {
    const before = await startElsewhere();
    const server = await postmaster();
    await kill(before.process.pid ?? 0);
    const { url, stop } = await start();
    expect(await ask(url, "select word from kept")).toEqual({ word: "kept" });
    expect(await postmaster()).toBe(server);
    await stop();
    expect(await isRunning()).toBe(false);
  });

  test("recovers when everything was killed", async () => {
    const before = await startElsewhere();
    await ask(before.url, "create table late ()");
    const server = await postmaster();
    before.process.kill("SIGKILL");
    await kill(server);
    const { url } = await start();
    expect(await ask(url, "select to_regclass('late')::text as name")).toEqual({ name: "late" });
    expect(await postmaster()).not.toBe(server);
  });

  test("is not misled by a process that got the number of a killed server", async () => {
    const before = await startElsewhere();
    const server = await postmaster();
    before.process.kill("SIGKILL");
    await kill(server);
    const bystander = spawn("sleep", ["60"], (await serverAccount(dataDir)) ?? {});
    try {
      const lockFile = join(dataDir, "postgresql/cluster/postmaster.pid");
      const lock = await readFile(lockFile, "utf8");
      await writeFile(lockFile, lock.replace(/^\d+/, String(bystander.pid)));
      const { url } = await start();
      expect(await ask(url, "select word from kept")).toEqual({ word: "kept" });
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    } finally {
      bystander.kill();
    }
  });

  test("works with a path longer than a socket's may be", async () => {
    const deep = join(home, "x".repeat(80), "y".repeat(80));
    const { url } = await start(await copy(deep));
    expect(await ask(url, "select word from kept")).toEqual({ word: "kept" });
  });

  test("listens on the loopback address where sockets are not to be had", async () => {
    const folder = await copy();
    await writeFile(join(folder, "postgresql/port"), "54397");
    const { url } = await start(folder);
    expect(new URL(url).host).toBe("127.0.0.1:54397");
    expect(await ask(url, "select word from kept")).toEqual({ word: "kept" });
  });

  test("takes a backup that was copied back with the wrong owner and access", async () => {
    const folder = await copy();
    for (const path of ["postgresql", "postgresql/cluster", "postgresql/cluster/PG_VERSION"]) {
      if (isRoot()) await chown(join(folder, path), 0, 0);
      await chmod(join(folder, path), 0o755);
    }
    const { url } = await start(folder);
    expect(await ask(url, "select word from kept")).toEqual({ word: "kept" });
  });

  test("leaves the data of another PostgreSQL version alone", async () => {
    const folder = await copy();
    await writeFile(join(folder, "postgresql/cluster/PG_VERSION"), "17\n");
    await expect(start(folder)).rejects.toThrow(
      /written by PostgreSQL 17; this version of Porchlight uses PostgreSQL 18/,
    );
  });

  test("says what PostgreSQL says when it does not start", async () => {
    const folder = await copy();
    await rm(join(folder, "postgresql/cluster/global/pg_control"));
    await expect(start(folder)).rejects.toThrow(
      /did not start. It said: .*could not find the database system/s,
    );
  });

  test("says which data folder cannot be used", async () => {
    await writeFile(join(home, "file"), "");
    await expect(start(join(home, "file"))).rejects.toThrow(
      /data folder .*file cannot be used.*PORCHLIGHT_DATA/,
    );
  });
});

describe("a running server", () => {
  test("is shared, and ends with the last process that uses it", async () => {
    const first = await start();
    const second = await startElsewhere();
    await first.stop();
    expect(await ask(second.url, "select word from kept")).toEqual({ word: "kept" });
    await second.stop();
    expect(await isRunning()).toBe(false);
  });

  test("ends with the last process even where another was killed just before", async () => {
    const last = await start();
    const killed = await startElsewhere();
    killed.process.kill("SIGKILL");
    await last.stop();
    expect(await isRunning()).toBe(false);
  });

  test("is ended exactly once by processes that stop at the same moment", async () => {
    const others = await Promise.all([start(), startElsewhere(), startElsewhere()]);
    await Promise.all(others.map((other) => other.stop()));
    expect(await isRunning()).toBe(false);
  });

  test("is started again when it dies", async () => {
    const { url } = await start();
    await kill(await postmaster());
    await expect
      .poll(() => ask(url, "select word from kept").catch(() => ({})), { timeout: 15_000 })
      .toEqual({
        word: "kept",
      });
    expect(logged).toContain("PostgreSQL stopped unexpectedly; restarting it");
  });

  test("can be stopped while it is dead", async () => {
    const { stop } = await start();
    await kill(await postmaster());
    await stop();
    expect(logged.join()).not.toMatch(/did not stop/);
  });
});

describe.runIf(isRoot())("started by root", () => {
  test("the server runs as an account without rights", async () => {
    await start();
    const status = await readFile(`/proc/${await postmaster()}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t(60918)\t\1\t\1/m);
    expect(status).toMatch(/^Groups:\t ?$/m);
  });

  test("it sees none of our secrets", async () => {
    process.env["SMTP_URL"] = "smtp://u:hunter2@mail";
    await start();
    delete process.env["SMTP_URL"];
    expect(await readFile(`/proc/${await postmaster()}/environ`, "utf8")).not.toContain("hunter2");
  });

  test.runIf(userCanRunUs)("a folder of a normal user stays theirs", async () => {
    const folder = await mkdtemp(join(tmpdir(), "porchlight-normal-"));
    try {
      await chown(folder, user?.uid ?? 0, user?.gid ?? 0);
      const asUser = await startElsewhere(folder, { account: user });
      await ask(asUser.url, "create table kept as select 'theirs' as word");
      await asUser.stop();

      const asRoot = await start(folder);
      expect(await ask(asRoot.url, "select word from kept")).toEqual({ word: "theirs" });
      await asRoot.stop();

      const again = await startElsewhere(folder, { account: user });
      expect(await ask(again.url, "select word from kept")).toEqual({ word: "theirs" });
      await again.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
