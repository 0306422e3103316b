import ICAL from "ical.js";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { occurrencesBetween, type Rule } from "#contract/recurrence.ts";
import type { CalendarLink } from "#contract/calls/schedule-replies.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

let app: ScheduleApp;
beforeAll(async () => {
  app = await scheduleApp();
});
afterAll(() => app.porchlight.close());

const newLink = async () => {
  const reply = await app.call("POST", "/calendar-link");
  return reply.json<CalendarLink & { url: string }>();
};
/** Without a cookie, as a calendar app asks. */
const open = (url: string) => app.porchlight.call({ method: "GET", url: new URL(url).pathname });
const readBack = (file: string) =>
  new ICAL.Component(ICAL.parse(file) as unknown[])
    .getAllSubcomponents("vevent")
    .map((event) => new ICAL.Event(event));

const zone = "America/New_York";
const from = new Date("2026-11-24T15:00:00Z");
const until = new Date("2027-11-24T15:00:00Z");
const rules: Rule[] = [
  // Skipped on 14 March 2027, and there twice on 7 November.
  { recurrence: "daily", time: "02:30", zone },
  { recurrence: "daily", time: "01:30", zone },
  { recurrence: "weekly", dayOfWeek: 2, time: "14:00", zone },
  { recurrence: "monthly", dayOfMonth: 31, time: "09:00", zone },
  { recurrence: "monthly", dayOfMonth: 29, time: "09:00", zone: "Australia/Lord_Howe" },
  { recurrence: "once", date: "2027-01-31", time: "18:00", zone },
];

test("the feed holds every run of the coming year at its own moment, as a calendar app reads it", async () => {
  const { porchlight, staff, create, call } = app;
  const schedules: { id: number; rule: Rule; skipped?: string }[] = [];
  for (const rule of rules)
    schedules.push({ id: (await create({ ...rule, name: rule.recurrence })).id, rule });
  await create({ name: "Paused", active: false });
  const [skipping] = schedules;
  await call("POST", `/${skipping?.id}/skip`, { occurrence: "2026-11-25" });
  const body = {
    title: "Water, gas; and heat",
    content: "x",
    recipients: "All Tenants",
    channels: ["email", "sms"],
    status: "Scheduled",
    scheduled_time: "2026-12-01T15:30",
  };
  const planned = await porchlight.call({ method: "POST", url: "/api/notifications", body }, staff);

  const { url } = await newLink();
  const reply = await open(url);
  expect(reply.headers).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "no-store",
  });
  const events = readBack(reply.body);
  const startsOf = (id: number) =>
    events.filter(({ uid }) => uid.startsWith(`${id}-`)).map(({ startDate }) => startDate.toJSDate());
  for (const { id, rule } of schedules) {
    const ours = occurrencesBetween(rule, from, until).filter(
      ({ date }) => id !== skipping?.id || date !== "2026-11-25",
    );
    expect(startsOf(id)).toEqual(ours.map(({ start }) => start));
  }
  const id = 10_000 + planned.json<{ id: number }>().id;
  const water = events.find(({ uid }) => uid.startsWith(`${id}-`));
  expect([water?.summary, water?.description, water?.component.getFirstPropertyValue("url")]).toEqual([
    "Water, gas; and heat",
    "Email, SMS",
    `http://127.0.0.1:3000/schedules?schedule=${id}`,
  ]);
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  expect(reply.body).not.toMatch(/Paused|Ortega|Byron|Tenants/);
});

test("the feed is a calendar as RFC 5545 has it, with and without events", async () => {
  const { url } = await newLink();
  const check = async (components: string[]) => {
    const { body } = await open(url);
    expect(body).toMatch(/^BEGIN:VCALENDAR\r\n[^]*\r\nEND:VCALENDAR\r\n$/);
    expect(body.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    for (const line of body.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const calendar = new ICAL.Component(ICAL.parse(body) as unknown[]);
    expect([...new Set(calendar.getAllSubcomponents().map(({ name }) => name))]).toEqual(components);
  };
  await check(["vevent"]);
  const { db } = app.porchlight;
  await sql`UPDATE notifications SET status = 'Draft' WHERE status = 'Scheduled'`.execute(db);
  await sql`UPDATE schedules SET active = false`.execute(db);
  await check(["vtimezone"]);
});

test("a link is shown once, opens until it is made again or withdrawn, and is stored as a hash", async () => {
  const link = async () => (await app.call("GET", "/calendar-link")).json<CalendarLink>();
  const first = await newLink();
  expect(await link()).toEqual({ createdAt: first.createdAt, lastReadAt: null });
  expect((await open(first.url)).statusCode).toBe(200);
  expect((await link()).lastReadAt).not.toBeNull();
  const stored = await sql`SELECT token_hash::text AS hash FROM calendar_links`.execute(app.porchlight.db);
  expect(JSON.stringify(stored.rows)).not.toContain(new URL(first.url).pathname.slice(10, -4));

  const second = await newLink();
  expect((await open(first.url)).statusCode).toBe(404);
  expect((await open(second.url)).statusCode).toBe(200);
  expect((await app.call("DELETE", "/calendar-link")).json()).toEqual({ createdAt: null, lastReadAt: null });
  const closed = await open(second.url);
  expect([closed.statusCode, closed.headers["cache-control"]]).toEqual([404, "no-store"]);
  const { rows } = await sql<{ action: string }>`
    SELECT action FROM audit WHERE action LIKE 'calendar-link.%' ORDER BY id DESC LIMIT 3`.execute(
    app.porchlight.db,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "calendar-link.delete",
    "calendar-link.create",
    "calendar-link.create",
  ]);
});

test("a link opens nothing once its owner may not see the schedules anymore", async () => {
  const { url } = await newLink();
  const { db } = app.porchlight;
  await sql`UPDATE users SET role = 'tenant' WHERE id = ${app.staff.userId}`.execute(db);
  expect((await open(url)).statusCode).toBe(404);
  await sql`UPDATE users SET role = 'staff', deleted_at = now() WHERE id = ${app.staff.userId}`.execute(db);
  expect((await open(url)).statusCode).toBe(404);
  await sql`UPDATE users SET deleted_at = NULL WHERE id = ${app.staff.userId}`.execute(db);
  expect((await open(url)).statusCode).toBe(200);
});

test.each(["", "x.ics", `${"A".repeat(43)}.ics`, "A".repeat(43)])("nothing opens by %j", async (file) => {
  expect((await open(`http://127.0.0.1:3000/calendar/${file}`)).statusCode).toBe(404);
});

test("of very many runs the feed holds the nearest 5,000", async () => {
  await sql`UPDATE schedules SET deleted_at = now() WHERE deleted_at IS NULL`.execute(app.porchlight.db);
  for (let hour = 8; hour < 22; hour += 1) await app.create({ time: `${String(hour).padStart(2, "0")}:00` });
  const starts = [...(await open((await newLink()).url)).body.matchAll(/^DTSTART:(\d{8})/gm)].map(
    ([, day]) => day,
  );
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([5000, "20261124", "20271116"]);
});
