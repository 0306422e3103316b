import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { runProgress } from "#contract/run-progress.ts";
import { deliveriesOf } from "./deliveries.ts";
import type { DeliveriesQuestion } from "./deliveries-in-order.ts";
import { fanOutSome } from "./fan-out.ts";
import { progressOf } from "./progress.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "./testing/engine.ts";
import { FakeChannel } from "./testing/fake-channel.ts";
import { addPeople, addPerson, notificationStatus, send } from "./testing/scene.ts";

const engine = withEngines();

async function told(notificationId: number) {
  const progress = (await progressOf(engine.db, [notificationId])).get(notificationId);
  return runProgress.parse(progress);
}

/** What is not zero. */
async function outcomes(notificationId: number) {
  const counted = Object.entries((await told(notificationId)).outcomes);
  return Object.fromEntries(counted.filter(([, people]) => people > 0));
}

async function list(runId: number, question: Partial<DeliveriesQuestion>) {
  const { total, rows } = await deliveriesOf(engine.db, runId, {
    show: "all",
    page: 1,
    pageSize: 25,
    ...question,
  });
  return { total, rows: rows.map(({ name, channel }) => `${name.split(" ")[0]} ${channel}`) };
}

/** Three who are reached by email though push is off, one whom nothing reaches, and two who share an address. */
async function sendToSix() {
  const { db } = engine;
  await addPeople(db, 3);
  await addPerson(db, { first_name: "None", email: null });
  await addPerson(db, { first_name: "Holder", email: "home@example.com", receive_push: true });
  await addPerson(db, { first_name: "Sharer", email: "home@example.com" });
  return send(db, { channels: ["email", "push"] });
}

const ended = (notificationId: number) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).not.toBe("Sending"));

describe("a run on two channels", () => {
  test("counts each person once, by the best that became of them", async () => {
    const { notificationId } = await sendToSix();
    await fanOutSome(engine.db);
    expect(await outcomes(notificationId)).toEqual({ waiting: 4, shared: 1, skipped: 1 });
    expect(await told(notificationId)).toMatchObject({ people: 6, peopleWaiting: 4 });

    await engine.start(new FakeChannel());
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 4, shared: 1, skipped: 1 });
    expect(await told(notificationId)).toMatchObject({ total: 12, peopleWaiting: 0 });
  });

  test("lists whom nothing reached first, apart from who is reached another way", async () => {
    const { runId, notificationId } = await sendToSix();
    await engine.start(new FakeChannel());
    await ended(notificationId);
    expect(await list(runId, { show: "unreached" })).toEqual({ total: 2, rows: ["None email", "None push"] });
    const all = await list(runId, {});
    expect(all.total).toBe(12);
    expect(all.rows).toHaveLength(12);
    expect(all.rows.slice(0, 2)).toEqual(["None email", "None push"]);
    expect(new Set(all.rows).size).toBe(12);
    expect(await list(runId, { show: "unreached", q: "holder" })).toEqual({ total: 0, rows: [] });
    expect(await list(runId, { q: "sharer" })).toMatchObject({ total: 2 });
    expect(await list(runId, { page: 2, pageSize: 5 })).toEqual({ total: 12, rows: all.rows.slice(5, 10) });
  });

  test("is counted anew when anything has moved, and only then", async () => {
    const { db } = engine;
    const { runId, notificationId } = await sendToSix();
    await engine.start(new FakeChannel());
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 4, shared: 1, skipped: 1 });
    // Behind the counters' back: no look at the deliveries finds it.
    await sql`UPDATE deliveries SET status = 'failed' WHERE run_id = ${runId} AND status = 'accepted'`.execute(
      db,
    );
    expect(await outcomes(notificationId)).toEqual({ sent: 4, shared: 1, skipped: 1 });
    await sql`UPDATE run_counts SET status = 'failed' WHERE run_id = ${runId} AND status = 'accepted'`.execute(
      db,
    );
    expect(await outcomes(notificationId)).toEqual({ failed: 4, shared: 1, skipped: 1 });
  });
});

test("a run on one channel says the same of its people as of its messages", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  await addPerson(db, { first_name: "None", email: null });
  await addPerson(db, { first_name: "Holder", email: "home@example.com" });
  await addPerson(db, { first_name: "Sharer", email: "home@example.com" });
  await engine.start(new FakeChannel());
  const { notificationId } = await send(db);
  await ended(notificationId);
  expect(await outcomes(notificationId)).toEqual({ sent: 3, shared: 1, skipped: 1 });
});
