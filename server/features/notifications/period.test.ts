import { expect, test } from "vitest";
import { sql } from "kysely";
import type { Period } from "#contract/calls/notifications.ts";
import { spanOf } from "#server/features/notifications/period.ts";
import { testApp } from "#server/testing/app.ts";

// A quarter past nine in the evening of the 20th in New York.
const now = new Date("2026-11-21T02:15:00Z");
const zone = "America/New_York";

test.each<[Period, string, string | null]>([
  ["today", "2026-11-20T05:00:00.000Z", "2026-11-21T05:00:00.000Z"],
  ["7-days", "2026-11-14T05:00:00.000Z", "2026-11-21T05:00:00.000Z"],
  // Before the clocks went back.
  ["30-days", "2026-10-22T04:00:00.000Z", "2026-11-21T05:00:00.000Z"],
  ["12-months", "2025-11-20T05:00:00.000Z", "2026-11-21T05:00:00.000Z"],
  ["ahead", "2026-11-21T02:15:00.000Z", null],
])("%s is by the organization's calendar", (period, from, to) => {
  const span = spanOf(period, now, zone);
  expect([span.from.toISOString(), span.to?.toISOString() ?? null]).toEqual([from, to]);
});

// Clocks in Havana go from midnight to one o'clock, so that day begins at one.
test.each<[Period, string, string]>([
  ["today", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
  ["7-days", "2026-03-02T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
  ["12-months", "2025-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
])("on a day without midnight, %s is whole days", (period, from, to) => {
  const span = spanOf(period, new Date("2026-03-08T16:00:00Z"), "America/Havana");
  expect([span.from.toISOString(), span.to?.toISOString()]).toEqual([from, to]);
});

test("the list is narrowed to a time", async () => {
  const porchlight = await testApp({ now: () => now });
  try {
    const staff = await porchlight.signedIn("staff");
    const times = {
      Before: "2026-11-20T04:59:00Z",
      Today: "2026-11-20T05:00:00Z",
      Soon: "2026-11-21T03:00:00Z",
    };
    for (const [title, at] of Object.entries(times)) {
      const body = { title, content: "x", recipients: "Everyone", channels: ["email"], status: "Draft" };
      await porchlight.call({ method: "POST", url: "/api/notifications", body }, staff);
      await sql`UPDATE notifications SET scheduled_time = ${at} WHERE title = ${title}`.execute(
        porchlight.db,
      );
    }
    const titles = async (query: string) => {
      const reply = await porchlight.call({ method: "GET", url: `/api/notifications?${query}` }, staff);
      return {
        total: reply.headers["x-total-count"],
        titles: reply.json<{ title: string }[]>().map((row) => row.title),
      };
    };
    expect(await titles("time=today")).toEqual({ total: "2", titles: ["Soon", "Today"] });
    expect(await titles("time=7-days")).toMatchObject({ total: "3" });
    expect(await titles("day=2026-11-19")).toEqual({ total: "1", titles: ["Before"] });
    expect(await titles("day=2026-11-20&time=ahead")).toEqual({ total: "2", titles: ["Soon", "Today"] });
    expect(await titles("time=ahead")).toEqual({ total: "1", titles: ["Soon"] });
    expect(await titles("time=today&page=2&pageSize=1")).toEqual({ total: "2", titles: ["Today"] });
  } finally {
    await porchlight.close();
  }
});
