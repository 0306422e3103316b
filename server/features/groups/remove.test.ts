import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Group } from "#contract/calls/groups.ts";
import type { NotificationDetail, NotificationRow } from "#contract/calls/notifications.ts";
import { startRun } from "#server/delivery/runs/start-run.ts";
import { dependencies } from "#server/delivery/testing/scene.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

/** Deleting a group that something still uses, and the built-in groups of properties. */

let porchlight: TestApp;
let admin: Caller;
let garden: Group;
let pool: Group;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

let made = 0;
beforeEach(async () => {
  made += 1;
  const person = await insertPerson(porchlight.db);
  garden = (await call("POST", "/api/usergroups", { name: `Garden ${made}`, userIds: [person] })).json();
  pool = (await call("POST", "/api/usergroups", { name: `Pool ${made}`, userIds: [person] })).json();
});

const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: unknown) =>
  porchlight.call({ method, url, ...(body !== undefined && { body }) }, admin);
const remove = (group: Group, query = "") => call("DELETE", `/api/usergroups/${group.id}${query}`);
const groupNames = async () =>
  (await call("GET", "/api/usergroups")).json<Group[]>().map((group) => group.name);

async function plan(title: string, groups: Group[], more: object = {}): Promise<NotificationRow> {
  const reply = await call("POST", "/api/notifications", {
    title,
    content: "Hello",
    recipients: groups.map(({ id }) => ({ type: "group", id })),
    channels: ["email"],
    status: "Scheduled",
    scheduled_time: "2099-11-25T09:00:00-05:00",
    ...more,
  });
  expect(reply.statusCode).toBe(201);
  return reply.json();
}
const detail = async (id: number) =>
  (await call("GET", `/api/notifications/${id}`)).json<NotificationDetail>();

// spec 459
test("a group that nothing scheduled uses is deleted, also when drafts and old messages name it", async () => {
  const draft = await plan("Draft", [garden], { status: "Draft" });
  const reply = await remove(garden);
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
    200,
    `“${garden.name}” was deleted.`,
  ]);
  expect(await groupNames()).not.toContain(garden.name);
  expect((await detail(draft.id)).recipients).toBe(garden.name);
});

test("sending or scheduling a draft or a cancelled notification later fails, naming the deleted group", async () => {
  const cancelled = await plan("Cancelled", [garden, pool]);
  await call("POST", `/api/notifications/${cancelled.id}/cancel`);
  const draft = await plan("Draft", [garden, pool], { status: "Draft" });
  expect((await remove(garden)).statusCode).toBe(200);

  const written = ({ title, recipients, content }: NotificationRow) => ({ title, recipients, content });
  const schedule = { ...written(cancelled), status: "Scheduled" };
  for (const reply of [
    await call("POST", `/api/notifications/${cancelled.id}/uncancel`),
    await call("PUT", `/api/notifications/${cancelled.id}`, schedule),
    await call("POST", `/api/notifications/${draft.id}/send`),
  ]) {
    const sentence = `The group “${garden.name}” no longer exists. Choose recipients again.`;
    expect([reply.statusCode, reply.json<{ fields: object }>().fields]).toEqual([
      422,
      { recipients: sentence },
    ]);
  }
  // What stays a draft or cancelled can still be changed.
  for (const row of [draft, cancelled]) {
    expect((await call("PUT", `/api/notifications/${row.id}`, written(row))).statusCode).toBe(200);
  }
  const recipients = [{ type: "group", id: pool.id }];
  await call("PUT", `/api/notifications/${draft.id}`, { ...written(draft), recipients });
  expect((await call("POST", `/api/notifications/${draft.id}/send`)).statusCode).toBe(200);
});

test("deleting waits for a cancelled one that is just being scheduled again, and then finds it", async () => {
  const { id } = await plan("Again", [garden]);
  await call("POST", `/api/notifications/${id}/cancel`);
  const sent = await porchlight.db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE audit IN SHARE MODE`.execute(tx);
    const waits = (calls: number) =>
      until(async () => {
        const waiting = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(porchlight.db);
        expect(waiting.rows).toHaveLength(calls);
      });
    const again = call("POST", `/api/notifications/${id}/uncancel`);
    await waits(1);
    const removed = remove(garden);
    await waits(2);
    return [again, removed];
  });
  expect((await Promise.all(sent)).map(({ statusCode }) => statusCode)).toEqual([200, 409]);
});

describe("while something scheduled uses it", () => {
  // spec 459
  test("it stays, and the refusal names what that is", async () => {
    const rent = await plan("Rent", [garden, pool]);
    const weekly = await plan("Weekly", [garden], {
      status: "Recurring",
      recurrence: "weekly",
      recurringDay: 2,
    });
    const reply = await remove(garden);
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("“Rent”, “Weekly”"),
      fields: { [`scheduled.${rent.id}`]: "Rent", [`scheduled.${weekly.id}`]: "Weekly" },
    });
    expect(await groupNames()).toContain(garden.name);
  });

  test("a second yes takes it out of there; what else was chosen stays scheduled", async () => {
    const rent = await plan("Rent", [garden, pool]);
    expect((await remove(garden, "?detach=true")).statusCode).toBe(200);
    expect(await detail(rent.id)).toMatchObject({
      status: "Scheduled",
      recipients: pool.name,
      audience: [{ type: "group", id: pool.id, name: pool.name }],
      statusReason: null,
    });
  });

  test("what has no recipients left becomes a draft that says why and what was planned", async () => {
    const [once, weekly] = [
      await plan("Once", [garden]),
      await plan("Weekly", [garden], {
        status: "Recurring",
        recurrence: "weekly",
        recurringDay: 2,
        recurringTime: "14:00",
      }),
    ];
    await remove(garden, "?detach=true");
    const left = { status: "Draft", recipients: "", audience: [], scheduled_time: null, recurrence: null };
    const reason = (planned: string) =>
      `The group “${garden.name}”, its only recipient, was deleted. It was scheduled for ${planned}. ` +
      "Choose recipients and schedule it again.";
    expect(await detail(once.id)).toMatchObject({
      ...left,
      statusReason: reason("Wed, Nov 25, 2099, 9:00 AM EST"),
    });
    expect(await detail(weekly.id)).toMatchObject({
      ...left,
      statusReason: reason("Every Tuesday, 2:00 PM ET"),
    });
  });
});

test("a group to which a message is being spread stays until that is done", async () => {
  const { id } = await plan("Going out", [garden], { status: "Draft" });
  await startRun(porchlight.db, id, dependencies);
  const reply = await remove(garden, "?detach=true");
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
    409,
    `A message is going out to “${garden.name}”. Try again in a minute.`,
  ]);
  await porchlight.db
    .updateTable("runs")
    .set({ state: "finished" })
    .where("notification_id", "=", id)
    .execute();
  expect((await remove(garden)).statusCode).toBe(200);
});

test("deleting waits for a run that is just being started, and then finds it", async () => {
  const { id } = await plan("Starting", [garden], { status: "Draft" });
  const { promise: reopenRun, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: begun, resolve: started } = Promise.withResolvers<void>();
  const starting = porchlight.db.transaction().execute(async (tx) => {
    await startRun(tx, id, dependencies);
    started();
    await reopenRun;
  });
  await begun;
  const removing = remove(garden, "?detach=true");
  const waits = until(async () => {
    const waiting = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(porchlight.db);
    expect(waiting.rows).toHaveLength(1);
  });
  await Promise.race([waits, removing]);
  letGo();
  await starting;
  expect((await removing).statusCode).toBe(409);
  expect(await groupNames()).toContain(garden.name);
});

test("deleting never waits for what is just being changed, which may wait for the group", async () => {
  const { id } = await plan("Changing", [garden]);
  await porchlight.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM notifications WHERE id = ${id} FOR UPDATE`.execute(tx);
    const reply = await remove(garden, "?detach=true");
    expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
      409,
      "Something scheduled for this group is being changed right now. Try again in a moment.",
    ]);
  });
  expect((await remove(garden, "?detach=true")).statusCode).toBe(200);
});

describe("Sync User Groups", () => {
  type Report = { created: string[]; removed: string[]; message: string };
  const sync = async () => (await call("POST", "/api/users/sync-groups")).json<Report>();
  const person = (property: string) => insertPerson(porchlight.db, { property });

  // spec 346, 460
  test("reports what changed, and nothing when nothing did", async () => {
    await person("Elm Yard");
    const leaving = await person("Oak Yard");
    expect(await sync()).toMatchObject({
      created: ["Elm Yard", "Oak Yard"],
      removed: [],
      message: "Created: Elm Yard, Oak Yard.",
    });
    expect(await sync()).toEqual({ created: [], removed: [], message: "Every group was up to date." });
    await call("DELETE", `/api/users/${leaving}`);
    expect(await sync()).toMatchObject({
      removed: ["Oak Yard"],
      message: "Removed because no one lives there now: Oak Yard.",
    });
    expect(await groupNames()).not.toContain("Oak Yard");
  });

  test("a property that something scheduled names keeps its group though no one lives there", async () => {
    const id = await person("Pine Yard");
    await sync();
    const group = (await call("GET", "/api/usergroups?q=Pine Yard")).json<Group[]>()[0];
    const planned = await plan("Pine", group ? [group] : []);
    await call("DELETE", `/api/users/${id}`);
    expect((await sync()).removed).toEqual([]);
    await call("POST", `/api/notifications/${planned.id}/cancel`);
    expect((await sync()).removed).toEqual(["Pine Yard"]);
  });
});
