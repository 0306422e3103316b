import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { imports, ImportOverview } from "#contract/calls/imports.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { sheetsOf } from "#server/testing/sheets.ts";
import type { TestCell } from "#server/testing/workbooks.ts";

/** Files in the layouts of property systems, made by hand: nothing is chosen, and every row is understood. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
});
beforeEach(async () => {
  await porchlight.db.transaction().execute(clear);
  await porchlight.db.deleteFrom("import_layouts").execute();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const day = (text: string) => ({
  value: (Date.parse(text) - Date.parse("1899-12-30")) / 86_400_000,
  format: "14",
});

/** Imports a sheet as it is: what the check says, and who lives where since when afterwards. */
async function bring(rows: TestCell[][]) {
  const { ask, upload, run } = sheetsOf(porchlight, admin);
  const id = await upload(rows);
  const { mapping, headers } = (await ask<ImportOverview>("GET", String(id))).body;
  const check = (await ask<ReplyOf<typeof imports.check>>("POST", `${id}/check`, {})).body;
  const result = await run(id);
  const { rows: people } = await sql<Record<string, string | null>>`
    SELECT u.first_name || ' ' || u.last_name AS name, u.email, u.phone, p.name || ' / ' || h.written AS home,
      r.first_day::text AS since, r.last_day::text AS until, r.lease_ends::text AS lease
    FROM users u LEFT JOIN residencies r ON r.person_id = u.id LEFT JOIN units h ON h.id = r.unit_id
    LEFT JOIN properties p ON p.id = h.property_id WHERE u.id <> ${admin.userId} ORDER BY u.id`.execute(
    porchlight.db,
  );
  const meanings = Object.fromEntries(headers.map((header, place) => [header, mapping[place]]));
  return { meanings, check, result, people };
}
const person = (name: string, home: string, more: object = {}) =>
  expect.objectContaining({ name, home, since: null, until: null, lease: null, ...more });

test("a list of dates and tenants, with a status and ids", async () => {
  const { meanings, check, people } = await bring([
    ["Tenant Tickler"],
    [],
    [
      "Date,Event,Property,Unit,Tags,Tenant,Tenant Phone Number,Tenant Email,Rent,Lease From,Lease To,Move Out Date,Move In Date,Tenant Status,Occupancy ID,Tenant ID",
    ].flatMap((names) => names.split(",")),
    [
      day("2098-03-31"),
      "Lease End",
      "Elm Court - 4 Elm Street Springfield, IL 62701",
      "1A",
      "",
      "Silva, Ana",
      "Mobile: (312) 555-0101",
      "ana@example.com",
      1500,
      day("2024-01-05"),
      day("2098-03-31"),
      "",
      day("2024-01-05"),
      "Current",
      "881",
      "1201",
    ],
    [
      day("2098-05-31"),
      "Move Out",
      "Elm Court - 4 Elm Street Springfield, IL 62701",
      "1B",
      "",
      "Day, Ben",
      "(312) 555-0102",
      "",
      1400,
      day("2023-06-01"),
      day("2098-05-31"),
      day("2098-05-31"),
      day("2023-06-01"),
      "Notice",
      "882",
      "1202",
    ],
    [
      day("2098-06-01"),
      "Move In",
      "Elm Court - 4 Elm Street Springfield, IL 62701",
      "1C",
      "",
      "Low, Cy",
      "",
      "cy@example.com",
      1600,
      day("2098-06-01"),
      day("2099-05-31"),
      "",
      day("2098-06-01"),
      "Future",
      "883",
      "1203",
    ],
    [
      day("2024-06-30"),
      "Move Out",
      "Elm Court - 4 Elm Street Springfield, IL 62701",
      "1D",
      "",
      "Ray, Dee",
      "",
      "",
      1300,
      day("2022-06-01"),
      day("2024-06-30"),
      day("2024-06-30"),
      day("2022-06-01"),
      "Past",
      "884",
      "1204",
    ],
  ]);
  expect(meanings).toMatchObject({
    Date: null,
    Event: null,
    "Lease From": "leaseStart",
    "Lease To": "leaseEnd",
    "Move Out Date": "moveOut",
    "Move In Date": "moveIn",
    "Occupancy ID": null,
    "Tenant ID": null,
  });
  expect(check).toMatchObject({ created: 3, movingIn: 1, faults: [], absent: { "moved-out": 1 } });
  expect(check.homes).toHaveLength(3);
  const home = (unit: string) => expect.stringMatching(new RegExp(`^Elm Court.* / ${unit}$`));
  expect(people).toEqual([
    expect.objectContaining({
      name: "Ana Silva",
      home: home("1A"),
      phone: "+13125550101",
      since: "2024-01-05",
      lease: "2098-03-31",
    }),
    expect.objectContaining({ name: "Ben Day", home: home("1B"), since: "2023-06-01", until: "2098-05-31" }),
    expect.objectContaining({ name: "Cy Low", home: home("1C"), since: "2098-06-01", lease: "2099-05-31" }),
  ]);
});

test("a row for each co-tenant", async () => {
  const { check, people } = await bring([
    [
      "Property",
      "Unit number",
      "First name",
      "Last name",
      "Email",
      "Mobile phone",
      "Lease start date",
      "Lease end date",
      "Move-in date",
    ],
    [
      "Elm Court",
      "1A",
      "Ana",
      "Silva",
      "ana@example.com",
      "312-555-0101",
      day("2025-01-05"),
      day("2098-12-31"),
      day("2024-01-05"),
    ],
    [
      "Elm Court",
      "1A",
      "Ben",
      "Silva",
      "ana@example.com",
      "312-555-0102",
      day("2025-01-05"),
      day("2098-12-31"),
      day("2025-01-05"),
    ],
  ]);
  expect(check).toMatchObject({ created: 2, faults: [] });
  expect(check.homes).toHaveLength(1);
  expect(people).toEqual([
    person("Ana Silva", "Elm Court / 1A", { since: "2024-01-05", lease: "2098-12-31" }),
    person("Ben Silva", "Elm Court / 1A", { since: "2025-01-05", lease: "2098-12-31" }),
  ]);
});

test("up to three residents in a row, each with names, phone and email", async () => {
  const of = (n: number) =>
    ["First Name", "Last Name", "Phone", "Email"].map((what) => `Resident ${n} ${what}`);
  const { meanings, check, people } = await bring([
    ["Elm Court"],
    ["Unit", ...of(1), ...of(2), ...of(3), "Move in Date", "NTV Date"],
    [
      "101",
      "Ana",
      "Silva",
      "312-555-0101",
      "ana@example.com",
      "Ben",
      "Day",
      "312-555-0102",
      "",
      "",
      "",
      "",
      "",
      day("2024-01-05"),
    ],
    [
      "102",
      "Cy",
      "Low",
      "312-555-0103",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      day("2023-02-01"),
      day("2026-11-01"),
    ],
  ]);
  // The day on which someone gave notice isn't the one on which they leave.
  expect(meanings).toMatchObject({
    "Resident 3 Email": "email 3",
    "Move in Date": "moveIn",
    "NTV Date": null,
  });
  expect(check).toMatchObject({ created: 3, faults: [] });
  expect(people).toEqual([
    person("Ana Silva", "Elm Court / 101", { since: "2024-01-05" }),
    person("Ben Day", "Elm Court / 101", { since: "2024-01-05" }),
    person("Cy Low", "Elm Court / 102", { since: "2023-02-01" }),
  ]);
});

test("a street in one column, the apartment in the next, and the lease's start and end", async () => {
  const { check, people } = await bring([
    [
      "Unit Address",
      "Unit Address Cont.",
      "City",
      "First Name",
      "Last Name",
      "Email",
      "Mobile Phone #",
      "Start Date",
      "End Date",
      "Vacated Date",
    ],
    [
      "4 Elm Street",
      "Apt 2",
      "Springfield",
      "Ana",
      "Silva",
      "ana@example.com",
      "(312) 555-0101",
      day("2025-01-05"),
      day("2098-12-31"),
    ],
    [
      "4 Elm Street",
      "Apt 3",
      "Springfield",
      "Ben",
      "Day",
      "",
      "(312) 555-0102",
      day("2025-01-05"),
      "MTM",
      day("2098-01-31"),
    ],
  ]);
  expect(check).toMatchObject({ created: 2, faults: [] });
  expect(people).toEqual([
    person("Ana Silva", "4 Elm Street / 2", { lease: "2098-12-31" }),
    person("Ben Day", "4 Elm Street / 3", { until: "2098-01-31" }),
  ]);
});

test("a rent roll with a code for each resident, and a row for each charge", async () => {
  const { meanings, check, people } = await bring([
    ["Rent Roll with Lease Charges"],
    ["Elm Court"],
    [
      "Unit",
      "Unit Type",
      "Resident",
      "Name",
      "Market Rent",
      "Charge Code",
      "Amount",
      "Move In",
      "Lease Expiration",
      "Move Out",
      "Balance",
    ],
    ["101", "2x1", "t0012345", "Silva, Ana", 1500, "rent", 1450, day("2024-01-05"), day("2098-12-31"), "", 0],
    ["", "", "", "", "", "pet", 50],
    ["102", "2x1", "VACANT", "VACANT", 1500],
    [
      "103",
      "1x1",
      "t0012346",
      "Day, Ben",
      1200,
      "rent",
      1200,
      day("2023-02-01"),
      day("2098-01-31"),
      day("2098-01-31"),
      20,
    ],
    ["", "", "", "", "", "garage", 75],
    ["Total", "", "", "", 4200],
  ]);
  expect(meanings).toMatchObject({ Resident: null, Name: "fullName" });
  expect(check).toMatchObject({ rows: 3, created: 2, faults: [], absent: { vacant: 1 } });
  expect(people).toEqual([
    person("Ana Silva", "Elm Court / 101", { since: "2024-01-05", lease: "2098-12-31" }),
    person("Ben Day", "Elm Court / 103", { since: "2023-02-01", until: "2098-01-31", lease: "2098-01-31" }),
  ]);
});

test.each([
  ["Current", "lives"],
  ["Notice", "lives"],
  ["Notice-Unrented", "lives"],
  ["Notice Rented", "lives"],
  ["Eviction", "evicted"],
  ["Past", "moved-out"],
  ["Applicant", "applicant"],
  ["Future", "moving-in"],
  ["Vacant-Unrented", "vacant"],
  ["Vacant Rented Not Ready", "vacant"],
])("the status “%s” is understood", async (status, meaning) => {
  const sent = await porchlight.app.inject({
    method: "POST",
    url: "/api/imports?name=a.csv",
    headers: { cookie: admin.cookie, "content-type": "application/octet-stream" },
    payload: `Unit,Tenant,Status\n1A,Ana Silva,${status}\n1B,Ben Day,${status}\n`,
  });
  expect(sent.json<ImportOverview>().statuses).toEqual([{ text: status, rows: 2, meaning }]);
});

test("someone on file whose home is written in another way is neither added again nor changed", async () => {
  await insertPerson(porchlight.db, {
    firstName: "Ana",
    lastName: "Silva",
    email: null,
    propertyUnit: "Elm Court 1A",
    property: "Elm Court",
    unit: "1A",
  });
  await sql`UPDATE users SET address_confirmed_at = now()`.execute(porchlight.db);
  const { check, result } = await bring([
    ["Property", "Unit", "Tenant"],
    ["ELM COURT", "1a", "Silva, Ana"],
  ]);
  expect(check).toMatchObject({ created: 0, faults: [] });
  expect(result).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
});

test("a detail with another program's id of a person finds them before names, homes and addresses do", async () => {
  const body = { label: "Tenant ID", kind: "text" };
  await porchlight.call({ method: "POST", url: "/api/details", body }, admin);
  const names = ["Property", "Unit", "Tenant", "Email", "Tenant ID"];
  const first = await bring([
    names,
    ["Elm Court", "1A", "Silva, Ana", "ana@example.com", "t0012345"],
    ["Elm Court", "1B", "Day, Ben", "ben@example.com", "00123"],
  ]);
  expect(first.meanings).toMatchObject({ "Tenant ID": "detail:tenant_id" });
  expect(first.result).toMatchObject({ created: 2 });
  // She has married, moved and changed her address; his number is someone else's by now.
  const next = await bring([
    [...names, "Move In"],
    ["Elm Court", "2A", "Low, Ana", "ana.low@example.com", "t0012345", day("2026-01-01")],
    ["Elm Court", "1B", "Ray, Dee", "dee@example.com", "00123"],
  ]);
  expect(next.result).toMatchObject({ created: 1, updated: 1 });
  expect(new Set(next.people.map(({ name }) => name))).toEqual(new Set(["Ana Low", "Ben Day", "Dee Ray"]));
  const gone = await bring([
    [...names, "Status"],
    ["Elm Court", "2A", "Low, Ana", "", "t0012345", "Past"],
  ]);
  expect(gone.result).toMatchObject({ created: 0, movedOut: 1 });
});
