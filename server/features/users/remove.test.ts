import { afterAll, beforeAll, expect, test } from "vitest";
import type { Group } from "#contract/groups.ts";
import type { Reach } from "#contract/audience.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { addNotification } from "#server/delivery/testing/scene.ts";
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
const remove = (id: number, as: Caller | null = admin) =>
  porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, as);
const reach = async (recipients: { type: "group" | "user"; id: number }[]) =>
  (
    await porchlight.call(
      { method: "POST", url: "/api/audience/reach", body: { recipients, channels: ["email"] } },
      admin,
    )
  ).json<Reach>();

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
  expect((await porchlight.call({ method: "GET", url: `/u/${token}` })).statusCode).toBe(404);
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
  await remove(id);
  const { body } = await get(`/api/users/${id}/deliveries`);
  expect(body).toMatchObject([{ title: "Hello", name: "Old Tenant", status: "delivered" }]);
});

test("only one of two who delete the same person does", async () => {
  const id = await insertPerson(porchlight.db);
  const replies = await Promise.all([remove(id), remove(id)]);
  expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
});
