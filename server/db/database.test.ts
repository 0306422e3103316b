import { createServer, Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { inject, expect, test, vi } from "vitest";
import { connect } from "#server/db/database.ts";
import { listen } from "#server/db/listen.ts";

// PostgreSQL restarts, fails over, or loses one process. An error event that no one hears would end ours.
test("a connection that breaks while it is in use fails its query and nothing else", async () => {
  const db = connect(inject("postgresServer"), { max: 2 });
  await db.connection().execute(async (held) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(held);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db);
    await expect(sql`SELECT 1`.execute(held)).rejects.toThrow(/terminat|not queryable/);
  });
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
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

test("a database host that vanishes without a word is noticed, and another connection is made", async () => {
  const { hostname, port } = new URL(inject("postgresServer"));
  const host = decodeURIComponent(hostname);
  let silent = false;
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
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.on("data", (bytes) => {
        if (!silent) to.write(bytes);
      });
    }
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const url = new URL(inject("postgresServer"));
  url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
  const db = connect(url.href, { max: 1, answerWithin: 500 });
  await sql`SELECT 1`.execute(db);
  silent = true;
  await expect(sql`SELECT 1`.execute(db)).rejects.toThrow("The database has not answered for");
  silent = false;
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
  for (const socket of sockets) socket.destroy();
  between.close();
});

test("a statement that takes too long is ended by the server, and its connection goes on", async () => {
  const db = connect(inject("postgresServer"), { max: 1, answerWithin: 1000 });
  await expect(sql`SELECT pg_sleep(5)`.execute(db)).rejects.toMatchObject({ code: "57014" });
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test("what the server runs with is shorter than a minute", async () => {
  const db = connect(inject("postgresServer"), { max: 1 });
  expect((await sql`SHOW statement_timeout`.execute(db)).rows).toEqual([{ statement_timeout: "45s" }]);
  await db.destroy();
});
