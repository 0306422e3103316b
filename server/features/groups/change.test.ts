import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Group } from "#contract/calls/groups.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
let people: number[];

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { firstName: "Ann", lastName: "Zeller" });
  const made = await Promise.all([1, 2, 3].map(() => insertPerson(porchlight.db)));
  people = made.toSorted((a, b) => a - b);
});
afterAll(() => porchlight.close());

const call = (
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  body?: unknown,
  as: Caller | null = admin,
) => porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
const create = async (body: unknown) => (await call("POST", "/api/usergroups", body)).json<Group>();
const find = async (name: string) =>
  (await call("GET", "/api/usergroups")).json<Group[]>().find((group) => group.name === name);
const membersOf = async (id: number) =>
  (await call("GET", `/api/usergroups/${id}/member-ids`)).json<{ userIds: number[] }>().userIds;

// spec 385, 444, 457, 458
test("a group by hand has the living people that were picked, each once", async () => {
  const gone = await insertPerson(porchlight.db);
  await call("DELETE", `/api/users/${gone}`);
  const written = { name: "Garden", description: "By the gate", createdBy: 1 };
  const group = await create({ ...written, userIds: [...people, ...people, gone] });
  expect(group).toMatchObject({
    ...written,
    userCount: 3,
    builtIn: false,
    rule: null,
    createdBy: "Ann Zeller",
  });
  expect(group.userIds).toEqual(people);
  expect(await membersOf(group.id)).toEqual(people);
  await call("PUT", `/api/usergroups/${group.id}`, { name: "Garden", userIds: people.slice(1) });
  expect(await membersOf(group.id)).toEqual(people.slice(1));
});

// spec 385
test("reads carry the ids of up to 1,000 members that were picked, and none for a rule", async () => {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO users (username, email, first_name, last_name, role)
    SELECT 'many' || n, 'many' || n || '@example.com', 'Many', 'People', 'tenant' FROM generate_series(1, 1001) n
    RETURNING id`.execute(porchlight.db);
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
  const { id } = await create({ name: "Thousand", userIds: ids.slice(0, 1000) });
  expect((await find("Thousand"))?.userIds).toEqual(ids.slice(0, 1000));
  const larger = await call("PUT", `/api/usergroups/${id}`, { name: "Thousand", userIds: ids });
  expect(larger.json()).toMatchObject({ userCount: 1001 });
  expect(larger.json()).not.toHaveProperty("userIds");
  expect(await find("All Staff")).not.toHaveProperty("userIds");
  // spec 422
  expect((await create({ name: "Empty" })).userIds).toEqual([]);
  await call("DELETE", `/api/usergroups/${id}`);
  await sql`DELETE FROM users WHERE id = ANY(${ids})`.execute(porchlight.db);
});

test("an edit that began before someone else's change does not undo that", async () => {
  const [first, second, third] = people as [number, number, number];
  const opened = await create({ name: "Choir", userIds: [first] });
  const edit = (updatedAt: string, userIds: number[]) =>
    call("PUT", `/api/usergroups/${opened.id}`, { name: "Choir", userIds, updatedAt });
  const saved = await edit(opened.updatedAt, [first, second]);
  expect(saved.statusCode).toBe(200);

  const late = await edit(opened.updatedAt, [first, third]);
  expect([late.statusCode, late.json()]).toEqual([
    409,
    {
      code: "conflict",
      message: "This group was changed in the meantime. Nothing was saved.",
    },
  ]);
  expect(await membersOf(opened.id)).toEqual([first, second]);
  expect((await edit(saved.json<Group>().updatedAt, [first, third])).statusCode).toBe(200);
});

test("nor who joined meanwhile by their own form or by an import", async () => {
  const [first] = people as [number];
  let group = await create({ name: "Allotments", userIds: [first] });
  const edit = () =>
    call("PUT", `/api/usergroups/${group.id}`, {
      name: "Allotments",
      userIds: [first],
      updatedAt: group.updatedAt,
    });
  const joins: [string, unknown][] = [
    [
      "/api/users",
      {
        username: "joins.late",
        email: "joins.late@example.com",
        firstName: "Jo",
        lastName: "Late",
        password: "three ripe figs!",
        groupIds: [group.id],
      },
    ],
    [
      `/api/csv/import?groupIds=${group.id}`,
      [{ firstName: "Ima", lastName: "Ported", email: "im@example.com" }],
    ],
  ];
  for (const [url, body] of joins) {
    expect((await call("POST", url, body)).statusCode).toBeLessThan(300);
    expect((await edit()).statusCode).toBe(409);
    group = (await find("Allotments")) as Group;
  }
  expect(await membersOf(group.id)).toHaveLength(3);
});

test("an id that never was anyone's is refused, also in a change", async () => {
  const sentence = "No one has the id 999998, 999999. Remove it.";
  const reply = await call("POST", "/api/usergroups", {
    name: "Strangers",
    userIds: [999_999, ...people, 999_998],
  });
  expect([reply.statusCode, reply.json<{ fields: object }>().fields]).toEqual([400, { userIds: sentence }]);
  expect(await find("Strangers")).toBeUndefined();
  const { id } = await create({ name: "Acquaintances", userIds: people });
  const changed = await call("PUT", `/api/usergroups/${id}`, { name: "Acquaintances", userIds: [999_999] });
  expect(changed.statusCode).toBe(400);
  expect(await membersOf(id)).toEqual(people);
});

test.each([
  ["name", "a", "Group name must be at least 2 characters"],
  ["name", undefined, "Group name must be at least 2 characters"],
  // spec 422
  ["userIds", "all", "Members must be a list of ids"],
])("%s %j is refused", async (field, value, sentence) => {
  const reply = await call("POST", "/api/usergroups", { name: "Good name", [field]: value });
  expect([reply.statusCode, reply.json<{ fields: object }>().fields]).toEqual([400, { [field]: sentence }]);
});

test("two groups cannot have one name, whatever its case", async () => {
  const { id } = await create({ name: "Pool" });
  const replies = [
    await call("POST", "/api/usergroups", { name: "POOL" }),
    await call("PUT", `/api/usergroups/${id}`, { name: "all tenants" }),
  ];
  expect(replies.map((reply) => reply.statusCode)).toEqual([409, 409]);
  expect(replies[0]?.json()).toMatchObject({
    fields: { name: "A group named “POOL” already exists. Choose another name." },
  });
  expect((await call("PUT", `/api/usergroups/${id}`, { name: "POOL" })).statusCode).toBe(200);
});

test("a group by rule has no members of its own, and gets them when the rule goes", async () => {
  const group = await create({ name: "By rule", rule: { roles: ["admin"] }, userIds: people });
  expect(group).toMatchObject({ userCount: 1, rule: { roles: ["admin"] } });
  expect((await call("GET", `/api/usergroups/${group.id}/member-ids`)).statusCode).toBe(409);
  const byHand = await call("PUT", `/api/usergroups/${group.id}`, {
    name: "By rule",
    rule: null,
    userIds: people,
  });
  expect(byHand.json()).toMatchObject({ userCount: 3, rule: null });
  await call("PUT", `/api/usergroups/${group.id}`, { name: "By rule", rule: { roles: ["admin"] } });
  const left = await porchlight.db
    .selectFrom("group_members")
    .select("user_id")
    .where("group_id", "=", group.id)
    .execute();
  expect(left).toEqual([]);
});

test("a rule ends only where the call says so, never by what it leaves out", async () => {
  const rule = { roles: ["admin"] };
  const { id } = await create({ name: "Lasting", description: "Stays", rule });
  const change = (body: object) => call("PUT", `/api/usergroups/${id}`, { name: "Lasting", ...body });
  // The specification's payload, whose list of ids is empty for a group that has none of its own.
  expect((await change({ description: null, userIds: [], createdBy: "1" })).json()).toMatchObject({
    description: "",
    rule,
  });
  const ids = await change({ userIds: people });
  expect([ids.statusCode, ids.json<{ fields: object }>().fields]).toEqual([
    400,
    {
      userIds:
        "This group's members come from its rule. To pick them by hand, remove the rule with rule: null.",
    },
  ]);
  expect((await find("Lasting"))?.rule).toEqual(rule);
  expect((await change({ rule: null })).json()).toMatchObject({ rule: null, userCount: 0 });
});

test("what a rule's form leaves empty says nothing, and a property is spelled as its group is", async () => {
  await call("POST", "/api/users", {
    username: "linden",
    email: "linden@example.com",
    firstName: "Lin",
    lastName: "Den",
    propertyUnit: "Linden Row 1",
    password: "three ripe figs!",
  });
  const group = await create({ name: "Linden", rule: { roles: [], property: "LINDEN row", unit: " " } });
  expect(group).toMatchObject({ rule: { property: "Linden Row" }, userCount: 1 });
  const tried = await call("POST", "/api/usergroups/try-rule", { property: "linden row" });
  expect(tried.json()).toMatchObject({ userCount: 1, first: [{ username: "linden" }] });
});

test("a built-in group is neither changed nor deleted", async () => {
  const everyone = await find("Everyone");
  for (const reply of [
    await call("PUT", `/api/usergroups/${everyone?.id}`, { name: "All" }),
    await call("DELETE", `/api/usergroups/${everyone?.id}?detach=true`),
  ]) {
    expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
      409,
      "“Everyone” is built in. It updates automatically and can't be changed by hand.",
    ]);
  }
  expect(await find("Everyone")).toEqual(everyone);
});

// spec 351, 384
test("the creator is named while there; “Admin Manager” stands for one who is gone, and for no one", async () => {
  const staff = await porchlight.signedIn("staff", { firstName: "Sam", lastName: "Lee" });
  await call("POST", "/api/usergroups", { name: "Sam's", createdBy: 1 }, staff);
  expect((await find("Sam's"))?.createdBy).toBe("Sam Lee");
  await call("DELETE", `/api/users/${staff.userId}`);
  expect((await find("Sam's"))?.createdBy).toBe("Admin Manager");
  expect((await find("Everyone"))?.createdBy).toBe("Admin Manager");
});

test("a page of members, searched", async () => {
  const picked = await Promise.all(
    ["Ash", "Birch", "Cedar"].map((lastName) => insertPerson(porchlight.db, { firstName: "Tree", lastName })),
  );
  const { id } = await create({ name: "Trees", userIds: picked });
  const page = await call("GET", `/api/usergroups/${id}/members?page=2&pageSize=2`);
  expect(page.headers["x-total-count"]).toBe("3");
  expect(page.json()).toMatchObject([{ lastName: "Cedar" }]);
  const found = await call("GET", `/api/usergroups/${id}/members?q=birch`);
  expect(found.json()).toMatchObject([{ lastName: "Birch" }]);
});

test.each([
  ["GET", "/members"],
  ["GET", "/member-ids"],
  ["PUT", ""],
  ["DELETE", ""],
] as const)("%s %s of a group that is not there is not found", async (method, path) => {
  const body = method === "PUT" ? { name: "Nobody" } : undefined;
  expect((await call(method, `/api/usergroups/999999${path}`, body)).statusCode).toBe(404);
});

const same = (ids: readonly number[]) => (found: number[]) =>
  found.toSorted((a, b) => a - b).join() === ids.toSorted((a, b) => a - b).join();

test("who made, changed and deleted a group is on record", async () => {
  const { id } = await create({ name: "On record", userIds: people });
  await call("PUT", `/api/usergroups/${id}`, { name: "Renamed", description: "New", rule: {} });
  await call("DELETE", `/api/usergroups/${id}`);
  const rows = await sql<{ action: string; detail: unknown }>`
    SELECT action, detail FROM audit WHERE subject_type = 'group' AND subject_id = ${id}
      AND actor_id = ${admin.userId} ORDER BY id`.execute(porchlight.db);
  expect(rows.rows).toEqual([
    {
      action: "group.create",
      detail: { name: "On record", joined: expect.toSatisfy(same(people)), left: [] },
    },
    {
      action: "group.update",
      detail: {
        name: "Renamed",
        changes: { name: ["On record", "Renamed"], description: ["", "New"], rule: [null, {}] },
        joined: [],
        left: expect.toSatisfy(same(people)),
      },
    },
    { action: "group.delete", detail: { name: "Renamed", detached: [] } },
  ]);
});
