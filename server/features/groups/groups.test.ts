import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "#contract/calls/auth.ts";
import type { Group } from "#contract/calls/groups.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

async function groups(q = ""): Promise<Group[]> {
  const reply = await porchlight.call(
    { method: "GET", url: `/api/usergroups?q=${encodeURIComponent(q)}` },
    admin,
  );
  expect(reply.headers["x-total-count"]).toBe(String(reply.json<Group[]>().length));
  return reply.json<Group[]>();
}
const counts = async () => Object.fromEntries((await groups()).map((group) => [group.name, group.userCount]));

async function groupByHand(name: string, members: number[]): Promise<void> {
  const { id } = await porchlight.db
    .insertInto("user_groups")
    .values({ name })
    .returning("id")
    .executeTakeFirstOrThrow();
  await porchlight.db
    .insertInto("group_members")
    .values(members.map((user_id) => ({ group_id: id, user_id })))
    .execute();
}

const sync = () => porchlight.db.transaction().execute((tx) => syncRuleGroups(tx));

async function residents(property: string | null, ...roles: Role[]): Promise<void> {
  for (const role of roles) {
    const id = await insertPerson(porchlight.db, { role });
    await porchlight.db.updateTable("users").set({ property }).where("id", "=", id).execute();
  }
}

test("groups are listed to administrators and staff", async () => {
  const read = (as: Caller | null) => porchlight.call({ method: "GET", url: "/api/usergroups" }, as);
  expect((await read(null)).statusCode).toBe(401);
  expect((await read(await porchlight.signedIn("tenant"))).statusCode).toBe(403);
  expect((await read(await porchlight.signedIn("staff"))).statusCode).toBe(200);
});

// spec 384, 456
test("each property gets its group, and the people of every group are counted", async () => {
  await residents("Maple Court", "tenant", "tenant", "staff");
  await residents("Harbor House", "tenant");
  await residents(null, "tenant");
  expect(await sync()).toHaveLength(2);
  await residents("Maple Court", "tenant");
  expect(await sync()).toEqual([]);
  // One of each role is signed in besides.
  expect(await counts()).toEqual({
    "All Staff": 3,
    "All Tenants": 6,
    Everyone: 9,
    "Harbor House": 1,
    "Maple Court": 4,
  });
});

test("groups made by hand count the living; they stand first, then the built-in ones, by name", async () => {
  const gone = await insertPerson(porchlight.db);
  const here = await insertPerson(porchlight.db);
  await groupByHand("Garden 10", [gone, here]);
  await groupByHand("Garden 9", [here]);
  await porchlight.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
  expect((await groups()).map((group) => group.name)).toEqual([
    "Garden 9",
    "Garden 10",
    "All Staff",
    "All Tenants",
    "Everyone",
    "Harbor House",
    "Maple Court",
  ]);
  expect(await counts()).toMatchObject({ "Garden 10": 1, "Garden 9": 1 });
});

test("a search finds groups by a part of the name", async () => {
  expect((await groups("MAPLE")).map((group) => group.name)).toEqual(["Maple Court"]);
  expect(await groups("100%")).toEqual([]);
});

test("a property whose name another group has taken gets a name of its own, once", async () => {
  const here = await insertPerson(porchlight.db);
  await groupByHand("pine row", [here]);
  await groupByHand("Oak Row", [here]);
  await groupByHand("Oak Row (property)", [here]);
  await residents("Pine Row", "tenant", "tenant");
  await residents("Oak Row", "tenant");
  await sync();
  expect(await sync()).toEqual([]);
  expect(await counts()).toMatchObject({
    "pine row": 1,
    "Pine Row (property)": 2,
    "Oak Row (property)": 1,
    "Oak Row (property 2)": 1,
  });
});

test("two at once make a property's group once", async () => {
  await residents("Elm Yard", "tenant");
  const made = await Promise.all([sync(), sync(), sync()]);
  expect(made.flat()).toEqual([{ name: "Elm Yard", property: "Elm Yard" }]);
});

test("eight thousand properties are listed by pages, found and counted", async () => {
  await sql`INSERT INTO users (username, first_name, last_name, role, property)
    SELECT 'house.' || n, 'Pat', 'Lee', 'tenant', 'House ' || n FROM generate_series(1, 8000) n`.execute(
    porchlight.db,
  );
  const call = (method: "GET" | "POST", url: string) => porchlight.call({ method, url }, admin);
  const synced = await call("POST", "/api/users/sync-groups");
  expect(synced.json<{ created: string[] }>().created).toHaveLength(8000);
  const first = await call("GET", "/api/usergroups");
  const total = Number(first.headers["x-total-count"]);
  expect([first.json<Group[]>().length, total > 8000]).toEqual([25, true]);
  expect(first.headers["link"]).toBe('</api/usergroups?page=2>; rel="next"');

  const byHand = await call("GET", "/api/usergroups?byHand=true&pageSize=1");
  expect(byHand.json<Group[]>().map(({ rule }) => rule)).toEqual([null]);

  const [found] = await groups("house 7999");
  // spec 166
  expect(found).toMatchObject({ name: "House 7999", userCount: 1 });
  const { before } = (await call("GET", `/api/usergroups/${found?.id}`)).json<{ before: number }>();
  const its = await call("GET", `/api/usergroups?page=${Math.floor(before / 25) + 1}`);
  expect(its.json<Group[]>()[before % 25]).toEqual(found);

  const properties = await call("GET", "/api/properties?q=house%207999");
  expect(properties.json()).toEqual([{ name: "House 7999", people: 1 }]);
  const { rows } = await sql<{ id: number }>`SELECT id FROM users WHERE property = 'House 7999'`.execute(
    porchlight.db,
  );
  const person = (await call("GET", `/api/users/${rows[0]?.id}`)).json<{ groups: { name: string }[] }>();
  expect(person.groups.map(({ name }) => name)).toEqual(["All Tenants", "Everyone", "House 7999"]);
});

test("for a picker, names that begin with the text come first, then those with such a word", async () => {
  const made = ["Boardwalk", "Advisory board", "Surfboards"].map((name) => ({ name }));
  await porchlight.db.insertInto("user_groups").values(made).execute();
  const names = async (query: string) => {
    const reply = await porchlight.call({ method: "GET", url: `/api/usergroups?q=board${query}` }, admin);
    return reply.json<Group[]>().map(({ name }) => name);
  };
  expect(await names("")).toEqual(["Advisory board", "Boardwalk", "Surfboards"]);
  expect(await names("&bestFirst=true")).toEqual(["Boardwalk", "Advisory board", "Surfboards"]);
});

test("in a picker, Everyone and the roles come before groups that people made", async () => {
  await porchlight.db.insertInto("user_groups").values({ name: "Aardvark club" }).execute();
  const first = async (query: string) => {
    const reply = await porchlight.call({ method: "GET", url: `/api/usergroups${query}` }, admin);
    return reply.json<Group[]>()[0]?.builtIn;
  };
  expect(await first("")).toBe(false);
  expect(await first("?bestFirst=true")).toBe(true);
});
