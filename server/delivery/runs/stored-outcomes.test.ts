import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { databaseUrl } from "#server/testing/database-server.ts";
import { timelineOf } from "#server/activity/timeline.ts";
import { fanOutSome } from "./fan-out.ts";
import { imbalance } from "../testing/run-totals.ts";
import { resendSome } from "../retry/resend.ts";

/** What was sent before outcomes were stored reads the same as what is sent since. */

const folder = new URL("../../db/migrations/", import.meta.url);
const name = `porchlight_test_${process.pid}_${randomBytes(4).toString("hex")}`;
let server: Db;
let db: Db;

beforeAll(async () => {
  server = connect(inject("postgresServer"), { max: 1 });
  await sql.raw(`CREATE DATABASE ${name}`).execute(server);
  db = connect(databaseUrl(inject("postgresServer"), name));
  await sql`CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`.execute(
    db,
  );
  const before = (await readdir(folder)).filter((file) => file.endsWith(".sql") && file < "0010").sort();
  for (const file of before) {
    await sql.raw(await readFile(new URL(file, folder), "utf8")).execute(db);
    await sql`INSERT INTO migrations (name) VALUES (${file})`.execute(db);
  }
});
afterAll(async () => {
  await db.destroy();
  await sql.raw(`DROP DATABASE ${name} WITH (FORCE)`).execute(server);
  await server.destroy();
});

type Line = [
  person: number,
  channel: string,
  address: string | null,
  status: string,
  reason: string | null,
  account: number | null,
];

async function addRun(
  id: number,
  run: { channels: string[]; state: string; status: string; simulated: boolean },
  lines: Line[],
): Promise<void> {
  const { channels, state, status, simulated } = run;
  await sql`INSERT INTO notifications (id, title, message_type, content, channels, audience, audience_text, status,
      created_by_name) OVERRIDING SYSTEM VALUE
    VALUES (${id}, 'Old', 'custom', 'x', ${channels}, '[]', 'x', ${status}, 'x')`.execute(db);
  await sql`INSERT INTO content_versions (id, notification_id, title, subject, content, field_values, attachment_ids,
      compiled) OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${id}, 'Old', '', 'x', '{}', '{}', '{"fields": []}')`.execute(db);
  await sql`INSERT INTO runs (id, notification_id, content_version_id, class, channels, audience, state, simulated)
      OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${id}, ${id}, 'general', ${channels}, '[]', ${state}, ${simulated})`.execute(db);
  for (const [person, channel, address, became, reason, account] of lines) {
    await sql`INSERT INTO deliveries (run_id, user_id, channel, address, status, reason, priority, expires_at,
        person_name, account_id)
      VALUES (${id}, ${person}, ${channel}, ${address}, ${became}, ${reason}, 2, now() + interval '1 day', 'x',
        ${account})`.execute(db);
  }
}

test("is filled in by the migration", async () => {
  await sql`INSERT INTO users (id, username, first_name, last_name, role, email, phone) OVERRIDING SYSTEM VALUE
    SELECT i, 'p' || i, 'P', i::text, 'tenant', 'p' || i || '@example.com', '+1555000000' || i
    FROM generate_series(1, 4) i`.execute(db);
  const real = await sql<{ id: number }>`INSERT INTO accounts (channel, kind, name, source)
    VALUES ('email', 'smtp', 'mail.example', 'environment') RETURNING id`.execute(db);
  const smtp = real.rows[0]!.id;
  const sandbox = await sql<{
    id: number;
  }>`SELECT id FROM accounts WHERE channel = 'sms' AND simulated`.execute(db);
  const texts = sandbox.rows[0]!.id;

  const plain = { channels: ["email"], state: "finished", status: "Delivered", simulated: false };
  await addRun(1, plain, [
    [1, "email", "home@example.com", "accepted", null, smtp],
    [2, "email", "home@example.com", "skipped", "same-address", null],
    [3, "email", null, "skipped", "no-email", null],
  ]);
  await addRun(2, plain, [
    [1, "email", "a@example.com", "delivered", null, smtp],
    [2, "email", "b@example.com", "skipped", "opted-out", null],
    [3, "email", "c@example.com", "skipped", "person-removed", null],
  ]);
  await addRun(3, { ...plain, channels: ["email", "sms"], status: "Partially Delivered", simulated: true }, [
    [1, "email", "a@example.com", "failed", "refused", smtp],
    [1, "sms", "+15550000001", "delivered", null, texts],
  ]);
  await addRun(4, { ...plain, channels: ["sms", "push"], simulated: true }, [
    [1, "sms", "+15550000001", "delivered", null, texts],
    [1, "push", "1", "skipped", "opted-out", null],
  ]);
  await addRun(5, { ...plain, channels: ["email", "sms"], state: "sending", status: "Sending" }, [
    [1, "email", "a@example.com", "queued", "provider-paused", smtp],
    [1, "sms", "+15550000001", "queued", null, null],
    [2, "email", "b@example.com", "uncertain", "unconfirmed", smtp],
    [2, "sms", "+15550000002", "queued", null, null],
  ]);
  await sql`INSERT INTO run_counts (run_id, channel, status, reason, count)
    SELECT run_id, channel, status, coalesce(reason, ''), count(*) FROM deliveries GROUP BY 1, 2, 3, 4`.execute(
    db,
  );
  await sql`INSERT INTO resends (run_id, unconfirmed, cursor) VALUES (3, false, 0)`.execute(db);

  await sql`INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, outcome)
    SELECT id, 1, ${smtp}::bigint, 1, now(), 'accepted' FROM deliveries WHERE status = 'accepted'`.execute(
    db,
  );
  await sql`INSERT INTO delivery_events (delivery_id, kind)
    SELECT id, 'sent-again' FROM deliveries WHERE status = 'accepted'`.execute(db);

  await migrate(db);

  expect(await imbalance(db)).toEqual([]);
  const outcomes = await sql<{ run: string }>`
    SELECT run_id || ': ' || string_agg(outcome || ' ' || count, ', ' ORDER BY outcome) AS run
    FROM run_outcomes GROUP BY run_id ORDER BY run_id`.execute(db);
  expect(outcomes.rows.map(({ run }) => run)).toEqual([
    "1: sent 1, shared 1, skipped 1",
    "2: cancelled 1, delivered 1, opted-out 1",
    "3: failed 1",
    "4: delivered 1",
    "5: unconfirmed 1, waiting 1",
  ]);
  const { rows } = await sql<{ run: string }>`
    SELECT r.id || ' ' || n.status || ' ' || r.simulated_channels::text AS run
    FROM runs r JOIN notifications n ON n.id = r.notification_id ORDER BY r.id`.execute(db);
  expect(rows.map(({ run }) => run)).toEqual([
    "1 Partially Delivered {}",
    "2 Delivered {}",
    "3 Failed {sms}",
    "4 Delivered {sms,push}",
    "5 Sending {sms}",
  ]);
  // What was being sent again goes on.
  await sql`UPDATE users SET email = 'new@example.com' WHERE id = 1`.execute(db);
  expect(await resendSome(db)).toEqual({ runId: 3, done: true });
  expect(await imbalance(db)).toEqual([]);

  // It is a partition of its own, with its old ids.
  const places = await sql<{ place: string }>`
    SELECT tableoid::regclass || ' ' || count(*) AS place FROM deliveries GROUP BY tableoid
    UNION ALL SELECT tableoid::regclass || ' ' || count(*) FROM attempts GROUP BY tableoid
    UNION ALL SELECT tableoid::regclass || ' ' || count(*) FROM run_people GROUP BY tableoid`.execute(db);
  expect(places.rows.map(({ place }) => place)).toEqual([
    "deliveries_0 14",
    "attempts_0 1",
    "run_people_0 10",
  ]);
  const { delivery, events } = (await timelineOf(db, 1))!;
  expect([delivery.status, events.length]).toEqual(["accepted", 3]);
  await sql`UPDATE runs SET state = 'fanning-out', audience = '[{"type": "user", "id": 4}]' WHERE id = 2`.execute(
    db,
  );
  expect(await fanOutSome(db)).toMatchObject({ runId: 2, people: 1, queued: true });
  const added = await sql<{ id: number }>`SELECT id FROM deliveries WHERE run_id = 2 AND user_id = 4`.execute(
    db,
  );
  expect(added.rows).toEqual([{ id: 15 }]);
});
