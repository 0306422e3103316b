import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pageOfNumbers } from "#server/features/people/read-anew.ts";
import { type Caller, removeEveryone, type TestApp, testApp } from "#server/testing/app.ts";
import { importCsv, personOf } from "#server/testing/csv.ts";

/** What a person's cells for numbers and addresses contain beside one number and one address. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await removeEveryone(porchlight.db);
  await porchlight.db.deleteFrom("settings").execute();
  admin = await porchlight.signedIn("admin", { username: "ada.admin" });
});
afterAll(() => porchlight.close());

const call = (method: "GET" | "POST" | "PUT", url: string, body?: unknown) =>
  porchlight.call({ method, url, body }, admin);
const set = (values: object) => call("PUT", "/api/settings", values);
const person = { firstName: "Pat", lastName: "Moe", propertyUnit: "Birch Lofts / 1A" };
const send = async (...rows: object[]) => (await importCsv(porchlight, admin, rows)).result;
const pat = () => personOf(porchlight, "pat.moe");

test("a mobile number counts, the other is kept, exported, shown and found again", async () => {
  const phone = "Home: (312) 555-0100, Mobile: (312) 555-0199";
  const email = "Pat Moe <pat@EXAMPLE.com>; Work: moe@office.example";
  expect(await send({ ...person, phone, email })).toMatchObject({ created: 1, rejected: 0 });
  const kept = {
    phone: "+13125550199",
    email: "pat@example.com",
    other_contacts: "Work: moe@office.example, Home: +13125550100",
  };
  expect(await pat()).toMatchObject(kept);
  const [exported] = (await call("GET", "/api/csv/export"))
    .json<Record<string, string>[]>()
    .filter(({ username }) => username === "pat.moe");
  expect(exported).toMatchObject({ otherContacts: kept.other_contacts });
  for (const q of ["312-555-0100", "moe@OFFICE.example", "pat 3125550100"]) {
    const found = (await call("GET", `/api/users?q=${encodeURIComponent(q)}`)).json<object[]>();
    expect({ q, found }).toMatchObject({ q, found: [{ username: "pat.moe" }] });
  }
  expect(await send({ ...person, phone, email })).toMatchObject({ unchanged: 1 });
  expect(await send(exported!)).toMatchObject({ unchanged: 1 });
  // The home number alone is about the same person, and doesn't replace the mobile one.
  expect(await send({ firstName: "Pat", lastName: "Moe", phone: "312-555-0100" })).toMatchObject({
    unchanged: 1,
  });
  expect(await pat()).toMatchObject(kept);
  // A new mobile number does, and the row is found by the home number.
  const moved = { firstName: "Pat", lastName: "Moe", phone: "m: 312-555-0155, h: 312-555-0100" };
  expect(await send(moved)).toMatchObject({ updated: 1 });
  expect(await pat()).toMatchObject({ ...kept, phone: "+13125550155" });
});

test("columns of numbers beside the best one are kept, and one of them counts where that has none", async () => {
  const pats = {
    "First Name": "Pat",
    "Last Name": "Moe",
    Email: "pat@example.com",
    "Work Email": "moe@office.example",
  };
  const numbers = (mobile: string, home: string, work: string, fax = "") => ({
    Mobile: mobile,
    "Home Phone": home,
    Work: work,
    Fax: fax,
  });
  const result = await send({
    ...pats,
    ...numbers("312-555-0199", "312-555-0100", "312-555-0111", "312-555-0122"),
  });
  expect(result).toMatchObject({ created: 1, ignoredColumns: [] });
  expect(await pat()).toMatchObject({
    phone: "+13125550199",
    email: "pat@example.com",
    other_contacts: "Work: moe@office.example, Home: +13125550100, Work: +13125550111, Fax: +13125550122",
  });
  const sam = { "First Name": "Sam", "Last Name": "Moe" };
  expect(
    await send({ ...sam, ...numbers("n/a", "312-555-0144", "Landscaping", "312-555-0122") }),
  ).toMatchObject({
    created: 1,
    rejected: 0,
  });
  expect(await personOf(porchlight, "sam.moe")).toMatchObject({
    phone: "+13125550144",
    other_contacts: "Fax: +13125550122",
  });
  // An odd number doesn't cost the person, if another one is good; nor does an empty cell remove one.
  const nia = { "First Name": "Nia", "Last Name": "Moe" };
  expect(await send({ ...nia, ...numbers("312-555-01999", "", "312-555-0155") })).toMatchObject({
    created: 1,
  });
  expect(await personOf(porchlight, "nia.moe")).toMatchObject({ phone: "+13125550155" });
  expect(await send({ ...nia, ...numbers("", "", "") })).toMatchObject({ unchanged: 1 });
});

test("a row is matched by other contacts whatever their case", async () => {
  const other = {
    ...person,
    email: "pat@example.com",
    otherContacts: "Work: Moe@Office.example, Home: 312-555-0100",
  };
  await send(other);
  for (const contact of [{ email: "MOE@office.EXAMPLE" }, { phone: "(312) 555 0100" }]) {
    const { firstName, lastName } = person;
    expect(await send({ firstName, lastName, ...contact })).toMatchObject({ created: 0, existing: 1 });
  }
});

test("lines of a cell are several numbers, and a number with an extension doesn't cost the person", async () => {
  expect(await send({ ...person, phone: "312-555-0100 x5\n312-555-0199\n" })).toMatchObject({ created: 1 });
  expect(await pat()).toMatchObject({ phone: "+13125550199", other_contacts: "312-555-0100 x5" });
  expect(await send({ ...person, firstName: "Sam", phone: "Work: 312-555-0100 ext. 7" })).toMatchObject({
    created: 1,
  });
  expect(await personOf(porchlight, "sam.moe")).toMatchObject({
    phone: null,
    other_contacts: "Work: 312-555-0100 ext. 7",
  });
});

test("a form reads the same, keeps what it leaves out, and changes the list if it is sent", async () => {
  const form = { username: "pat.moe", firstName: "Pat", lastName: "Moe", role: "tenant" };
  const made = await call("POST", "/api/users", {
    ...form,
    email: "Pat <mailto:pat@example.com>, moe@office.example",
    phone: "(312) 555-0100 (home); (312) 555-0199 cell",
    password: "brass lantern & 4 moths",
  });
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    {
      email: "pat@example.com",
      phone: "+13125550199",
      otherContacts: "moe@office.example, home: +13125550100",
    },
  ]);
  const url = `/api/users/${made.json<{ id: number }>().id}`;
  const kept = await call("PUT", url, { ...form, email: "pat@example.com" });
  expect(kept.json()).toMatchObject({ phone: "+13125550199", otherContacts: made.json().otherContacts });
  const changed = await call("PUT", url, {
    ...form,
    email: "pat@example.com",
    otherContacts: "Home: 312 555 0100, Home: 312 555 0100, pat@example.com",
  });
  expect(changed.json()).toMatchObject({ otherContacts: "Home: +13125550100" });
  const mistyped = await call("PUT", url, { ...form, email: "pat moe@example.com" });
  expect([mistyped.statusCode, mistyped.json().fields]).toEqual([400, { email: "Invalid email address" }]);
});

test("numbers are read as in the country of the time zone, or in the one that is chosen", async () => {
  const phone = "07400 123456";
  expect((await send({ ...person, phone })).badCells).toMatchObject([{ reason: "Phone number is too long" }]);
  await set({ timezone: "Europe/London" });
  expect(await send({ ...person, phone })).toMatchObject({ created: 1 });
  expect(await pat()).toMatchObject({ phone: "+447400123456" });
  expect((await call("GET", "/api/shell")).json()).toMatchObject({
    phones: { country: "GB", callingCode: "44", example: "07400 123456" },
  });
  await set({ country: "KE" });
  expect(await send({ ...person, firstName: "Nia", phone: "0712 123456" })).toMatchObject({ created: 1 });
  expect(await personOf(porchlight, "nia.moe")).toMatchObject({ phone: "+254712123456" });
  expect((await set({ country: "ZZ" })).json().fields).toEqual({ country: "Choose a country" });
});

test("before another country is chosen, the numbers are listed that it would read otherwise", async () => {
  await send(
    { ...person, phone: "(781) 234-5678" },
    { ...person, firstName: "Sam", phone: "(415) 555-0123" },
    { ...person, firstName: "Nia", phone: "+44 7400 123456" },
  );
  const wouldBe = async (query: string) => (await call("GET", `/api/settings/country?${query}`)).json();
  expect(await wouldBe("country=GB")).toEqual({
    country: "GB",
    example: "07400 123456",
    total: 1,
    first: [{ userId: (await pat())!.id, name: "Pat Moe", phone: "+17812345678", wouldBe: "+447812345678" }],
  });
  expect(await wouldBe("country=&timezone=Europe/London")).toMatchObject({ country: "GB", total: 1 });
  expect(await wouldBe("country=CA")).toMatchObject({ total: 0 });
  expect(await pat()).toMatchObject({ phone: "+17812345678" });
});

test("the numbers are read in pages, each from an index and without sorting", async () => {
  await sql`
    INSERT INTO users (username, first_name, last_name, role, phone)
    SELECT 'anew' || n, 'Pat', 'Moe' || n % 7, 'tenant', '+1781234' || to_char(n, 'FM0000')
    FROM generate_series(1, 1100) n`.execute(porchlight.db);
  const answer = (await call("GET", "/api/settings/country?country=GB")).json();
  expect(answer).toMatchObject({ country: "GB", total: 1100 });
  const plan = await porchlight.db.transaction().execute(async (tx) => {
    for (const way of ["seqscan", "bitmapscan"])
      await sql`SET LOCAL ${sql.raw(`enable_${way}`)} = off`.execute(tx);
    const page = pageOfNumbers("+1", { id: 1, name: "", phone: "", key: "moe" });
    const { rows } = await sql<Record<string, string>>`EXPLAIN ${page}`.execute(tx);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toMatch(/Index Scan using users_listed_by_name/);
  expect(plan).toMatch(/Index Cond: \(ROW\(name_key, id\) >/);
  expect(plan).not.toContain("Sort ");
});

test("odd and overlong cells don't cost the person", async () => {
  const odd = { ...person, email: "pat@example.com.", phone: "cell 4155550123 home 4155550199" };
  const otherContacts = `moe@office.example; ${"a or b 12 ".repeat(2000)}`;
  expect(await send({ ...odd, otherContacts })).toMatchObject({ created: 1, rejected: 0 });
  expect(await pat()).toMatchObject({
    email: "pat@example.com",
    phone: "+14155550123",
    other_contacts: "home: +14155550199, moe@office.example",
  });
  const two = { ...person, firstName: "Sam", email: "sam@example.com/moe@example.com" };
  expect(await send(two)).toMatchObject({ created: 1, rejected: 0 });
  expect(await personOf(porchlight, "sam.moe")).toMatchObject({
    email: "sam@example.com",
    other_contacts: "moe@example.com",
  });
});

// Last, because the statistics that it makes change other plans.
test("other contacts are looked up in an index", async () => {
  const plan = await porchlight.db.transaction().execute(async (tx) => {
    await sql`INSERT INTO users (username, first_name, last_name, role, other_contacts)
      SELECT 'other' || n, 'Pat', 'Moe', 'tenant', 'Home: +1312556' || n FROM generate_series(1000, 3000) n`.execute(
      tx,
    );
    await sql`ANALYZE users`.execute(tx);
    const { rows } = await sql<Record<string, string>>`EXPLAIN SELECT id FROM users
      WHERE deleted_at IS NULL AND other_contacts <> '' AND contact_keys(other_contacts) && ARRAY['+13125550100']`.execute(
      tx,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("users_contact_keys");
});
