import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { release, tryHold } from "#server/db/advisory-locks.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

const main = join(import.meta.dirname, "main.ts");
/** Makes every start but the first take half the time. */
const compileCache = join(import.meta.dirname, "../node_modules/.cache/node-compile");

/** The first start builds the web app, which takes minutes on a slow machine. */
const patience = { timeout: 600_000 };

let folder: string;
let database: TestDatabase;
let started: Run[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-main-"));
  database = await testDatabase();
});
afterEach(async () => {
  for (const run of started) {
    run.process.kill("SIGTERM");
    await run.exit;
  }
  started = [];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

type Run = { process: ChildProcess; out: () => string; err: () => string; exit: Promise<number | null> };

/** From another folder and with nothing of our environment, as a service manager would. */
function run(env: Record<string, string>): Run {
  const child = spawn(process.execPath, [main], {
    cwd: "/",
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compileCache,
      PORCHLIGHT_DATA: join(folder, "data"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const exit = once(child, "close").then(([code]) => code as number | null);
  const one = { process: child, out: () => out, err: () => err, exit };
  started.push(one);
  return one;
}

async function ready(one: Run): Promise<void> {
  await expect.poll(() => one.out() || one.process.exitCode, { ...patience, interval: 50 }).not.toBeFalsy();
  expect(one.out() || one.err()).toContain("Porchlight is ready");
}

async function takePort(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

async function freePort(): Promise<string> {
  const { port, server } = await takePort();
  await once(server.close(), "close");
  return String(port);
}

test(
  "a start with nothing configured says where to open it, serves, and ends in order",
  patience,
  async () => {
    const port = await freePort();
    const one = run({ PORT: port });
    await ready(one);
    expect(one.out()).toMatch(
      /^Porchlight is ready at http:\/\/127\.0\.0\.1:\d+\n.*\n.*setup code [A-Z2-9]{5}-[A-Z2-9]{5}\n$/,
    );

    const answers = await Promise.all(
      ["/healthz", "/readyz"].map((path) => fetch(`http://127.0.0.1:${port}${path}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain("<!doctype html>");

    one.process.kill("SIGTERM");
    expect(await one.exit).toBe(0);
    expect(await readdir(join(folder, "data/postgresql/cluster"))).not.toContain("postmaster.pid");
  },
);

const mail = { SMTP_URL: "smtp://127.0.0.1:1" };

test("each role has connections of its own, and a stop waits for a request under way", patience, async () => {
  const port = await freePort();
  // A stop has an hour, half of it for slow clients: the test fails if the connection is kept after its answer.
  const one = run({
    PORT: port,
    DATABASE_URL: database.url,
    SHUTDOWN_SECONDS: "3600",
    PORCHLIGHT_URL: "https://notices.example.com",
    ...mail,
  });
  await ready(one);
  expect(one.err()).not.toContain("PORCHLIGHT_URL");
  await fetch(`http://127.0.0.1:${port}/readyz`);
  // So busy pages hold up no sending.
  await expect
    .poll(async () => {
      const { rows } = await sql<{ name: string }>`SELECT DISTINCT application_name AS name
        FROM pg_stat_activity WHERE datname = current_database()`.execute(database.db);
      return rows.map(({ name }) => name);
    })
    .toEqual(expect.arrayContaining(["porchlight web", "porchlight worker", "porchlight scheduler"]));

  const socket = connect(Number(port), "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  const body = JSON.stringify({ email: "nobody@example.com", password: "does not matter" });
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(100);
  await fetch(`http://127.0.0.1:${port}/healthz`);
  one.process.kill("SIGTERM");
  await expect.poll(() => one.err()).toContain("SIGTERM");
  socket.write(body.slice(5));
  expect(await one.exit).toBe(0);
  expect(answer).toMatch(/^HTTP\/1\.1 40\d /);
});

test(
  "only a process that sends changes the mail accounts; it warns of local links, and says what it switches off; " +
    "a port that is taken is named with the way out",
  patience,
  async () => {
    const worker = { DATABASE_URL: database.url, PORCHLIGHT_ROLES: "worker" };
    const serving = async () => {
      const { rows } = await sql<{ enabled: boolean }>`
        SELECT enabled FROM accounts WHERE kind = 'smtp'`.execute(database.db);
      return rows.map(({ enabled }) => enabled);
    };
    const port = await freePort();
    const ask = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const ended = Promise.withResolvers<void>();
    const otherMigrates = database.db.connection().execute(async (other) => {
      expect(await tryHold(other, "migrations")).toBe(true);
      await ended.promise;
      await release(other, "migrations");
    });
    const local = run({ ...worker, ...mail, METRICS_PORT: port, METRICS_TOKEN: "who-reads-the-metrics" });
    // However long it takes, it is alive; and it isn't ready.
    await expect
      .poll(
        () =>
          ask("/healthz").then(
            ({ status }) => status,
            () => 0,
          ),
        patience,
      )
      .toBe(200);
    expect((await ask("/readyz")).status).toBe(503);
    ended.resolve();
    await otherMigrates;
    await ready(local);
    // The setup code is for its pages, which it doesn't have.
    expect(local.out()).toBe("Porchlight is ready (worker)\n");
    await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
    expect(local.err()).toContain("Set PORCHLIGHT_URL to the address people use to reach it.");
    expect(await serving()).toEqual([true]);

    // Without a web server, it can still be asked for its health and metrics.
    expect((await ask("/metrics")).status).toBe(401);
    const metrics = () => ask("/metrics", { authorization: "Bearer who-reads-the-metrics" });
    // Its lease follows once it is ready.
    await expect.poll(async () => (await metrics()).text(), patience).toContain("porchlight_workers 1\n");
    local.process.kill("SIGTERM");
    expect(await local.exit).toBe(0);

    const { port: taken, server } = await takePort();
    const web = { PORT: String(taken), DATABASE_URL: database.url, PORCHLIGHT_ROLES: "web" };
    const late = run({ ...web, LOG_LEVEL: "silent" });
    expect(await late.exit).toBe(1);
    server.close();
    expect(late.err()).toBe(
      `Porchlight cannot start. Port ${taken} of 127.0.0.1 is in use by another program. ` +
        `Stop it, or choose another port, such as PORT=${taken + 1}.\n`,
    );
    expect(await serving()).toEqual([true]);
    await sql`INSERT INTO accounts (channel, kind, name, source)
      VALUES ('email', 'sendgrid', 'Office', 'console')`.execute(database.db);
    const without = run(worker);
    await ready(without);
    expect(await serving()).toEqual([false]);
    expect(without.err()).toContain("127.0.0.1 is no longer configured");
    expect(without.err()).toContain(
      "Messages go out through Office, but their links lead to http://127.0.0.1:3000",
    );
  },
);

// Without telling those who wait, this takes the full minute that we wait for a database.
test(
  "a process that waits for its database answers probes, and stops at once",
  { timeout: 30_000 },
  async () => {
    const port = await freePort();
    const one = run({
      DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
      METRICS_PORT: port,
    });
    await expect.poll(() => one.err(), { timeout: 20_000 }).toContain("Waiting for the database");
    const probes = ["/healthz", "/readyz"].map(
      async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
    );
    expect(await Promise.all(probes)).toEqual([200, 503]);
    one.process.kill("SIGTERM");
    expect(await one.exit).toBe(0);
  },
);

test("a wrong setting is one clear message and no stack", async () => {
  const one = run({ PORT: "http" });
  expect(await one.exit).toBe(1);
  expect(one.err()).toMatch(/^Porchlight cannot start\. A setting is wrong:\n {2}PORT: must be [^\n]*\n$/);
});

test("a database that refuses us is one clear sentence, without the password", async () => {
  const url = new URL(database.url);
  url.password = "hunter2";
  const one = run({ DATABASE_URL: url.href, PORCHLIGHT_ROLES: "worker", LOG_LEVEL: "silent" });
  expect(await one.exit).toBe(1);
  expect(one.err()).toMatch(/^Porchlight cannot start\. The database [^\n]* cannot be used: [^\n]*\n$/);
  expect(one.err()).not.toContain("hunter2");
});

test("a database from which a newer Porchlight has taken what this one needs is left alone", async () => {
  const newer = await testDatabase();
  await sql`insert into migrations (name, needs)
    values ('9999_from_the_future.sql', '9999_from_the_future.sql')`.execute(newer.db);
  const one = run({ DATABASE_URL: newer.url, PORCHLIGHT_ROLES: "worker", LOG_LEVEL: "silent" });
  expect(await one.exit).toBe(1);
  expect(one.err()).toMatch(
    /^Porchlight cannot start\. [^\n]*newer Porchlight[^\n]*9999_from_the_future[^\n]*\n$/,
  );
  await newer.close();
});
