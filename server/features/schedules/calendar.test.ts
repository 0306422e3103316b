import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CalendarRun, SchedulePreview, ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { settledDays } from "#server/delivery/schedules/schedule.ts";
import { runsOfDays } from "#server/features/schedules/runs.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

let app: ScheduleApp;
beforeAll(async () => {
  app = await scheduleApp();
});
afterAll(() => app.porchlight.close());

const shown = (runs: readonly ScheduleRun[]) =>
  runs.map(({ day, time, name, state }) => `${day} ${time} ${name}: ${state}`);

// spec 395
test("the calendar shows what was and what is planned; today what every active schedule does today", async () => {
  const { create, call, runs, moveClock } = app;
  await create({ name: "Staff", recurrence: "weekly", dayOfWeek: 2, time: "14:00" });
  await create({ name: "Too late", time: "08:00" });
  await create({ name: "Early", recurrence: "once", date: "2026-11-24", time: "10:30" });
  const short = await create({ name: "Short", time: "11:00", endTime: "11:30" });
  await create({ name: "Month", recurrence: "monthly", dayOfMonth: 31, time: "09:00" });
  await create({ name: "Day 24", recurrence: "monthly", dayOfMonth: 24, time: "20:00" });
  await create({ name: "Event", recurrence: "once", date: "2026-11-24", time: "18:00" });
  await create({ name: "Paused", active: false, time: "20:00" });
  await create({ name: "West", zone: "America/Los_Angeles", time: "22:00" });
  await app.porchlight.call(
    {
      method: "POST",
      url: "/api/notifications",
      body: {
        title: "Water",
        content: "x",
        recipients: "All Tenants",
        channels: ["email"],
        status: "Scheduled",
        scheduled_time: "2026-11-24T19:00",
      },
    },
    app.staff,
  );
  expect(shown(await runs("/today"))).toEqual([
    "2026-11-24 01:00 West: passed",
    "2026-11-24 08:00 Too late: passed",
    "2026-11-24 10:30 Early: planned",
    "2026-11-24 11:00 Short: planned",
    "2026-11-24 14:00 Staff: planned",
    "2026-11-24 18:00 Event: planned",
    "2026-11-24 19:00 Water: planned",
    "2026-11-24 20:00 Day 24: planned",
  ]);

  await moveClock("2026-11-24T10:30");
  await moveClock("2026-11-24T14:00");
  await call("POST", `/${short.id}/skip`, { occurrence: "2026-11-25" });
  expect(shown(await runs("/calendar?from=2026-11-24&to=2026-11-25"))).toEqual([
    "2026-11-24 10:30 Early: started",
    "2026-11-24 11:00 Short: missed",
    "2026-11-24 14:00 Staff: started",
    "2026-11-24 18:00 Event: planned",
    "2026-11-24 19:00 Water: planned",
    "2026-11-24 20:00 Day 24: planned",
    "2026-11-25 01:00 West: planned",
    "2026-11-25 08:00 Too late: planned",
    "2026-11-25 11:00 Short: skipped",
  ]);
  const some = await call("GET", "/calendar?from=2026-11-24&to=2026-11-25&perDay=2");
  expect(shown(some.json())).toEqual([
    "2026-11-24 10:30 Early: started",
    "2026-11-24 11:00 Short: missed",
    "2026-11-25 01:00 West: planned",
    "2026-11-25 08:00 Too late: planned",
  ]);
  expect(some.json<CalendarRun[]>().map(({ runsThatDay }) => runsThatDay)).toEqual([6, 6, 3, 3]);
  expect(some.headers["x-total-count"]).toBe("9");
  // What was missed comes before what started earlier.
  expect(shown(await runs("/calendar?from=2026-11-24&to=2026-11-24&perDay=1"))).toEqual([
    "2026-11-24 11:00 Short: missed",
  ]);
  const [, , staff] = await runs("/calendar?from=2026-11-24&to=2026-11-24");
  expect(staff).toMatchObject({
    status: "Sending",
    people: 0,
    reached: 0,
    simulated: false,
    recipients: "All Tenants",
  });
  expect(shown(await runs("/calendar?from=2026-11-29&to=2026-11-30"))).toContain(
    "2026-11-30 09:00 Month: planned",
  );
  const upcoming = await call("GET", "/upcoming?pageSize=2");
  expect(upcoming.json()).toMatchObject([
    { timeframe: "Today", title: "Event" },
    { timeframe: "Today", title: "Water", id: 10_001 },
  ]);
});

test("what is still to run is known without reading every manual run", async () => {
  const { db } = app.porchlight;
  const { id, nextOccurrence } = await app.create({ name: "Often" });
  await sql`
    WITH sent AS (
      INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status, created_by_name)
      SELECT 'Often', 'custom', 'x', '{email}', '[]', '', 'Delivered', '' FROM generate_series(1, 300) RETURNING id)
    INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, notification_id)
    SELECT ${id}, 'now ' || id, now() - interval '1 year', 'started', id FROM sent`.execute(db);
  await db.transaction().execute(async (tx) => {
    // As with years of runs, where reading all of them is not the quicker way.
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    const zone = "America/New_York";
    const day = { from: "2026-11-30", to: "2026-11-30" };
    expect(shown((await runsOfDays(tx, { zone, ...day })).rows)).toContain("2026-11-30 09:00 Often: planned");
    expect(await settledDays(tx, id, nextOccurrence!)).toEqual(new Set());
    const { rows } = await sql<{ read: number }>`
      SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
      WHERE relname = 'schedule_occurrences'`.execute(tx);
    expect(rows[0]?.read).toBeLessThan(50);
  });
});

test("the calendar has what was sent without a schedule, a few of each day or hour, what failed first", async () => {
  const { call, runs } = app;
  // In New York, on the day when an hour repeats: 0:30, 1:30 twice, 9:00, and 9:10 to 9:13.
  const sent = ["04:30", "05:30", "06:30", "14:00", "14:10", "14:11", "14:12", "14:13"];
  for (const [n, time] of sent.entries()) {
    await sql`
      INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status, created_by_name, sent_time)
      VALUES (${`Sent ${n}`}, 'custom', 'x', '{email}', '[]', '', ${n === 6 ? "Failed" : "Delivered"}, '',
        ${`2026-11-01T${time}:00Z`})`.execute(app.porchlight.db);
  }
  const day = "/calendar?from=2026-11-01&to=2026-11-01";
  const all = await runs(day);
  expect(shown(all)).toEqual([
    "2026-11-01 00:30 Sent 0: started",
    "2026-11-01 01:30 Sent 1: started",
    "2026-11-01 01:30 Sent 2: started",
    "2026-11-01 09:00 Sent 3: started",
    "2026-11-01 09:10 Sent 4: started",
    "2026-11-01 09:11 Sent 5: started",
    "2026-11-01 09:12 Sent 6: started",
    "2026-11-01 09:13 Sent 7: started",
  ]);
  expect(all[0]).toMatchObject({ kind: "notification", unscheduled: true });
  const some = await call("GET", `${day}&perDay=2`);
  expect(shown(some.json())).toEqual([
    "2026-11-01 00:30 Sent 0: started",
    "2026-11-01 09:12 Sent 6: started",
  ]);
  expect(some.headers["x-total-count"]).toBe("8");
  const hours = (await call("GET", `${day}&perHour=2`)).json<CalendarRun[]>();
  expect(
    hours.map(({ time, name, runsThatHour, runsThatDay }) => [time, name, runsThatHour, runsThatDay]),
  ).toEqual([
    ["00:30", "Sent 0", 1, 8],
    ["01:30", "Sent 1", 2, 8],
    ["01:30", "Sent 2", 2, 8],
    ["09:00", "Sent 3", 5, 8],
    ["09:12", "Sent 6", 5, 8],
  ]);
});

test("a calendar has first and last day in order, and not too many days", async () => {
  const refused = async (from: string, to: string) =>
    (await app.call("GET", `/calendar?from=${from}&to=${to}`)).json().fields;
  expect(await refused("2026-11-02", "2026-11-01")).toEqual({ to: "The last day is before the first" });
  expect(await refused("2026-11-01", "2027-01-02")).toEqual({ to: "Ask for at most 62 days" });
});

test("how many people each schedule is for", async () => {
  const { id } = await app.create();
  const reply = await app.call("POST", "/people", { ids: [id, 10_001, 4711] });
  expect(reply.json().toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)).toEqual([
    { id, people: 1 },
    { id: 10_001, people: 1 },
  ]);
});

const preview = async (draft: object) => (await app.call("POST", "/preview", draft)).json<SchedulePreview>();

test("the preview says what a schedule would do, run by run, and who gets it", async () => {
  const group = (await app.create()).audience[0]!;
  const found = await preview({
    recurrence: "monthly",
    dayOfMonth: 31,
    time: "09:00",
    endTime: "17:00",
    templateId: "rent-reminder",
    fieldValues: { due_date: { daysAfter: 6 } },
    recipients: [{ type: group.type, id: group.id }],
    channels: ["email", "sms"],
  });
  expect(found).toMatchObject({
    rule: "Day 31 of every month, 9:00 AM ET",
    zone: "America/New_York",
    notes: [
      "February, April, June, September and November have no day 31. The schedule runs on their last day.",
      "Clocks go forward on Sun, Mar 14, 2027. Runs stay at 9:00 AM.",
    ],
    askedFields: ["due_date", "amount"],
    missingFields: ["amount"],
    problem: null,
    reach: { people: 1, reached: 1, byChannel: { email: { willGet: 1 }, sms: { willGet: 0 } } },
  });
  expect(found.runs.map(({ when, note, values }) => [when, note, values["due_date"]])).toEqual([
    ["Mon, Nov 30, 9:00 AM EST", "last-day", "December 6, 2026"],
    ["Thu, Dec 31, 9:00 AM EST", null, "January 6, 2027"],
    ["Sun, Jan 31, 2027, 9:00 AM EST", null, "February 6, 2027"],
    ["Sun, Feb 28, 2027, 9:00 AM EST", "last-day", "March 6, 2027"],
    ["Wed, Mar 31, 2027, 9:00 AM EDT", null, "April 6, 2027"],
    ["Fri, Apr 30, 2027, 9:00 AM EDT", "last-day", "May 6, 2027"],
  ]);
  expect(found.runs[0]).toMatchObject({
    startsAt: "2026-11-30T14:00:00.000Z",
    endsAt: "2026-11-30T22:00:00.000Z",
  });
});

test("the preview of what is not finished yet, or of a stored one that has run today", async () => {
  expect(await preview({})).toMatchObject({ rule: null, runs: [], askedFields: [], reach: null });
  expect(await preview({ recurrence: "once", time: "09:00" })).toMatchObject({ rule: null });
  expect(await preview({ notificationId: 4711 })).toMatchObject({
    problem: "This notification doesn't exist. Choose another one.",
  });
  const { id } = await app.create({ time: "15:00" });
  await app.moveClock("2026-11-24T15:00");
  const next = async (more: object) => (await preview({ time: "16:00", ...more })).runs[0]?.occurrence;
  expect([await next({}), await next({ scheduleId: id })]).toEqual(["2026-11-24", "2026-11-25"]);
});
