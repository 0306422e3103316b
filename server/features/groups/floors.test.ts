import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Group } from "#contract/calls/groups.ts";
import type { Home } from "#contract/calls/places.ts";
import type { UserDetail } from "#contract/calls/users.ts";
import type { Db } from "#server/db/database.ts";
import { fromStored, type StoredRule, toStored } from "#server/db/stored-rule.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** Rules that name building, floors and stacks mean the homes people live in now. */

let porchlight: TestApp;
let admin: Caller;
let db: Db;
let people: Map<number, string>;

const homes = [
  ["Harbor View", "A-104"],
  ["Harbor View", "B-104"],
  ["Harbor View", "B-204"],
  ["Harbor View", "B-205"],
  ["Harbor View", "B-1004"],
  ["Oak Park", "10A"],
  ["Oak Park", "1A"],
  ["Oak Park", "12"],
  ["Oak Park", null],
] as const;

beforeAll(async () => {
  porchlight = await testApp();
  db = porchlight.db;
  admin = await porchlight.signedIn("admin");
  people = new Map();
  for (const [property, unit] of homes) {
    const propertyUnit = `${property}${unit === null ? "" : ` / ${unit}`}`;
    people.set(await insertPerson(db, { property, unit, propertyUnit }), unit ?? "none");
  }
  await keepHomes(db);
});
afterAll(() => porchlight.close());

const call = async <Reply>(method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: unknown) => {
  const reply = await porchlight.call({ method, url, ...(body !== undefined && { body }) }, admin);
  expect([reply.statusCode < 300, reply.body]).toEqual([true, reply.body]);
  return reply.json<Reply>();
};
const homesOf = (found: readonly { id: number }[]) =>
  found.map(({ id }) => people.get(id) ?? String(id)).toSorted();

let made = 0;
/** The homes of everyone in a group by this rule, which all who ask agree on. */
async function living(rule: object): Promise<string[]> {
  const { id, userCount } = await call<Group>("POST", "/api/usergroups", { name: `Rule ${++made}`, rule });
  const members = await call<{ id: number }[]>("GET", `/api/usergroups/${id}/members?pageSize=100`);
  const listed = (await call<Group[]>("GET", "/api/usergroups?pageSize=100")).find(
    (group) => group.id === id,
  );
  const reach = await call<{ people: number }>("POST", "/api/audience/reach", {
    recipients: [{ type: "group", id }],
    channels: ["email"],
  });
  const tried = await call<{ userCount: number }>("POST", "/api/usergroups/try-rule", rule);
  expect([userCount, listed?.userCount, reach.people, tried.userCount]).toEqual(
    Array.from({ length: 4 }, () => members.length),
  );
  for (const [personId] of people) {
    const { groups } = await call<UserDetail>("GET", `/api/users/${personId}`);
    expect(groups.some((group) => group.id === id)).toBe(members.some((member) => member.id === personId));
  }
  return homesOf(members);
}

test("a floor is a number, with or without a property", async () => {
  expect(await living({ floors: [1] })).toEqual(["1A", "A-104", "B-104"]);
  expect(await living({ property: "Harbor View", floors: [1] })).toEqual(["A-104", "B-104"]);
  expect(await living({ property: "harbor view", building: "b", floors: { from: 1, to: 3 } })).toEqual([
    "B-104",
    "B-204",
    "B-205",
  ]);
  expect(await living({ floors: [10] })).toEqual(["10A", "B-1004"]);
});

test("stacks, buildings and the pattern of units join the other conditions", async () => {
  expect(await living({ stacks: ["04"], building: "B" })).toEqual(["B-1004", "B-104", "B-204"]);
  expect(await living({ stacks: ["05", "a"] })).toEqual(["10A", "1A", "B-205"]);
  expect(await living({ building: "B", unit: "*05" })).toEqual(["B-205"]);
  expect(await living({ building: "B", floors: [1], channel: "sms" })).toEqual([]);
  expect(await living({ building: "B", floors: [1], roles: ["staff"] })).toEqual([]);
});

test("the pattern of a unit stays as it was written", async () => {
  expect(await living({ unit: "1*", property: "Oak Park" })).toEqual(["10A", "12", "1A"]);
});

test("a corrected floor, and who lives there now, count from then on", async () => {
  const rule = { property: "Oak Park", floors: [7] };
  expect(await living(rule)).toEqual([]);
  const [oak] = await call<{ id: number }[]>("GET", "/api/places/properties?q=oak");
  const { homesListed } = await call<{ homesListed: Home[] }>("GET", `/api/places/properties/${oak?.id}`);
  const twelve = homesListed.find(({ name }) => name === "12");
  await call("PUT", "/api/places/homes", { ids: [twelve?.id], floor: 7, stack: "12" });
  expect(await living(rule)).toEqual(["12"]);
  const [residency] = (await call<{ residents: { id: number }[] }>("GET", `/api/places/homes/${twelve?.id}`))
    .residents;
  await call("PUT", `/api/places/residencies/${residency?.id}`, { lastDay: "2020-01-31" });
  expect(await living(rule)).toEqual([]);
  await call("PUT", `/api/places/residencies/${residency?.id}`, { lastDay: null });
  // Who owns it needn't live there.
  await call("PUT", `/api/places/residencies/${residency?.id}`, { role: "owner" });
  expect(await living(rule)).toEqual([]);
});

test("a renamed property takes its rules with it", async () => {
  const [harbor] = await call<{ id: number }[]>("GET", "/api/places/properties?q=harbor");
  const { id } = await call<Group>("POST", "/api/usergroups", {
    name: "Second floor",
    rule: { property: "Harbor View", floors: [2], roles: ["tenant"] },
  });
  await call("PUT", `/api/places/properties/${harbor?.id}`, { name: "Harbor Court" });
  expect(await call<Group>("GET", `/api/usergroups/${id}`)).toMatchObject({
    rule: { property: "Harbor Court", floors: [2], roles: ["tenant"] },
    userCount: 2,
  });
});

test.each([
  ["floors", []],
  ["floors", ["one"]],
  ["floors", [1.5]],
  ["floors", { from: 3, to: 1 }],
  ["stacks", [""]],
  ["stacks", []],
  ["storeys", [1]],
])("%s %j is refused, and never means everyone", async (key, value) => {
  const rule = { [key]: value };
  for (const [url, body] of [
    ["/api/usergroups", { name: "Refused", rule }],
    ["/api/usergroups/try-rule", rule],
  ] as const)
    expect((await porchlight.call({ method: "POST", url, body }, admin)).statusCode).toBe(400);
});

/** As a process reads it that knows only the first four conditions, and ignores what else is there. */
async function matchedByOlderBuild(stored: StoredRule): Promise<number> {
  const { roles, property, unit } = stored;
  const { rows } = await sql<{ people: number }>`
    SELECT count(*) AS people FROM users WHERE deleted_at IS NULL
      AND (${roles === undefined} OR role = ANY(${roles ?? []}::text[]))
      AND (${property === undefined} OR property = ${property ?? null})
      AND (${unit === undefined} OR lower(unit) = lower(${unit ?? null}))`.execute(db);
  return rows[0]!.people;
}

test("to a process of an older build such a rule is for no one, also after someone has saved it there", async () => {
  const rule = { property: "Oak Park", roles: ["tenant" as const], floors: [1] };
  const { id } = await call<Group>("POST", "/api/usergroups", { name: "Older", rule });
  const { rows } = await sql<{ rule: StoredRule }>`SELECT rule FROM user_groups WHERE id = ${id}`.execute(db);
  const [stored] = rows.map((row) => row.rule);
  expect(await matchedByOlderBuild({ property: "Oak Park" })).toBeGreaterThan(1);
  expect(await matchedByOlderBuild(stored!)).toBe(0);
  // Its form leaves out an empty list of roles.
  const { roles: _, newer: __, ...saved } = stored!;
  expect(await matchedByOlderBuild(saved)).toBe(0);
});

test("a condition that a newer build has stored is for no one here", () => {
  const stored = toStored({ floors: [1] });
  expect(fromStored(stored)).toEqual({ floors: [1] });
  const later = { ...stored, newer: { ...stored.newer, view: "sea" } };
  expect(fromStored(later)).toMatchObject({ roles: [] });
  expect(fromStored({ unit: "4*" })).toEqual({ unit: "4*" });
});
