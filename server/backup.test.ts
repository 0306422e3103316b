import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, watch } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { backUp, opensSecrets } from "#server/db/embedded/backup.ts";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { restore } from "#server/db/embedded/restore.ts";
import { migrate } from "#server/db/migrate.ts";
import { SecretBox } from "#server/db/secret-box.ts";
import { secretKeysOf } from "#server/secret-keys.ts";
import { testApp, type TestApp } from "#server/testing/app.ts";

const ignore = () => undefined;
const quiet = { info: ignore, warn: ignore, error: ignore };

let home: string;
/** Runs on `data` while it is backed up. */
let before: TestApp;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "porchlight-backup-"));
  before = await openApp(join(home, "data"));
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  await rm(home, { recursive: true, force: true });
});

/** The web role on the embedded database of a data folder. */
async function openApp(dataDir: string): Promise<TestApp> {
  const embedded = await startEmbedded({ dataDir, log: quiet, settings: { fsync: "off" } });
  const db = connect(embedded.url, { max: 5 });
  const close = async () => {
    await db.destroy();
    await embedded.stop();
  };
  await migrate(db);
  const secrets = new SecretBox(await secretKeysOf(dataDir));
  const app = await testApp({ database: { db, url: embedded.url, close }, secrets });
  closing.push(() => app.close());
  return app;
}

/** `npm run backup` and `npm run restore`, as their own process. */
const run = (dataDir: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, "backup.ts"), ...args], {
    cwd: "/",
    env: { PATH: process.env["PATH"], PORCHLIGHT_DATA: dataDir },
  });

/** How many rows each table has, and a checksum of them. */
async function contents(db: Db): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relname <> 'written_meanwhile'`.execute(db);
  const found: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ sum: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum
      FROM ${sql.table(name)} t`.execute(db);
    found[name] = rows[0]!.sum;
  }
  return found;
}

const administrator = {
  username: "robin",
  password: "Maple-lantern-28",
  firstName: "Robin",
  lastName: "Porter",
  email: "robin@example.com",
};
const signIn = (app: TestApp) =>
  app.call({
    method: "POST",
    url: "/api/auth/login",
    body: { username: "robin", password: administrator.password },
  });

test("a backup of a database in use comes back whole: every row, a sign-in, a file and a provider's key", async () => {
  const registered = await before.call({ method: "POST", url: "/api/auth/register", body: administrator });
  const cookie = String(registered.headers["set-cookie"]).split(";")[0]!;
  const robin = { cookie, userId: 1 };
  const gif = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAAC", "base64");
  const uploaded = await before.call(
    {
      method: "POST",
      url: "/api/attachments?name=dot.gif",
      body: gif,
      headers: { "content-type": "application/octet-stream" },
    },
    robin,
  );
  const settings = { apiKey: "SG.of-maple-court", fromEmail: "notices@maple.example", fromName: "Maple" };
  const connected = await before.call(
    { method: "POST", url: "/api/integrations", body: { channel: "email", kind: "sendgrid", settings } },
    robin,
  );
  expect([registered, uploaded, connected].map(({ statusCode }) => statusCode)).toEqual([200, 201, 201]);
  await sql`CREATE TABLE written_meanwhile (n int)`.execute(before.db);
  const lastId = async ({ db }: TestApp) =>
    (await sql<{ id: number }>`SELECT last_value AS id FROM delivery_ids`.execute(db)).rows[0]!.id;
  const given = await lastId(before);
  const kept = await contents(before.db);

  let written = 0;
  const writing = new AbortController();
  const writer = (async () => {
    while (!writing.signal.aborted) {
      await sql`INSERT INTO written_meanwhile VALUES (${written + 1})`.execute(before.db);
      written += 1;
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(0);
  const writtenBefore = written;
  const backups = join(home, "backups");
  await mkdir(backups);
  const killed = "porchlight-2026-11-21T02-30-00Z-51b7e2aa.tar.gz.partial";
  const running = killed.replace("21T", "22T");
  for (const name of [killed, running]) await writeFile(join(backups, name), "half");
  await utimes(join(backups, killed), 0, Date.now() / 1000 - 7200);
  const { stdout } = await run(join(home, "data"), "save", backups);
  writing.abort();
  await writer;

  const [file = "", ...others] = (await readdir(backups)).toSorted().toReversed();
  expect(others).toEqual([running]);
  expect(stdout).toContain(join(home, "backups", file));
  expect(stdout).toContain("It contains everything");
  expect((await stat(join(home, "backups", file))).mode & 0o777).toBe(0o600);
  await run(join(home, "restored"), "restore", join(home, "backups", file));
  const after = await openApp(join(home, "restored"));
  expect(await contents(after.db)).toEqual(kept);
  // Links in mail sent since the backup name ids that must not be given again.
  expect((await lastId(after)) - given).toBeGreaterThan(10_000_000);
  const { rows } = await sql<{ count: number; last: number }>`
    SELECT count(*), max(n) AS last FROM written_meanwhile`.execute(after.db);
  expect(rows[0]!.count).toBe(rows[0]!.last);
  expect(rows[0]!.count).toBeGreaterThanOrEqual(writtenBefore);

  expect((await signIn(after)).statusCode).toBe(200);
  const { id } = uploaded.json();
  const opened = await after.call({ method: "GET", url: `/api/attachments/${id}` }, robin);
  expect(opened.rawPayload).toEqual(gif);
  const key = (folder: string) => readFile(join(home, folder, "secret.key"), "utf8");
  expect(await key("restored")).toBe(await key("data"));
  // The key is in PORCHLIGHT_SECRET_KEY now, and an old one was left in the file.
  await writeFile(join(home, "restored/secret.key"), Buffer.alloc(32).toString("base64"));
  const withoutKey = await backUp({ dataDir: join(home, "restored"), folder: backups, log: quiet });
  expect(withoutKey.secretKey).toBe(false);
  // From before there was two-factor sign-in.
  await sql`DROP TABLE totp_secrets`.execute(after.db);
  expect(await opensSecrets(after.url, Buffer.from(await key("restored")))).toBe(false);
  expect(await opensSecrets(after.url, Buffer.from(await key("data")))).toBe(true);
  // The file is complete before the keys are compared, which fails here.
  await writeFile(join(home, "restored/secret.key"), await key("data"));
  await sql`CREATE VIEW totp_secrets AS SELECT (1 / 0)::text AS secret`.execute(after.db);
  const unchecked = await backUp({ dataDir: join(home, "restored"), folder: backups, log: quiet });
  expect(unchecked).toEqual({
    file: unchecked.file,
    bytes: (await stat(unchecked.file)).size,
    secretKey: false,
  });
});

test("a backup that is stopped, or for which there is no room, leaves nothing behind and says so", async () => {
  const folder = join(home, "half");
  await mkdir(folder);
  const stop = new AbortController();
  const watcher = watch(folder, () => stop.abort());
  const stopped = backUp({ dataDir: join(home, "data"), folder, log: quiet, signal: stop.signal });
  await expect(stopped).rejects.toThrow(/^The backup was stopped\. No file was left behind\.$/);
  watcher.close();
  expect(await readdir(folder)).toEqual([]);

  // A limit of 50 KB a file, as a full disk would be. The server that writes more runs already.
  const command = `ulimit -f 100; exec "${process.execPath}" "${join(import.meta.dirname, "backup.ts")}" save "${folder}"`;
  const env = { PATH: process.env["PATH"], PORCHLIGHT_DATA: join(home, "data") };
  await expect(promisify(execFile)("sh", ["-c", command], { cwd: "/", env })).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^The backup failed\. No file was left behind\. EFBIG[^\n]*\n$/),
  });
  expect(await readdir(folder)).toEqual([]);
});

test("a restore never touches a folder that holds something, and leaves nothing of a broken file", async () => {
  const into = (folder: string, file: string) => restore({ dataDir: join(home, folder), file, log: quiet });
  const broken = join(home, "broken.tar.gz");
  await writeFile(broken, "no backup");
  await mkdir(join(home, "taken"));
  await writeFile(join(home, "taken/note"), "mine");
  await expect(into("taken", broken)).rejects.toThrow(/taken is not empty. Nothing was changed/);
  expect(await readdir(join(home, "taken"))).toEqual(["note"]);

  const cutOff = await backUp({ dataDir: join(home, "data"), folder: join(home, "cut-off"), log: quiet });
  const whole = await readFile(cutOff.file);
  const damaged = join(home, "damaged.tar.gz");
  // The checksum is the last but one number, behind everything that tar reads.
  await writeFile(damaged, Buffer.from(whole).fill(0xa5, whole.length - 8, whole.length - 4));
  await truncate(cutOff.file, 100_000);
  for (const file of [broken, damaged, cutOff.file, join(home, "not-there")]) {
    await expect(into("empty", file)).rejects.toThrow(/can't be restored, and nothing was changed/);
  }
  expect(await readdir(join(home, "empty"))).toEqual([]);

  // tar is gone before all of it is there.
  const padded = join(home, "padded.tar.gz");
  await writeFile(
    padded,
    gzipSync(Buffer.concat([gunzipSync(whole), Buffer.alloc(5_000_000)]), { level: 1 }),
  );
  expect(await into("padded", padded)).toEqual({ secretKey: true });
});

test("a restore claims the folder: Porchlight can't start there meanwhile, and a new secret.key is kept", async () => {
  const { file } = await backUp({ dataDir: join(home, "data"), folder: join(home, "claimed"), log: quiet });
  /** Does this in the data folder between the start of a restore and its first byte. */
  const restoreDuring = async (dataDir: string, meanwhile: () => Promise<unknown>) => {
    const pipe = join(home, "pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    const restored = restore({ dataDir, file: pipe, log: quiet });
    await expect.poll(() => readdir(dataDir).catch(() => [])).not.toEqual([]);
    await meanwhile();
    await Promise.allSettled([pipeline(createReadStream(file), createWriteStream(pipe)), restored]);
    await rm(pipe);
    return restored;
  };

  const dataDir = join(home, "claimed-data");
  const restored = await restoreDuring(dataDir, async () => {
    await expect(startEmbedded({ dataDir, log: quiet })).rejects.toThrow(/postgresql.* cannot be read/);
  });
  expect(restored).toEqual({ secretKey: true });

  const withKey = join(home, "claimed-key");
  await expect(restoreDuring(withKey, () => writeFile(join(withKey, "secret.key"), "mine"))).rejects.toThrow(
    /nothing was changed: .*claimed-key has a secret.key now/,
  );
  expect(await readdir(withKey)).toEqual(["secret.key"]);
  expect(await readFile(join(withKey, "secret.key"), "utf8")).toBe("mine");
});

test("a restored database that doesn't start is kept, because another process may be using it", async () => {
  const { file } = await backUp({ dataDir: join(home, "data"), folder: join(home, "older"), log: quiet });
  const files = join(home, "older/files");
  await mkdir(files);
  await promisify(execFile)("tar", ["-x", "-f", file, "-C", files]);
  await writeFile(join(files, "PG_VERSION"), "17\n");
  await promisify(execFile)("tar", ["-c", "-z", "-f", file, "-C", files, "."]);
  const dataDir = join(home, "older-data");
  await expect(restore({ dataDir, file, log: quiet })).rejects.toThrow(
    /is restored to .*older-data, but its database doesn't start\..* restore again: .*written by PostgreSQL 17/,
  );
  expect(await readFile(join(dataDir, "postgresql/cluster/PG_VERSION"), "utf8")).toBe("17\n");
});

test("where there is nothing to back up, it says so and makes nothing", async () => {
  const nowhere = join(home, "nowhere");
  await expect(backUp({ dataDir: nowhere, folder: nowhere, log: quiet })).rejects.toThrow(
    /There is no database in .*nowhere/,
  );
  await expect(stat(nowhere)).rejects.toThrow(/ENOENT/);
});
