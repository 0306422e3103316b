import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import type { Template } from "#contract/calls/templates.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { rent, type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

let app: ScheduleApp;
beforeAll(async () => {
  app = await scheduleApp();
});
afterAll(() => app.porchlight.close());

const refusal = async (method: "POST" | "PUT", path: string, body: object) => {
  const reply = await app.call(method, path, body);
  return [reply.statusCode, reply.json().fields];
};

// spec 376, 466, 467
test("a schedule is as it was written, and what was not said is as the form shows it", async () => {
  const made = await app.create();
  expect(made).toMatchObject({
    kind: "schedule",
    name: "Rent due tomorrow",
    recurrence: "daily",
    dayOfWeek: null,
    dayOfMonth: null,
    date: null,
    time: "09:00",
    endTime: null,
    zone: null,
    rule: "Every day, 9:00 AM ET",
    type: "Email",
    recipients: "All Tenants",
    audience: [{ type: "group", name: "All Tenants" }],
    active: true,
    state: "active",
    message: "Rent Reminder",
    nextRunAt: "2026-11-25T14:00:00.000Z",
    nextOccurrence: "2026-11-25",
    createdBy: "Ada Byron",
  });
  expect(await app.read(made.id)).toEqual(made);
});

test.each<[string, object, object]>([
  ["name", { name: " " }, { name: "Name is required" }],
  ["start time", { time: "" }, { time: "Start time is required" }],
  ["recipients", { recipients: [] }, { recipients: "Recipients are required" }],
  ["end time", { endTime: "09:00" }, { endTime: "End time must be later than the start time" }],
  ["date", { recurrence: "once" }, { date: "Choose a date" }],
  // spec 506
  ["day", { recurrence: "monthly", dayOfMonth: 32 }, { dayOfMonth: "Day of month must be 1 to 31" }],
  ["day", { recurrence: "monthly", dayOfMonth: true }, { dayOfMonth: "Day of month must be 1 to 31" }],
  ["day", { dayOfWeek: "" }, { dayOfWeek: "Day of week must be 0 (Sunday) to 6 (Saturday)" }],
  ["zone", { zone: "Mars/Olympus" }, { zone: "This is not a time zone. Use one like America/New_York" }],
  ["message", { templateId: null }, { templateId: "Choose what to send: a template or a notification" }],
  ["one message", { notificationId: 1 }, { templateId: "Choose a template or a notification, not both" }],
  [
    "notification",
    { templateId: undefined, notificationId: 4711 },
    { notificationId: "This notification doesn't exist. Choose another one." },
  ],
  ...[7, { days: 3 }, { daysAfter: true }].map((value): [string, object, object] => [
    "value",
    { fieldValues: { due_date: value } },
    {
      "fieldValues.due_date":
        "A value must be text, or a date relative to the run: { daysAfter }, or { day, monthsAfter }",
    },
  ]),
  ["type", { type: "Fax" }, { type: "Type must be Email, SMS, Push, or several of them" }],
])("refuses a wrong %s in words", async (_, more, fields) => {
  expect(await refusal("POST", "", { ...rent, ...more })).toEqual([400, fields]);
});

// spec 400
test("nothing said answers every required field", async () => {
  expect(await refusal("POST", "", {})).toEqual([
    400,
    { name: "Name is required", time: "Start time is required", recipients: "Recipients are required" },
  ]);
});

test("a template that schedules use is not archived, and the first of them are named", async () => {
  const { porchlight, staff } = app;
  const call = (url: string, body: object) => porchlight.call({ method: "POST", url, body }, staff);
  const template = await call("/api/templates", { name: "Shared", type: "Email", content: "Hi" });
  const { id } = template.json<{ id: number }>();
  for (let n = 1; n <= 5; n++) {
    await app.create({ name: `Daily ${n}`, templateId: id, fieldValues: {} });
    const reply = await call(`/api/templates/${id}/archive`, { archived: true });
    const named = ["Daily 1 still uses", "", "", "", "Daily 1, Daily 2, Daily 3 and 2 more still use"][n - 1];
    expect([reply.statusCode, reply.json().message]).toEqual([
      409,
      expect.stringContaining(`${named} this template`.trim()),
    ]);
  }
});

test("a value for each field that no person fills, or it stays paused until there is one", async () => {
  const bare = { ...rent, fieldValues: { amount: "$1,200" } };
  expect(await refusal("POST", "", bare)).toEqual([422, { "fieldValues.due_date": "Fill in due date" }]);
  const paused = await app.create({ ...bare, active: false });
  expect([paused.state, paused.nextRunAt]).toEqual(["paused", null]);
  expect((await app.call("POST", `/${paused.id}/activate`)).json().code).toBe("missing-field-values");
});

test("a time that has passed is refused for a one-time schedule, and is tomorrow's for a daily one", async () => {
  const once = { ...rent, recurrence: "once", date: "2026-11-24" };
  expect(await refusal("POST", "", once)).toEqual([
    422,
    { date: "Tue, Nov 24, 9:00 AM EST has already passed. Choose a later time." },
  ]);
  const made = await app.create({ ...once, time: "10:00" });
  expect(made).toMatchObject({ date: "2026-11-24", nextOccurrence: "2026-11-24" });
  expect((await app.create({ time: "09:59" })).nextOccurrence).toBe("2026-11-25");
});

test("channels in words, and another zone than the organization's", async () => {
  const made = await app.create({ type: "SMS, email", zone: "America/Los_Angeles" });
  expect(made).toMatchObject({
    channels: ["email", "sms"],
    type: "Email, SMS",
    rule: "Every day, 9:00 AM PT",
    nextRunAt: "2026-11-24T17:00:00.000Z",
  });
});

// spec 376
test("the text of an existing notification, on its channels, to the schedule's recipients", async () => {
  const reply = await app.porchlight.call(
    {
      method: "POST",
      url: "/api/notifications",
      body: {
        title: "Bins",
        content: "Bins go out.",
        recipients: "Everyone",
        channels: ["sms"],
        status: "Draft",
      },
    },
    app.staff,
  );
  const { id } = reply.json();
  const made = await app.create({ templateId: undefined, notificationId: id, fieldValues: {} });
  expect(made).toMatchObject({ notificationId: id, templateId: null, channels: ["sms"], message: "Bins" });
  await app.moveClock("2026-11-25T09:00");
  const [run] = await app.runs(`/${made.id}/history`);
  const sent = await app.porchlight.call(
    { method: "GET", url: `/api/notifications/${run?.notificationId}` },
    app.staff,
  );
  expect(sent.json()).toMatchObject({ title: "Bins", content: "Bins go out.", recipients: "All Tenants" });
  await app.moveClock("2026-11-24T10:00");
});

describe("a change", () => {
  const change = { name: "Rent", time: "09:00", recipients: "All Tenants" };

  test("leaves what it does not name, and a stale one is refused", async () => {
    const made = await app.create({
      recurrence: "weekly",
      dayOfWeek: 5,
      endTime: "10:00",
      channels: ["sms"],
    });
    const reply = await app.call("PUT", `/${made.id}`, { ...change, updatedAt: made.updatedAt });
    const { updatedAt, ...kept } = reply.json<Schedule>();
    expect({ ...made, name: "Rent" }).toMatchObject(kept);
    expect(updatedAt).not.toBe(made.updatedAt);
    const stale = await app.call("PUT", `/${made.id}`, { ...change, updatedAt: made.updatedAt });
    expect([stale.statusCode, stale.json().message]).toEqual([
      409,
      expect.stringMatching(/was changed in the meantime/),
    ]);
  });

  test("of the rule moves the next run, and clears what the new rule has no use for", async () => {
    const made = await app.create({ recurrence: "weekly", dayOfWeek: 5, endTime: "10:00" });
    const body = { ...change, recurrence: "monthly", dayOfMonth: 31, endTime: null };
    expect((await app.call("PUT", `/${made.id}`, body)).json()).toMatchObject({
      dayOfWeek: null,
      dayOfMonth: 31,
      endTime: null,
      rule: "Day 31 of every month, 9:00 AM ET",
      nextOccurrence: "2026-11-30",
    });
  });

  test("on a day that has run is for the days to come; a finished one can still be renamed", async () => {
    const daily = await app.create();
    const once = await app.create({ recurrence: "once", date: "2026-11-25" });
    await app.moveClock("2026-11-25T09:00");
    const later = await app.call("PUT", `/${daily.id}`, { ...change, time: "17:00" });
    expect(later.json().nextOccurrence).toBe("2026-11-26");
    expect((await app.call("PUT", `/${once.id}`, change)).json()).toMatchObject({
      name: "Rent",
      state: "finished",
    });
    expect(await refusal("PUT", `/${once.id}`, { ...change, time: "17:00" })).toEqual([
      422,
      { date: "It has already run on that day. Choose another date, or run it now." },
    ]);
    await app.moveClock("2026-11-24T10:00");
  });
});

test("a client key makes one schedule, and another call with it none", async () => {
  const body = { ...rent, clientKey: "once-only" };
  const [first, second] = await Promise.all([app.call("POST", "", body), app.call("POST", "", body)]);
  expect([first.statusCode, second.json().id]).toEqual([201, first.json().id]);
  const other = await app.call("POST", "", { ...body, time: "10:00" });
  expect([other.statusCode, other.json().code]).toEqual([409, "already-taken"]);
});

// spec 504
test("an unknown id is not found; a scheduled notification is read here and changed there", async () => {
  expect((await app.call("GET", "/9999")).json()).toMatchObject({ message: "Schedule not found" });
  const reply = await app.porchlight.call(
    {
      method: "POST",
      url: "/api/notifications",
      body: {
        title: "Water",
        content: "x",
        recipients: "All Tenants",
        channels: ["email"],
        status: "Scheduled",
        scheduled_time: "2026-12-01T15:30",
      },
    },
    app.staff,
  );
  const id = 10_000 + reply.json().id;
  expect(await app.read(id)).toMatchObject({
    id,
    kind: "notification",
    name: "Water",
    recurrence: "once",
    date: "2026-12-01",
    time: "15:30",
    nextRunAt: "2026-12-01T20:30:00.000Z",
  });
  expect((await app.call("DELETE", `/${id}`)).json()).toMatchObject({
    code: "conflict",
    message: "This is a scheduled notification. Change it under Notifications.",
  });
});

test("notifications to choose from: those with a text, searched, and no run of a schedule", async () => {
  const write = (title: string, content: string) =>
    app.porchlight.call(
      {
        method: "POST",
        url: "/api/notifications",
        body: { title, content, status: "Draft", recipients: "All Tenants", channels: ["email"] },
      },
      app.staff,
    );
  const { id } = (await write("Pool hours", "Open from nine to five.")).json();
  await write("Pool empty", " ");
  const schedule = await app.create({ name: "Pool hours daily", templateId: null, notificationId: id });
  await app.call("POST", `/${schedule.id}/run`, {});
  const found = async (query: string) => {
    const url = `/api/notifications?q=pool${query}`;
    const reply = await app.porchlight.call({ method: "GET", url }, app.staff);
    return [reply.json().map((row: { id: number }) => row.id), reply.headers["x-total-count"]];
  };
  expect((await found(""))[1]).toBe("3");
  expect(await found("&repeatable=true")).toEqual([[id], "1"]);
});

test("the list: tabs, search, the next to run first, pages and the total", async () => {
  const mark = "Listed";
  const at = (time: string, more: object = {}) => app.create({ name: `${mark} ${time}`, time, ...more });
  await at("18:00");
  await at("12:00");
  await at("07:00", { active: false });
  const list = async (query: string) => {
    const reply = await app.call("GET", `?q=${mark.toLowerCase()}&${query}`);
    return [reply.json<Schedule[]>().map(({ name }) => name), reply.headers["x-total-count"]];
  };
  expect(await list("tab=active")).toEqual([["Listed 12:00", "Listed 18:00"], "2"]);
  expect(await list("tab=all&pageSize=2")).toEqual([["Listed 12:00", "Listed 18:00"], "3"]);
  expect(await list("pageSize=2&page=2")).toEqual([["Listed 07:00"], "3"]);
  const byRecipient = await app.call("GET", "?q=all tenants&pageSize=100");
  expect(byRecipient.json<Schedule[]>().map(({ name }) => name)).toContain("Water");
});

test("a template says when it last went out, by whichever schedule, and names those that use it", async () => {
  const { porchlight, staff } = app;
  const call = async (method: "GET" | "POST", url: string, body?: object) =>
    (await porchlight.call({ method, url, ...(body && { body }) }, staff)).json();
  const make = async (name: string): Promise<number> =>
    (await call("POST", "/api/templates", { name, type: "Email", content: "Hi {{first_name}}" })).id;
  const read = async (id: number): Promise<Template> => call("GET", `/api/templates/${id}`);

  const [scheduled, recurring] = [await make("Scheduled"), await make("Recurring")];
  const { id } = await app.create({ name: "Daily", templateId: scheduled });
  const common = { title: "Weekly", recipients: ["All Tenants"], channels: ["email"], templateId: recurring };
  await call("POST", "/api/notifications", { ...common, status: "Draft" });
  expect(await read(scheduled)).toMatchObject({
    lastUsed: null,
    schedules: { total: 1, first: [{ id, name: "Daily" }] },
  });
  expect(await read(recurring)).toMatchObject({ lastUsed: null, schedules: { total: 0, first: [] } });

  await call("POST", "/api/notifications", { ...common, status: "Recurring" });
  const planned = (await read(recurring)).lastUsed;
  expect(planned).not.toBeNull();
  await app.moveClock("2026-11-27T09:00");
  expect((await read(scheduled)).lastUsed).not.toBeNull();
  expect((await read(recurring)).lastUsed! > planned!).toBe(true);
});

test("the runs of a schedule of high priority go ahead of others and expire soon; without a choice they are as their template", async () => {
  const { db } = app.porchlight;
  const urgencyOf = async (schedule: Schedule) => {
    const sent = await app.call("POST", `/${schedule.id}/run`, {});
    const notification = sent.json<{ notificationId: number }>().notificationId;
    await fanOutSome(db);
    const { rows } = await sql<{ class: string; priority: number; minutes: number }>`
      SELECT r.class, d.priority, extract(epoch FROM d.expires_at - d.created_at)::int / 60 AS minutes
      FROM runs r JOIN deliveries d ON d.run_id = r.id WHERE r.notification_id = ${notification}`.execute(db);
    return rows[0];
  };
  const urgent = await app.create({ class: "emergency" });
  expect(urgent).toMatchObject({ class: "emergency", highPriority: true });
  expect(await urgencyOf(urgent)).toMatchObject({ class: "emergency", priority: 0, minutes: 30 });

  const plain = await app.create();
  expect(plain).toMatchObject({ class: null, highPriority: false });
  expect((await urgencyOf(plain))?.priority).toBeGreaterThan(0);
  await sql`UPDATE templates SET class = 'emergency' WHERE slug = 'rent-reminder'`.execute(db);
  expect(await app.read(plain.id)).toMatchObject({ class: null, highPriority: true });
  expect((await urgencyOf(plain))?.priority).toBe(0);
  await sql`UPDATE templates SET class = 'transactional' WHERE slug = 'rent-reminder'`.execute(db);
});
