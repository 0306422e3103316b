import { createServer, Socket, type AddressInfo } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { inject, expect, onTestFinished, test, vi } from "vitest";
import { connect, connectionsOf } from "#server/db/database.ts";
import { listen } from "#server/db/listen.ts";
import { PREPARED, replanSoon } from "#server/db/prepared.ts";

// PostgreSQL restarts, fails over, or loses one process. An error event that no one hears would end ours.
test("a connection that breaks while it is in use fails its query and nothing else", async () => {
  const db = connect(inject("postgresServer"), { max: 2 });
  await db.connection().execute(async (held) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(held);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db);
    await expect(sql`SELECT 1`.execute(held)).rejects.toThrow(/terminat|not queryable|EPIPE|ECONNRESET/);
  });
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test("a statement that asks for it is prepared, and planned anew within a second of tables growing", async () => {
  const asked = vi.spyOn(pg.Client.prototype, "query");
  const clock = vi.spyOn(performance, "now").mockReturnValue(5000);
  const db = connect(inject("postgresServer"), { max: 1 });
  const ask = async () =>
    (await sql<{ sum: number }>`${PREPARED}SELECT 1 + ${2}::int AS sum`.execute(db)).rows;
  const discarded = () => asked.mock.calls.filter(([text]) => text === "DISCARD PLANS").length;
  for (let times = 0; times < 8; times += 1) expect(await ask()).toEqual([{ sum: 3 }]);
  clock.mockReturnValue(6000);
  await ask();
  expect(discarded()).toBe(0);
  replanSoon();
  await ask();
  expect(discarded()).toBe(1);
  clock.mockReturnValue(7000);
  await ask();
  expect(discarded()).toBe(1);
  const { rows } = await sql`SELECT generic_plans > 0 AS kept FROM pg_prepared_statements`.execute(db);
  expect(rows).toEqual([{ kept: true }]);
  await db.destroy();
});

// A machine that vanishes says no goodbye: without questions in between, its connections look open for hours.
test("connections that wait ask whether the other end is still there", async () => {
  const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
  const db = connect(inject("postgresServer"), { max: 1 });
  await sql`SELECT 1`.execute(db);
  expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
  await db.destroy();

  const connected = Promise.withResolvers<void>();
  const listener = listen(inject("postgresServer"), "test", {
    onMessage: () => undefined,
    onConnected: connected.resolve,
  });
  await connected.promise;
  expect(keepAlive.mock.calls.slice(1)).toEqual([[true, 10_000]]);
  await listener.stop();
});

/** A line to the server that can die, so that neither side hears anything of the other, not even its end. */
async function lineThatDies() {
  const { hostname, port } = new URL(inject("postgresServer"));
  const host = decodeURIComponent(hostname);
  const line = { dead: false };
  const sockets = new Set<Socket>();
  const between = createServer((inner) => {
    const outer = new Socket();
    if (host.startsWith("/")) outer.connect(`${host}/.s.PGSQL.${port}`);
    else outer.connect(Number(port), host);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        if (!line.dead) to.destroy();
      });
      from.on("data", (bytes) => {
        if (!line.dead) to.write(bytes);
      });
    }
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    between.close();
  });
  const url = new URL(inject("postgresServer"));
  url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
  return { url: url.href, line };
}

test("a database host that vanishes without a word is noticed, and another connection is made", async () => {
  const { url, line } = await lineThatDies();
  const db = connect(url, { max: 1, answerWithin: 500 });
  await sql`SELECT 1`.execute(db);
  line.dead = true;
  await expect(sql`SELECT 1`.execute(db)).rejects.toThrow("The database has not answered for");
  line.dead = false;
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

// Otherwise it would hold them until TCP gives up on it, which takes hours.
test("a machine that vanishes in the middle of a transaction does not keep its locks", async () => {
  const { url, line } = await lineThatDies();
  const vanishing = connect(url, { max: 1, answerWithin: 500 });
  const lock = sql`SELECT pg_advisory_xact_lock(7210)`;
  const vanished = vanishing.transaction().execute(async (tx) => {
    await lock.execute(tx);
    line.dead = true;
    await lock.execute(tx);
  });
  await expect(vanished).rejects.toThrow(/has not answered|not queryable/);
  const db = connect(inject("postgresServer"), { max: 1, answerWithin: 10_000 });
  await db.transaction().execute((tx) => lock.execute(tx));
  await db.destroy();
  await vanishing.destroy();
});

test("a statement that takes too long is ended by the server, and its connection goes on", async () => {
  const db = connect(inject("postgresServer"), { max: 1, answerWithin: 1000 });
  await expect(sql`SELECT pg_sleep(5)`.execute(db)).rejects.toMatchObject({ code: "57014" });
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test("what the server runs with is shorter than a minute", async () => {
  const db = connect(inject("postgresServer"), { max: 1 });
  const { rows } = await sql`SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle`.execute(db);
  expect(rows).toEqual([{ statement: "45s", idle: "45s" }]);
  await db.destroy();
});

test("an idle connection is closed quietly before its silence counts", async () => {
  const broken: Error[] = [];
  const onIdleError = (error: Error) => void broken.push(error);
  const db = connect(inject("postgresServer"), { max: 1, answerWithin: 1000, onIdleError });
  await sql`SELECT 1`.execute(db);
  await vi.waitFor(() => expect(connectionsOf(db)).toMatchObject({ idle: 0 }), { timeout: 20_000 });
  expect(broken).toEqual([]);
  await db.destroy();
});

test("the error of an idle connection that breaks is small enough for a log", async () => {
  const broken = Promise.withResolvers<Error>();
  const idle = connect(inject("postgresServer"), { max: 1, onIdleError: broken.resolve });
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(idle);
  const other = connect(inject("postgresServer"), { max: 1 });
  await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(other);
  expect(await broken.promise).not.toHaveProperty("client");
  await Promise.all([idle.destroy(), other.destroy()]);
});
