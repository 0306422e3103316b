import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { runMaintenance } from "./maintenance.ts";
import { addValues } from "#server/testing/values.ts";
import { addNotification, addPerson } from "./testing/scene.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function attach(name: string, hoursOld: number): Promise<number> {
  const sha256 = createHash("sha256").update(name).digest();
  const { rows } = await sql<{ id: number }>`
    WITH bytes AS (INSERT INTO attachment_bytes VALUES (${sha256}, ${Buffer.from(name)}))
    INSERT INTO attachments (sha256, name, type, size, created_at)
    VALUES (${sha256}, ${name}, 'image/png', 1, now() - ${hoursOld} * interval '1 hour') RETURNING id`.execute(
    database.db,
  );
  return rows[0]!.id;
}

test("files that no message uses go after a day, with their bytes; all others stay", async () => {
  const { db } = database;
  await attach("forgotten", 25);
  await attach("just uploaded", 1);
  const inUse = await attach("in use", 25);
  const sent = await attach("sent, then taken off", 25);
  const id = await addNotification(db);
  await db
    .updateTable("notifications")
    .set({ attachment_ids: [inUse] })
    .where("id", "=", id)
    .execute();
  await sql`INSERT INTO content_versions (notification_id, title, subject, content, field_values, attachment_ids, compiled)
    VALUES (${id}, '', '', '', '{}', ${[sent]}, '{}')`.execute(db);
  await runMaintenance(db);
  const kept = await db.selectFrom("attachments").select("name").orderBy("id").execute();
  expect(kept.map(({ name }) => name)).toEqual(["just uploaded", "in use", "sent, then taken off"]);
  expect(await db.selectFrom("attachment_bytes").select("sha256").execute()).toHaveLength(3);
});

test("sessions that no one has used for a month, and old sign-in failures, are forgotten", async () => {
  const { db } = database;
  const user = await addPerson(db);
  await sql`INSERT INTO sessions (token_hash, user_id, last_seen_at)
    VALUES ('\\x01', ${user}, now() - interval '31 days'), ('\\x02', ${user}, now() - interval '29 days')`.execute(
    db,
  );
  await sql`INSERT INTO sign_in_throttle (key, failures, blocked_until, updated_at)
    VALUES ('old', 1, now(), now() - interval '3 days'), ('new', 1, now(), now())`.execute(db);
  await runMaintenance(db);
  expect(await db.selectFrom("sessions").select("user_id").execute()).toHaveLength(1);
  expect(await db.selectFrom("sign_in_throttle").select("key").execute()).toEqual([{ key: "new" }]);
});

test("one-time links are forgotten once they have ended", async () => {
  const { db } = database;
  const user = await addPerson(db);
  await sql`INSERT INTO password_links (token_hash, user_id, channel, address, expires_at)
    VALUES ('\\x01', ${user}, 'email', 'a@example.com', now() - interval '1 second'),
      ('\\x02', ${user}, 'email', 'a@example.com', now() + interval '1 hour')`.execute(db);
  await runMaintenance(db);
  const { rows } = await sql`SELECT encode(token_hash, 'hex') AS hash FROM password_links`.execute(db);
  expect(rows).toEqual([{ hash: "02" }]);
});

test("values that no message has go after a day, and others with the last of their messages", async () => {
  const { db } = database;
  const person = await addPerson(db);
  const add = (name: string) => addValues(db, { [person]: { amount: "$1" } }, name);
  const [forgotten, used] = [await add("forgotten"), await add("used")];
  await sql`UPDATE imports SET created_at = now() - interval '25 hours'
    WHERE id IN (${forgotten}, ${used})`.execute(db);
  await add("just uploaded");
  const id = await addNotification(db);
  await db.updateTable("notifications").set({ values_id: used }).where("id", "=", id).execute();
  const left = async () => {
    await runMaintenance(db);
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM imports i JOIN person_values v ON v.values_id = i.id ORDER BY i.id`.execute(db);
    return rows.map(({ name }) => name);
  };
  expect(await left()).toEqual(["used", "just uploaded"]);
  await db.deleteFrom("notifications").where("id", "=", id).execute();
  expect(await left()).toEqual(["just uploaded"]);
});

test("after a month, of an incoming text only its id is left, so that it does not work a second time", async () => {
  const { db } = database;
  await sql`
    WITH old AS (
      INSERT INTO webhook_calls (account_id, body, received_at)
      SELECT id, 'secret', now() - interval '31 days' FROM accounts LIMIT 1 RETURNING id, account_id
    )
    INSERT INTO receipts (call_id, account_id, event_id, event, processed_at)
    SELECT id, account_id, what, jsonb_build_object('what', what, 'text', 'START'), now()
    FROM old, unnest(ARRAY['text', 'delivered']) what`.execute(db);
  await sql`
    INSERT INTO receipts (account_id, event_id, event, processed_at, received_at)
    SELECT id, what, jsonb_build_object('what', what), now(), now() - interval '31 days'
    FROM (SELECT id FROM accounts LIMIT 1) a, unnest(ARRAY['opened', 'clicked']) what`.execute(db);
  await runMaintenance(db);
  expect(await db.selectFrom("receipts").select(["event_id", "event", "call_id"]).execute()).toEqual([
    { event_id: "text", event: { what: "text" }, call_id: null },
  ]);
  expect(await db.selectFrom("webhook_calls").select("id").execute()).toEqual([]);
});
