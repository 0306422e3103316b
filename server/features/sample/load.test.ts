import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DashboardFigures } from "#contract/dashboard.ts";
import { imbalance } from "#server/delivery/testing/books.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const load = () => porchlight.call({ method: "POST", url: "/api/sample" }, admin);
const read = async <T>(url: string) => (await porchlight.call({ method: "GET", url }, admin)).json<T>();

test("the dashboard of the sample property counts to 247, 832, 92% and 28, of 24 notifications", async () => {
  const reply = await load();
  expect(reply.json()).toEqual({ message: "The sample property is loaded." });
  const figures = await read<DashboardFigures>("/api/dashboard");
  expect(figures).toMatchObject({
    tenants: { now: 247, properties: 4 },
    sent: { now: 832 },
    openRate: { now: 92 },
    templates: { now: 28 },
    simulated: 832,
  });
  const { headers } = await porchlight.call({ method: "GET", url: "/api/notifications" }, admin);
  expect(headers["x-total-count"]).toBe("24");
  console.log(JSON.stringify({ ...figures, days: figures.days.filter((d) => d.delivered) }, null, 1));
  const { rows } = await sql`SELECT n.id, title, audience_text, status, sent_time, scheduled_time, r.people, r.opened, (SELECT jsonb_agg(c.channel || ' ' || c.status || ' ' || c.reason || ' ' || c.count) FROM run_counts c WHERE c.run_id=r.id AND count<>0) c FROM notifications n LEFT JOIN runs r ON r.notification_id=n.id ORDER BY list_time`.execute(porchlight.db);
  console.log(rows.map((r) => JSON.stringify(r)).join("\n"));
});

test("its counters are those of a recount", async () => {
  expect(await imbalance(porchlight.db)).toEqual([]);
});
