import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertPerson } from "#server/testing/app.ts";
import { type TestDatabase, testDatabase } from "#server/testing/postgres.ts";
import { markFailuresSeen, readUnseenFailures } from "#server/features/shell/queries.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const look = async (userId: number, what: "notifications" | "schedules") => {
  const { asOf } = await readUnseenFailures(database.db, userId);
  await markFailuresSeen(database.db, userId, { what, until: asOf });
};

test("the failures that someone has not seen are counted without reading what went well", async () => {
  const { db } = database;
  const userId = await insertPerson(db, { role: "staff" });
  const notify = (count: number, status: string, kind = "message") =>
    sql`
    INSERT INTO notifications (kind, title, message_type, content, channels, audience, audience_text, status,
      created_by_name)
    SELECT ${kind}, 'Water off', 'custom', 'x', '{email}', '[]', '', ${status}, '' FROM generate_series(1, ${count})`.execute(
      db,
    );
  await notify(5, "Failed");
  await look(userId, "notifications");
  await notify(300, "Delivered");
  await notify(2, "Failed");
  await notify(1, "Partially Delivered");
  await notify(4, "Failed", "credentials");
  await db.transaction().execute(async (tx) => {
    // As with years of notifications, where reading all of them is not the quicker way.
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    expect(await readUnseenFailures(tx, userId)).toMatchObject({ notifications: 3, onlyNotification: null });
    const { rows } = await sql<{ read: number }>`
      SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
      WHERE relname = 'notifications'`.execute(tx);
    expect(rows[0]?.read).toBeLessThan(50);
  });
});

test("schedules with missed runs and those that cannot run are failures, until they are seen, dismissed or deleted", async () => {
  const { db } = database;
  const userId = await insertPerson(db, { role: "staff" });
  await look(userId, "schedules");
  const add = (values: { problem_at?: Date; deleted_at?: Date } = {}) =>
    db
      .insertInto("schedules")
      .values({
        name: "Rent",
        recurrence: "daily",
        time: "09:00",
        field_values: "{}",
        channels: ["email"],
        audience: "[]",
        created_by_name: "Admin Manager",
        problem: values.problem_at ? "Its template no longer exists." : null,
        ...values,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
  const missed = async (scheduleId: number, occurrence: string) =>
    db
      .insertInto("schedule_occurrences")
      .values({ schedule_id: scheduleId, occurrence, planned_for: new Date(), state: "missed" })
      .execute();
  const dismiss = async (occurrence: string) =>
    db
      .updateTable("schedule_occurrences")
      .set({ dismissed_at: new Date() })
      .where("occurrence", "=", occurrence)
      .execute();
  const count = async () => (await readUnseenFailures(db, userId)).schedules;

  const { id } = await add();
  await missed(id, "2026-11-24");
  await missed(id, "2026-11-25");
  await missed((await add({ deleted_at: new Date() })).id, "2026-11-25");
  await add({ problem_at: new Date() });
  expect(await count()).toBe(2);
  await dismiss("2026-11-24");
  expect(await count()).toBe(2);
  await dismiss("2026-11-25");
  expect(await count()).toBe(1);
  await look(userId, "notifications");
  expect(await count()).toBe(1);
  await look(userId, "schedules");
  expect(await count()).toBe(0);
});

test("what fails after the answer that was looked at is still to be seen, and one failure is named", async () => {
  const { db } = database;
  const userId = await insertPerson(db, { role: "staff" });
  await look(userId, "notifications");
  const fail = (sentAt: string | null = null) =>
    sql<{ id: number }>`
      INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status,
        created_by_name, sent_time)
      VALUES ('Water off', 'custom', 'x', '{email}', '[]', '', 'Failed', '', ${sentAt}) RETURNING id`.execute(
      db,
    );
  await fail();
  const { asOf } = await readUnseenFailures(db, userId);
  const { rows } = await fail();
  await markFailuresSeen(db, userId, { what: "notifications", until: asOf });
  expect(await readUnseenFailures(db, userId)).toMatchObject({
    notifications: 1,
    onlyNotification: rows[0]?.id,
    reach: 1,
  });
  await markFailuresSeen(db, userId, { what: "notifications", until: "2020-01-01T00:00:00Z" });
  expect((await readUnseenFailures(db, userId)).notifications).toBe(1);

  // A message that bounces late stands far down in the list of failures, where its notification was sent.
  await fail("2020-01-01T00:00:00Z");
  const listed = await sql<{ count: number }>`SELECT count(*) FROM notifications
    WHERE kind = 'message' AND status IN ('Failed', 'Partially Delivered')`.execute(db);
  expect(await readUnseenFailures(db, userId)).toMatchObject({
    notifications: 2,
    reach: listed.rows[0]?.count,
  });
});
