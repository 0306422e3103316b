import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import visibleText from "#server/db/migrations/0075_visible_text.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

/** What was stored before forms left out what no one sees. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const add = async (username: string, more: object = {}) => {
  const { id } = await database.db
    .insertInto("users")
    .values({ username, first_name: "Ann", last_name: "Lee", role: "tenant", ...more })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};
const addGroup = async (name: string, rule: object | null, builtIn = rule !== null) => {
  const { id } = await database.db
    .insertInto("user_groups")
    .values({ name, rule: rule && JSON.stringify(rule), built_in: builtIn })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};
const person = (id: number) =>
  database.db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const migrate = () => database.db.transaction().execute((tx) => visibleText(tx));

test("people, homes and groups that look the same become one, and what used them follows", async () => {
  const { db } = database;
  const first = await addGroup("Maple Court", { property: "Maple Court" });
  const second = await addGroup("Maple Court\u200b", { property: "Maple Court\u200b" });
  const third = await addGroup("MAPLE\u00a0court\u200e", { property: "MAPLE\u00a0court\u200e" });
  const board = await addGroup("Board", null);
  const otherBoard = await addGroup("Board\ufeff", null);
  const byUnit = await addGroup("Fours", { property: "Maple Court\u200e", unit: "4*\u200b" }, false);

  const home = (property: string, unit: string) => ({
    property_unit: `${property} / ${unit}`,
    property,
    unit,
  });
  const ann = await add("ann\u200b", { email: "\u200bann@example.com", ...home("Maple Court\u200b", "4B") });
  const annToo = await add("ann", { email: "ann2@example.com", ...home("MAPLE\u00a0court\u200e", "5C") });
  const annThree = await add("Ann\u00ad", { first_name: "An\u00adn", last_name: "\u2066Lee\u2069" });
  const persian = await add("mina", { first_name: "می\u200cنا", last_name: "👩\u200d👧" });
  const unread = await add("unread", { property_unit: "Oak Row 7A\u200b", property: "Oak Row 7A\u200b" });
  await sql`INSERT INTO suppressions (channel, address, reason, source)
    VALUES ('email', ${"\u200bann@example.com"}, 'Asked', 'console')`.execute(db);
  const audience = (...ids: number[]) =>
    JSON.stringify(ids.map((id) => ({ type: "group", id, name: "old" })));
  const { rows } = await sql<{ id: number }>`
    INSERT INTO notifications (title, message_type, content, field_values, channels, audience, audience_text, status,
      class, created_by_name)
    VALUES ('Water', 'custom', 'x', '{}', '{email}', ${audience(second)}::jsonb, 'old', 'Draft', 'general', 'Ada')
    RETURNING id`.execute(db);
  await sql`
    INSERT INTO schedules (name, recurrence, time, channels, audience, audience_text, field_values, created_by_name)
    VALUES (${"Rent\u200b"}, 'daily', '09:00', '{email}', ${audience(first, third, board)}::jsonb, 'old', '{}', 'Ada')`.execute(
    db,
  );

  const report = await migrate();

  expect(await person(ann)).toMatchObject({
    username: "ann",
    email: "ann@example.com",
    property: "Maple Court",
    unit: "4B",
    property_unit: "Maple Court / 4B",
  });
  expect(await person(annToo)).toMatchObject({ username: "ann2", property: "Maple Court", unit: "5C" });
  expect(await person(annThree)).toMatchObject({ username: "Ann3", first_name: "Ann", last_name: "Lee" });
  expect(await person(persian)).toMatchObject({ first_name: "می\u200cنا", last_name: "👩\u200d👧" });
  expect(await person(unread)).toMatchObject({
    property: "Oak Row",
    unit: "7A",
    property_unit: "Oak Row 7A",
  });

  const groups = await db
    .selectFrom("user_groups")
    .select(["id", "name", "rule"])
    .where("id", ">=", first)
    .orderBy("id")
    .execute();
  expect(groups).toEqual([
    { id: first, name: "Maple Court", rule: { property: "Maple Court" } },
    { id: board, name: "Board", rule: null },
    { id: otherBoard, name: "Board (2)", rule: null },
    { id: byUnit, name: "Fours", rule: { property: "Maple Court", unit: "4*" } },
    { id: expect.any(Number), name: "Oak Row", rule: { property: "Oak Row" } },
  ]);
  const kept = { type: "group", id: first, name: "Maple Court" };
  const notification = await db
    .selectFrom("notifications")
    .select(["audience", "audience_text"])
    .where("id", "=", rows[0]!.id)
    .executeTakeFirst();
  expect(notification).toEqual({ audience: [kept], audience_text: "Maple Court" });
  const schedule = await db
    .selectFrom("schedules")
    .select(["name", "audience", "audience_text"])
    .executeTakeFirst();
  expect(schedule).toEqual({
    name: "Rent",
    audience: [kept, { type: "group", id: board, name: "old" }],
    audience_text: "Maple Court, old",
  });
  expect(await db.selectFrom("suppressions").select("address").execute()).toEqual([
    { address: "ann@example.com" },
  ]);

  expect(report).toEqual([
    "Invisible characters were removed from the details of 4 people.",
    "The username ann was on file twice. Its later owner is now ann2.",
    "The username Ann was on file twice. Its later owner is now Ann3.",
    "Several groups looked like Maple Court. They are one group now.",
  ]);
  const audit = await db.selectFrom("audit").select(["action", "detail"]).orderBy("id").execute();
  expect(audit).toContainEqual({
    action: "user.update",
    detail: { by: "clean", changes: { username: ["ann", "ann2"] } },
  });
  expect(audit.at(-1)).toEqual({
    action: "data.clean",
    detail: { by: "clean", people: 4, renamed: 2, merged: ["Maple Court"] },
  });
  expect(await migrate()).toEqual([]);
});

test("an older group takes the name of a later one that becomes part of it, and names that are taken get a number", async () => {
  const { db } = database;
  const older = await addGroup("Elm Court\u200b", { property: "Elm Court\u200b" });
  const later = await addGroup("Elm Court", { property: "Elm Court" });
  const dirty = await addGroup("Club\ufeff", null);
  const clean = await addGroup("Club", null);
  const second = await addGroup("Club (2)", null);
  const unnamed = await addGroup("\u200b", { property: "\u200b" });
  const resident = await add("elm", { property_unit: "Elm Court / 1A", property: "Elm Court", unit: "1A" });
  const userLater = await add("zoe\u200b");
  const userClean = await add("zoe");
  const everyone = await db
    .selectFrom("user_groups")
    .select("id")
    .where("built_in", "=", true)
    .where("id", "<", older)
    .execute();
  await sql`
    INSERT INTO schedules (name, recurrence, time, channels, audience, audience_text, field_values, created_by_name)
    VALUES ('Elm', 'daily', '09:00', '{email}', ${JSON.stringify([{ type: "group", id: later, name: "old" }])}::jsonb,
      'old', '{}', 'Ada')`.execute(db);

  await migrate();

  const groups = await db
    .selectFrom("user_groups")
    .select(["id", "name"])
    .where("id", "in", [older, later, dirty, clean, second, unnamed])
    .orderBy("id")
    .execute();
  expect(groups).toEqual([
    { id: older, name: "Elm Court" },
    { id: dirty, name: "Club (3)" },
    { id: clean, name: "Club" },
    { id: second, name: "Club (2)" },
    { id: unnamed, name: `Group ${unnamed}` },
  ]);
  const schedule = await db
    .selectFrom("schedules")
    .select(["audience", "audience_text"])
    .where("name", "=", "Elm")
    .executeTakeFirst();
  expect(schedule).toEqual({
    audience: [{ type: "group", id: older, name: "Elm Court" }],
    audience_text: "Elm Court",
  });
  expect(await person(resident)).toMatchObject({ property: "Elm Court", unit: "1A" });
  expect((await person(userLater)).username).toBe("zoe");
  expect((await person(userClean)).username).toBe("zoe2");
  const kept = db.selectFrom("user_groups").select("id").where("id", "<", older).where("built_in", "=", true);
  expect(await kept.execute()).toEqual(everyone);
});
