import { Socket } from "node:net";
import { sql } from "kysely";
import { inject, expect, test, vi } from "vitest";
import { connect } from "#server/db/database.ts";
import { listen } from "#server/db/listen.ts";

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
