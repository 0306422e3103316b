import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { HomeDetail, HomeNotice } from "#contract/calls/places.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { addGroup, clear } from "#server/delivery/testing/scene.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** What went to a home: the messages to whoever lived there when they were sent. */

let porchlight: TestApp;
let admin: Caller;
beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await clear(porchlight.db);
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const call = (method: "GET" | "POST" | "PUT", url: string, body?: unknown) =>
  porchlight.call({ method, url, body }, admin);
const send = async <Reply>(...request: Parameters<typeof call>) => {
  const reply = await call(...request);
  expect([reply.statusCode < 300, reply.body]).toEqual([true, reply.body]);
  return reply.json<Reply>();
};

async function tenant(firstName: string, unit: string, more: object = {}): Promise<number> {
  const propertyUnit = `Harbor View ${unit}`;
  const id = await insertPerson(porchlight.db, {
    firstName,
    lastName: "Lee",
    propertyUnit,
    property: "Harbor View",
    unit,
    email: `${firstName}@example.com`,
    ...more,
  });
  await keepHomes(porchlight.db);
  return id;
}

async function homeId(unit: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM units WHERE written = ${unit}`.execute(
    porchlight.db,
  );
  return rows[0]!.id;
}

/** Sent to these people, in the year 2020 if a moment is given. */
async function notice(title: string, people: readonly number[], at?: string): Promise<void> {
  const group = await addGroup(porchlight.db, `Everyone of ${title}`, null, [...people]);
  const { id } = await send<{ id: number }>("POST", "/api/send-notification", {
    title,
    message: "No water",
    recipients: [{ type: "group", id: group }],
    channels: ["email", "sms"],
  });
  while (await fanOutSome(porchlight.db));
  if (at === undefined) return;
  await sql`WITH run AS (UPDATE runs SET created_at = ${at}::timestamptz, finished_at = ${at}::timestamptz + interval '1 hour'
      WHERE notification_id = ${id} RETURNING id)
    UPDATE deliveries SET created_at = ${at} FROM run WHERE run_id = run.id`.execute(porchlight.db);
}

const notices = async (unit: string, query = "") =>
  send<HomeNotice[]>("GET", `/api/places/homes/${await homeId(unit)}/notices${query}`);
const told = (list: readonly HomeNotice[]) =>
  list.map(({ title, people }) => [title, ...people.map(({ name, outcome }) => `${name}: ${outcome}`)]);

/** Ann lived in 204 until January 31, 2020, Bo since February 1. */
async function annThenBo(): Promise<{ ann: number; bo: number }> {
  const [ann, bo] = [await tenant("Ann", "204"), await tenant("Bo", "204", { email: null })];
  const { residents } = await send<HomeDetail>("GET", `/api/places/homes/${await homeId("204")}`);
  const residency = (person: number) => residents.find(({ personId }) => personId === person)!.id;
  await send("PUT", `/api/places/residencies/${residency(ann)}`, { lastDay: "2020-01-31" });
  await send("PUT", `/api/places/residencies/${residency(bo)}`, { firstDay: "2020-02-01" });
  return { ann, bo };
}

test("whoever lived there then got it, those who weren't reached included", async () => {
  const { ann, bo } = await annThenBo();
  const cy = await tenant("Cy", "205");
  await notice("Water", [ann, bo, cy], "2020-01-15T12:00:00Z");
  await notice("Paint", [ann, bo, cy], "2020-02-15T12:00:00Z");
  await notice("Locks", [ann, cy], "2020-03-15T12:00:00Z");
  expect(told(await notices("204"))).toEqual([
    ["Paint", "Bo Lee: skipped"],
    ["Water", "Ann Lee: waiting"],
  ]);
  const [paint, water] = await notices("204");
  expect(paint!.people[0]!.deliveries.map(({ channel, sentence }) => [channel, sentence])).toEqual([
    ["email", "No email address on file."],
    ["sms", "No phone number on file."],
  ]);
  expect(water!.people[0]!.deliveries).toMatchObject([
    { channel: "email", address: "ann@example.com", status: "queued" },
    { channel: "sms", status: "skipped" },
  ]);
  expect(told(await notices("205"))).toHaveLength(3);
});

test("on a day there, by the property's clock, and page by page", async () => {
  const { ann, bo } = await annThenBo();
  // Both are on January 31 in New York, and the second one is on February 1 by UTC.
  await notice("Water", [ann], "2020-01-31T15:00:00Z");
  await notice("Late", [ann, bo], "2020-02-01T04:30:00Z");
  await notice("Early", [ann, bo], "2020-02-01T05:00:00Z");
  expect(told(await notices("204", "?day=2020-01-31"))).toEqual([
    ["Late", "Ann Lee: waiting"],
    ["Water", "Ann Lee: waiting"],
  ]);
  expect(told(await notices("204", "?day=2020-02-01"))).toEqual([["Early", "Bo Lee: skipped"]]);
  expect(await notices("204", "?day=2020-02-02")).toEqual([]);
  const second = await call("GET", `/api/places/homes/${await homeId("204")}/notices?page=2&pageSize=1`);
  expect([told(second.json()), second.headers["x-total-count"]]).toEqual([
    [["Late", "Ann Lee: waiting"]],
    "3",
  ]);
});

test("an owner's messages, and those about someone's account, went to no home", async () => {
  const [owner, ann] = [await tenant("Owen", "204"), await tenant("Ann", "205")];
  const { residents } = await send<HomeDetail>("GET", `/api/places/homes/${await homeId("204")}`);
  await send("PUT", `/api/places/residencies/${residents[0]!.id}`, { role: "owner" });
  await notice("Water", [owner, ann]);
  await send("POST", "/api/notifications/send-credentials", { userId: ann, channels: ["email"] });
  expect(await notices("204")).toEqual([]);
  expect(told(await notices("205"))).toEqual([["Water", "Ann Lee: waiting"]]);
});

test("someone who was there twice is asked about at each time, and a deleted one keeps their name", async () => {
  const { ann } = await annThenBo();
  const home = await homeId("204");
  await send("POST", `/api/places/homes/${home}/residents`, {
    personId: ann,
    role: "occupant",
    firstDay: "2020-03-01",
    lastDay: "2020-03-31",
  });
  for (const [title, at] of [
    ["January", "2020-01-15T12:00:00Z"],
    ["February", "2020-02-15T12:00:00Z"],
    ["March", "2020-03-15T12:00:00Z"],
  ] as const)
    await notice(title, [ann], at);
  const file = (await call("GET", `/api/places/homes/${home}/notices.csv`)).body;
  expect(file).toContain("March,Ann Lee,Occupant,2020-03-01,2020-03-31,email");
  expect(file).toContain("January,Ann Lee,Leaseholder,,2020-01-31,email");
  await porchlight.call({ method: "DELETE", url: `/api/users/${ann}` }, admin);
  expect(told(await notices("204"))).toEqual([
    ["March", "Ann Lee: waiting"],
    ["January", "Ann Lee: waiting"],
  ]);
});

test("the file has a row for each message, is on record, and isn't a tenant's", async () => {
  const { ann, bo } = await annThenBo();
  await notice('=cmd("Water")', [ann, bo], "2020-01-15T12:00:00Z");
  const url = `/api/places/homes/${await homeId("204")}/notices.csv`;
  const file = await call("GET", url);
  expect(file.headers["content-disposition"]).toContain("Harbor%20View%20204%20notices.csv");
  expect(file.body.trimEnd().split("\r\n").slice(1)).toEqual([
    `2020-01-15T12:00:00.000Z,"'=cmd(""Water"")",Ann Lee,Leaseholder,,2020-01-31,email,ann@example.com,Waiting,,,,yes`,
    `2020-01-15T12:00:00.000Z,"'=cmd(""Water"")",Ann Lee,Leaseholder,,2020-01-31,sms,,Skipped,No phone number on file.,,,no`,
  ]);
  expect((await call("GET", `${url}?day=2020-01-16`)).body.trimEnd().split("\r\n")).toHaveLength(1);
  const [event] = await send<{ parts: { text: string }[] }[]>("GET", "/api/audit?kind=exports");
  expect(event!.parts.map(({ text }) => text).join("")).toBe("exported every notice to Harbor View 204.");
  const person = await porchlight.signedIn("tenant");
  expect((await porchlight.call({ method: "GET", url }, person)).statusCode).toBe(403);
  for (const path of ["notices", "notices.csv"])
    expect((await call("GET", `/api/places/homes/999/${path}`)).statusCode).toBe(404);
});

test("a month that is archived is said", async () => {
  const ann = await tenant("Ann", "204");
  await sql`UPDATE users SET created_at = '2020-01-01' WHERE id = ${ann}`.execute(porchlight.db);
  await sql`INSERT INTO archived_months (month, manifest, archived_at) VALUES (202003, '{}', now())`.execute(
    porchlight.db,
  );
  const home = await homeId("204");
  expect((await send<HomeDetail>("GET", `/api/places/homes/${home}`)).archivedThrough).toBe("2020-03");
  expect((await call("GET", `/api/places/homes/${home}/notices.csv`)).body).toContain("up to March 2020");
  await sql`DELETE FROM archived_months`.execute(porchlight.db);
});
