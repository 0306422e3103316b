import { afterAll, beforeAll, expect, test } from "vitest";
import type { User } from "#contract/calls/users.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", {
    username: "the.admin",
    firstName: "Ann",
    lastName: "Zeller",
    email: null,
  });
  const people = [
    {
      username: "maria.lopez",
      firstName: "Maria",
      lastName: "Lopez",
      phone: "+14155550123",
      propertyUnit: "Maple Court 4B",
    },
    { username: "bo_abel", firstName: "Bo", lastName: "abel", email: "100%@example.com" },
    { username: "bo.abel", firstName: "Al", lastName: "Abel", email: String.raw`back\slash@example.com` },
  ];
  for (const person of people) await insertPerson(porchlight.db, person);
  const gone = await insertPerson(porchlight.db, {
    username: "gone.maria",
    firstName: "Maria",
    lastName: "Gone",
  });
  await porchlight.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
});
afterAll(() => porchlight.close());

async function list(query: Record<string, string | number> = {}, as: Caller | null = admin) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const reply = await porchlight.call({ method: "GET", url: `/api/users?${search.toString()}` }, as);
  const total = Number(reply.headers["x-total-count"]);
  return { status: reply.statusCode, total, rows: reply.statusCode === 200 ? reply.json<User[]>() : [] };
}
const found = async (q: string) => (await list({ q })).rows.map((person) => person.username);

test("people are listed to administrators and staff", async () => {
  expect((await list({}, null)).status).toBe(401);
  expect((await list({}, await porchlight.signedIn("tenant", { lastName: "Zz" }))).status).toBe(403);
  expect((await list({}, await porchlight.signedIn("staff", { lastName: "Zz" }))).status).toBe(200);
});

test("by last name, then first name, ignoring case; without deleted people", async () => {
  const { rows, total } = await list();
  expect(rows.map((person) => person.username).slice(0, 4)).toEqual([
    "bo.abel",
    "bo_abel",
    "maria.lopez",
    "the.admin",
  ]);
  expect(total).toBe(rows.length);
  // spec 165, 382, 449
  expect(rows[2]).toMatchObject({
    id: expect.any(Number),
    username: "maria.lopez",
    firstName: "Maria",
    lastName: "Lopez",
    email: expect.stringContaining("@"),
    role: "tenant",
    receiveSms: true,
    phone: "+14155550123",
    propertyUnit: "Maple Court 4B",
    receiveEmail: true,
    receivePush: false,
  });
});

test("a new person's username is proposed from their name, and no one has it", async () => {
  const proposed = async (firstName: string, lastName: string) => {
    const query = new URLSearchParams({ firstName, lastName }).toString();
    return (await porchlight.call({ method: "GET", url: `/api/usernames?${query}` }, admin)).json<object>();
  };
  expect(await proposed("Zoë", "de Groot")).toEqual({ username: "zoe.degroot" });
  expect(await proposed("María", "López")).toEqual({ username: "maria.lopez2" });
});

// spec 231
test("a page at a time, with the total of all", async () => {
  const all = await list();
  const second = await list({ page: 2, pageSize: 2 });
  expect(second.rows).toEqual(all.rows.slice(2, 4));
  expect(second.total).toBe(all.total);
  expect(await list({ page: 999 })).toMatchObject({ rows: [], total: all.total });
});

test.each([
  ["a part of a name", "lop", ["maria.lopez"]],
  ["every word, in any order and place", "4b MARIA", ["maria.lopez"]],
  ["words that no one person has together", "maria abel", []],
  ["an address", "100%@example", ["bo_abel"]],
  ["a percent sign as itself", "%", ["bo_abel"]],
  ["an underscore as itself", "bo_abel", ["bo_abel"]],
  ["a backslash as itself", String.raw`k\s`, ["bo.abel"]],
  ["a phone number as people write it", "(415) 555-0123", ["maria.lopez"]],
  ["the beginning of a phone number", "415-555", ["maria.lopez"]],
  ["a person who is gone", "gone.maria", []],
])("the search finds %s", async (_what, q, usernames) => {
  expect(await found(q)).toEqual(usernames);
});

test("a page that is none is refused", async () => {
  expect((await list({ page: 0 })).status).toBe(400);
  expect((await list({ pageSize: 101 })).status).toBe(400);
});
