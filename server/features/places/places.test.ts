import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { dayAfter } from "#contract/homes.ts";
import type { Home, HomeDetail, PropertyRow } from "#contract/calls/places.ts";
import { addGroup, clear } from "#server/delivery/testing/scene.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
let today = "";

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await clear(porchlight.db);
  await addGroup(porchlight.db, "All Tenants", { roles: ["tenant"] });
  admin = await porchlight.signedIn("admin");
  const { rows } = await sql<{ today: string }>`
    SELECT (now() AT TIME ZONE 'America/New_York')::date::text AS today`.execute(porchlight.db);
  today = rows[0]!.today;
});
afterAll(() => porchlight.close());

const send = async <Reply>(method: Endpoint["method"], url: string, body?: unknown, status = 200) => {
  const reply = await porchlight.call({ method, url, body }, admin);
  expect([reply.statusCode, reply.body]).toEqual([status, reply.body]);
  return reply.json<Reply>();
};
type Property = PropertyRow & {
  homesListed: Home[];
  spellings: string[];
  merged: { name: string; homes: number } | null;
};
const list = (query = "") => send<PropertyRow[]>("GET", `/api/places/properties${query}`);
const named = async (name: string) => {
  const found = (await list("?pageSize=100")).find((row) => row.name === name);
  return send<Property>("GET", `/api/places/properties/${found?.id}`);
};
const homeIn = async (property: string, unit: string) =>
  (await named(property)).homesListed.find(({ name }) => name === unit)!;
const openHome = async (property: string, unit: string) =>
  send<HomeDetail>("GET", `/api/places/homes/${(await homeIn(property, unit)).id}`);

/** A tenant with this home. */
async function tenant(
  firstName: string,
  property: string,
  unit: string | null,
  more: object = {},
): Promise<number> {
  const propertyUnit = unit === null ? property : `${property} ${unit}`;
  const id = await insertPerson(porchlight.db, {
    firstName,
    lastName: "Lee",
    propertyUnit,
    property,
    unit,
    ...more,
  });
  await keepHomes(porchlight.db);
  return id;
}
const details = (id: number) => send<Record<string, unknown>>("GET", `/api/users/${id}`);
const matching = async (rule: object) =>
  (await send<{ userCount: number }>("POST", "/api/usergroups/try-rule", rule)).userCount;
const spelled = (firstName: string, property: string, unit: string, propertyUnit: string) =>
  tenant(firstName, property, unit, { propertyUnit });

describe("properties", () => {
  test("are listed with their homes, the people in them, and who can be reached", async () => {
    await tenant("Ann", "Harbor View", "204");
    await tenant("Bo", "Harbor View", "204", { email: null });
    await tenant("Cy", "Harbor View", "104", { email: null });
    await tenant("Di", "Birch Terrace", null);
    const harbor = await named("Harbor View");
    await send("POST", `/api/places/properties/${harbor.id}/homes`, { names: ["304", "204", "Apt 304"] });
    expect(await list()).toMatchObject([
      { name: "Birch Terrace", homes: 1, occupied: 1, people: 1, reachable: 1, peopleMissed: 0 },
      { name: "Harbor View", homes: 3, occupied: 2, people: 3, reachable: 1, peopleMissed: 1 },
    ]);
    expect(await list("?q=harbor")).toMatchObject([{ name: "Harbor View" }]);
    expect((await named("Harbor View")).homesListed).toMatchObject([
      { name: "304", floor: 3, stack: "04", people: [], channels: [] },
      {
        name: "204",
        floor: 2,
        stack: "04",
        people: [{ name: "Ann Lee" }, { name: "Bo Lee" }],
        channels: ["email"],
      },
      { name: "104", floor: 1, stack: "04", people: [{ name: "Cy Lee" }], channels: [] },
    ]);
  });

  test("are added once, renamed with everyone's details and every rule, and archived when no one lives there", async () => {
    const { id } = await send<{ id: number }>("POST", "/api/places/properties", { name: "Oak Park" }, 201);
    await send("POST", "/api/places/properties", { name: "OAK PARK" }, 409);
    const ann = await tenant("Ann", "Oak Park", "4B");
    await addGroup(porchlight.db, "Oaks", { property: "Oak Park" });
    await send("PUT", `/api/places/properties/${id}`, { archived: true }, 409);
    await send("PUT", `/api/places/properties/${id}`, { name: "Oak Gardens", address: "1 Oak Street" });
    expect(await details(ann)).toMatchObject({
      propertyUnit: "Oak Park 4B",
      property: "Oak Gardens",
      unit: "4B",
    });
    expect(await matching({ property: "Oak Gardens" })).toBe(1);
    const groups = await send<{ name: string; userCount: number }[]>("GET", "/api/usergroups");
    expect(groups).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "Oaks", userCount: 1 }),
        expect.objectContaining({ name: "Oak Gardens", userCount: 1 }),
      ]),
    );
    // The old name still means it, in a file or a form.
    const bo = await tenant("Bo", "Oak Park", "5C");
    expect(await named("Oak Gardens")).toMatchObject({ homes: 2, people: 2, spellings: ["Oak Park"] });
    for (const person of [ann, bo]) await send("DELETE", `/api/users/${person}`);
    await send("PUT", `/api/places/properties/${id}`, { archived: true });
    expect([(await list()).length, await list("?archived=true")]).toMatchObject([
      0,
      [{ name: "Oak Gardens" }],
    ]);
  });

  test("that are one in two spellings are merged, and taken apart again", async () => {
    const [ann, bo] = [
      await tenant("Ann", "Maple Court", "4B"),
      await spelled("Bo", "Maple Ct", "4B", "Maple Ct #4B"),
    ];
    const cy = await tenant("Cy", "Maple Ct", "5C");
    await addGroup(porchlight.db, "Maples", { property: "Maple Ct" });
    await send("POST", "/api/users/sync-groups");
    const [court, ct] = [await named("Maple Court"), await named("Maple Ct")];
    await send("POST", `/api/places/properties/${court.id}/merge`, { into: court.id }, 409);
    await send("POST", `/api/places/properties/${ct.id}/merge`, { into: court.id });
    expect(await list()).toMatchObject([{ name: "Maple Court", homes: 2, people: 3 }]);
    expect(await details(bo)).toMatchObject({
      propertyUnit: "Maple Ct #4B",
      property: "Maple Court",
      unit: "4B",
    });
    expect([await matching({ property: "Maple Court" }), await matching({ property: "Maple Ct" })]).toEqual([
      3, 3,
    ]);
    const groups = await send<{ name: string; userCount: number }[]>("GET", "/api/usergroups");
    expect(
      groups.filter(({ name }) => name.startsWith("Maple")).map(({ name, userCount }) => [name, userCount]),
    ).toEqual([
      ["Maples", 3],
      ["Maple Court", 3],
    ]);
    expect(await named("Maple Court")).toMatchObject({ merged: { name: "Maple Ct", homes: 2 } });

    await send("POST", `/api/places/properties/${court.id}/unmerge`);
    expect(await list()).toMatchObject([
      { name: "Maple Court", homes: 1, people: 1 },
      { name: "Maple Ct", homes: 2, people: 2 },
    ]);
    expect([await details(ann), await details(bo), await details(cy)]).toMatchObject([
      { property: "Maple Court" },
      { property: "Maple Ct", propertyUnit: "Maple Ct #4B" },
      { property: "Maple Ct" },
    ]);
    expect(await matching({ property: "Maple Ct" })).toBe(2);
    await send("POST", `/api/places/properties/${court.id}/unmerge`, undefined, 409);
    await keepHomes(porchlight.db);
    expect(await list()).toMatchObject([{ people: 1 }, { people: 2 }]);
  });

  test("that are archived are there again once someone lives in them, however that came about", async () => {
    const ann = await tenant("Ann", "Oak Park", "4B");
    const [{ id }, { id: homeId, residents }] = [await named("Oak Park"), await openHome("Oak Park", "4B")];
    const archive = async () => {
      for (const one of (await send<HomeDetail>("GET", `/api/places/homes/${homeId}`)).residents)
        await send("PUT", `/api/places/residencies/${one.id}`, {
          firstDay: null,
          lastDay: dayAfter(today, -1),
        });
      await send("PUT", `/api/places/properties/${id}`, { archived: true });
    };
    const archived = async () => (await send<Property>("GET", `/api/places/properties/${id}`)).archived;
    await archive();
    await send("PUT", `/api/places/residencies/${residents[0]!.id}`, { leaseEnds: today });
    expect(await archived()).toBe(true);
    await tenant("Bo", "Oak Park", "4B");
    expect(await archived()).toBe(false);
    await archive();
    const cy = await tenant("Cy", "Maple Court", "1A");
    await send("POST", `/api/places/homes/${homeId}/residents`, { personId: cy, firstDay: dayAfter(today) });
    expect(await archived()).toBe(false);
    await archive();
    await send("POST", `/api/places/people/${ann}/undo-move`);
    expect(await archived()).toBe(true);
    const maple = await named("Maple Court");
    await send("POST", `/api/places/properties/${maple.id}/merge`, { into: id });
    expect([await archived(), (await list()).map(({ name }) => name)]).toEqual([false, ["Oak Park"]]);
  });

  test("are taken apart again with what was changed meanwhile", async () => {
    await tenant("Ann", "Maple Court", "4B");
    await tenant("Bo", "Maple Ct", "4B");
    await send("POST", "/api/users/sync-groups");
    const rule = (property: string, more: object = {}) => ({ property, ...more });
    const group = (name: string, property: string) =>
      send<{ id: number }>("POST", "/api/usergroups", { name, rule: rule(property) }, 201);
    const { id: groupId } = await group("Waterside", "Maple Ct");
    const [court, ct] = [await named("Maple Court"), await named("Maple Ct")];
    await send("POST", `/api/places/properties/${ct.id}/merge`, { into: court.id });
    const edited = { name: "Lakeside", rule: rule("Maple Court", { unit: "4*" }) };
    await send("PUT", `/api/usergroups/${groupId}`, edited);
    await group("Waterside", "Maple Court");
    await send("POST", `/api/places/properties/${court.id}/unmerge`);
    const groups = await send<{ name: string; rule: object }[]>("GET", "/api/usergroups");
    expect(
      groups.filter(({ name }) => name.endsWith("side")).map(({ name, rule: is }) => [name, is]),
    ).toEqual(
      expect.arrayContaining([
        ["Lakeside", rule("Maple Ct", { unit: "4*" })],
        ["Waterside", rule("Maple Court")],
      ]),
    );
  });

  test("stay one while the name of the other is in use", async () => {
    await tenant("Ann", "Maple Court", "4B");
    const bo = await tenant("Bo", "Mapel Court", "4B");
    const [right, wrong] = [await named("Maple Court"), await named("Mapel Court")];
    await send("POST", `/api/places/properties/${right.id}/merge`, { into: wrong.id });
    await send("PUT", `/api/places/properties/${wrong.id}`, { name: "Maple Court" });
    await send("POST", `/api/places/properties/${wrong.id}/unmerge`, undefined, 409);
    expect(await list()).toMatchObject([{ id: wrong.id, name: "Maple Court", people: 2 }]);
    await send("PUT", `/api/places/properties/${wrong.id}`, { name: "Mapel Court" });
    await send("POST", `/api/places/properties/${wrong.id}/unmerge`);
    expect([await details(bo), (await named("Maple Court")).people]).toMatchObject([
      { property: "Mapel Court" },
      1,
    ]);
  });

  test("are the console's: a tenant sees and changes none", async () => {
    const person = await porchlight.signedIn("tenant");
    for (const [method, url] of [
      ["GET", "/api/places/properties"],
      ["POST", "/api/places/properties"],
    ] as const) {
      expect((await porchlight.call({ method, url, body: {} }, person)).statusCode).toBe(403);
    }
  });
});

test("floors and stacks of many homes are corrected at once, and stay so", async () => {
  await tenant("Ann", "Maple Court", "12");
  await tenant("Bo", "Maple Court", "13");
  const ids = (await named("Maple Court")).homesListed.map(({ id }) => id);
  expect(await send("PUT", "/api/places/homes", { ids, floor: 1 })).toEqual({ changed: 2 });
  expect(await send("PUT", "/api/places/homes", { ids, building: "A", floor: 1 })).toEqual({ changed: 2 });
  expect(await send("PUT", "/api/places/homes", { ids, building: "A", floor: 1 })).toEqual({ changed: 0 });
  await tenant("Cy", "Maple Court", "12");
  expect((await named("Maple Court")).homesListed).toMatchObject([
    { name: "12", building: "A", floor: 1, stack: null },
    { name: "13", building: "A", floor: 1, stack: null },
  ]);
});

describe("a home", () => {
  test("shows who lives there, lived there and will", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    const next = await tenant("Bo", "Oak Park", "7");
    const { id, residents } = await openHome("Maple Court", "4B");
    await send("PUT", `/api/places/residencies/${residents[0]!.id}`, { lastDay: today, leaseEnds: today });
    const [moving] = (await openHome("Oak Park", "7")).residents;
    await send("POST", `/api/places/residencies/${moving!.id}/move`, { homeId: id, day: dayAfter(today) });
    await send("POST", `/api/places/homes/${id}/residents`, {
      personId: next,
      role: "guarantor",
      firstDay: null,
    });
    expect(await openHome("Maple Court", "4B")).toMatchObject({
      people: [{ id: ann }],
      movesOut: today,
      movesIn: dayAfter(today),
      residents: [
        { personId: next, role: "leaseholder", firstDay: dayAfter(today), lastDay: null },
        { personId: next, role: "guarantor" },
        { personId: ann, lastDay: today, leaseEnds: today },
      ],
    });
    // Until then they live where they live.
    expect(await details(next)).toMatchObject({ propertyUnit: "Oak Park 7" });
    expect([await matching({ property: "Maple Court" }), await matching({ property: "Oak Park" })]).toEqual([
      1, 1,
    ]);
  });

  test("that someone moves to today is in their details, and undoing brings the old one back", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    await tenant("Bo", "Oak Park", "7");
    const [one] = (await openHome("Maple Court", "4B")).residents;
    const oak = await homeIn("Oak Park", "7");
    await send("POST", `/api/places/residencies/${one!.id}/move`, { homeId: oak.id, day: today });
    expect(await details(ann)).toMatchObject({
      propertyUnit: "Oak Park / 7",
      property: "Oak Park",
      unit: "7",
    });
    expect([await matching({ property: "Maple Court" }), await matching({ property: "Oak Park" })]).toEqual([
      0, 2,
    ]);
    await send("POST", `/api/places/people/${ann}/undo-move`);
    expect(await details(ann)).toMatchObject({
      propertyUnit: "Maple Court 4B",
      property: "Maple Court",
      unit: "4B",
    });
    expect([await matching({ property: "Maple Court" }), await matching({ property: "Oak Park" })]).toEqual([
      1, 1,
    ]);
    await keepHomes(porchlight.db);
    expect(await send("GET", `/api/places/people/${ann}/homes`)).toMatchObject({
      homes: [{ property: "Maple Court", home: "4B", firstDay: null, lastDay: null }],
      undoable: false,
    });
    await send("POST", `/api/places/people/${ann}/undo-move`, undefined, 409);
  });

  test("that another text named is brought back by an undo, until something else has changed", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B", { username: "ann.lee" });
    const file = (propertyUnit: string) => [
      { username: "ann.lee", firstName: "Ann", lastName: "Lee", email: "ann@example.com", propertyUnit },
    ];
    await send("POST", "/api/csv/import", file("Oak Park 7"));
    expect(await send("GET", `/api/places/people/${ann}/homes`)).toMatchObject({ undoable: true });
    await send("POST", `/api/places/people/${ann}/undo-move`);
    expect(await details(ann)).toMatchObject({ propertyUnit: "Maple Court 4B" });
    await send("POST", "/api/csv/import", file("Oak Park 7"));
    await send("POST", "/api/csv/import", file("Oak Park 8"));
    await send("POST", `/api/places/people/${ann}/undo-move`);
    expect(await details(ann)).toMatchObject({ propertyUnit: "Oak Park 7" });
  });

  test("can't be left before it was moved into, or be moved into twice", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    const { id, residents } = await openHome("Maple Court", "4B");
    await send("POST", `/api/places/homes/${id}/residents`, { personId: ann, firstDay: today }, 409);
    const backwards = { firstDay: today, lastDay: dayAfter(today, -1) };
    await send("PUT", `/api/places/residencies/${residents[0]!.id}`, backwards, 400);
    expect((await openHome("Maple Court", "4B")).residents).toEqual(residents);
  });

  test("that was someone's first is taken back by an undo, with their details", async () => {
    await tenant("Ann", "Maple Court", "4B");
    const bo = await insertPerson(porchlight.db, { firstName: "Bo", lastName: "Lee" });
    const { id } = await homeIn("Maple Court", "4B");
    await send("POST", `/api/places/homes/${id}/residents`, { personId: bo, firstDay: today });
    expect(await details(bo)).toMatchObject({ propertyUnit: "Maple Court / 4B" });
    await send("POST", `/api/places/people/${bo}/undo-move`);
    expect(await details(bo)).toMatchObject({ propertyUnit: null, property: null, unit: null });
    expect([await matching({ property: "Maple Court" }), await matching({ roles: ["tenant"] })]).toEqual([
      1, 2,
    ]);
    await keepHomes(porchlight.db);
    expect((await openHome("Maple Court", "4B")).residents).toHaveLength(1);
  });

  test("isn't moved out of before it was moved into, and no one is twice the same there", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    await tenant("Bo", "Oak Park", "7");
    const { id, residents } = await openHome("Maple Court", "4B");
    const [one] = residents;
    await send("PUT", `/api/places/residencies/${one!.id}`, { firstDay: "2020-03-01" });
    const oak = await homeIn("Oak Park", "7");
    const move = `/api/places/residencies/${one!.id}/move`;
    const early = { homeId: oak.id, day: "2016-11-27" };
    expect(await send("POST", move, early, 400)).toMatchObject({
      fields: { day: expect.stringContaining("Mar 1, 2020") },
    });
    await send("POST", `/api/places/homes/${id}/residents`, { personId: ann, role: "owner" });
    const owner = (await openHome("Maple Court", "4B")).residents.find(({ role }) => role === "owner")!;
    const twice = `/api/places/residencies/${owner.id}`;
    expect(await send("PUT", twice, { role: "leaseholder" }, 409)).toMatchObject({
      fields: { role: expect.any(String) },
    });
    await send("PUT", twice, { leaseEnds: today });
    await send("PUT", twice, { role: "leaseholder", lastDay: "2020-02-29" });
    expect((await openHome("Maple Court", "4B")).residents).toMatchObject([
      { role: "leaseholder", firstDay: "2020-03-01" },
      { role: "leaseholder", lastDay: "2020-02-29" },
    ]);
  });

  test("is moved out of once, however many people do it at the same moment", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    await tenant("Bo", "Oak Park", "7");
    await tenant("Cy", "Oak Park", "8");
    const [one] = (await openHome("Maple Court", "4B")).residents;
    const homes = [await homeIn("Oak Park", "7"), await homeIn("Oak Park", "8")];
    const url = `/api/places/residencies/${one!.id}/move`;
    const replies = await Promise.all(
      [...homes, ...homes].map(({ id }) =>
        porchlight.call({ method: "POST", url, body: { homeId: id, day: today } }, admin),
      ),
    );
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ]);
    const lived = await send<{ homes: unknown[] }>("GET", `/api/places/people/${ann}/homes`);
    expect(lived.homes).toHaveLength(2);
  });

  test("has days that a calendar and a time zone can tell", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    await tenant("Bo", "Maple Court", "5C");
    const [from, to] = [await openHome("Maple Court", "4B"), await openHome("Maple Court", "5C")];
    const residency = `/api/places/residencies/${from.residents[0]!.id}`;
    for (const day of ["0000-01-01", "0001-01-01", "1899-12-31", "2200-01-01", "9999-12-31", "2026-02-30"]) {
      await send("POST", `${residency}/move`, { homeId: to.id, day }, 400);
      await send("POST", `/api/places/homes/${to.id}/residents`, { personId: ann, firstDay: day }, 400);
      for (const body of [{ firstDay: day }, { lastDay: day }, { leaseEnds: day }])
        await send("PUT", residency, body, 400);
    }
    expect((await openHome("Maple Court", "4B")).residents).toEqual(from.residents);
    await send("PUT", residency, { firstDay: "1900-01-01", lastDay: "2199-12-31" });
  });

  test("that was entered by mistake is forgotten", async () => {
    const ann = await tenant("Ann", "Maple Court", "4B");
    const { residents } = await openHome("Maple Court", "4B");
    await send("DELETE", `/api/places/residencies/${residents[0]!.id}`);
    expect(await details(ann)).toMatchObject({ propertyUnit: null, property: null, unit: null });
    expect(await matching({ roles: ["tenant"] })).toBe(1);
  });
});

test("each change is in the audit log, in a sentence", async () => {
  const ann = await tenant("Ann", "Maple Court", "4B");
  const { id, residents } = await openHome("Maple Court", "4B");
  await send("PUT", `/api/places/residencies/${residents[0]!.id}`, { lastDay: "2026-11-30" });
  await send("PUT", "/api/places/homes", { ids: [id], floor: 3 });
  await send("POST", `/api/places/people/${ann}/undo-move`);
  const events = await send<{ parts: { text: string }[]; note: string }[]>("GET", "/api/audit");
  expect(events.slice(0, 3).map(({ parts, note }) => [parts.map(({ text }) => text).join(""), note])).toEqual(
    [
      ["undid the last move of Ann Lee.", ""],
      ["corrected building, floor or stack of 1 home in the property Maple Court.", ""],
      ["moved Ann Lee out of Maple Court 4B.", expect.stringContaining("Nov 30")],
    ],
  );
});
