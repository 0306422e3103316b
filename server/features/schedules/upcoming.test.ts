import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let now = new Date("2026-11-20T03:00:00Z"); // Thursday the 19th, 10:00 PM in New York

beforeAll(async () => {
  porchlight = await testApp({ now: () => now });
  staff = await porchlight.signedIn("staff");
  await insertPerson(porchlight.db);
});
afterAll(() => porchlight.close());

const get = (query = "") => porchlight.call({ method: "GET", url: `/api/schedules/upcoming${query}` }, staff);
async function plan(title: string, more: object): Promise<number> {
  const body = { title, content: "x", recipients: "All Tenants", channels: ["email"], ...more };
  const reply = await porchlight.call({ method: "POST", url: "/api/notifications", body }, staff);
  expect(reply.statusCode).toBe(201);
  return reply.json<{ id: number }>().id;
}
const at = (scheduled_time: string) => ({ status: "Scheduled", scheduled_time });

// spec 93, 162, 236
test("what is scheduled and the next run of what recurs, the next one first; a draft is not on its way", async () => {
  // spec 507-511
  expect((await get()).json()).toEqual([]);
  await plan("Later", at("2026-12-01T09:00"));
  const id = await plan("Tomorrow", { ...at("2026-11-20T09:00"), channels: ["email", "sms"] });
  await plan("Tonight", at("2026-11-19T23:30"));
  await plan("Draft", { status: "Draft" });
  await plan("Daily", { status: "Recurring", recurrence: "daily", recurringTime: "10:00" });

  const reply = await get();
  expect(reply.headers["x-total-count"]).toBe("4");
  expect(reply.json()).toMatchObject([
    { timeframe: "Today", title: "Tonight" },
    {
      // spec 504
      id: 10_000 + id,
      kind: "notification",
      notificationId: id,
      timeframe: "Tomorrow",
      title: "Tomorrow",
      details: "Email, SMS · All Tenants · Fri, Nov 20, 9:00 AM EST",
    },
    {
      kind: "schedule",
      notificationId: null,
      timeframe: "Tomorrow",
      title: "Daily",
      details: "Email · All Tenants · Fri, Nov 20, 10:00 AM EST",
    },
    { timeframe: "In 12 days", title: "Later" },
  ]);
  expect((await get("?page=2&pageSize=3")).json()).toMatchObject([{ title: "Later" }]);
});

test("a late one that has not begun counts as today's; a cancelled one is left out", async () => {
  const id = await plan("Missed", at("2026-11-19T22:30"));
  now = new Date("2026-11-21T03:00:00Z");
  expect((await get()).json()).toMatchObject([{ timeframe: "Today", title: "Missed" }, {}, {}, {}, {}]);
  await porchlight.call({ method: "POST", url: `/api/notifications/${id}/cancel` }, staff);
  expect((await get()).json()).toHaveLength(4);
});
