import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dayAfter } from "#contract/homes.ts";
import type { User } from "#contract/calls/users.ts";
import { addGroup, clear } from "#server/delivery/testing/scene.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { setInstants } from "#server/places/store.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { importCsv, row } from "#server/testing/csv.ts";

let porchlight: TestApp;
let admin: Caller;
let [today, yesterday, tomorrow] = ["", "", ""];

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await clear(porchlight.db);
  await addGroup(porchlight.db, "All Tenants", { roles: ["tenant"] });
  await addGroup(porchlight.db, "Everyone", {});
  admin = await porchlight.signedIn("admin");
  const { rows } = await sql<{ today: string }>`
    SELECT (now() AT TIME ZONE 'America/New_York')::date::text AS today`.execute(porchlight.db);
  today = rows[0]!.today;
  [yesterday, tomorrow] = [dayAfter(today, -1), dayAfter(today)];
});
afterAll(() => porchlight.close());

const put = async (id: number, body: object) => {
  const reply = await porchlight.call(
    { method: "PUT", url: `/api/users/${id}`, body: { ...ann, ...body } },
    admin,
  );
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
};
const ann = {
  firstName: "Ann",
  lastName: "Lee",
  username: "ann.lee",
  email: "ann@example.com",
  role: "tenant",
};
const create = async (body: object = {}) => {
  const password = "brass lantern & 4 moths";
  const reply = await porchlight.call(
    { method: "POST", url: "/api/users", body: { ...ann, password, ...body } },
    admin,
  );
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body]);
  return reply.json<User>().id;
};

/** Where and when this person lived, with the floor and stack that the names say, oldest first. */
const homesOf = async (id: number) => {
  const { rows } = await sql`
    SELECT p.name AS property, h.written AS unit, h.floor, h.stack, r.role, r.first_day::text AS "from",
      r.last_day::text AS "to", r.shown
    FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
    WHERE r.person_id = ${id} ORDER BY r.last_day NULLS LAST, r.id`.execute(porchlight.db);
  return rows;
};
const home = (property: string, unit: string, more: object = {}) =>
  expect.objectContaining({
    property,
    unit,
    role: "leaseholder",
    from: null,
    to: null,
    shown: true,
    ...more,
  });

/** How many each rule means, by the call that the form of groups makes. */
const matching = async (rule: object) => {
  const reply = await porchlight.call({ method: "POST", url: "/api/usergroups/try-rule", body: rule }, admin);
  return reply.json<{ userCount: number }>().userCount;
};
const counted = async () => {
  const reply = await porchlight.call({ method: "GET", url: "/api/usergroups?pageSize=100" }, admin);
  const groups = reply.json<{ name: string; userCount: number }[]>();
  return Object.fromEntries(groups.map(({ name, userCount }) => [name, userCount]));
};

describe("a home that is only text", () => {
  test("is a residency as leaseholder without dates, at a place that its name says", async () => {
    const id = await create({ propertyUnit: "Harbor View, Apt 204" });
    expect(await homesOf(id)).toEqual([home("Harbor View", "204", { floor: 2, stack: "04" })]);
  });

  test("that is spelled differently is the same one", async () => {
    const id = await create({ propertyUnit: "Harbor View 4B" });
    await put(id, { propertyUnit: "HARBOR VIEW / Unit 4-B" });
    expect(await homesOf(id)).toEqual([home("Harbor View", "4B")]);
  });

  test("is made of a file, and the same file makes no other", async () => {
    for (let twice = 0; twice < 2; twice++) await importCsv(porchlight, admin, [row()]);
    const { rows } = await sql<{ id: number }>`SELECT id FROM users WHERE username = 'maria.lopez'`.execute(
      porchlight.db,
    );
    expect(await homesOf(rows[0]!.id)).toEqual([home("Maple Court", "4B")]);
  });

  test("of a colleague is none", async () => {
    const id = await insertPerson(porchlight.db, {
      role: "staff",
      propertyUnit: "Maple Court",
      property: "Maple Court",
    });
    await keepHomes(porchlight.db);
    expect(await homesOf(id)).toEqual([]);
    expect(await matching({ property: "Maple Court" })).toBe(1);
  });

  test("is in the index of what is to be settled only until it is", async () => {
    const index = await sql<{ condition: string }>`
      SELECT pg_get_expr(indpred, indrelid) AS condition FROM pg_index
      WHERE indexrelid = 'users_to_settle'::regclass`.execute(porchlight.db);
    const toSettle = async () => {
      const { rows } = await sql<{
        id: number;
      }>`SELECT id FROM users WHERE ${sql.raw(index.rows[0]!.condition)}`.execute(porchlight.db);
      return rows.map(({ id }) => id);
    };
    await importCsv(porchlight, admin, [row()]);
    const id = await create({ propertyUnit: "Maple Court 5C" });
    await put(id, { propertyUnit: "Oak Park 7" });
    const { rows } = await sql<{ id: number }>`SELECT id FROM properties WHERE name = 'Oak Park'`.execute(
      porchlight.db,
    );
    const url = `/api/places/properties/${rows[0]!.id}`;
    await porchlight.call({ method: "PUT", url, body: { name: "Oak Park East" } }, admin);
    expect(await toSettle()).toEqual([]);
    await porchlight.call({ method: "POST", url: `/api/places/people/${id}/undo-move` }, admin);
    expect(await toSettle()).toEqual([]);
    // An older build makes a tenant of a colleague with a home.
    await sql`UPDATE users SET role = 'staff', unit = '6' WHERE id = ${id}`.execute(porchlight.db);
    await keepHomes(porchlight.db);
    await sql`UPDATE users SET role = 'tenant' WHERE id = ${id}`.execute(porchlight.db);
    expect(await toSettle()).toEqual([id]);
    await keepHomes(porchlight.db);
    expect(await toSettle()).toEqual([]);
  });

  test("written by a process of the build before is picked up", async () => {
    const written = { propertyUnit: "Maple Court 4B", property: "Maple Court", unit: "4B" };
    const id = await insertPerson(porchlight.db, written);
    expect(await homesOf(id)).toEqual([]);
    expect(await matching({ property: "Maple Court" })).toBe(1);
    await keepHomes(porchlight.db);
    expect(await homesOf(id)).toEqual([home("Maple Court", "4B")]);
    await sql`UPDATE users SET property_unit = 'Maple Court 5C', unit = '5C' WHERE id = ${id}`.execute(
      porchlight.db,
    );
    await keepHomes(porchlight.db);
    expect(await homesOf(id)).toEqual([
      home("Maple Court", "4B", { to: yesterday, shown: false }),
      home("Maple Court", "5C", { from: today }),
    ]);
  });
});

describe("another text", () => {
  test("is a move today: groups follow at once", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    await put(id, { propertyUnit: "Oak Park 7" });
    expect(await homesOf(id)).toEqual([
      home("Maple Court", "4B", { to: yesterday, shown: false }),
      home("Oak Park", "7", { from: today }),
    ]);
    expect([await matching({ property: "Maple Court" }), await matching({ property: "Oak Park" })]).toEqual([
      0, 1,
    ]);
  });

  test("corrects the home if the form says so, and keeps its dates", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    await put(id, { propertyUnit: "Maple Court 14B", homeChange: "corrected" });
    expect(await homesOf(id)).toEqual([home("Maple Court", "14B")]);
  });

  test("that only adds the unit is a correction, and so is a part that was recognized wrongly", async () => {
    const id = await create({ propertyUnit: "Maple Court" });
    await put(id, { propertyUnit: "Maple Court 4B" });
    expect(await homesOf(id)).toEqual([home("Maple Court", "4B")]);
    await put(id, { propertyUnit: "Maple Court 4B", unit: "4B rear" });
    expect(await homesOf(id)).toEqual([home("Maple Court", "4B rear")]);
  });

  test("twice on one day leaves one move", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    await put(id, { propertyUnit: "Oak Park 7" });
    await put(id, { propertyUnit: "Oak Park 8" });
    expect(await homesOf(id)).toEqual([
      home("Maple Court", "4B", { to: yesterday, shown: false }),
      home("Oak Park", "8", { from: today }),
    ]);
  });

  test("that is empty leaves a tenant without a home, who gets what all tenants get", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    await put(id, { propertyUnit: "" });
    expect(await homesOf(id)).toEqual([home("Maple Court", "4B", { to: yesterday, shown: false })]);
    expect(await matching({ roles: ["tenant"] })).toBe(1);
    // Who comes back does so today: the days before stay as they were.
    await put(id, { propertyUnit: "Maple Court 4B" });
    expect(await homesOf(id)).toEqual([
      home("Maple Court", "4B", { to: yesterday, shown: false }),
      home("Maple Court", "4B", { from: today }),
    ]);
  });
});

describe("who is in a rule group", () => {
  /** Sets the only residency of this person, as a move by hand does. */
  const dated = async (id: number, days: { from?: string; to?: string; role?: string }) => {
    await sql`UPDATE residencies SET first_day = ${days.from ?? null}, last_day = ${days.to ?? null},
      role = ${days.role ?? "leaseholder"} WHERE person_id = ${id}`.execute(porchlight.db);
    await setInstants(porchlight.db, [id]);
  };
  const rules = [
    {},
    { roles: ["tenant"] },
    { property: "Maple Court" },
    { property: "Maple Court", unit: "4*" },
    { unit: "4*" },
  ];
  const inAll = async () => Promise.all(rules.map(matching));

  test.each<[what: string, days: (on: Record<string, string>) => object, member: number]>([
    ["without dates", () => ({}), 1],
    ["until today", ({ now }) => ({ to: now }), 1],
    ["from today", ({ now }) => ({ from: now }), 1],
    ["until yesterday", ({ before }) => ({ to: before }), 0],
    ["from tomorrow", ({ after }) => ({ from: after }), 0],
    ["as an occupant", () => ({ role: "occupant" }), 1],
    ["as the owner", () => ({ role: "owner" }), 0],
  ])("%s", async (_what, days, member) => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    await dated(id, days({ now: today, before: yesterday, after: tomorrow }));
    // Of everyone, the administrator.
    expect(await inAll()).toEqual([member + 1, member, member, member, member]);
    expect(await counted()).toMatchObject({
      "All Tenants": member,
      Everyone: member + 1,
      "Maple Court": member,
    });
    const byName = {
      title: "x",
      content: "x",
      channels: ["email"],
      status: "Draft",
      recipients: ["Ann Lee"],
    };
    const reply = await porchlight.call({ method: "POST", url: "/api/notifications", body: byName }, admin);
    expect(reply.statusCode).toBe(201);
  });

  test("is whoever lives in another home as well, once", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    const other = await create({ username: "bo.berg", email: "bo@example.com", propertyUnit: "Oak Park 7" });
    const also = (unit: string, who: number) =>
      sql`
      INSERT INTO residencies (person_id, unit_id, role)
      SELECT ${who}, id, 'occupant' FROM units WHERE written = ${unit}`.execute(porchlight.db);
    await also("7", id);
    expect([
      await matching({ property: "Oak Park" }),
      await matching({ unit: "7" }),
      await matching({}),
    ]).toEqual([2, 2, 3]);
    expect(await counted()).toMatchObject({ "Oak Park": 2, "Maple Court": 1, "All Tenants": 2 });
    await also("7", other);
    expect(await counted()).toMatchObject({ "Oak Park": 2 });
    // Their own home is over, the other one isn't.
    await sql`UPDATE residencies SET last_day = ${yesterday} WHERE person_id = ${id} AND shown`.execute(
      porchlight.db,
    );
    await keepHomes(porchlight.db);
    await setInstants(porchlight.db, [id]);
    expect(await counted()).toMatchObject({ "Oak Park": 2, "Maple Court": 0, "All Tenants": 2 });
    await keepHomes(porchlight.db);
    const reply = await porchlight.call({ method: "GET", url: `/api/users/${id}` }, admin);
    expect(reply.json()).toMatchObject({ propertyUnit: "Oak Park / 7", property: "Oak Park", unit: "7" });
    expect(await counted()).toMatchObject({ "Oak Park": 2, "Maple Court": 0, "All Tenants": 2 });
  });

  test("is decided by the property's clock", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    const there = async (zone: string) => {
      await sql`UPDATE properties SET time_zone = ${zone}`.execute(porchlight.db);
      const { rows } = await sql<{
        day: string;
      }>`SELECT (now() AT TIME ZONE ${zone})::date::text AS day`.execute(porchlight.db);
      return rows[0]!.day;
    };
    // The two are never on the same day.
    const east = await there("Pacific/Kiritimati");
    await dated(id, { to: dayAfter(east, -1) });
    expect(await matching({ roles: ["tenant"] })).toBe(0);
    await there("Pacific/Niue");
    await setInstants(porchlight.db, null);
    expect(await matching({ roles: ["tenant"] })).toBe(1);
  });

  test("follows the organization's time zone within a minute of its change", async () => {
    const id = await create({ propertyUnit: "Maple Court 4B" });
    const zone = (timezone: string) =>
      sql`
      INSERT INTO settings (key, value, data_type) VALUES ('timezone', ${timezone}, 'string')
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(porchlight.db);
    await zone("Pacific/Kiritimati");
    const { rows } = await sql<{ day: string }>`
      SELECT (now() AT TIME ZONE 'Pacific/Kiritimati')::date::text AS day`.execute(porchlight.db);
    await dated(id, { to: dayAfter(rows[0]!.day, -1) });
    expect(await matching({ roles: ["tenant"] })).toBe(0);
    await zone("Pacific/Niue");
    await keepHomes(porchlight.db);
    expect(await matching({ roles: ["tenant"] })).toBe(1);
    await sql`DELETE FROM settings WHERE key = 'timezone'`.execute(porchlight.db);
  });
});
