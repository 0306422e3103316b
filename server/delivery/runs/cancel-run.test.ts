import { sql } from "kysely";
import { expect, test } from "vitest";
import { servingAccounts } from "../accounts/accounts.ts";
import { cancelRun } from "./cancel-run.ts";
import { fanOutSome } from "./fan-out.ts";
import { startRun } from "./start-run.ts";
import { imbalance, statuses } from "../testing/run-totals.ts";
import { refusing } from "#server/testing/refusing.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, FakeTransport } from "../testing/fake-transport.ts";
import {
  addNotification,
  addPeople,
  claimSome,
  dependencies,
  notificationStatus,
  send,
} from "../testing/scene.ts";
import type { Outcome } from "../transports/transport.ts";
import type { Claimed } from "../worker/claim.ts";
import { writeJournal } from "../worker/journal.ts";
import { takeLease } from "../worker/worker-session.ts";

const engine = withEngines();

async function claimed(people: number) {
  const { db } = engine;
  await addPeople(db, people);
  const started = await send(db);
  await fanOutSome(db);
  const token = await takeLease(db, "test", 30);
  const account = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  const deliveries = await claimSome(db, { token, account, limit: people, which: "any" });
  return { ...started, token, deliveries };
}

test("when it returns, nothing more goes out; what was on the wire is finished and recorded", async () => {
  await addPeople(engine.db, 200);
  const begun = new Set<number>();
  const transport = new FakeTransport({
    behavior: async ({ deliveryId }) => {
      begun.add(deliveryId);
      await new Promise((resolve) => setTimeout(resolve, 40));
      return ACCEPTED;
    },
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await until(() => expect(begun.size).toBeGreaterThan(8));

  await cancelRun(engine.db, notificationId);
  const onTheWay = begun.size + transport.concurrency;
  expect(await notificationStatus(engine.db, notificationId)).toBe("Cancelled");
  await until(async () => expect((await statuses(engine.db, runId)).sending).toBeUndefined());
  expect(begun.size).toBeLessThanOrEqual(onTheWay);
  expect(await statuses(engine.db, runId)).toEqual({ accepted: begun.size, cancelled: 200 - begun.size });
  expect(transport.received).toHaveLength(begun.size);
  const run = await engine.db.selectFrom("runs").select(["state", "finished_at"]).executeTakeFirstOrThrow();
  expect(run).toEqual({ state: "cancelled", finished_at: expect.any(Date) });
  // Workers don't look at it again.
  await until(async () => {
    const { rows } = await sql`SELECT FROM open_cancellations`.execute(engine.db);
    expect(rows).toEqual([]);
  });
});

test("a try that fails after it was cancelled is the last one", async () => {
  await addPeople(engine.db, 1);
  let answer: (() => void) | undefined;
  const transport = new FakeTransport({
    behavior: () =>
      new Promise((resolve) => {
        answer = () => resolve({ kind: "unavailable", code: "timeout", detail: "no answer" });
      }),
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await until(() => expect(answer).toBeDefined());
  await cancelRun(engine.db, notificationId);
  expect(await statuses(engine.db, runId)).toEqual({ sending: 1 });
  answer!();
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ cancelled: 1 }));
});

test("what is beginning at that moment is waited for and goes out; nothing begins afterwards", async () => {
  const { db } = engine;
  const { token, deliveries, runId, notificationId } = await claimed(2);
  const [first, second] = deliveries as [Claimed, Claimed];
  const { cancelling } = await db.transaction().execute(async (tx) => {
    await writeJournal(tx, token, { begins: [first] });
    const cancelling = cancelRun(db, notificationId);
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(waiting.rows).toHaveLength(1);
    });
    return { cancelling };
  });
  await cancelling;
  expect(await statuses(db, runId)).toEqual({ sending: 1, cancelled: 1 });
  expect((await writeJournal(db, token, { begins: [second] }))?.begun).toEqual([]);
});

test("if it ends halfway, the worker cancels what it may no longer begin", async () => {
  const { db } = engine;
  await addPeople(db, 40);
  const reopenRun = Promise.withResolvers<Outcome>();
  let begun = 0;
  const transport = new FakeTransport({
    behavior: () => {
      begun += 1;
      return reopenRun.promise;
    },
  });
  await engine.start(transport);
  const { runId } = await send(db);
  await until(() => expect(begun).toBe(transport.concurrency));
  await sql`UPDATE runs SET state = 'cancelled' WHERE id = ${runId}`.execute(db);
  reopenRun.resolve(ACCEPTED);
  await until(async () => {
    const sent = transport.concurrency;
    expect(await statuses(db, runId)).toEqual({ accepted: sent, cancelled: 40 - sent });
  });
});

test("if it fails halfway, workers finish it, also for what no account would claim", async () => {
  const { db } = engine;
  await addPeople(db, 20);
  const { runId, notificationId } = await send(db);
  await fanOutSome(db);
  const failing = refusing(db, "FROM workers");
  await expect(cancelRun(failing, notificationId)).rejects.toThrow("connection refused");
  expect(await statuses(db, runId)).toEqual({ queued: 20 });
  await engine.start([]);
  await until(async () => expect(await statuses(db, runId)).toEqual({ cancelled: 20 }));
  expect(await imbalance(db)).toEqual([]);
});

test("a planned one is cancelled before it begins; one that is over is not", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  const planned = await addNotification(db, {
    status: "Scheduled",
    scheduledTime: new Date(Date.now() + 3_600_000),
  });
  await cancelRun(db, planned);
  expect(await notificationStatus(db, planned)).toBe("Cancelled");
  await expect(cancelRun(db, planned)).rejects.toMatchObject({ code: "conflict" });
  await expect(cancelRun(db, await addNotification(db))).rejects.toMatchObject({ code: "conflict" });
  await expect(cancelRun(db, 99_999_999)).rejects.toMatchObject({ code: "not-found" });
});

test("one that waits for its provider is cancelled too", async () => {
  const { db } = engine;
  await addPeople(db, 20);
  const { runId, notificationId } = await send(db);
  await fanOutSome(db);
  await cancelRun(db, notificationId);
  expect(await statuses(db, runId)).toEqual({ cancelled: 20 });
});

test("one that is being started at this moment is stopped with the run that has just begun", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  const id = await addNotification(db, { status: "Scheduled", scheduledTime: new Date() });
  const started = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const starting = db.transaction().execute(async (tx) => {
    await startRun(tx, id, dependencies);
    started.resolve();
    await commit.promise;
  });
  await started.promise;
  const cancelling = cancelRun(db, id);
  await until(async () => {
    const waiting = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    expect(waiting.rows).toHaveLength(1);
  });
  commit.resolve();
  await Promise.all([starting, cancelling]);

  expect(await notificationStatus(db, id)).toBe("Cancelled");
  expect(await db.selectFrom("runs").select("state").execute()).toEqual([{ state: "cancelled" }]);
});

test("a worker in the middle of writing does not wait for it, and is not waited for for nothing", async () => {
  const { db } = engine;
  await addPeople(db, 3);
  const { runId, notificationId } = await send(db);
  await fanOutSome(db);
  const { id: held } = await db.selectFrom("deliveries").select("id").executeTakeFirstOrThrow();
  const holding = Promise.withResolvers<void>();
  const reopenRun = Promise.withResolvers<void>();
  // As a worker's statement: first the deliveries, then the counters.
  const worker = db.transaction().execute(async (tx) => {
    await sql`UPDATE deliveries SET updated_at = now() WHERE id = ${held}`.execute(tx);
    holding.resolve();
    await reopenRun.promise;
    await sql`UPDATE run_counts SET count = count WHERE run_id = ${runId}`.execute(tx);
  });
  await holding.promise;
  const cancelling = cancelRun(db, notificationId);
  await until(async () => expect(await statuses(db, runId)).toEqual({ queued: 1, cancelled: 2 }));
  reopenRun.resolve();
  await Promise.all([worker, cancelling]);
  expect(await statuses(db, runId)).toEqual({ cancelled: 3 });
});
