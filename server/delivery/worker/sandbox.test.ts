import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { sandbox } from "../transports/sandbox/adapter.ts";
import { statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { addPeople, addPerson, notificationStatus, send } from "../testing/scene.ts";

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

test("what it accepts is written once, with its outcome, while the run is spread", async () => {
  const { db } = engine;
  await addPeople(db, 30);
  await addPerson(db, { email: "bounce@example.com" });
  await addPerson(db, { email: "home@example.com" });
  await addPerson(db, { email: "Home@example.com" });
  await sql`CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE ''written twice: %'', OLD.address; END'`.execute(db);
  await sql`CREATE TRIGGER once BEFORE UPDATE ON deliveries FOR EACH ROW WHEN (OLD.address NOT LIKE 'bounce@%')
    EXECUTE FUNCTION refuse_update()`.execute(db);
  onTestFinished(async () => void (await sql`DROP FUNCTION refuse_update CASCADE`.execute(db)));
  await engine.start([], { adapters: [sandbox] });
  const { notificationId, runId } = await send(db, { channels: ["email", "sms"] });
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"));
  expect(await statuses(db, runId)).toEqual({ delivered: 64, failed: 1, skipped: 1 });
  const { rows } = await sql`
    SELECT d.status, d.reason, a.outcome, p.kind, d.accepted_at IS NOT NULL AS sent, count(*)::int AS count
    FROM deliveries d LEFT JOIN attempts a ON a.delivery_id = d.id AND a.n = d.attempts
      LEFT JOIN accounts p ON p.id = a.account_id AND p.id = d.account_id AND p.channel = d.channel
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1`.execute(db);
  expect(rows).toEqual([
    { status: "delivered", reason: null, outcome: "accepted", kind: "sandbox", sent: true, count: 64 },
    {
      status: "failed",
      reason: "no-such-address",
      outcome: "refused",
      kind: "sandbox",
      sent: false,
      count: 1,
    },
    { status: "skipped", reason: "same-address", outcome: null, kind: null, sent: false, count: 1 },
  ]);
});
