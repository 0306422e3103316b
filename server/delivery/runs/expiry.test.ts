import { sql } from "kysely";
import { expect, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { expireUnserved } from "./expiry.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { statuses } from "../testing/run-totals.ts";
import { addPeople, fanOutAll, notificationStatus, send } from "../testing/scene.ts";

/** What is queued where no account takes it. */

const engine = withEngines();

const tooOld = (runId: number, people = 1000) =>
  sql`UPDATE deliveries SET expires_at = now() WHERE id IN (
    SELECT id FROM deliveries WHERE run_id = ${runId} ORDER BY id LIMIT ${people})`.execute(engine.db);
const accounts = (set: string) =>
  sql`UPDATE accounts SET ${sql.raw(set)} WHERE channel = 'email'`.execute(engine.db);

test("messages of a channel whose accounts are all dead end in time, with their reason, and so does their run", async () => {
  await addPeople(engine.db, 4);
  const dead = new FakeTransport({
    check: () => ({ ok: false, of: "misconfigured", code: "bad_key", detail: "The key is wrong." }),
  });
  await engine.start(dead);
  await accounts("state = 'paused', retry_at = now()");
  const { runId, notificationId } = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ queued: 4 }));
  await tooOld(runId, 3);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ expired: 3, queued: 1 }));
  expect(await notificationStatus(engine.db, notificationId)).toBe("Sending");
  await tooOld(runId);
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Failed"));
  const { rows } = await sql`SELECT DISTINCT status, reason FROM deliveries WHERE run_id = ${runId}`.execute(
    engine.db,
  );
  expect(rows).toEqual([{ status: "expired", reason: "expired" }]);
  expect(dead.received).toEqual([]);
});

test.each([
  ["paused", "state = 'paused'", 600],
  ["turned off", "enabled = false", 600],
  ["asked to slow down", "retry_at = now() + interval '1 hour'", 600],
  ["serving", "state = 'ok'", 0],
])("all of them at once where the account is %s", async (_, set, ended) => {
  await addPeople(engine.db, 600);
  const { runId } = await send(engine.db);
  await fanOutAll(engine.db);
  await tooOld(runId);
  await accounts(set);
  expect(await expireUnserved(engine.db)).toHaveLength(ended);
  expect(await expireUnserved(engine.db)).toEqual([]);
});
