import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  await insertPerson(porchlight.db);
});
afterAll(() => porchlight.close());

// spec 379, 445, 513
test.each([
  ["queued", { sent_count: 0, delivered_count: 0, failed_count: 0 }],
  ["accepted", { sent_count: 1, delivered_count: null, failed_count: 0 }],
  ["delivered", { sent_count: 1, delivered_count: 1, failed_count: 0 }],
  ["bounced", { sent_count: 1, delivered_count: null, failed_count: 1 }],
  ["failed", { sent_count: 0, delivered_count: 0, failed_count: 1 }],
  ["expired", { sent_count: 0, delivered_count: 0, failed_count: 1 }],
])("the counts of a notification whose one message is %s", async (status, counts) => {
  const body = { title: "Counted", message: "x", recipients: "All Tenants", channels: ["email"] };
  const sent = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  await fanOutSome(porchlight.db);
  await sql`UPDATE run_counts SET status = ${status}
    WHERE run_id = (SELECT max(id) FROM runs)`.execute(porchlight.db);
  const url = `/api/notifications/${sent.json().id}`;
  const detail = await porchlight.call({ method: "GET", url }, staff);
  // What no provider of today can know is not none.
  expect(detail.json()).toMatchObject({ ...counts, opened_count: null, clicked_count: null });
});
