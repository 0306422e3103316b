import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { progressOf } from "#server/activity/progress.ts";
import { databaseClock, startNextDue, startScheduler } from "./scheduler.ts";
import { refusing } from "#server/testing/refusing.ts";
import { until } from "#server/testing/until.ts";
import { quiet } from "../testing/quick-worker.ts";
import {
  addNotification,
  addPerson,
  addSchedule,
  clear,
  dependencies,
  notificationStatus,
} from "../testing/scene.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => clear(database.db));
afterAll(() => database.close());

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const scheduled = (at: Date, more: object = {}) =>
  addNotification(database.db, { status: "Scheduled", scheduledTime: at, ...more });
const startAll = async () => {
  while (await startNextDue(database.db, dependencies, databaseClock));
};

test("starts what is due and nothing else, and says how late it is", async () => {
  const { db } = database;
  await addPerson(db);
  const due = await scheduled(minutes(-10));
  const later = await scheduled(minutes(10));
  await startAll();
  expect(await notificationStatus(db, due)).toBe("Sending");
  expect(await notificationStatus(db, later)).toBe("Scheduled");
  const late = (await progressOf(db, [due])).get(due)?.lateSeconds ?? 0;
  expect(late).toBeGreaterThanOrEqual(600);
  expect(late).toBeLessThan(660);
});

test("many schedulers start a run once", async () => {
  const { db } = database;
  await addPerson(db);
  for (let n = 0; n < 5; n += 1) await scheduled(minutes(-1));
  await Promise.all(Array.from({ length: 6 }, startAll));
  const { rows } = await sql<{ runs: number; notifications: number }>`
    SELECT count(*) AS runs, count(DISTINCT notification_id) AS notifications FROM runs`.execute(db);
  expect(rows[0]).toEqual({ runs: 5, notifications: 5 });
});

test("one that cannot be started fails with its reason and holds up no one", async () => {
  const { db } = database;
  const empty = await scheduled(minutes(-3), { audience: [{ type: "user", id: 99_999_999, name: "Gone" }] });
  await addPerson(db);
  const unfilled = await scheduled(minutes(-2), { content: "At {{time}}" });
  const fine = await scheduled(minutes(-1));
  await startAll();
  const rows = await db
    .selectFrom("notifications")
    .select(["status", "status_reason"])
    .where("id", "in", [empty, unfilled, fine])
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { status: "Failed", status_reason: "The people you chose have been deleted. Choose recipients." },
    { status: "Failed", status_reason: "Fill in time before sending." },
    { status: "Sending", status_reason: null },
  ]);
  expect(await db.selectFrom("content_versions").select("notification_id").execute()).toEqual([
    { notification_id: fine },
  ]);
});

test("what was missed by more than a day waits for a person's decision", async () => {
  const { db } = database;
  await addPerson(db);
  const missed = await scheduled(minutes(-25 * 60));
  const dayOld = await scheduled(minutes(-23 * 60));
  await startAll();
  expect(await notificationStatus(db, missed)).toBe("Failed");
  expect(await notificationStatus(db, dayOld)).toBe("Sending");
});

test("a fault that is not the notification's leaves it planned", async () => {
  const { db } = database;
  await addPerson(db);
  const id = await scheduled(minutes(-1));
  const fault = new Error("the settings cannot be read");
  const broken = { organization: () => Promise.reject(fault) };
  await expect(startNextDue(db, broken, databaseClock)).rejects.toMatchObject({
    notificationId: id,
    cause: fault,
  });
  expect(await notificationStatus(db, id)).toBe("Scheduled");
});

test("one whose start fails holds up no other", async () => {
  const { db } = database;
  await addPerson(db);
  const first = await scheduled(minutes(-2));
  const second = await scheduled(minutes(-1));
  let faults = 0;
  const once = {
    organization: () => {
      faults += 1;
      return faults === 1 ? Promise.reject(new Error("a hiccup")) : dependencies.organization();
    },
  };
  const told: unknown[] = [];
  const log = { ...quiet, error: (fields: Record<string, unknown>) => told.push(fields["notificationId"]) };
  const scheduler = startScheduler({ db, dependencies: once, log });
  try {
    await until(async () => expect(await notificationStatus(db, second)).toBe("Sending"));
    expect(await notificationStatus(db, first)).toBe("Scheduled");
    expect(told).toEqual([first]);
  } finally {
    await scheduler.stop();
  }
});

test("all whose start fails at the same time are put off", async () => {
  const { db } = database;
  await addPerson(db);
  await scheduled(minutes(-3));
  const failing = [await scheduled(minutes(-2)), await scheduled(minutes(-1))];
  const faults = Promise.withResolvers<never>();
  let asked = 0;
  const broken = {
    async organization() {
      asked += 1;
      // The first notification starts, and then the schedules are looked at.
      if (asked <= 2) return dependencies.organization();
      // The other two fail together.
      if (asked === 4) faults.reject(new Error("a hiccup"));
      return asked <= 4 ? faults.promise : dependencies.organization();
    },
  };
  const told = new Set<unknown>();
  const log = { ...quiet, error: (fields: Record<string, unknown>) => told.add(fields["notificationId"]) };
  const scheduler = startScheduler({ db, dependencies: broken, log });
  try {
    await until(() => expect(told).toEqual(new Set(failing)));
  } finally {
    await scheduler.stop();
  }
});

test("starts what becomes due while it waits, and marks what could not run, even if maintenance keeps failing", async () => {
  const { db } = database;
  await addPerson(db);
  const gone = { type: "group", id: 99_999_999, name: "Garden" } as const;
  const later = { next_run_at: new Date("2099-01-01T14:00:00Z"), next_occurrence: "2099-01-01" };
  const broken = await addSchedule(db, { ...later, audienceMembers: [gone] });
  const problem = () =>
    db.selectFrom("schedules").select("problem").where("id", "=", broken).executeTakeFirstOrThrow();
  const scheduler = startScheduler({ db: refusing(db, "DELETE FROM attachments"), dependencies, log: quiet });
  try {
    const id = await scheduled(new Date(Date.now() + 300));
    await until(async () => expect(await notificationStatus(db, id)).toBe("Sending"));
    await until(async () => expect((await problem()).problem).toContain("no longer exists"));
  } finally {
    await scheduler.stop();
  }
});

test("stops although much more is due", async () => {
  const { db } = database;
  await addPerson(db);
  for (let n = 0; n < 40; n += 1) await scheduled(minutes(-1));
  const slow = {
    async organization() {
      await sleep(50);
      return dependencies.organization();
    },
  };
  const scheduler = startScheduler({ db, dependencies: slow, log: quiet });
  const started = async () => {
    const { rows } = await sql`SELECT FROM notifications WHERE status = 'Sending'`.execute(db);
    return rows.length;
  };
  await until(async () => expect(await started()).toBeGreaterThan(0));
  await scheduler.stop();
  expect(await started()).toBeLessThan(40);
});
