import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Group } from "#contract/calls/groups.ts";
import type { Reach } from "#contract/calls/audience.ts";
import type { NotificationDetail, NotificationRow } from "#contract/calls/notifications.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { addNotification } from "#server/delivery/testing/scene.ts";
import { recount } from "#server/delivery/testing/run-totals.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const get = async (url: string, as: Caller | null = admin) => {
  const reply = await porchlight.call({ method: "GET", url }, as);
  return { status: reply.statusCode, body: reply.json<unknown>() };
};
const remove = (id: number, query = "") =>
  porchlight.call({ method: "DELETE", url: `/api/users/${id}${query}` }, admin);
const reach = async (recipients: { type: "group" | "user"; id: number }[]) =>
  (
    await porchlight.call(
      { method: "POST", url: "/api/audience/reach", body: { recipients, channels: ["email"] } },
      admin,
    )
  ).json<Reach>();

// spec 452
test("a person who is removed is off every list and audience, signed out, and cannot sign in", async () => {
  const passwordHash = await hashPassword("three ripe figs!");
  const maria = await porchlight.signedIn("tenant", { username: "maria", firstName: "Maria", passwordHash });
  const { id: groupId } = (
    await porchlight.call(
      { method: "POST", url: "/api/usergroups", body: { name: "Garden", userIds: [maria.userId] } },
      admin,
    )
  ).json<Group>();
  const { preferences_token: token } = await porchlight.db
    .selectFrom("users")
    .select("preferences_token")
    .where("id", "=", maria.userId)
    .executeTakeFirstOrThrow();
  expect((await reach([{ type: "user", id: maria.userId }])).people).toBe(1);

  const reply = await remove(maria.userId);
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
    200,
    expect.stringMatching(/^Maria .* was deleted\.$/),
  ]);

  expect((await get("/api/users?q=maria")).body).toEqual([]);
  expect((await get(`/api/usergroups/${groupId}/members`)).body).toEqual([]);
  expect((await get(`/api/usergroups/${groupId}/member-ids`)).body).toEqual({ userIds: [] });
  expect((await reach([{ type: "user", id: maria.userId }])).people).toBe(0);
  expect((await reach([{ type: "group", id: groupId }])).people).toBe(0);
  expect((await get("/api/auth/me", maria)).status).toBe(401);
  const login = { username: "maria", password: "three ripe figs!" };
  expect((await porchlight.call({ method: "POST", url: "/api/auth/login", body: login })).statusCode).toBe(
    401,
  );
  // Their address can still be turned off, but the page says nothing about them.
  expect((await porchlight.call({ method: "GET", url: `/u/${token}` })).body).not.toContain("Maria");
});

test("the user name is free again, and the new person has nothing of the old one's", async () => {
  const id = await insertPerson(porchlight.db, { username: "free.again" });
  await remove(id);
  const body = {
    username: "free.again",
    email: "new@example.com",
    firstName: "New",
    lastName: "Person",
    password: "three ripe figs!",
  };
  const reply = await porchlight.call({ method: "POST", url: "/api/users", body }, admin);
  expect(reply.statusCode).toBe(201);
  expect(reply.json<{ id: number }>().id).not.toBe(id);
});

test("what was sent to the person stays on record under the name", async () => {
  const id = await insertPerson(porchlight.db, { firstName: "Old", lastName: "Tenant" });
  const notificationId = await addNotification(porchlight.db, {
    audience: [{ type: "user", id, name: "Old Tenant" }],
  });
  const run = await porchlight.db
    .insertInto("content_versions")
    .values({
      notification_id: notificationId,
      title: "Hello",
      subject: "",
      content: "Hello",
      field_values: "{}",
      attachment_ids: [],
      compiled: "{}",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: runId } = await porchlight.db
    .insertInto("runs")
    .values({
      notification_id: notificationId,
      content_version_id: run.id,
      class: "general",
      channels: ["email"],
      audience: "[]",
      state: "finished",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await porchlight.db
    .insertInto("deliveries")
    .values({
      id: sql`next_delivery_id(${runId})`,
      run_id: runId,
      user_id: id,
      channel: "email",
      address: "old@example.com",
      status: "delivered",
      priority: 2,
      expires_at: new Date(),
      person_name: "Old Tenant",
      field_values: "{}",
    })
    .execute();
  await recount(porchlight.db);
  await remove(id);
  const { body } = await get(`/api/users/${id}/deliveries`);
  expect(body).toMatchObject([{ title: "Hello", name: "Old Tenant", status: "delivered" }]);
});

test("only one of two who delete the same person does", async () => {
  const id = await insertPerson(porchlight.db);
  const replies = await Promise.all([remove(id), remove(id)]);
  expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

describe("while something scheduled names the person", () => {
  async function plan(title: string, people: number[], more: object = {}): Promise<number> {
    const body = {
      title,
      content: "Hello",
      recipients: people.map((id) => ({ type: "user", id })),
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: "2099-11-25T09:00:00-05:00",
      ...more,
    };
    const reply = await porchlight.call({ method: "POST", url: "/api/notifications", body }, admin);
    return reply.json<NotificationRow>().id;
  }
  const detail = async (id: number) => (await get(`/api/notifications/${id}`)).body as NotificationDetail;
  const stays = async (id: number) => (await get(`/api/users/${id}`)).status === 200;

  test("the person stays, and the refusal names what that is; drafts do not count", async () => {
    const [anna, luis] = [
      await insertPerson(porchlight.db, { firstName: "Anna", lastName: "Fam" }),
      await insertPerson(porchlight.db),
    ];
    await plan("Draft", [anna], { status: "Draft" });
    const rent = await plan("Rent", [anna, luis]);
    const weekly = await plan("Weekly", [anna], {
      status: "Recurring",
      recurrence: "weekly",
      recurringDay: 2,
    });
    const reply = await remove(anna);
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toEqual({
      code: "conflict",
      message:
        "“Anna Fam” is a recipient of scheduled messages: “Rent”, “Weekly”. Remove it there first, or delete it anyway.",
      fields: { [`scheduled.${rent}`]: "Rent", [`scheduled.${weekly}`]: "Weekly" },
    });
    expect(await stays(anna)).toBe(true);
  });

  test("a second yes takes them out of there; what goes to no one else becomes a draft that says why", async () => {
    const [anna, luis] = [
      await insertPerson(porchlight.db, { firstName: "Anna", lastName: "Fam" }),
      await insertPerson(porchlight.db, { firstName: "Luis", lastName: "Ortega" }),
    ];
    const [both, alone] = [await plan("Both", [anna, luis]), await plan("Alone", [anna])];
    expect((await remove(anna, "?detach=true")).statusCode).toBe(200);
    expect(await detail(both)).toMatchObject({
      status: "Scheduled",
      recipients: "Luis Ortega",
      audience: [{ type: "user", id: luis }],
      statusReason: null,
    });
    expect(await detail(alone)).toMatchObject({
      status: "Draft",
      audience: [],
      scheduled_time: null,
      statusReason:
        "Anna Fam, its only recipient, was deleted. It was scheduled for Wed, Nov 25, 2099, 9:00 AM EST. Choose recipients and schedule it again.",
    });
  });

  test("deleting never waits for what is just being started", async () => {
    const anna = await insertPerson(porchlight.db);
    const id = await plan("Starting", [anna]);
    await porchlight.db.transaction().execute(async (tx) => {
      await sql`SELECT FROM notifications WHERE id = ${id} FOR UPDATE`.execute(tx);
      const reply = await remove(anna, "?detach=true");
      expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
        409,
        "Something scheduled for this person is being changed right now. Try again in a moment.",
      ]);
    });
    expect(await stays(anna)).toBe(true);
  });
});
