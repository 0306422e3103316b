import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DueResidents, Schedule, SchedulePreview } from "#contract/calls/schedule-replies.ts";
import { keepNextDates } from "#server/delivery/schedules/date-plan.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { runNextSchedule } from "#server/delivery/schedules/scheduler.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { insertPerson } from "#server/testing/app.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

const zone = "America/New_York";
let app: ScheduleApp;
let made = 0;
/** Each test has a property of its own. It is ten on Tuesday, 24 November 2026. */
let property = "";

beforeAll(async () => {
  app = await scheduleApp();
});
beforeEach(() => app.moveClock("2026-11-24T10:00"));
afterAll(() => app.porchlight.close());

type Dates = { firstDay?: string; lastDay?: string; leaseEnds?: string; role?: string };

/** A tenant of the test's property, with these dates. */
async function resident(firstName: string, dates: Dates = {}, more: object = {}): Promise<number> {
  const unit = `${++made}`;
  const { db } = app.porchlight;
  const id = await insertPerson(db, {
    firstName,
    lastName: "Lee",
    propertyUnit: `${property} ${unit}`,
    property,
    unit,
    ...more,
  });
  await keepHomes(db);
  await change(id, dates);
  return id;
}

async function change(id: number, dates: Dates): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM residencies WHERE person_id = ${id} AND shown`.execute(app.porchlight.db);
  const url = `/api/places/residencies/${rows[0]!.id}`;
  const reply = await app.porchlight.call({ method: "PUT", url, body: dates }, app.staff);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
}

async function newProperty(): Promise<number> {
  property = `House ${++made}`;
  const post = (url: string, body: object) =>
    app.porchlight.call({ method: "POST", url: `/api/places/properties${url}`, body }, app.staff);
  const { id } = (await post("", { name: property })).json<{ id: number }>();
  await post(`/${id}/homes`, { names: ["PH2"] });
  return id;
}

const letter = {
  name: "Welcome",
  templateId: null,
  fieldValues: {},
  time: "09:00",
  recurrence: "resident-date",
  channels: ["email"],
};

/** A schedule for the homes of a new property. */
async function schedule(more: object, text = "Hello {{first_name}}"): Promise<Schedule> {
  const id = await newProperty();
  const template = { name: `Letter ${id}`, type: "Email", subject: "Hi", content: text };
  const call = { method: "POST", url: "/api/templates", body: template } as const;
  const templateId = (await app.porchlight.call(call, app.staff)).json<{ id: number }>().id;
  return app.create({ ...letter, recipients: [{ type: "homes", id }], templateId, ...more });
}

const keep = () => keepNextDates(app.porchlight.db, zone);
const due = async (id: number) => (await app.call("GET", `/${id}/residents`)).json<DueResidents>();
const history = (id: number) => app.runs(`/${id}/history`);

/** Whom each of its runs has gone to, by name, oldest first. */
async function sent(id: number): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    SELECT n.audience_text AS text FROM schedule_occurrences o JOIN notifications n ON n.id = o.notification_id
    WHERE o.schedule_id = ${id} ORDER BY n.id`.execute(app.porchlight.db);
  return rows.map(({ text }) => text);
}

/** The values that each person's messages were filled with. */
async function values(id: number): Promise<Record<string, Record<string, string>>> {
  const { db } = app.porchlight;
  while (await fanOutSome(db));
  const { rows } = await sql<{ name: string; values: Record<string, string>; reason: string | null }>`
    SELECT d.person_name AS name, d.field_values AS values, d.reason FROM schedule_occurrences o
    JOIN runs r ON r.notification_id = o.notification_id JOIN deliveries d ON d.run_id = r.id
    WHERE o.schedule_id = ${id}`.execute(db);
  return Object.fromEntries(rows.map(({ name, values: own, reason }) => [name, reason ? { reason } : own]));
}

describe("a schedule by residents' dates", () => {
  test("runs on the days that someone's date makes, and says truthfully when that is", async () => {
    const made = await schedule({ residentDate: "lease-end", dayOffset: -60 });
    expect(made).toMatchObject({
      recurrence: "resident-date",
      residentDate: "lease-end",
      dayOffset: -60,
      date: null,
      rule: "60 days before the lease ends, 9:00 AM ET",
      state: "active",
      nextRunAt: null,
      nextOccurrence: null,
    });
    await resident("Ann", { leaseEnds: "2027-01-31" });
    await resident("Bo", { leaseEnds: "2027-02-01" });
    await resident("Cy");
    await keep();
    expect(await app.read(made.id)).toMatchObject({
      nextRunAt: "2026-12-02T14:00:00.000Z",
      nextOccurrence: "2026-12-02",
    });
    expect((await due(made.id)).next).toMatchObject([
      { occurrence: "2026-12-02", people: 1, first: [{ name: "Ann Lee", date: "2027-01-31" }] },
      { occurrence: "2026-12-03", people: 1, first: [{ name: "Bo Lee", date: "2027-02-01" }] },
    ]);
    const calendar = await app.runs("/calendar?from=2026-12-01&to=2027-01-15");
    expect(calendar.filter(({ scheduleId }) => scheduleId === made.id).map(({ day }) => day)).toEqual([
      "2026-12-02",
      "2026-12-03",
    ]);
    await app.moveClock("2026-12-02T09:00");
    expect(await sent(made.id)).toEqual(["Ann Lee"]);
    // Weeks without anyone's date leave nothing behind.
    await app.moveClock("2026-12-20T12:00");
    const runs = await history(made.id);
    expect(runs.map(({ occurrence, state }) => [occurrence, state])).toEqual([
      ["2026-12-03", "missed"],
      ["2026-12-02", "started"],
    ]);
    expect(await app.read(made.id)).toMatchObject({ nextRunAt: null, state: "active" });
  });

  test.each([
    ["move-in", { firstDay: "2026-12-04" }],
    ["move-out", { lastDay: "2026-12-04" }],
    ["lease-end", { leaseEnds: "2026-12-04" }],
  ])("goes by %s, before someone moves in and after they have left", async (residentDate, dates) => {
    const before = await schedule({ residentDate, dayOffset: -3 });
    await resident("Ann", dates);
    const on = await app.create({ ...letter, residentDate, dayOffset: 0, ...same(before) });
    const after = await app.create({ ...letter, residentDate, dayOffset: 3, ...same(before) });
    for (const day of ["12-01", "12-04", "12-07", "12-10"]) await app.moveClock(`2026-${day}T09:00`);
    for (const [{ id }, day] of [
      [before, "2026-12-01"],
      [on, "2026-12-04"],
      [after, "2026-12-07"],
    ] as const) {
      expect((await history(id)).map(({ occurrence }) => occurrence)).toEqual([day]);
      expect(await sent(id)).toEqual(["Ann Lee"]);
    }
  });

  test("goes to those of its recipients who have the home, and live there as leaseholder or occupant", async () => {
    const made = await schedule({ residentDate: "lease-end", dayOffset: -3 });
    const leaseEnds = "2026-12-18";
    await resident("Ann", { leaseEnds });
    await resident("Bo", { leaseEnds, role: "occupant" });
    await resident("Cy", { leaseEnds, role: "guarantor" });
    await resident("Di", { leaseEnds, role: "owner" });
    // Left before the lease's end, which is no longer theirs.
    await resident("Ed", { leaseEnds, lastDay: "2026-11-20" });
    const deleted = await resident("Fay", { leaseEnds });
    await app.porchlight.call({ method: "DELETE", url: `/api/users/${deleted}` }, app.staff);
    const everyone = await app.create({ ...putBack(made), recipients: "All Tenants" });
    const other = property;
    await newProperty();
    await resident("Gil", { leaseEnds });
    property = other;
    await app.moveClock("2026-12-15T09:00");
    expect(await sent(made.id)).toEqual(["Ann Lee, Bo Lee"]);
    expect(await sent(everyone.id)).toEqual(["Ann Lee, Bo Lee, Gil Lee"]);
  });

  test("writes once to each person for each date, and anew once the date changes", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: -1 });
    const ann = await resident("Ann", { firstDay: "2026-12-02" });
    await app.moveClock("2026-12-01T09:00");
    // The same date again, by another rule, run and restart.
    const reply = await app.call("PUT", `/${made.id}`, { ...putBack(made), dayOffset: 0 });
    expect(reply.json<Schedule>()).toMatchObject({ dayOffset: 0, rule: "On the day of move-in, 9:00 AM ET" });
    await app.moveClock("2026-12-02T09:00");
    expect((await app.call("POST", `/${made.id}/run`, {})).json()).toMatchObject({
      message:
        "Among the recipients, no one's move-in date is Wed, Dec 2, 2026, or they have been written to already.",
    });
    await app.call("POST", `/${made.id}/pause`);
    await app.call("POST", `/${made.id}/activate`);
    await app.moveClock("2026-12-03T09:00");
    await change(ann, { firstDay: "2026-12-05" });
    await app.moveClock("2026-12-05T09:00");
    await change(ann, { firstDay: "2026-12-02" });
    await app.moveClock("2026-12-06T09:00");
    expect(await sent(made.id)).toEqual(["Ann Lee", "Ann Lee"]);
    expect((await due(made.id)).late).toEqual([]);
  });

  test("doesn't write to someone who comes on file late, and lists them to send to with one click", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    await app.moveClock("2026-12-01T12:00");
    const ann = await resident("Ann", { firstDay: "2026-12-01" });
    await resident("Bo", { firstDay: "2026-11-28" });
    // Before the schedule was there.
    await resident("Cy", { firstDay: "2026-11-20" });
    await keep();
    await app.moveClock("2026-12-02T12:00");
    expect(await history(made.id)).toEqual([]);
    expect(await due(made.id)).toMatchObject({
      next: [],
      late: [
        { name: "Bo Lee", date: "2026-11-28" },
        { personId: ann, name: "Ann Lee", date: "2026-12-01", day: "2026-12-01" },
      ],
      lateTotal: 2,
    });
    // Twice at once.
    const replies = await Promise.all(
      [1, 2].map(() => app.call("POST", `/${made.id}/residents/send`, { people: [ann] })),
    );
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
    expect(await sent(made.id)).toEqual(["Ann Lee"]);
    expect(await history(made.id)).toMatchObject([{ state: "started", by: "Ada Byron" }]);
    await app.moveClock("2026-12-28T12:00");
    expect((await due(made.id)).late).toMatchObject([{ name: "Bo Lee" }]);
    await app.moveClock("2026-12-29T12:00");
    expect((await due(made.id)).late).toEqual([]);
  });

  test("a day that was missed waits for someone, who sends it to those whose date it still is", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0, endTime: "10:00" });
    const [ann] = [
      await resident("Ann", { firstDay: "2026-12-01" }),
      await resident("Bo", { firstDay: "2026-12-01" }),
    ];
    await app.moveClock("2026-12-01T11:00");
    expect(await history(made.id)).toMatchObject([{ occurrence: "2026-12-01", state: "missed" }]);
    expect((await due(made.id)).late).toEqual([]);
    await change(ann, { firstDay: "2026-12-24" });
    const path = `/${made.id}/occurrences/2026-12-01/send`;
    for (const _ of [1, 2]) expect((await app.call("POST", path)).statusCode).toBe(200);
    expect(await sent(made.id)).toEqual(["Bo Lee"]);
  });

  test("a day can be skipped, and run before its time", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    await resident("Ann", { firstDay: "2026-12-01" });
    await resident("Bo", { firstDay: "2026-12-02" });
    await keep();
    expect((await app.call("POST", `/${made.id}/skip`, { occurrence: "2026-12-01" })).json()).toMatchObject({
      nextOccurrence: "2026-12-02",
      skips: ["2026-12-01"],
    });
    await app.moveClock("2026-12-02T08:00");
    const outgoing = await app.call("GET", `/${made.id}/outgoing`);
    expect(outgoing.json()).toMatchObject({ audience: [{ type: "user", name: "Bo Lee" }] });
    expect((await app.call("POST", `/${made.id}/run`, {})).statusCode).toBe(200);
    await app.moveClock("2026-12-02T09:00");
    expect(await sent(made.id)).toEqual(["Bo Lee"]);
    expect((await due(made.id)).late).toEqual([]);
  });

  test("a person's move makes a new date, and its message speaks of that home", async () => {
    const text = "{{move_in_date}} {{lease_end}} {{unit}} {{floor}}";
    const made = await schedule({ residentDate: "move-in", dayOffset: -1 }, text);
    const ann = await resident("Ann", { firstDay: "2025-01-01", leaseEnds: "2026-12-31" });
    const places = (method: "POST" | "GET", url: string, body?: object) =>
      app.porchlight.call({ method, url: `/api/places/${url}`, body }, app.staff);
    const [{ homes }] = [(await places("GET", `people/${ann}/homes`)).json<{ homes: { id: number }[] }>()];
    const { rows } = await sql<{ id: number }>`
      SELECT h.id FROM units h JOIN properties p ON p.id = h.property_id
      WHERE p.name = ${property} AND h.written = 'PH2'`.execute(app.porchlight.db);
    const moved = await places("POST", `residencies/${homes[0]!.id}/move`, {
      homeId: rows[0]!.id,
      day: "2026-12-02",
    });
    expect([moved.statusCode, moved.body]).toEqual([200, moved.body]);
    await sql`UPDATE residencies SET lease_ends = '2027-11-30' WHERE unit_id = ${rows[0]!.id}`.execute(
      app.porchlight.db,
    );
    await app.moveClock("2026-12-01T09:00");
    expect(await values(made.id)).toMatchObject({
      "Ann Lee": {
        move_in_date: "December 2, 2026",
        lease_end: "November 30, 2027",
        unit: "PH2",
        floor: "penthouse",
      },
    });
  });

  test("two schedulers at once start each day once", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    await resident("Ann", { firstDay: "2026-12-01" });
    const now = new Date("2026-12-01T14:00:30Z");
    const next = () =>
      runNextSchedule(app.porchlight.db, { organization: readOrganization }, () => Promise.resolve(now));
    while ((await Promise.all([next(), next(), next()])).some(Boolean));
    expect(await sent(made.id)).toEqual(["Ann Lee"]);
  });

  test("names a few of many, and stands where plans do", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    for (const name of ["Ann", "Bo", "Cy", "Di", "Ed", "Fay"])
      await resident(name, { firstDay: "2026-11-26" });
    await keep();
    const upcoming = await app.runs("/upcoming?pageSize=100");
    expect(upcoming).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: made.id, timeframe: "In 2 days" })]),
    );
    const people = await app.call("POST", "/people", { ids: [made.id] });
    expect(people.json()).toEqual([]);
    await app.moveClock("2026-11-26T09:00");
    expect(await sent(made.id)).toEqual(["Ann Lee, Bo Lee, Cy Lee, Di Lee and 2 more"]);
  });

  test("a deleted group is taken out of its recipients, and leaving none pauses it", async () => {
    const call = (method: "POST" | "DELETE", url: string, body: object) =>
      app.porchlight.call({ method, url, body }, app.staff);
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    const group = (await call("POST", "/api/usergroups", { name: "Welcome team", rule: { property } })).json<{
      id: number;
    }>();
    const only = await app.create({
      ...putBack(made),
      recipients: [{ type: "group", id: group.id }],
    });
    expect((await call("DELETE", `/api/usergroups/${group.id}`, {})).statusCode).toBe(409);
    expect((await call("DELETE", `/api/usergroups/${group.id}?detach=true`, {})).statusCode).toBe(200);
    expect(await app.read(only.id)).toMatchObject({ state: "paused", audience: [], nextRunAt: null });
  });

  test("shows whose dates come next while it is being written", async () => {
    const stored = await schedule({ residentDate: "move-in", dayOffset: 2 });
    await resident("Ann", { firstDay: "2026-12-01" });
    const draft = { ...letter, name: "", residentDate: "move-in", dayOffset: -2 };
    const preview = async (more: object) =>
      (await app.call("POST", "/preview", { ...draft, ...more })).json<SchedulePreview>();
    const recipients = stored.audience.map(({ type, id }) => ({ type, id }));
    expect(await preview({ recipients })).toMatchObject({
      rule: "2 days before move-in, 9:00 AM ET",
      runs: [{ occurrence: "2026-11-29", when: "Sun, Nov 29, 9:00 AM EST" }],
      residents: { next: [{ people: 1, first: [{ name: "Ann Lee", home: `${property} ${made}` }] }] },
      reach: null,
    });
    expect(await preview({ recipients: [] })).toMatchObject({ runs: [], residents: { next: [] } });
    expect(await preview({ recurrence: "daily", recipients })).toMatchObject({ residents: null });
  });

  test("refuses what it can't be", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    const wrong = async (more: object) =>
      (await app.call("PUT", `/${made.id}`, { ...putBack(made), ...more })).json().fields;
    expect(await wrong({ residentDate: "birthday" })).toEqual({
      residentDate: "The date must be move-in, move-out or lease-end",
    });
    for (const dayOffset of [366, -366, 1.5]) {
      expect(await wrong({ dayOffset })).toEqual({
        dayOffset: "Days must be 0 to 365, or negative for days before the date",
      });
    }
    const back = await app.call("PUT", `/${made.id}`, { ...putBack(made), recurrence: "daily" });
    expect(back.json<Schedule>()).toMatchObject({
      residentDate: null,
      dayOffset: null,
      nextOccurrence: "2026-11-25",
      audience: [{ type: "homes" }],
    });
    // "For ever" is no date. It can't be entered any more, but may be on file.
    const forever = await schedule({ residentDate: "lease-end", dayOffset: 30 });
    await resident("Ann", { leaseEnds: "2199-12-31" });
    await sql`UPDATE residencies SET lease_ends = '9999-12-31'`.execute(app.porchlight.db);
    await keep();
    expect(await app.read(forever.id)).toMatchObject({ nextRunAt: null });
  });

  test("a process of the build before finds nothing to run, and no one to send to", async () => {
    const made = await schedule({ residentDate: "move-in", dayOffset: 0 });
    await resident("Ann", { firstDay: "2026-12-01" });
    await keep();
    const { rows } = await sql<object>`
      SELECT recurrence, date, next_run_at, next_occurrence, audience FROM schedules WHERE id = ${made.id}`.execute(
      app.porchlight.db,
    );
    expect(rows).toEqual([
      { recurrence: "once", date: null, next_run_at: null, next_occurrence: null, audience: [] },
    ]);
  });
});

/** The same message to the same recipients. */
const same = ({ templateId, audience }: Schedule) => ({
  templateId,
  recipients: audience.map(({ type, id }) => ({ type, id })),
});

const putBack = (made: Schedule) => ({
  ...letter,
  ...same(made),
  residentDate: made.residentDate,
  dayOffset: made.dayOffset,
});
