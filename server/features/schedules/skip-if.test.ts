import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** A reminder that stops for whoever has paid by the moment of the run. */

let porchlight: TestApp;
let staff: Caller;
let balance: number;
const people = {} as Record<"owes" | "paid" | "unknown", number>;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  balance = (await ask("POST", "/api/details", { label: "Balance", kind: "amount" })).json.id;
  for (const name of ["owes", "paid", "unknown"] as const)
    people[name] = await insertPerson(porchlight.db, {
      username: name,
      propertyUnit: "Riverbend 2D",
    });
  await owe(people.owes, "12.50");
  await owe(people.paid, "0.00");
});
afterAll(() => porchlight.close());

async function ask(method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object) {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, staff);
  return { status: reply.statusCode, json: reply.json() };
}
const owe = (id: number, amount: string) =>
  sql`UPDATE users SET details = jsonb_build_object(${String(balance)}::text, ${amount}::text) WHERE id = ${id}`.execute(
    porchlight.db,
  );
const skipIf = () => ({ detail: balance, kind: "amount", is: "at-most", value: "0" });
const reminder = (more: object) => ({
  name: "Rent",
  time: "09:00",
  recurrence: "daily",
  templateId: "rent-reminder",
  recipients: Object.values(people).map((id) => ({ type: "user", id })),
  channels: ["email"],
  fieldValues: { amount: "$900", due_date: "May 1" },
  ...more,
});

async function run(id: number) {
  const { json, status } = await ask("POST", `/api/schedules/${id}/run`, {});
  expect([status, json.message]).toEqual([200, undefined]);
  while ((await fanOutSome(porchlight.db))?.done === false);
  const { rows } = await sql<{
    notificationId: number;
    userId: number;
    status: string;
    reason: string;
    detail: string;
  }>`
    SELECT r.notification_id AS "notificationId", d.user_id AS "userId", d.status, d.reason, d.detail
    FROM deliveries d JOIN runs r ON r.id = d.run_id
    WHERE r.id = (SELECT max(id) FROM runs) ORDER BY d.user_id`.execute(porchlight.db);
  return { json, rows };
}

test("a run leaves out whom its condition fits then, says so, and no retry reaches them", async () => {
  const { json: schedule } = await ask("POST", "/api/schedules", reminder({ skipIf: skipIf() }));
  expect(schedule.skipIf).toEqual({ ...skipIf(), value: "0.00" });
  const question = { ...reminder({}), skipIf: skipIf(), fields: [] };
  const { recipients, channels, fields } = question as Record<string, unknown>;
  const reach = await ask("POST", "/api/audience/reach", { recipients, channels, fields, skipIf: skipIf() });
  expect(reach.json).toMatchObject({ people: 2, reached: 2, settled: 1 });

  const { rows } = await run(schedule.id);
  expect(rows).toMatchObject([
    { userId: people.owes, reason: null },
    { userId: people.paid, status: "skipped", reason: "settled", detail: "Balance is at most $0.00" },
    { userId: people.unknown, reason: null },
  ]);
  expect(await imbalance(porchlight.db)).toEqual([]);
  const id = rows[0]!.notificationId;
  const { json: sent } = await ask("GET", `/api/notifications/${id}`);
  // They are no failure, and no one has to look into them.
  expect(sent.progress.outcomes).toMatchObject({ cancelled: 1, skipped: 0, failed: 0 });
  expect((await ask("GET", "/api/dashboard")).json.attention ?? []).toEqual([]);

  // Who owes again later isn't reached by a retry of an earlier run, and who has paid since isn't, either.
  await owe(people.paid, "5.00");
  await owe(people.owes, "0.00");
  await sql`UPDATE deliveries SET status = 'failed', reason = 'gave-up' WHERE user_id = ${people.owes}`.execute(
    porchlight.db,
  );
  const again = await ask("POST", `/api/notifications/${id}/send-again`, { includeReached: true });
  expect(again.json).toMatchObject({ requeued: 0 });
});

test("a run by hand says that everyone is left out", async () => {
  const all = { ...skipIf(), is: "on-file", value: "" };
  const recipients = [people.owes, people.paid].map((id) => ({ type: "user", id }));
  const { json } = await ask("POST", "/api/schedules", reminder({ name: "No one", skipIf: all, recipients }));
  expect(await ask("POST", `/api/schedules/${json.id}/run`, {})).toMatchObject({
    status: 422,
    json: { message: "The schedule leaves out all 2 people now" },
  });
});

test("what a call leaves out stays, and a detail that a schedule needs stays, too", async () => {
  const { json: schedule } = await ask(
    "POST",
    "/api/schedules",
    reminder({ name: "Fees", skipIf: skipIf() }),
  );
  const change = reminder({ name: "Fees, monthly" });
  expect((await ask("PUT", `/api/schedules/${schedule.id}`, change)).json.skipIf).toMatchObject({
    ...skipIf(),
    value: "0.00",
  });
  expect(await ask("DELETE", `/api/details/${balance}`)).toMatchObject({
    status: 409,
    json: { fields: { [`schedule.${schedule.id}`]: "Fees, monthly" } },
  });
  expect(
    (await ask("PUT", `/api/schedules/${schedule.id}`, { ...change, skipIf: null })).json.skipIf,
  ).toBeNull();
  const wrong = { ...skipIf(), detail: 99_999 };
  expect((await ask("POST", "/api/schedules", reminder({ skipIf: wrong }))).json.fields).toMatchObject({
    "skipIf.detail": expect.stringContaining("no longer exists"),
  });
});
