import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DashboardFigures } from "#contract/calls/dashboard.ts";
import type { PropertyRow, UnreachedPerson } from "#contract/calls/places.ts";
import { preferenceField } from "#contract/calls/users.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** Who can't be reached, where they live, and why not. */

let porchlight: TestApp;
let staff: Caller;
beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await clear(porchlight.db);
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const get = async <Reply>(url: string) => {
  const reply = await porchlight.call({ method: "GET", url }, staff);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
  return reply.json<Reply>();
};

const tenant = (firstName: string, home: string, person: Partial<NewPerson> = {}) => {
  const [property, unit = null] = home.split(" / ");
  return insertPerson(porchlight.db, {
    firstName,
    lastName: "Lee",
    propertyUnit: home,
    property: property!,
    unit,
    ...person,
  });
};
const block = (address: string, kind: string, words: string | null = null) =>
  sql`INSERT INTO suppressions (channel, address, reason, source, kind, words)
    VALUES ('email', ${address}, 'No such user', 'smtp', ${kind}, ${words})`.execute(porchlight.db);

const propertyId = async (name: string) =>
  (await get<PropertyRow[]>(`/api/places/properties?q=${encodeURIComponent(name)}`))[0]!.id;
const unreached = async (name: string) => {
  const homes = await get<{ people: UnreachedPerson[] }[]>(
    `/api/places/properties/${await propertyId(name)}/unreached`,
  );
  return homes.flatMap(({ people }) => people);
};
const totals = (query = "") => get<object>(`/api/places/totals${query}`);

test("each home without a working channel is listed with the reasons of its people, and what is blocked", async () => {
  await tenant("Ann", "Elm / 101", { email: null });
  await tenant("Bo", "Elm / 102", { email: "bo@example.com", [preferenceField.email]: false });
  await tenant("Cy", "Elm / 103", { email: "cy@example.com" });
  await tenant("Di", "Elm / 103", { email: "di@example.com" });
  await tenant("Ed", "Elm / 104");
  await tenant("Flo", "Elm / 104", { email: null });
  await block("cy@example.com", "bounce");
  await block("di@example.com", "unsubscribe", "stop by tomorrow");
  await keepHomes(porchlight.db);
  const phone = ["sms", "no-phone"];
  const found = await unreached("Elm");
  expect(
    found.map(({ name, ways }) => [name, ...ways.map(({ channel, reason }) => [channel, reason])]),
  ).toEqual([
    ["Ann Lee", ["email", "no-email"], phone, ["push", "not-turned-on"]],
    ["Bo Lee", ["email", "opted-out"], phone, ["push", "not-turned-on"]],
    ["Cy Lee", ["email", "suppressed"], phone, ["push", "not-turned-on"]],
    ["Di Lee", ["email", "opted-out"], phone, ["push", "not-turned-on"]],
  ]);
  expect(found.map(({ ways }) => ways[0]!.blocked)).toEqual([
    null,
    null,
    { address: "cy@example.com", kind: "bounce", optedOut: false, words: null },
    { address: "di@example.com", kind: "unsubscribe", optedOut: true, words: "stop by tomorrow" },
  ]);
  expect(found[2]!.ways[0]!.sentence).toBe("This email address is blocked: No such user");
});

test("nobody is listed who has moved out, or in a home in which another one can be reached", async () => {
  await tenant("Ann", "Elm / 101", { email: null });
  await tenant("Bo", "Elm / 101");
  const gone = await tenant("Cy", "Elm / 102", { email: null });
  await keepHomes(porchlight.db);
  await sql`UPDATE residencies SET last_day = '2020-01-31', during = '(,2020-02-01)' WHERE person_id = ${gone}`.execute(
    porchlight.db,
  );
  expect(await unreached("Elm")).toEqual([]);
});

test("the totals are those of the list, whatever it is searched for", async () => {
  await tenant("Ann", "Elm / 101", { email: null });
  await tenant("Bo", "Elm / 102");
  await tenant("Cy", "Elm / 102");
  await tenant("Di", "Oak / 7");
  await keepHomes(porchlight.db);
  await sql`UPDATE properties SET address = '7 Oak Street' WHERE name = 'Oak'`.execute(porchlight.db);
  expect(await totals()).toEqual({ homes: 3, occupied: 3, people: 4, reachable: 2 });
  expect(await totals("?q=elm")).toEqual({ homes: 2, occupied: 2, people: 3, reachable: 1 });
  expect(await totals("?q=oak%20street")).toEqual({ homes: 1, occupied: 1, people: 1, reachable: 1 });
  expect(await totals("?archived=true")).toEqual({ homes: 0, occupied: 0, people: 0, reachable: 0 });
});

test("the dashboard counts the tenants whom nothing reaches, as the list of people finds them", async () => {
  await tenant("Ann", "Elm / 101", { email: null });
  await tenant("Bo", "Elm / 102", { [preferenceField.email]: false });
  await tenant("Cy", "Elm / 103", { email: "cy@example.com" });
  await tenant("Di", "Elm / 104");
  const [removed, gone] = [
    await tenant("Ed", "Elm / 105", { email: null }),
    await tenant("Flo", "Elm / 106", { email: null }),
  ];
  await keepHomes(porchlight.db);
  await sql`WITH r AS (UPDATE residencies SET last_day = '2020-01-31', during = '(,2020-02-01)' WHERE person_id = ${gone})
    UPDATE users SET home_during = '(,2020-02-01)' WHERE id = ${gone}`.execute(porchlight.db);
  await insertPerson(porchlight.db, { role: "staff", email: null });
  await block("cy@example.com", "bounce");
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${removed}`.execute(porchlight.db);
  const { tenants } = await get<DashboardFigures>("/api/dashboard");
  const listed = await get<unknown[]>("/api/users?role=tenant&lives=now&reachable=nothing");
  expect([tenants.now, tenants.unreachable, listed.length]).toEqual([4, 3, 3]);
});
