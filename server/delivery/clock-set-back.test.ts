import { sql } from "kysely";
import { expect, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { recount, statuses } from "./testing/run-totals.ts";
import { withEngines } from "./testing/engine.ts";
import { FakeTransport } from "./testing/fake-transport.ts";
import { addPeople, addPerson, notificationStatus, send, fanOutAll } from "./testing/scene.ts";
import { renewLease, takeLease } from "./worker/worker-session.ts";

const engine = withEngines();

test("what was made due, leased or paused by a clock that was ahead goes on once it is right", async () => {
  const { db } = engine;
  await addPeople(db, 4);
  const { runId, notificationId } = await send(db);
  await fanOutAll(db);
  const transport = new FakeTransport();
  await engine.start(transport, { ratePerSecond: 100, times: { reapMs: 60_000 } });
  await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 4 }));
  // As a day ahead would have left it: one queued, one uncertain, one held by a process that died.
  await addPerson(db);
  const dead = await takeLease(db, "died", 24 * 3600);
  await sql`UPDATE accounts SET retry_at = now() + interval '1 day', tokens_at = now() + interval '1 day', tokens = 0
    WHERE kind = 'fake'`.execute(db);
  const second = await send(db);
  await fanOutAll(db);
  await sql`UPDATE deliveries SET due_at = now() + interval '1 day' WHERE run_id = ${second.runId}`.execute(
    db,
  );
  await sql`
    WITH chosen AS (SELECT id FROM deliveries WHERE run_id = ${second.runId} ORDER BY id LIMIT 1)
    UPDATE deliveries SET status = 'uncertain', reason = 'unconfirmed', begun_at = now(), lease_token = ${dead}
    WHERE id IN (SELECT id FROM chosen)`.execute(db);
  await sql`INSERT INTO refused_contents (run_id, account_id, reason, at, retry_at)
    SELECT ${second.runId}, id, 'spam', now() + interval '1 day', now() + interval '1 day' FROM accounts
    WHERE kind = 'fake'`.execute(db);
  await recount(db);
  await engine.start(transport, { ratePerSecond: 100 });
  await sql`UPDATE accounts SET retry_at = now() + interval '1 day', tokens_at = now() + interval '1 day', tokens = 0
    WHERE kind = 'fake'`.execute(db);
  await until(async () => expect(await notificationStatus(db, second.notificationId)).toBe("Delivered"));
  expect(await notificationStatus(db, notificationId)).toBe("Delivered");
  const leases = await sql<{ far: boolean }>`
    SELECT bool_or(lease_until > now() + interval '2 minutes') AS far FROM workers`.execute(db);
  expect(leases.rows).toEqual([{ far: false }]);
});

test("a process that is alive keeps its lease when the clock is set back", async () => {
  const { db } = engine;
  const token = await takeLease(db, "alive", 24 * 3600);
  await engine.start(new FakeTransport());
  await until(async () => {
    const { rows } = await sql`
      SELECT FROM workers WHERE token = ${token} AND lease_until < now() + interval '1 hour'`.execute(db);
    expect(rows).toHaveLength(1);
  });
  expect(await renewLease(db, token, 30)).toBe(true);
});
