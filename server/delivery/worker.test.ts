import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "#server/testing/postgres.ts";
import type { TestDatabase } from "#server/testing/postgres.ts";
import { imbalance, statuses } from "./testing/books.ts";
import type { Engine } from "./testing/engine.ts";
import { startEngine, until } from "./testing/engine.ts";
import { FakeChannel } from "./testing/fake-channel.ts";
import { addPeople, clear, notificationStatus, send } from "./testing/scene.ts";

let database: TestDatabase;
let engines: Engine[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => clear(database.db));
afterEach(async () => {
  await Promise.all(engines.map(({ worker }) => worker.stop()));
  engines = [];
  expect(await imbalance(database.db)).toEqual([]);
});
afterAll(() => database.close());

test("a run reaches everyone once and ends Delivered", async () => {
  const { db } = database;
  await addPeople(db, 300);
  const { runId, notificationId } = await send(db);
  const channel = new FakeChannel();
  engines.push(await startEngine(database, channel));
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"));
  expect(await statuses(db, runId)).toEqual({ accepted: 300 });
  expect(new Set(channel.received.map(({ deliveryId }) => deliveryId)).size).toBe(300);
  expect(channel.received).toHaveLength(300);
});
