import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Group } from "#contract/calls/groups.ts";
import type { UserDetail } from "#contract/calls/users.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const call = (method: "GET" | "POST" | "PUT", url: string, body?: unknown) =>
  porchlight.call({ method, url, ...(body !== undefined && { body }) }, admin);

const waiting = (count: number) =>
  until(async () => {
    const found = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(porchlight.db);
    expect(found.rows).toHaveLength(count);
  });

test("a group and one of its people can be edited at the same moment", async () => {
  const userId = await insertPerson(porchlight.db, { firstName: "Maria" });
  const group = (
    await call("POST", "/api/usergroups", { name: "Garden", description: "", userIds: [] })
  ).json<Group>();
  const person = (await call("GET", `/api/users/${userId}`)).json<UserDetail>();

  // Someone holds the group, so that both stand in line for it: the group's editor first, who will need the person,
  // then the person's editor, who has the person.
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = porchlight.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM user_groups WHERE id = ${group.id} FOR UPDATE`.execute(tx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const editGroup = call("PUT", `/api/usergroups/${group.id}`, {
    name: "Garden",
    description: "",
    userIds: [userId],
  });
  await waiting(1);
  const editPerson = call("PUT", `/api/users/${userId}`, {
    username: person.username,
    firstName: "Marisa",
    lastName: person.lastName,
    email: person.email,
    role: person.role,
    groupIds: [group.id],
  });
  await waiting(2);
  release.resolve();
  await holding;
  const replies = await Promise.all([editGroup, editPerson]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});
