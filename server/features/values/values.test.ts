import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RowTrouble, ValueRow, ValuesOverview } from "#contract/calls/values.ts";
import { runMaintenance } from "#server/delivery/maintenance.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";
import {
  addHome,
  addLee,
  addResidency,
  askSheet,
  changeSheet,
  csv,
  rowsOfSheet,
  uploadSheet,
} from "#server/testing/value-sheets.ts";
import { type TestCell, xlsxOf } from "#server/testing/workbooks.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
});
beforeEach(async () => {
  await porchlight.db.transaction().execute(clear);
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const upload = (
  payload: Buffer | string,
  { as = staff, ...how }: { name?: string; fields?: string; as?: Caller } = {},
) => uploadSheet(porchlight, as, payload, { name: "Rent.xlsx", ...how });
const ask = <T>(method: "GET" | "PATCH" | "POST", path: string, body?: unknown, as = staff) =>
  askSheet<T>(porchlight, as, method, path, body);
const rows = (id: number, query?: string) => rowsOfSheet(porchlight, staff, id, query);
const change = (id: number, body: unknown) => changeSheet(porchlight, staff, id, body);
const person = (firstName: string, more?: Partial<NewPerson>) => addLee(porchlight, firstName, more);
const home = (property: string, unit: string) => addHome(porchlight, property, unit);
const lease = (personId: number, unitId: number, role?: string) =>
  addResidency(porchlight, personId, unitId, role);

test("a file of 300 rows with three wrong cells is ready for 297, and hands three back", async () => {
  const days = { value: 46357, format: "14" };
  const cells: TestCell[][] = [["Tenant", "Email", "Amount", "Due Date", "Storage"]];
  for (let n = 0; n < 300; n++) {
    await person(`P${n}`);
    cells.push([
      `P${n} Lee`,
      `p${n}@example.com`,
      n === 10 ? "" : n === 20 ? "TBD" : 1600 + n / 100,
      days,
      "00123",
    ]);
  }
  cells[201]![1] = "nobody@example.com";
  const { status, body } = await upload(xlsxOf({ December: { rows: cells } }), {
    fields: "amount,due_date,storage,first_name",
  });
  expect([status, body.message]).toEqual([201, undefined]);
  expect(body).toMatchObject({ rows: 300, ready: 297, toFix: 3, people: 297, problem: null, open: [] });
  expect(body.columns).toEqual([
    { finds: "name" },
    { finds: "email" },
    { field: "amount", as: "amount" },
    { field: "due_date", as: "date" },
    { field: "storage", as: "text" },
  ]);
  expect(await rows(body.id, "only=to-fix")).toMatchObject([
    { line: 12, troubles: [{ kind: "missing", column: 2 }] },
    { line: 22, troubles: [{ kind: "not-an-amount", column: 2 }] },
    { line: 202, troubles: [{ kind: "not-on-file", column: 1 }] },
  ]);
  const [first] = await rows(body.id, "only=ready&q=p7@");
  expect(first).toMatchObject({
    people: [{ name: "P7 Lee" }],
    values: { amount: "$1,600.07", due_date: "December 1, 2026", storage: "00123" },
  });
  const file = await porchlight.call({ method: "GET", url: `/api/values/${body.id}/to-fix.csv` }, staff);
  expect(file.body.split("\r\n").slice(0, 3)).toEqual([
    "\uFEFFTo fix,Tenant,Email,Amount,Due Date,Storage",
    expect.stringContaining("Row 12: Amount: Missing,P10 Lee,p10@example.com,,"),
    expect.stringContaining("Row 22: Amount: Not an amount,P20 Lee"),
  ]);
  // What comes back can be used as it is.
  const again = await upload(file.body, { name: "to fix.csv", fields: "amount,due_date,storage" });
  expect(again.body).toMatchObject({ rows: 3, toFix: 3 });

  const sent = await porchlight.call(
    {
      method: "POST",
      url: "/api/send-notification",
      body: {
        title: "Rent",
        message: "{{amount}} is due {{due_date}}",
        channels: ["email"],
        recipients: [{ type: "file", id: body.id }],
        valuesId: body.id,
      },
    },
    staff,
  );
  expect(sent.statusCode).toBe(200);
  const { rows: written } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM deliveries WHERE field_values ->> 'amount' LIKE '$1,60%'`.execute(
    porchlight.db,
  );
  expect(written[0]?.n).toBeGreaterThan(0);
});

const kinds = (row: ValueRow | undefined) => row?.troubles.map(({ kind }: RowTrouble) => kind);

test("a row is for the person of all its addresses, and the home tells those apart who share one", async () => {
  const ana = await person("Ana", { email: "fam@example.com", phone: "+14155550123" });
  const ben = await person("Ben", { email: "fam@example.com", phone: null });
  await person("Cy", { phone: "+14155550124" });
  const unit = await home("Riverbend", "2D");
  await lease(ben, unit);
  const { body } = await upload(
    csv(
      "Username,Email,Phone,Unit,Amount,Due date",
      ",fam@example.com,,,$10.00,May 1",
      ",fam@example.com,,Riverbend 2D,$11.00,May 1",
      ",fam@example.com,(415) 555-0123,,$12.00,May 1",
      ",fam@example.com,(415) 555-0124,,$13.00,May 1",
      ",,,,$14.00,May 1",
      "nobody,,,,$15.00,May 1",
      "CY.LEE,,,,$16.00,May 1",
    ),
    { name: "rent.csv" },
  );
  const [shared, byHome, both, different, unnamed, unknown, cy] = await rows(body.id);
  expect(shared?.troubles).toMatchObject([
    { kind: "several-match", column: 1, candidates: [{ id: ana }, { id: ben }] },
  ]);
  expect(byHome?.people).toMatchObject([{ userId: ben }]);
  expect(both?.people).toMatchObject([{ userId: ana }]);
  expect([different, unnamed, unknown].map(kinds)).toEqual([["disagree"], ["no-one-named"], ["not-on-file"]]);
  expect(cy?.people).toMatchObject([{ name: "Cy Lee" }]);

  // Ana has a row already, so one of them has to go.
  const decided = await change(body.id, { decisions: { "2": String(ana), "4": "out" } });
  expect(decided).toMatchObject({ ready: 3, toFix: 3, leftOut: 1 });
  expect((await rows(body.id))[0]?.people).toMatchObject([{ userId: ana }]);
  const twice = await change(body.id, { decisions: { "4": "" } });
  expect(twice.toFix).toBe(4);
  expect((await rows(body.id, "only=to-fix"))[0]?.troubles).toMatchObject([{ kind: "twice", earlier: 2 }]);
});

test("a home’s row is for each leaseholder, or whoever lives there", async () => {
  const [ana, ben, cy, dee] = [
    await person("Ana"),
    await person("Ben"),
    await person("Cy"),
    await person("Dee"),
  ];
  const shared = await home("Riverbend", "2D");
  await lease(ana, shared);
  await lease(ben, shared);
  await lease(cy, shared, "occupant");
  await lease(cy, await home("Riverbend", "3A"), "occupant");
  await lease(dee, await home("Hilltop", "2D"), "owner");
  const sheet = csv(
    "Rent for Riverbend,,",
    "Unit,Amount,Due date",
    "2-D,10,May 1",
    "3A,11,May 1",
    "9Z,12,May 1",
    "Hilltop 2D,13,May 1",
  );
  const { body } = await upload(sheet, { name: "rent.csv" });
  expect(body).toMatchObject({ property: "Riverbend", headerLine: 2, people: 3 });
  const found = await rows(body.id);
  expect(found.map(({ people }) => people.map(({ userId }) => userId))).toEqual([[ana, ben], [cy], [], []]);
  expect(found.slice(2).map(kinds)).toEqual([["no-such-home"], ["no-one-there"]]);
  // Without a property, there are two homes of that name.
  await change(body.id, { property: "" });
  expect(kinds((await rows(body.id))[0])).toEqual(["several-match"]);
});

test("cells are corrected in place, until a message has the values", async () => {
  await person("Ana");
  const { body } = await upload(csv("Email,Amount", "ana@example.org,$1.00"), {
    name: "a.csv",
    fields: "amount",
  });
  const fixed = await ask<ValuesOverview>("POST", `${body.id}/cells`, {
    cells: [{ line: 2, column: 0, text: "ana@example.com" }],
  });
  expect(fixed.body).toMatchObject({ ready: 1, people: 1 });
  const admin = await porchlight.signedIn("admin");
  expect((await ask("GET", String(body.id), undefined, admin)).status).toBe(404);
  const draft = {
    title: "Rent",
    status: "Draft",
    content: "{{amount}}",
    channels: ["email"],
    valuesId: body.id,
  };
  await porchlight.call({ method: "POST", url: "/api/notifications", body: draft }, staff);
  expect((await ask("PATCH", String(body.id), { decisions: { "2": "out" } })).status).toBe(409);
  expect((await ask<ValuesOverview>("GET", String(body.id), undefined, admin)).body.kept).toBe(true);
  await sql`UPDATE imports SET created_at = now() - interval '3 days'`.execute(porchlight.db);
  await runMaintenance(porchlight.db);
  expect((await ask("GET", String(body.id))).status).toBe(200);
  await sql`DELETE FROM notifications`.execute(porchlight.db);
  await runMaintenance(porchlight.db);
  expect((await ask("GET", String(body.id))).status).toBe(404);
  const tenant = await porchlight.signedIn("tenant");
  expect((await upload(csv("Email,Amount", "a@b.com,1"), { as: tenant })).status).toBe(403);
});

test("a sheet to fill in has everyone, found again by their username", async () => {
  await person("Ana", { propertyUnit: "Riverbend 2D" });
  await person("Ben", { lastName: "=1+1" });
  const file = await porchlight.call(
    {
      method: "POST",
      url: "/api/values/blank.csv",
      body: { recipients: (await everyone()).map((id) => ({ type: "user", id })), fields: ["amount"] },
    },
    staff,
  );
  expect(file.body).toBe(
    "\uFEFFUsername,Name,Unit,Amount\r\nana.lee,Ana Lee,Riverbend 2D,\r\nben.lee,Ben =1+1,,\r\n",
  );
  const { body } = await upload(file.body.replaceAll(",\r\n", ",5\r\n"), {
    name: "filled.csv",
    fields: "amount",
  });
  expect(body).toMatchObject({ rows: 2, ready: 2, people: 2 });
});

async function everyone(): Promise<number[]> {
  const { rows: found } = await sql<{ id: number }>`
    SELECT id FROM users WHERE id <> ${staff.userId} AND role = 'tenant' ORDER BY id`.execute(porchlight.db);
  return found.map(({ id }) => id);
}
