import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { channelSet } from "#server/audience/person.ts";
import { importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
  await porchlight.db
    .deleteFrom("user_groups")
    .where(sql`rule ? 'property'`, "is", true)
    .execute();
});
afterAll(() => porchlight.close());

const send = (rows: unknown, how?: { path?: string; query?: string }) =>
  importCsv(porchlight, admin, rows, how);

test("a column that is not one of an import's is named, because nothing in it is imported", async () => {
  const { result } = await send([
    row({ username: "two.homes", emial: "x@example.com", "Lease end": "2027" }),
  ]);
  expect(result).toMatchObject({ created: 1, ignoredColumns: ["emial", "Lease end"] });
});

test("every column arrives", async () => {
  const { result } = await send([row()]);
  expect(result).toEqual({
    startedAt: expect.any(String),
    created: 1,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    existing: 0,
    absent: 0,
    rejected: 0,
    renames: [],
    warnings: [],
    badCells: [],
    ignoredColumns: [],
  });
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    email: "maria@example.com",
    phone: "+14155550123",
    first_name: "Maria",
    last_name: "Lopez",
    role: "tenant",
    property_unit: "Maple Court 4B",
    property: "Maple Court",
    unit: "4B",
    password_hash: null,
    channels: channelSet(["email", "sms"]),
  });
});

test("a role is tenant unless the file says otherwise, and an address keeps its own case before the @", async () => {
  await send([
    row({ username: "one", role: "", email: "Maria.Lopez@EXAMPLE.Com" }),
    row({ username: "two", role: "STAFF" }),
  ]);
  expect(await personOf(porchlight, "one")).toMatchObject({
    role: "tenant",
    email: "Maria.Lopez@example.com",
  });
  expect(await personOf(porchlight, "two")).toMatchObject({ role: "staff" });
});

test("a username that exists is updated; blank cells, consents and the password stay", async () => {
  await send([row()]);
  await porchlight.db
    .updateTable("users")
    .set({ channels: channelSet(["sms", "push"]), password_hash: "kept" })
    .where("username", "=", "maria.lopez")
    .execute();
  const { result } = await send([
    row({
      username: "MARIA.LOPEZ",
      email: "new@example.com",
      phone: "",
      role: "",
      propertyUnit: "",
      lastName: "",
    }),
  ]);
  expect(result).toMatchObject({ created: 0, updated: 1, rejected: 0 });
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    email: "new@example.com",
    last_name: "Lopez",
    phone: "+14155550123",
    property: "Maple Court",
    channels: channelSet(["sms", "push"]),
    password_hash: "kept",
  });
});

test("the same file once more changes nothing", async () => {
  const rows = [row(), row({ username: "second", phone: "", propertyUnit: "" })];
  await send(rows);
  const before = await personOf(porchlight, "maria.lopez");
  expect((await send(rows)).result).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect(await personOf(porchlight, "maria.lopez")).toEqual(before);
});

test("a deleted person's username is free again", async () => {
  await send([row()]);
  await porchlight.db
    .updateTable("users")
    .set({ deleted_at: new Date() })
    .where("username", "=", "maria.lopez")
    .execute();
  expect((await send([row()])).result).toMatchObject({ created: 1 });
});

test("a check says the same and changes nothing", async () => {
  await send([row()]);
  const rows = [row({ phone: "415 555 0199" }), row({ username: "new.person" }), row({ username: "x" })];
  const checked = await send(rows, { path: "/api/csv/check" });
  expect(checked.result).toMatchObject({ created: 1, updated: 1, rejected: 1 });
  expect(await personOf(porchlight, "new.person")).toBeUndefined();
  expect((await personOf(porchlight, "maria.lopez"))?.phone).toBe("+14155550123");
  expect((await send(rows)).result).toEqual({ ...checked.result, startedAt: expect.any(String) });
});

test("who imported, and what came of it, is on record", async () => {
  await send([row(), row({ username: "x" })]);
  const audit = await porchlight.db
    .selectFrom("audit")
    .selectAll()
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  expect(audit).toMatchObject({
    actor_id: admin.userId,
    action: "user.import",
    ip: "127.0.0.1",
    detail: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
  });
});

test("the rows that the caller left out itself are on record with the rejected ones", async () => {
  const { result } = await send([row({ username: "x" })], { path: "/api/csv/import?leftOut=2" });
  expect(result.rejected).toBe(1);
  const audit = await porchlight.db.selectFrom("audit").select("detail").orderBy("id", "desc").execute();
  expect(audit[0]).toMatchObject({ detail: { rejected: 3 } });
});

test("two imports of the same file at once make everyone once", async () => {
  const rows = Array.from({ length: 50 }, (_, n) => ({
    firstName: "Maria",
    lastName: "Lopez",
    email: `m${n}@example.com`,
  }));
  const answers = await Promise.all([send(rows), send(rows), send(rows)]);
  expect(answers.map(({ result }) => result.created).sort((a, b) => b - a)).toEqual([50, 0, 0]);
  expect(answers.map(({ result }) => result.unchanged).sort((a, b) => b - a)).toEqual([50, 50, 0]);
});

test("numbers, booleans and nothing are taken as a caller writes them", async () => {
  const { result } = await send([row({ phone: 4155550123, email: null })]);
  expect(result).toMatchObject({ created: 1 });
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({ phone: "+14155550123", email: null });
});

test.each([
  ["nothing", [], 400],
  ["no list", { username: "x" }, 400],
  ["rows that are no objects", ["a,b"], 400],
  ["cells that are no text", [row({ email: { at: 1 } })], 400],
])("%s is refused", async (_what, body, status) => {
  expect((await send(body)).status).toBe(status);
});

test("quotes that protect from spreadsheets are taken off again, real ones stay", async () => {
  await send([
    row({ phone: "'+1 415 555 0123", firstName: "'=1+1", lastName: "''-Hoek", propertyUnit: "'t Huis 4" }),
  ]);
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    phone: "+14155550123",
    first_name: "=1+1",
    last_name: "'-Hoek",
    property_unit: "'t Huis 4",
  });
});

test("a new property gets its group, and another spelling of it is no second one", async () => {
  await send([
    row({ username: "one" }),
    row({ username: "two", propertyUnit: "MAPLE COURT / 5A" }),
    row({ username: "three", propertyUnit: "Unit 9" }),
  ]);
  await send([row({ username: "four", propertyUnit: "maple court, Unit 6" })]);
  expect(await personOf(porchlight, "four")).toMatchObject({
    property_unit: "maple court, Unit 6",
    property: "Maple Court",
    unit: "6",
  });
  const groups = await porchlight.db
    .selectFrom("user_groups")
    .select(["name", "rule"])
    .where("id", ">", 3)
    .execute();
  expect(groups).toEqual([{ name: "Maple Court", rule: { property: "Maple Court" } }]);
});

test("what property systems export goes in as it is", async () => {
  const { result } = await send([
    {
      Property: "Maple Court - 12 Maple St",
      Unit: "4B",
      Tenant: "Lopez, Maria",
      "Tenant Phone Number": "(415) 555-0123",
      "Tenant Email": "maria@example.com",
      "Property Name": "Maple Court",
      "Tenant Status": "Current",
    },
  ]);
  expect(result).toMatchObject({ created: 1, rejected: 0 });
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    first_name: "Maria",
    last_name: "Lopez",
    email: "maria@example.com",
    phone: "+14155550123",
    property: "Maple Court",
    unit: "4B",
    property_unit: "Maple Court / 4B",
  });
  const again = {
    "First Name": "Maria",
    "Last Name": "Lopez",
    Email: "maria@example.com",
    "Mobile Phone #": "415.555.0199",
    "Home Phone #": "415.555.0100",
    "Unit Address": "12 Maple St",
    "Unit Address Cont.": "Apt 4B",
  };
  expect((await send([again])).result).toMatchObject({ created: 0, updated: 1 });
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    phone: "+14155550199",
    property: "12 Maple St",
    unit: "4B",
  });
});

// Otherwise the next send is planned for a small table.
test("a large file is counted as soon as it is imported", async () => {
  // Autovacuum that happens to be at the table would have it skipped.
  await sql`ALTER TABLE users SET (autovacuum_enabled = off)`.execute(porchlight.db);
  await send([row()]);
  await send(Array.from({ length: 2000 }, (_, n) => row({ username: `tenant${n}` })));
  const { rows } = await sql<{ known: number }>`
    SELECT reltuples::int AS known FROM pg_class WHERE relname = 'users'`.execute(porchlight.db);
  expect(rows[0]?.known).toBeGreaterThanOrEqual(2000);
});
