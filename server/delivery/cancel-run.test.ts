import { expect, test } from "vitest";
import { cancelRun } from "./cancel-run.ts";
import { fanOutSome } from "./fan-out.ts";
import { statuses } from "./testing/books.ts";
import { until, withEngines } from "./testing/engine.ts";
import { ACCEPTED, FakeChannel } from "./testing/fake-channel.ts";
import { addNotification, addPeople, notificationStatus, send } from "./testing/scene.ts";

const engine = withEngines();

test("when it returns, nothing more goes out; what was on the wire is finished and recorded", async () => {
  await addPeople(engine.db, 200);
  const begun = new Set<number>();
  const channel = new FakeChannel({
    behaviour: async ({ deliveryId }) => {
      begun.add(deliveryId);
      await new Promise((resolve) => setTimeout(resolve, 40));
      return ACCEPTED;
    },
  });
  await engine.start(channel);
  const { runId, notificationId } = await send(engine.db);
  await until(() => expect(begun.size).toBeGreaterThan(8));

  await cancelRun(engine.db, notificationId);
  const onTheWay = begun.size + channel.concurrency;
  expect(await notificationStatus(engine.db, notificationId)).toBe("Cancelled");
  await until(async () => expect((await statuses(engine.db, runId)).sending).toBeUndefined());
  expect(begun.size).toBeLessThanOrEqual(onTheWay);
  expect(await statuses(engine.db, runId)).toEqual({ accepted: begun.size, cancelled: 200 - begun.size });
  expect(channel.received).toHaveLength(begun.size);
  const run = await engine.db.selectFrom("runs").select(["state", "finished_at"]).executeTakeFirstOrThrow();
  expect(run).toEqual({ state: "cancelled", finished_at: expect.any(Date) });
});

test("a try that fails after it was cancelled is the last one", async () => {
  await addPeople(engine.db, 1);
  let answer = (): void => undefined;
  const channel = new FakeChannel({
    behaviour: () =>
      new Promise((resolve) => {
        answer = () => resolve({ kind: "unavailable", code: "timeout", detail: "no answer" });
      }),
  });
  await engine.start(channel);
  const { runId, notificationId } = await send(engine.db);
  await until(async () => {
    const row = await engine.db.selectFrom("deliveries").select("begun_at").executeTakeFirst();
    expect(row?.begun_at).toBeInstanceOf(Date);
  });
  await cancelRun(engine.db, notificationId);
  expect(await statuses(engine.db, runId)).toEqual({ sending: 1 });
  answer();
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ cancelled: 1 }));
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
