import { Socket } from "node:net";
import { sql } from "kysely";
import { inject, expect, test, vi } from "vitest";
import { connect } from "#server/db/database.ts";
import { listen } from "#server/db/listen.ts";

// PostgreSQL restarts, fails over, or loses one process. An error event that nobody hears would end ours.
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
