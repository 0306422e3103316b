import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cells, importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const send = (rows: unknown, query = "") => importCsv(porchlight, admin, rows, { query });

test.each<[column: string, value: string, kind: string, reason: string]>([
  ["username", "ab", "invalid", "Username must be at least 3 characters"],
  ["username", "x".repeat(65), "invalid", "Username must be at most 64 characters"],
  ["email", "maria@", "invalid", "Invalid email address"],
  ["email", "maria lopez@example.com", "invalid", "Invalid email address"],
  ["firstName", "", "missing", "First name is required"],
  ["lastName", "  ", "missing", "Last name is required"],
  ["lastName", "y".repeat(101), "invalid", "Last name must be at most 100 characters"],
  ["phone", "555-0123", "invalid", "Phone number is too short. It needs its area code."],
  ["propertyUnit", "z".repeat(201), "invalid", "Property/Unit must be at most 200 characters"],
])("%s %j is left out as %s: %s", async (column, value, kind, reason) => {
  const { result } = await send([row({ username: "bad.cell", [column]: value })]);
  expect(result).toMatchObject({ created: 0, updated: 0, rejected: 1 });
  expect(result.badCells).toEqual([{ row: 1, column, value: shown(value), kind, reason }]);
  expect(await personOf(porchlight, "bad.cell")).toBeUndefined();
});

test("a line break in a cell is a space: an address is written in lines, a field here is one", async () => {
  const cells = {
    username: "two.lines",
    firstName: "Ana\r\nMaria",
    lastName: "Silva \n",
    propertyUnit: "Maple Court\nUnit 4B",
  };
  const { result } = await send([row(cells)]);
  expect(result).toMatchObject({ created: 1, rejected: 0 });
  expect(await personOf(porchlight, "two.lines")).toMatchObject({
    first_name: "Ana Maria",
    last_name: "Silva",
    property: "Maple Court",
    unit: "4B",
  });
});

test("every bad cell of every row is named, under the file's own headers; the good rows go in", async () => {
  const rows = [
    { "First Name": "Ana", "Last Name": "Silva", "E-Mail": "ana@example.com", Phone: "(415) 555-0142" },
    { "First Name": "", "Last Name": "Reed", "E-Mail": "nobody", Phone: "call me" },
  ];
  const { result } = await send(rows, "?firstRow=41");
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells.map(({ row, column, value, reason }) => [row, column, value, reason])).toEqual([
    [42, "E-Mail", "nobody", "Invalid email address"],
    [42, "Phone", "call me", "This is not a phone number"],
    [42, "First Name", "", "First name is required"],
  ]);
});

const shown = (value: string) => (value.length > 200 ? `${value.slice(0, 200)}…` : value.trim());

test("a long value comes back short", async () => {
  const { result } = await send([row({ username: "long", email: "e".repeat(5000) })]);
  expect(result.badCells[0]?.value).toBe(`${"e".repeat(200)}…`);
});

test("a username that appears twice in the file is imported once, and the second is named", async () => {
  const { result } = await send([
    row({ username: "Twice" }),
    row({ username: "tWICE", email: "other@example.com" }),
  ]);
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells).toEqual([
    {
      row: 2,
      column: "username",
      value: "tWICE",
      kind: "duplicate",
      reason: "An earlier row is for the same person",
    },
  ]);
  expect(await personOf(porchlight, "Twice")).toMatchObject({ email: "maria@example.com" });
});

test.each<[string, Cells, string]>([
  ["lastName", { firstName: "Ana", email: "a@example.com" }, "The column lastName is missing."],
  ["both names", { email: "a@example.com" }, "The columns firstName and lastName are missing."],
])("a file without %s is refused with one sentence that names the column", async (_what, cells, sentence) => {
  const { status, message } = await send([cells, cells]);
  expect(status).toBe(400);
  expect(message).toBe(
    `${sentence} The first row must contain the column names: username,email,firstName,lastName,phone,role,propertyUnit`,
  );
});

test("any other role is taken as tenant", async () => {
  await send([row({ username: "owner", role: "Owner" }), row({ username: "manager", role: "staff" })]);
  expect(await personOf(porchlight, "owner")).toMatchObject({ role: "tenant" });
  expect(await personOf(porchlight, "manager")).toMatchObject({ role: "staff" });
  await send([row({ username: "manager", role: "Property Manager" })]);
  expect(await personOf(porchlight, "manager")).toMatchObject({ role: "tenant" });
});

test.each([
  ["Cher", "Enter one person's first and last name"],
  ["Ana Silva & Bo Silva", "Enter one person's first and last name"],
  ["", "Name is required"],
])("a full name %j is left out: %s", async (name, reason) => {
  const { result } = await send([{ Tenant: name, Email: "cher@example.com" }]);
  expect(result).toMatchObject({ created: 0, rejected: 1 });
  expect(result.badCells).toMatchObject([{ column: "Tenant", value: name, reason }]);
});

test.each([
  ["415-555-0123 (h) 415-555-0199 (c)", "Two numbers in one cell. We keep the mobile one.", "+14155550199"],
  ["415-555-0123/415-555-0199", "Two numbers in one cell. We keep the first one.", "+14155550123"],
])("of the numbers in %s one is kept, and the check says which", async (phone, reason, kept) => {
  const { result } = await send([row({ username: "two.numbers", phone })]);
  expect(result).toMatchObject({ rejected: 0 });
  expect(result.warnings).toContainEqual({ row: 1, kind: "several", value: kept, reason });
  await porchlight.db.deleteFrom("users").where("username", "=", "two.numbers").execute();
});

test.each([
  "two@example.com; b@example.com",
  "two@example.com / b@example.com",
  "two@example.com\nb@example.com",
])("of the addresses in %j the first is the email, and the check says so", async (email) => {
  const { result } = await send([row({ username: "two.addresses", email })]);
  expect(result).toMatchObject({ created: 1, rejected: 0 });
  const reason = "Two addresses in one cell. We keep the first one.";
  expect(result.warnings).toContainEqual({ row: 1, kind: "several", value: "two@example.com", reason });
  expect(await personOf(porchlight, "two.addresses")).toMatchObject({
    email: "two@example.com",
    other_contacts: "b@example.com",
  });
  await porchlight.db.deleteFrom("users").where("username", "=", "two.addresses").execute();
});

test.each([
  ["ann@example,com; bo@example.com", "“ann@example” isn't a whole email address. Correct it or remove it."],
  [
    "Ann: a@example.com Bo: b@example.com",
    "We can't tell these addresses apart. Put a semicolon between them.",
  ],
  ["ann@example", "Invalid email address"],
])("which address of %j is theirs isn't guessed", async (email, reason) => {
  const { result } = await send([row({ username: "odd.address", email })]);
  expect(result).toMatchObject({ created: 0, rejected: 1 });
  expect(result.badCells).toMatchObject([{ column: "email", value: email, reason }]);
});

test.each(["Vacant Unit", "-- VACANT --", "vacant 4B"])("%s is an empty home, not a person", async (name) => {
  for (const cells of [{ Tenant: name }, { firstName: name, lastName: "" }]) {
    const { result } = await send([{ Email: "", ...cells, ...("Tenant" in cells ? {} : { username: "" }) }]);
    expect(result.badCells).toMatchObject([{ kind: "absent", reason: "Empty home. Left out." }]);
  }
});

test.each(["n/a", "N/A", "none", "-", "--", "—"])(
  "%j as an email or phone says nothing, like a blank cell",
  async (nothing) => {
    const phone = "+14155550142";
    await send([row({ username: "no.address", email: "no.address@example.com", phone })]);
    const { result } = await send([row({ username: "no.address", email: nothing, phone: nothing })]);
    expect(result).toMatchObject({ rejected: 0, badCells: [] });
    expect(await personOf(porchlight, "no.address")).toMatchObject({
      email: "no.address@example.com",
      phone,
    });
  },
);

test("a cell written as a formula, so that a spreadsheet keeps its digits, is its text", async () => {
  const { result } = await send([
    row({ username: "as.text", phone: '="+14155550177"', propertyUnit: '="007"' }),
  ]);
  expect(result).toMatchObject({ created: 1, rejected: 0 });
  expect(await personOf(porchlight, "as.text")).toMatchObject({
    phone: "+14155550177",
    property_unit: "007",
  });
});
