import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AppError } from "#contract/errors.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { FEW, fanOutSome, FIRST_CHUNK } from "./fan-out.ts";
import { startRun, startRunAtOnce } from "./start-run.ts";
import { statuses } from "../testing/run-totals.ts";
import {
  addNotification,
  addPeople,
  addPerson,
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

const start = async (id: number) => (await startRun(database.db, id, dependencies)).runId;
const codeOf = (starting: Promise<unknown>) =>
  starting.then(
    () => "started",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

test("freezes what is sent: later edits of the notification change nothing", async () => {
  const { db } = database;
  await addPerson(db);
  const id = await addNotification(db, { content: "Hello {{first_name}} of {{property_name}}, {{today}}" });
  const runId = await start(id);
  await db.updateTable("notifications").set({ content: "Something else" }).where("id", "=", id).execute();
  const { rows } = await sql<Record<string, unknown>>`
    SELECT v.content, v.field_values, v.compiled -> 'fields' AS fields, r.state, r.class, r.planned_for
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id WHERE r.id = ${runId}`.execute(db);
  expect(rows[0]).toEqual({
    content: "Hello {{first_name}} of {{property_name}}, {{today}}",
    field_values: {
      "@reason": "You get this because Maple Court has this address on file.",
      property_name: "Maple Court",
      today: expect.any(String),
    },
    fields: ["first_name", "property_name"],
    state: "fanning-out",
    class: "general",
    planned_for: null,
  });
  const notification = await db
    .selectFrom("notifications")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(notification.status).toBe("Sending");
  expect(notification.sent_time).toBeInstanceOf(Date);
});

test("of many callers that start the same notification, one succeeds", async () => {
  await addPerson(database.db);
  const id = await addNotification(database.db);
  const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(start(id))));
  expect(codes.filter((code) => code === "started")).toHaveLength(1);
  expect(codes.filter((code) => code === "conflict")).toHaveLength(7);
  expect(await codeOf(start(id))).toBe("conflict");
  expect((await database.db.selectFrom("runs").select("id").execute()).length).toBe(1);
});

test("what is refused stays as it was", async () => {
  const { db } = database;
  const nobody = await addNotification(db);
  expect(await codeOf(start(nobody))).toBe("empty-audience");
  expect(await notificationStatus(db, nobody)).toBe("Draft");

  await addPerson(db);
  const unfilled = await addNotification(db, { content: "The plumber comes at {{time}}" });
  const refusal = await start(unfilled).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "missing-field-values",
    fields: { "fieldValues.time": "Fill in time" },
  });
  expect(await notificationStatus(db, unfilled)).toBe("Draft");

  const broken = await addNotification(db, { content: "Hello {{first_name" });
  expect(await codeOf(start(broken))).toBe("invalid-input");
  const fileless = await addNotification(db, { attachmentIds: [99_999_999] });
  expect(await codeOf(start(fileless))).toBe("invalid-input");
  expect(await codeOf(start(99_999_999))).toBe("not-found");
  expect(await db.selectFrom("content_versions").select("id").execute()).toEqual([]);
});

test.each([
  [
    "groups",
    [{ type: "group", id: 99_999_999, name: "Nobody" }],
    "No one is in the chosen groups right now.",
  ],
  [
    "people",
    [{ type: "user", id: 99_999_999, name: "Gone" }],
    "The people you chose have been deleted. Choose recipients.",
  ],
  ["nobody", [], "Recipients are required"],
] as const)("where %s were chosen and nobody is there, it says so", async (_, audience, sentence) => {
  const id = await addNotification(database.db, { audience: [...audience] });
  await expect(start(id)).rejects.toMatchObject({ code: "empty-audience", message: sentence });
});

test("a Failed notification that never ran may be started; one that ran may not", async () => {
  const { db } = database;
  await addPerson(db);
  const id = await addNotification(db);
  await db
    .updateTable("notifications")
    .set({ status: "Failed", status_reason: "It was missed" })
    .where("id", "=", id)
    .execute();
  await start(id);
  const row = await db
    .selectFrom("notifications")
    .select("status_reason")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row.status_reason).toBeNull();
  await db.updateTable("notifications").set({ status: "Failed" }).where("id", "=", id).execute();
  expect(await codeOf(start(id))).toBe("conflict");
});

test("inside a transaction that fails nothing was started", async () => {
  const { db } = database;
  await addPerson(db);
  const id = await addNotification(db);
  await db
    .transaction()
    .execute(async (tx) => {
      await startRun(tx, id, dependencies);
      throw new Error("the caller's own failure");
    })
    .catch(() => undefined);
  expect(await notificationStatus(db, id)).toBe("Draft");
});

const startAtOnce = (id: number, person: number) =>
  database.db.transaction().execute((tx) => startRunAtOnce(tx, id, dependencies, { startedBy: person }));

test("what someone waits for can leave as soon as its start commits, and of a large run the first people", async () => {
  const { db } = database;
  const person = await addPerson(db);
  const one = await startAtOnce(await addNotification(db), person);
  expect(one).toMatchObject({ queued: true, done: true });
  expect(await statuses(db, one.runId)).toEqual({ queued: 1 });

  await addPeople(db, 600);
  const many = await startAtOnce(await addNotification(db), person);
  expect(many).toMatchObject({ queued: true, done: false });
  expect(await statuses(db, many.runId)).toEqual({ queued: FEW });
  // The next chunk is small, too, because those messages leave sooner than a large chunk is written.
  expect(await fanOutSome(db)).toMatchObject({ people: FIRST_CHUNK, done: false });
});

test("a run that is started at once and can reach no one ends at once", async () => {
  const { db } = database;
  const person = await addPerson(db, { email: null });
  const id = await addNotification(db);
  const started = await startAtOnce(id, person);
  expect(started).toMatchObject({ queued: false, done: true });
  expect(await statuses(db, started.runId)).toEqual({ skipped: 1 });
  expect(await notificationStatus(db, id)).toBe("Failed");
});
