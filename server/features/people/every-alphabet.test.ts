import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import type { User } from "#contract/calls/users.ts";
import { type Caller, insertPerson, removeEveryone, type TestApp, testApp } from "#server/testing/app.ts";
import { importCsv, personOf } from "#server/testing/csv.ts";

/** Letters whose lower case is one thing to JavaScript and another to PostgreSQL, or that have two encodings. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await sql`DELETE FROM sign_in_throttle`.execute(porchlight.db);
  await sql`DELETE FROM user_groups WHERE NOT built_in OR rule ? 'property'`.execute(porchlight.db);
  await removeEveryone(porchlight.db);
  admin = await porchlight.signedIn("admin", { username: "ada.admin" });
});
afterAll(() => porchlight.close());

const call = (method: Endpoint["method"], url: string, body?: unknown) =>
  porchlight.call({ method, url, body }, admin);
const found = async (path: string, q: string) => {
  const reply = await call("GET", `${path}${path.includes("?") ? "&" : "?"}q=${encodeURIComponent(q)}`);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
  return reply.json<unknown[]>().length;
};
const password = "brass lantern & 4 moths";
const createUser = async (person: object) => {
  const body = { firstName: "Pat", lastName: "Person", email: "pat@example.com", password, ...person };
  const reply = await call("POST", "/api/users", body);
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body]);
  return reply.json<User>();
};
const signIn = (username: string, withPassword = password) =>
  porchlight.call({
    method: "POST",
    url: "/api/auth/login",
    body: { username, password: withPassword },
  });

const composed = "Nüll".normalize("NFC");
const decomposed = "Nüll".normalize("NFD");

describe("signing in", () => {
  test.each(["İbrahim", "ΓΙΩΡΓΟΣ"])("as %s", async (username) => {
    await removeEveryone(porchlight.db);
    const form = { firstName: "Ada", lastName: "Owner", username, email: "ada@example.com", password };
    await porchlight.call({ method: "POST", url: "/api/auth/register", body: form });
    expect((await signIn(username)).statusCode).toBe(200);
  });

  test("with a username that is encoded differently", async () => {
    await createUser({ username: decomposed });
    expect((await signIn(composed)).statusCode).toBe(200);
    expect((await signIn(decomposed)).statusCode).toBe(200);
  });

  test("every spelling of one account counts against it", async () => {
    await createUser({ username: "İbrahim.İ" });
    for (const spelling of ["İbrahim.İ", "ibrahim.i", "İbrahim.i", "IBRAHIM.I"])
      expect((await signIn(spelling, "wrong password")).statusCode).toBe(401);
    const { rows } = await sql`
      SELECT failures FROM sign_in_throttle WHERE key LIKE 'account:%'`.execute(porchlight.db);
    expect(rows).toEqual([{ failures: 4 }]);
  });
});

describe("searching", () => {
  test.each([
    ["İpek", "Yılmaz"],
    ["ΓΙΩΡΓΟΣ", "ΠΑΠΑΔΟΠΟΥΛΟΣ"],
    [decomposed, "Person"],
  ])("finds %s %s everywhere", async (firstName, lastName) => {
    await createUser({
      username: `${firstName}.x`,
      firstName,
      lastName,
      propertyUnit: `${firstName} Court / 4B`,
    });
    const name = `${firstName} group`;
    const group = await call("POST", "/api/usergroups", { name, userIds: [] });
    expect(group.statusCode).toBe(201);
    await call("POST", "/api/templates", { name: firstName, type: "SMS", content: "Hello" });
    const message = { title: firstName, recipients: ["Everyone"], channels: ["email"], content: "Hello" };
    await call("POST", "/api/notifications", { ...message, status: "Draft" });
    await call("POST", "/api/notifications", {
      ...message,
      status: "Scheduled",
      scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
    });

    for (const q of [firstName, firstName.normalize("NFC"), firstName.normalize("NFD")]) {
      expect({
        people: await found("/api/users", q),
        whole: await found("/api/users", `${firstName} ${lastName}`),
        properties: await found("/api/properties", q),
        groups: await found("/api/usergroups?byHand=true", q),
        templates: await found("/api/templates", q),
        notifications: await found("/api/notifications", q),
        schedules: await found("/api/schedules?tab=all", q),
        audit: (await found("/api/audit", q)) > 0,
        auditWord: (await found("/api/audit", q.normalize("NFC").slice(0, 2))) > 0,
      }).toEqual({
        people: 1,
        whole: 1,
        properties: 1,
        groups: 1,
        templates: 1,
        notifications: 2,
        schedules: 1,
        audit: true,
        auditWord: true,
      });
    }
  });
});

test("what no one sees is left out of people's details and found without it", async () => {
  const unseen = "\u202a\u2067\u200b\u200e\u200f\u00ad\ufeff\u0007";
  const written = (text: string) => ` ${unseen} ${text.split("-").join(unseen)}${unseen}`;
  const person = await createUser({
    username: written("ma-ria"),
    firstName: written("Ma-ria"),
    lastName: "می\u200cنا",
    email: written("ma-ria@example.com"),
    propertyUnit: written("Maple\u00a0\u00a0wood / 4-B"),
    property: written("Maple- wood"),
  });
  expect(person).toMatchObject({
    username: "maria",
    firstName: "Maria",
    lastName: "می\u200cنا",
    email: "maria@example.com",
    propertyUnit: "Maple wood / 4B",
    property: "Maple wood",
  });
  expect(await found("/api/users", written("ma-ria"))).toBe(1);
  expect((await signIn(written("maria"))).statusCode).toBe(200);
  const same = { firstName: "Maria", lastName: "می\u200cنا", email: `${unseen}maria@exam${unseen}ple.com` };
  const { result } = await importCsv(porchlight, admin, [{ ...same, propertyUnit: "Maple\u200b wood / 4B" }]);
  expect(result).toMatchObject({ unchanged: 1, rejected: 0, badCells: [] });
  const empty = { firstName: unseen, lastName: "x", username: "empty", email: "x@example.com" };
  const reply = await call("POST", "/api/users", { ...empty, password });
  expect([reply.statusCode, reply.json().fields]).toEqual([400, { firstName: "First name is required" }]);
});

test.each(["İpek group", "İpek Yılmaz", "İpek.y", "ΓΙΩΡΓΟΣ", decomposed])(
  "%s is a recipient under that name",
  async (name) => {
    await insertPerson(porchlight.db, { firstName: "İpek", lastName: "Yılmaz", username: "İpek.y" });
    for (const group of ["İpek group", "ΓΙΩΡΓΟΣ", decomposed])
      await call("POST", "/api/usergroups", { name: group, userIds: [] });
    const draft = { title: "x", content: "x", channels: ["email"], status: "Draft" };
    const reply = await call("POST", "/api/notifications", { ...draft, recipients: [name] });
    expect([reply.statusCode, reply.json().message]).toEqual([201, undefined]);
  },
);

test("a name that is close is suggested", async () => {
  await call("POST", "/api/usergroups", { name: "ΓΙΩΡΓΟΣ group", userIds: [] });
  const draft = { title: "x", content: "x", channels: ["email"], status: "Draft" };
  const reply = await call("POST", "/api/notifications", { ...draft, recipients: ["ΓΙΩΡΓΟΣ grup"] });
  expect(reply.json().message).toContain('Did you mean "ΓΙΩΡΓΟΣ group"?');
});

test("a rule's unit matches whatever its case", async () => {
  await insertPerson(porchlight.db, { property: "Maple Court", unit: "İ4" });
  const reply = await call("POST", "/api/usergroups/try-rule", { unit: "İ*" });
  expect(reply.json()).toMatchObject({ userCount: 1 });
});

test("a blocked address is blocked for the person who has it", async () => {
  const { id } = await createUser({ username: "ipek", email: "İpek@example.com" });
  const body = { channel: "email", address: "İpek@example.com", reason: "Asked by phone" };
  expect((await call("POST", "/api/suppressions", body)).statusCode).toBe(201);
  expect((await call("GET", `/api/users/${id}`)).json().suppressions).toHaveLength(1);
  expect(await found("/api/suppressions", "İpek")).toBe(1);
  const lift = await call("POST", "/api/suppressions/lift", {
    channel: "email",
    address: "İpek@example.com",
  });
  expect(lift.statusCode).toBe(200);
});

describe("an import", () => {
  const person = { firstName: "İpek", lastName: "Yılmaz", role: "tenant", propertyUnit: "İncir Court 4B" };
  const rows = [
    { ...person, username: "İpek.y", email: "ipek@example.com" },
    { ...person, username: "ΓΙΩΡΓΟΣ", email: "george@example.com" },
  ];
  const send = (cells: unknown) => importCsv(porchlight, admin, cells);

  test("of the same people changes nothing, also if the file encodes them differently", async () => {
    expect((await send(rows)).result).toMatchObject({ created: 2 });
    expect((await send(rows)).result).toMatchObject({ unchanged: 2, rejected: 0 });
    const other = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cell.normalize("NFD")])),
    );
    expect((await send(other)).result).toMatchObject({ unchanged: 2, rejected: 0 });
    const otherCase = rows.map((row) => ({ ...row, username: row.username.replace("İ", "i") }));
    expect((await send(otherCase)).result).toMatchObject({ unchanged: 2, rejected: 0 });
  });

  test("finds people without usernames by what else the file says", async () => {
    const nameless = [
      { ...person, email: "İpek@example.com" },
      { ...person, firstName: "ΓΙΩΡΓΟΣ" },
    ];
    expect((await send(nameless)).result).toMatchObject({ created: 2 });
    expect((await send(nameless)).result).toMatchObject({ unchanged: 2, rejected: 0 });
  });

  test("makes up no username that another row has", async () => {
    const email = "second@example.com";
    const { status, result } = await send([
      { firstName: "Ali", lastName: "İnce", username: "Ali.İnce", email: "first@example.com" },
      { firstName: "Ali", lastName: "İnce", email },
    ]);
    expect([status, result]).toMatchObject([200, { created: 2 }]);
    const { rows: made } = await sql`SELECT username FROM users WHERE email = ${email}`.execute(
      porchlight.db,
    );
    expect(made).toEqual([{ username: "ali.ince2" }]);
  });

  test("spells a property as its group does", async () => {
    await send(rows);
    await send([{ ...rows[0], username: "other", email: "", propertyUnit: "incir court / 5" }]);
    expect(await personOf(porchlight, "other")).toMatchObject({ property: "İncir Court" });
  });
});
