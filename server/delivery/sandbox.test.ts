import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { sandbox } from "./transports/sandbox/adapter.ts";
import { withEngines } from "./testing/engine.ts";
import { addPerson, send } from "./testing/scene.ts";

/** What docs/sandbox.md promises of each of its addresses, by email and by text message. */

const engine = withEngines();

test.each([
  ["bounce", 1, { status: "failed", reason: "no-such-address", attempts: 1 }, { suppressed: 2 }],
  ["busy", 2, { status: "delivered", reason: null, attempts: 2 }, { suppressed: 0 }],
  ["down", 3, { status: "queued", reason: "retrying", attempts: expect.any(Number) }, { suppressed: 0 }],
  ["lost", 4, { status: "uncertain", reason: "unconfirmed", attempts: 1 }, { suppressed: 0 }],
] as const)("%s@ and 555-000%i", async (mailbox, digit, delivery, { suppressed }) => {
  const { db } = engine;
  await addPerson(db, { email: `${mailbox}+4b@example.com`, phone: `+1201555000${digit}` });
  await engine.start([], { adapters: [sandbox] });
  // The waits before another try grow to minutes; the test lets them pass.
  const time = setInterval(() => {
    void sql`UPDATE deliveries SET due_at = now() WHERE status = 'queued'`.execute(db).catch(() => undefined);
  }, 50);
  onTestFinished(() => clearInterval(time));
  await send(db, { channels: ["email", "sms"] });
  await until(async () => {
    const rows = await db.selectFrom("deliveries").select(["status", "reason", "attempts"]).execute();
    expect(rows).toEqual([delivery, delivery]);
  });
  expect(await db.selectFrom("suppressions").select("address").execute()).toHaveLength(suppressed);
});
