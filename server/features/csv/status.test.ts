import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { absenceIn } from "#contract/text/resident-status.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { type Cells, importCsv } from "#server/testing/csv.ts";

/** Rent rolls and directories list those who have moved out, applied or been evicted, and homes without anyone. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
beforeEach(() => porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute());
afterAll(() => porchlight.close());

const row = (tenant: string, status: string, more: Cells = {}): Cells => ({
  "Property Name": "Birch Lofts",
  Unit: "3",
  Tenant: tenant,
  "Tenant Status": status,
  "Tenant Email": tenant === "" ? "" : `${tenant.replace(" ", ".").toLowerCase()}@example.com`,
  ...more,
});
const send = (rows: Cells[], query = "") => importCsv(porchlight, admin, rows, { query });
const names = async () =>
  (await porchlight.db.selectFrom("users").select("last_name").where("id", "!=", admin.userId).execute())
    .map(({ last_name }) => last_name)
    .toSorted();

describe("rows of a file with a status column", () => {
  const roll = [
    row("Kim Lee", "Past"),
    row("Jo Park", "Current"),
    row("Al Ray", "Evicted"),
    row("Bo Ito", "Notice"),
    row("Cy Fox", "Applicant"),
    row("", "Vacant-Unrented"),
    row("VACANT", ""),
    row("Di Roy", "Future"),
  ];

  test("those who don't live there are left out and listed, each with the status that says so", async () => {
    const { result } = await send(roll);
    expect(result).toMatchObject({ created: 3, rejected: 5, absent: 5, ignoredColumns: [] });
    expect(await names()).toEqual(["Ito", "Park", "Roy"]);
    expect(
      result.badCells.map(({ row: at, column, value, kind, reason }) => [at, column, value, kind, reason]),
    ).toEqual([
      [1, "Tenant Status", "Past", "absent", "Kim Lee has moved out (Past)"],
      [3, "Tenant Status", "Evicted", "absent", "Al Ray is being evicted or was (Evicted)"],
      [5, "Tenant Status", "Applicant", "absent", "Cy Fox hasn't moved in (Applicant)"],
      [6, "Tenant Status", "Vacant-Unrented", "absent", "Empty home. Left out."],
      [7, "Tenant", "VACANT", "absent", "Empty home. Left out."],
    ]);
  });

  test("they are imported when asked for, and still counted", async () => {
    const { result } = await send(roll, "?absent=import");
    expect(result).toMatchObject({ created: 6, rejected: 2, absent: 5 });
    // An empty home has no one to import.
    expect(result.badCells.map(({ row: at, reason }) => [at, reason])).toEqual([
      [6, "Empty home. Left out."],
      [7, "Empty home. Left out."],
    ]);
  });

  test("someone who moved from one home to another is in with the new one", async () => {
    const { result } = await send([row("Kim Lee", "Past"), row("Kim Lee", "Current", { Unit: "9" })]);
    expect(result).toMatchObject({ created: 1, rejected: 1, absent: 1 });
    const person = await porchlight.db
      .selectFrom("users")
      .select("unit")
      .where("last_name", "=", "Lee")
      .execute();
    expect(person).toEqual([{ unit: "9" }]);
  });

  test("someone on file who has moved out stays as they are", async () => {
    await send([row("Kim Lee", "Current")]);
    const { result } = await send([row("Kim Lee", "Past", { Unit: "9" })]);
    expect(result).toMatchObject({ updated: 0, rejected: 1, absent: 1 });
    const person = await porchlight.db
      .selectFrom("users")
      .select("unit")
      .where("last_name", "=", "Lee")
      .execute();
    expect(person).toEqual([{ unit: "3" }]);
  });
});

test.each([
  [
    "moved-out",
    "Past|PAST|Former|Former Tenant|Previous|Moved out|moved-out|Vacated|Inactive|Ex-Resident|Inactivo|Ausgezogen|Ancien locataire",
  ],
  ["evicted", "Evict|Evicted|Eviction|In eviction|Under Eviction"],
  [
    "applicant",
    "Applicant|Applied|Application pending|Prospect|Lead|Waitlist|Wait list|Denied|Canceled|Cancelled|Bewerber",
  ],
  [
    "vacant",
    "Vacant|VACANT|Vacant-Unrented|Vacant Rented Ready|Unoccupied|Available|Vacío|Leerstand|Down|Model",
  ],
  [
    null,
    "|Current|Active|Occupied|Occupied No Notice|Notice|Notice Rented|Future|Renewed|Month-to-month|MTM|Leased|Pending|Past Due|Prior notice given|Previous balance|Skipped payment|Cancelled notice|Denied renewal|Applied rent|Activo|Aktiv|Libreville|Leads to 4B|Downtown",
  ],
] as const)("%s: %s", (absence, statuses) => {
  for (const status of statuses.split("|")) expect([status, absenceIn(status)]).toEqual([status, absence]);
});
