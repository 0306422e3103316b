import { sql, type RawBuilder } from "kysely";
import { expect, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { recount, statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { addPeople, addPerson, notificationStatus, send, fanOutAll } from "../testing/scene.ts";
import { clampFutureTimes } from "./clock-set-back.ts";
import { renewLease, takeLease } from "./worker-session.ts";

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

test("nothing queued waits for an hour that a clock was ahead, unless it has a reason to wait for less", async () => {
  const { db } = engine;
  await addPeople(db, 6);
  const { runId } = await send(db);
  await fanOutAll(db);
  const rows = await db
    .selectFrom("deliveries")
    .select("id")
    .where("run_id", "=", runId)
    .orderBy("id")
    .execute();
  const put = (n: number, minutes: number, change: RawBuilder<unknown>) =>
    sql`UPDATE deliveries SET due_at = now() + ${minutes}::float8 * interval '1 minute', ${change}
      WHERE id = ${rows[n]!.id}`.execute(db);
  await put(0, 59, sql`reason = NULL`);
  await put(1, 1, sql`reason = NULL`);
  await put(2, 59, sql`reason = 'throttled'`);
  await put(3, 59, sql`reason = 'retrying', failures = 1`);
  await put(4, 14, sql`reason = 'retrying', failures = 9`);
  await put(5, 20, sql`reason = 'unconfirmed', status = 'uncertain'`);
  await recount(db);
  const { rows: others } = await sql<{ token: number }>`
    INSERT INTO workers (name, lease_until) VALUES ('died', now() + interval '59 minutes') RETURNING token`.execute(
    db,
  );
  await sql`UPDATE accounts SET retry_at = now() + interval '118 minutes', slowed_at = now() + interval '58 minutes'
    WHERE kind = 'fake'`.execute(db);
  await clampFutureTimes(db);
  const { rows: waiting } = await sql<{ id: number }>`
    SELECT id FROM deliveries WHERE run_id = ${runId} AND due_at > now() ORDER BY id`.execute(db);
  expect(waiting).toEqual([{ id: rows[4]!.id }]);
  const { rows: ahead } = await sql`
    SELECT FROM accounts WHERE kind = 'fake' AND (retry_at > now() OR slowed_at > now())
    UNION ALL SELECT FROM workers WHERE token = ${others[0]!.token} AND lease_until > now() + interval '2 minutes'`.execute(
    db,
  );
  expect(ahead).toEqual([]);
});
