import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { imports, ImportOverview, ImportProgress } from "#contract/calls/imports.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { type TestCell, xlsxOf } from "#server/testing/workbooks.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
  admin = await porchlight.signedIn("admin");
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
  await porchlight.db.deleteFrom("imports").execute();
  await porchlight.db.deleteFrom("import_layouts").execute();
  await sql`DELETE FROM property_names`.execute(porchlight.db);
});
afterAll(() => porchlight.close());

type Checked = ReplyOf<typeof imports.check>;

async function upload(
  payload: Buffer,
  name = "Rent Roll Nov 2026.xlsx",
  as: Caller | null = admin,
  { encoding = "", type = "application/octet-stream" } = {},
) {
  const reply = await porchlight.app.inject({
    method: "POST",
    url: `/api/imports?name=${encodeURIComponent(name)}${encoding && `&encoding=${encoding}`}`,
    headers: { ...(as && { cookie: as.cookie }), "content-type": type },
    payload,
  });
  return { status: reply.statusCode, body: reply.json<ImportOverview & { message: string }>() };
}
async function ask<T>(method: "GET" | "PATCH" | "POST" | "DELETE", path: string, body?: unknown, as = admin) {
  const reply = await porchlight.call(
    { method, url: `/api/imports/${path}`, ...(body !== undefined && { body }) },
    as,
  );
  return { status: reply.statusCode, body: reply.json<T & { message: string }>() };
}
const change = async (id: number, body: unknown) =>
  (await ask<ImportOverview>("PATCH", String(id), body)).body;
const check = async (id: number) => (await ask<Checked>("POST", `${id}/check`, {})).body;
async function run(id: number): Promise<ImportProgress> {
  const { status, body } = await ask<ImportProgress>("POST", `${id}/run`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.done ? body : run(id);
}
const people = async () =>
  porchlight.db
    .selectFrom("users")
    .select(["first_name", "last_name", "email", "phone", "property", "unit"])
    .where("id", "!=", admin.userId)
    .orderBy("id")
    .execute();

const day = (value: number) => ({ value, format: "14" });
const roll: TestCell[][] = [
  ["Rent Roll - Riverbend Apartments"],
  ["As of: 11/26/2026  Exported by: M. Diaz"],
  [],
  ["Unit", "Tenant", "Co-Tenant", "Phone Numbers", "Emails", "Status", "Lease To", "Rent"],
  [
    "A-201",
    "Morris, Elizabeth",
    "Henderson, Michael",
    "(415) 555-0101",
    "liz@example.com",
    "Current",
    day(46356),
    1653,
  ],
  ["A-202", "Peterson, Anthony", null, "415-555-0103", null, "Notice", day(46387), 2414],
  [
    "A-203",
    "Young, Paul",
    "Young, Sara",
    "Mobile: (510) 555-0109; Home: (415) 555-0110",
    "paul@example.com",
    "Current",
    null,
    1,
  ],
  ["A-204", "Old, Tenant", null, null, null, "Past"],
  ["A-205", "VACANT", null, null, null, "Vacant-Unrented"],
  ["Building B"],
  ["Unit", "Tenant", "Co-Tenant", "Phone Numbers", "Emails", "Status", "Lease To", "Rent"],
  ["00123", "Bad, Phone", null, "555-0164", "x@example,com", "Current"],
  ["Total", null, null, null, null, null, null, 9999],
];
const workbook = () =>
  xlsxOf({
    "Rent Roll": { rows: roll },
    Notes: { rows: [["Call the plumber"], ["x"]] },
  });

test("a rent roll is read: its sheets, the row of names, what columns and statuses mean, and the property", async () => {
  const { status, body } = await upload(workbook());
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: "Rent Roll Nov 2026.xlsx",
    sheets: [
      { name: "Rent Roll", rows: 12, errors: 0, trouble: null },
      { name: "Notes", rows: 2 },
    ],
    sheet: 0,
    headerLine: 4,
    headers: ["Unit", "Tenant", "Co-Tenant", "Phone Numbers", "Emails", "Status", "Lease To", "Rent"],
    mapping: ["propertyUnit", "fullName", "fullName 2", "phone", "email", "status", "leaseEnd", null],
    rows: 6,
    statuses: [
      { text: "Current", rows: 3, meaning: "lives" },
      { text: "Notice", rows: 1, meaning: "lives" },
      { text: "Past", rows: 1, meaning: "moved-out" },
      { text: "Vacant-Unrented", rows: 1, meaning: "vacant" },
    ],
    residents: { 2: 2 },
    property: "Riverbend Apartments",
    propertyLine: 1,
    trouble: null,
    remembered: false,
    progress: null,
  });
  expect(body.examples[0]).toEqual({
    line: 5,
    cells: [
      "A-201",
      "Morris, Elizabeth",
      "Henderson, Michael",
      "(415) 555-0101",
      "liz@example.com",
      "Current",
      "11/30/2026",
      "1653",
    ],
  });
  expect(body.top.map(({ line }) => line)).toContain(1);
});

test("the check counts first and names the cells that need someone; fixed, they are imported with everyone else", async () => {
  const { id } = (await upload(workbook())).body;
  const found = await check(id);
  expect(found).toMatchObject({
    created: 5,
    updated: 0,
    rejected: 1,
    absent: { "moved-out": 1, vacant: 1 },
    after: null,
    rows: 6,
  });
  expect(found.homes).toHaveLength(3);
  expect(found.faults.map(({ line, column, value, kind }) => [line, column, value, kind])).toEqual([
    [12, 4, "x@example,com", "invalid"],
    [12, 3, "555-0164", "invalid"],
  ]);
  expect(await people()).toEqual([]);
  const fixed = await ask<{ fixed: number }>("POST", `${id}/cells`, {
    cells: [
      { line: 12, column: 3, text: "(415) 555-0164" },
      { line: 12, column: 4, text: "x@example.com" },
    ],
  });
  expect(fixed.body).toEqual({ fixed: 2 });
  expect((await check(id)).faults).toEqual([]);
  expect(await run(id)).toEqual({
    created: 6,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    movingIn: 0,
    movedOut: 0,
    absent: { "moved-out": 1, vacant: 1 },
    lines: 6,
    done: true,
  });
  const all = await people();
  expect(all.map((one) => [one.first_name, one.last_name, one.property, one.unit])).toEqual([
    ["Elizabeth", "Morris", "Riverbend Apartments", "A-201"],
    ["Michael", "Henderson", "Riverbend Apartments", "A-201"],
    ["Anthony", "Peterson", "Riverbend Apartments", "A-202"],
    ["Paul", "Young", "Riverbend Apartments", "A-203"],
    ["Sara", "Young", "Riverbend Apartments", "A-203"],
    ["Phone", "Bad", "Riverbend Apartments", "00123"],
  ]);
  // Its rows are gone, and repeating the last call changes nothing.
  expect(await porchlight.db.selectFrom("import_rows").selectAll().execute()).toEqual([]);
  expect(await run(id)).toMatchObject({ created: 6, done: true });
  expect((await ask("PATCH", String(id), { property: "Elm" })).status).toBe(409);

  // The same file again changes nothing.
  const again = (await upload(workbook())).body;
  expect(await check(again.id)).toMatchObject({ created: 0, updated: 0, unchanged: 5, rejected: 1 });
});

test("columns, statuses, the property and the row of names can be chosen, and are remembered for the next file", async () => {
  const rows = [["Roll 7"], ["Whg", "Mieter", "Art"], ["1", "Ann Lee", "M"], ["2", "Bo Diaz", "X"]];
  const bytes = xlsxOf({ Blatt: { rows } });
  const first = (await upload(bytes)).body;
  expect(first.trouble).toBe(
    "The columns firstName and lastName are missing. The first row must contain the column names: username,email,firstName,lastName,phone,role,propertyUnit",
  );
  expect((await ask("POST", `${first.id}/check`, {})).status).toBe(400);
  const named = await change(first.id, { headerLine: 2 });
  expect(named.headers).toEqual(["Whg", "Mieter", "Art"]);
  const chosen = await change(first.id, {
    mapping: ["propertyUnit", "fullName", "status"],
    statuses: { X: "moved-out" },
    property: "Elm",
  });
  expect(chosen).toMatchObject({
    trouble: null,
    property: "Elm",
    propertyLine: null,
    statuses: [
      { text: "M", rows: 1, meaning: "lives" },
      { text: "X", rows: 1, meaning: "moved-out" },
    ],
  });
  expect(await check(first.id)).toMatchObject({ created: 1, absent: { "moved-out": 1 } });
  expect(await run(first.id)).toMatchObject({ created: 1 });
  expect(await people()).toMatchObject([{ first_name: "Ann", property: "Elm", unit: "1" }]);

  const next = (await upload(bytes)).body;
  expect(await change(next.id, { headerLine: 2 })).toMatchObject({
    remembered: true,
    mapping: ["propertyUnit", "fullName", "status"],
    statuses: [{ meaning: "lives" }, { text: "X", meaning: "moved-out" }],
  });
});

test("a property on file is found in the title, before words of the title", async () => {
  await sql`
    WITH property AS (INSERT INTO properties (name) VALUES ('River Bend') RETURNING id)
    INSERT INTO property_names (folded, name, property_id)
    SELECT fold('Riverbend Apartments'), 'Riverbend Apartments', id FROM property`.execute(porchlight.db);
  expect((await upload(workbook())).body).toMatchObject({ property: "River Bend", propertyLine: 1 });
});

test("someone who may be on file is asked about, and the answer counts", async () => {
  await insertPerson(porchlight.db, { firstName: "Bob", lastName: "Chen", email: "r.chen@example.com" });
  await sql`UPDATE users SET address_confirmed_at = now()`.execute(porchlight.db);
  const bytes = xlsxOf({
    S: {
      rows: [
        ["Unit", "Tenant", "Email"],
        ["1", "Robert Chen", "r.chen@example.com"],
        ["2", "Mei Ito", ""],
      ],
    },
  });
  const { id } = (await upload(bytes)).body;
  const [fault] = (await check(id)).faults;
  expect(fault).toMatchObject({
    line: 2,
    resident: 1,
    kind: "undecided",
    candidates: [{ name: "Bob Chen" }],
  });
  expect(fault?.person).toMatchObject({ fullName: "Robert Chen", email: "r.chen@example.com" });
  await change(id, { decisions: { "2:1": String(fault?.candidates?.[0]?.id) } });
  expect(await check(id)).toMatchObject({ updated: 1, created: 1, rejected: 0, faults: [] });
  await change(id, { decisions: { "2:1": "out" } });
  expect(await check(id)).toMatchObject({ updated: 0, created: 1, faults: [] });
  await change(id, { decisions: { "2:1": "" } });
  expect(await check(id)).toMatchObject({ faults: [{ kind: "undecided" }] });
  await change(id, { decisions: { "2:1": "new" } });
  expect(await run(id)).toMatchObject({ created: 2 });
});

test("a column can hold a detail: it is recognized by its name, read as the country writes it, and is of the first person", async () => {
  const body = { label: "Balance Due", kind: "amount" };
  const detail = await porchlight.call({ method: "POST", url: "/api/details", body }, admin);
  const { id: detailId } = detail.json<{ id: number }>();
  const rows = [
    ["Tenant", "Co-Tenant", "Email", "Balance due"],
    ["Ada Owes", "Ben Owes", "ada@example.com", "$1,250.50"],
    ["Cas Odd", null, "cas@example.com", "ask Bo"],
  ];
  const { body: read } = await upload(xlsxOf({ Roll: { rows } }));
  expect(read.mapping).toEqual(["fullName", "fullName 2", "email", "detail:balance_due"]);
  const { faults } = await check(read.id);
  expect(faults).toMatchObject([{ line: 3, column: 3, value: "ask Bo" }]);
  await run(read.id);
  const stored = await porchlight.db
    .selectFrom("users")
    .select(["first_name", "details"])
    .where("last_name", "=", "Owes")
    .orderBy("id")
    .execute();
  expect(stored).toEqual([
    { first_name: "Ada", details: { [detailId]: "1250.50" } },
    { first_name: "Ben", details: {} },
  ]);
  await porchlight.call({ method: "DELETE", url: `/api/details/${detailId}` }, admin);
  // What was remembered of the columns names a detail that is gone.
  expect((await upload(xlsxOf({ Roll: { rows } }))).body.mapping.at(-1)).toBeNull();
});

test("merged cells count for each of their rows", async () => {
  const rows = [
    ["Unit", "Tenant"],
    ["1A", "Ann Lee"],
    [null, "Bo Lee"],
    ["2", "Cy Diaz"],
  ];
  const { id } = (await upload(xlsxOf({ S: { rows, merged: ["A2:A3"] } }))).body;
  await run(id);
  expect((await people()).map(({ first_name, unit }) => [first_name, unit])).toEqual([
    ["Ann", "1A"],
    ["Bo", "1A"],
    ["Cy", "2"],
  ]);
});

test("a long file is checked and imported in steps, and goes on where it was", async () => {
  const rows = Array.from({ length: 2100 }, (_, n) => [String(n), `Ann N${n}`, `n${n}@example.com`]);
  const { id } = (await upload(xlsxOf({ S: { rows: [["Unit", "Tenant", "Email"], ...rows] } }))).body;
  const first = await check(id);
  expect(first).toMatchObject({ after: 1001, created: 1000 });
  const next = await ask<Checked>("POST", `${id}/check`, { after: 1001, since: first.startedAt });
  expect(next.body).toMatchObject({ after: 2001, created: 1000, startedAt: first.startedAt });
  const begun = await ask<ImportProgress>("POST", `${id}/run`);
  expect(begun.body).toMatchObject({ created: 1000, lines: 1000, done: false });
  // The browser is closed and opened again.
  expect((await ask<ImportOverview>("GET", String(id))).body.progress).toEqual(begun.body);
  const listed = () => porchlight.call({ method: "GET", url: "/api/imports" }, admin);
  expect((await listed()).json()).toMatchObject([{ id, name: "Rent Roll Nov 2026.xlsx" }]);
  expect(await run(id)).toMatchObject({ created: 2100, lines: 2100, done: true });
  expect((await listed()).json()).toEqual([]);
});

test("a username that comes again, however far below, is left out and named", async () => {
  const rows = Array.from({ length: 1001 }, (_, n) => [`User${n % 1000}`, `Ann N${n}`]);
  const { id } = (await upload(xlsxOf({ S: { rows: [["Username", "Name"], ...rows] } }))).body;
  const next = await ask<Checked>("POST", `${id}/check`, { after: 1001 });
  expect(next.body).toMatchObject({ created: 0, rejected: 1, after: null });
  expect(next.body.faults).toMatchObject([
    {
      line: 1002,
      column: 0,
      value: "User0",
      kind: "duplicate",
      reason: "An earlier row has the same username",
    },
  ]);
  expect(await run(id)).toMatchObject({ created: 1000, updated: 0, rejected: 1 });
});

test("a text file is read in the encoding that it seems to be in, or in another one that someone chose", async () => {
  // Mac Roman
  const bytes = Buffer.from("Name,Unit\rJos\x8e Mu\x96oz,1\rAn\x8e Silva,2\r", "latin1");
  const { id, text } = (await upload(bytes, "roll.csv", admin, { type: "text/csv" })).body;
  expect(text).toEqual({ encoding: "macintosh", garbled: [] });
  const other = (await upload(bytes, "roll.csv", admin, { encoding: "windows-1252", type: "text/plain" }))
    .body;
  expect(other.text).toEqual({ encoding: "windows-1252", garbled: ["JosŽ", "AnŽ"] });
  expect((await upload(bytes, "roll.csv", admin, { encoding: "ebcdic" })).status).toBe(400);
  expect(await change(id, { headerLine: 1 })).toMatchObject({ text: { encoding: "macintosh" } });
  expect((await upload(workbook())).body.text).toBeNull();
  await run(id);
  expect(await people()).toMatchObject([
    { first_name: "José", last_name: "Muñoz" },
    { first_name: "Ané", last_name: "Silva" },
  ]);
});

test("everyone in a file gets the role and groups that someone chose, and who is on file can be left alone", async () => {
  await insertPerson(porchlight.db, { firstName: "Ann", lastName: "Lee", username: "ann" });
  const board = await porchlight.call(
    { method: "POST", url: "/api/usergroups", body: { name: "Board" } },
    admin,
  );
  const group = board.json<{ id: number }>().id;
  const bytes = Buffer.from("username,firstName,lastName\nann,Anna,Lee\nbodiaz,Bo,Diaz\n");
  const { id, options } = (await upload(bytes, "team.csv")).body;
  expect(options).toEqual({ existing: "update", defaultRole: "tenant", groups: [] });
  expect((await ask("PATCH", String(id), { options: { groupIds: [999_999] } })).status).toBe(400);
  await change(id, { options: { defaultRole: "staff", groupIds: [group] } });
  // One after another: what isn't named stays.
  expect(await change(id, { options: { existing: "skip" } })).toMatchObject({
    options: { existing: "skip", defaultRole: "staff", groups: [{ id: group, name: "Board" }] },
  });
  expect(await check(id)).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
  expect(await run(id)).toMatchObject({ created: 1, updated: 0, unchanged: 1, rejected: 0 });
  const found = await porchlight.db
    .selectFrom("users")
    .leftJoin("group_members", "group_members.user_id", "users.id")
    .select(["first_name", "role", "group_id"])
    .where("users.id", "!=", admin.userId)
    .orderBy("users.id")
    .execute();
  expect(found).toEqual([
    { first_name: "Ann", role: "tenant", group_id: null },
    { first_name: "Bo", role: "staff", group_id: group },
  ]);
  const { detail } = await porchlight.db
    .selectFrom("audit")
    .select("detail")
    .where("action", "=", "user.import")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  expect(detail).toMatchObject({ file: "team.csv", created: 1, groupIds: [group] });
});

test("a row that was left out on purpose doesn't keep a later one of the same username out", async () => {
  const rows: (string | null)[][] = Array.from({ length: 1003 }, (_, n) => [
    `user${n}`,
    `Ann N${n}`,
    "Current",
    null,
  ]);
  rows[1] = ["moved", "Mei Ito", "Past", null];
  rows[2] = ["twice", "Bo Diaz", "Current", null];
  rows[1001] = ["moved", "Mei Ito", "Current", null];
  rows[1002] = ["twice", "Bo Diaz", "Current", "Cy Diaz"];
  const header = ["Username", "Name", "Status", "Co-Tenant"];
  const { id } = (await upload(xlsxOf({ S: { rows: [header, ...rows] } }))).body;
  const later = async () => (await ask<Checked>("POST", `${id}/check`, { after: 1001 })).body;
  // The username is the first resident's.
  expect(await later()).toMatchObject({ created: 3, rejected: 1, faults: [{ line: 1004, value: "twice" }] });
  await change(id, { decisions: { "4:1": "out" } });
  expect(await later()).toMatchObject({ created: 4, rejected: 0, faults: [] });
  expect(await run(id)).toMatchObject({ created: 1002, rejected: 0, absent: { "moved-out": 1 } });
});

describe("a file that can't be read", () => {
  test.each([
    ["old.xls", Buffer.from("d0cf11e0a1b11ae1", "hex"), /"old\.xls" is in the format of Excel 97–2003/],
    ["cut.xlsx", workbook().subarray(0, 900), /is damaged/],
    ["photo.jpg", Buffer.from([255, 216, 255, 0, 0, 0]), /isn't a spreadsheet/],
    ["none.csv", Buffer.alloc(0), /is empty/],
  ])("%s is refused in a sentence", async (name, bytes, sentence) => {
    const { status, body } = await upload(bytes, name);
    expect([status, body.message]).toEqual([422, expect.stringMatching(sentence)]);
    expect(await porchlight.db.selectFrom("imports").selectAll().execute()).toEqual([]);
  });
});
