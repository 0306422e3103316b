import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";
import {
  addHome,
  addLee,
  addResidency,
  changeSheet,
  csv,
  rowsOfSheet,
  uploadSheet,
} from "#server/testing/value-sheets.ts";
import { odsOf, type TestCell, xlsxOf } from "#server/testing/workbooks.ts";

/** Files with values, as people and programs write them, and the files that come of them. */

let porchlight: TestApp;
let staff: Caller;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await porchlight.db.transaction().execute(clear);
  [staff, admin] = [await porchlight.signedIn("staff"), await porchlight.signedIn("admin")];
});
afterEach(() => liveIn(""));
afterAll(() => porchlight.close());

const liveIn = (country: string) =>
  porchlight.call({ method: "PUT", url: "/api/settings", body: { country } }, admin);
const person = (firstName: string, more?: Partial<NewPerson>) => addLee(porchlight, firstName, more);

/** What the people of a file get, by its rows; or what is wrong. */
async function valuesOf(payload: Buffer | string, fields: string, name = "Rent.xlsx") {
  const { body } = await uploadSheet(porchlight, staff, payload, { fields, name });
  expect(body.message).toBeUndefined();
  const found = await rowsOfSheet(porchlight, staff, body.id);
  return found.map(({ values, troubles }) =>
    troubles.length > 0 ? troubles.map(({ kind, column }) => `${kind} ${column}`) : values,
  );
}

async function textOf(url: string, body?: unknown): Promise<string> {
  const reply = await porchlight.call(
    { method: body ? "POST" : "GET", url, ...(body !== undefined && { body }) },
    staff,
  );
  expect(reply.statusCode).toBe(200);
  return reply.body;
}

test("formulas, dates, long numbers and zeros come through as they look in the sheet", async () => {
  await person("Ana", { phone: "+14155550123" });
  const row: TestCell[] = [
    4155550123,
    { xml: "<c><f>A1*2</f><v>1685</v></c>" },
    { value: 46357, format: "14" },
    "00123",
    { value: 447_911_123_456_789, format: "0" },
    { value: 0.125, format: "0.0%" },
  ];
  const names = ["Phone", "Amount", "Due date", "Storage", "Meter", "Share"];
  const bytes = xlsxOf({ Rent: { rows: [names, row] } });
  expect(await valuesOf(bytes, "amount,due_date,storage,meter,share")).toEqual([
    {
      amount: "$1,685.00",
      due_date: "December 1, 2026",
      storage: "00123",
      meter: "447911123456789",
      share: "12.5%",
    },
  ]);
});

test("an OpenDocument file is read the same", async () => {
  await person("Ana");
  const cells = (...texts: string[]) =>
    `<table:table-row>${texts.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join("")}</table:table-row>`;
  const bytes = odsOf(cells("E-Mail", "Amount", "Slot") + cells("ana@example.com", "$5.00", "9 to 11"));
  expect(await valuesOf(bytes, "amount,slot", "Slots.ods")).toEqual([{ amount: "$5.00", slot: "9 to 11" }]);
});

test("amounts, dates and phone numbers are read and written as in the home country", async () => {
  await liveIn("DE");
  await person("Ana", { phone: "+4915123456789" });
  await person("Ben");
  const lines = [
    "E-Mail;Mobile;Amount;Due date",
    ";01512 3456789;1.234,56 €;01.12.2026",
    "ben@example.com;;1,234.56;12/24/2026",
  ];
  expect(await valuesOf(csv(...lines), "amount,due_date", "Miete.csv")).toEqual([
    { amount: expect.stringMatching(/^1\.234,56.€$/), due_date: "1 December 2026" },
    ["not-an-amount 2", "not-a-date 3"],
  ]);
});

test("hostile texts stay texts, and none is longer than a message’s value may be", async () => {
  await person("Ana");
  const text = "{{first_name}} <b>x</b>\u200b \u202e=1+1";
  const names = ["Email", "Note", "__proto__", "constructor"];
  const lines = [
    names.join(","),
    `ana@example.com,"${text}",x,y`,
    `ben@example.com,${"n".repeat(600)},x,y`,
    `"'; DROP TABLE users; --@x",note,x,y`,
  ];
  const found = await valuesOf(csv(...lines), "note,__proto__,constructor,toString", "a/../b\u202e.csv");
  expect(found).toEqual([
    { note: "{{first_name}} <b>x</b> =1+1" },
    ["not-on-file 0", "too-long 1"],
    ["not-on-file 0"],
  ]);
});

test("rows to fix come back as a file that calculates nothing, and that can be used once it is corrected", async () => {
  const ana = await person("Ana");
  await addHome(porchlight, "Hilltop", "2D");
  await addResidency(porchlight, ana, await addHome(porchlight, "Riverbend", "2D"));
  const { body } = await uploadSheet(
    porchlight,
    staff,
    csv("Rent for Riverbend", "Flat,Tenant,Rent,Note", "2D,Ana Lee,,=1+1", "9Z,Bo,$2.00"),
    { fields: "amount", name: "Rent.csv" },
  );
  const columns = [{ finds: "home" }, null, { field: "amount" }, null];
  const read = await changeSheet(porchlight, staff, body.id, { columns });
  expect(read).toMatchObject({ toFix: 2, property: "Riverbend" });
  const file = await textOf(`/api/values/${body.id}/to-fix.csv`);
  expect(file.split("\r\n")).toEqual([
    "\uFEFFTo fix,Flat,Tenant,Rent,Note,Property",
    "Row 3: Rent: Missing,2D,Ana Lee,,'=1+1,Riverbend",
    "Row 4: Flat: No such home,9Z,Bo,$2.00,,Riverbend",
    "",
  ]);
  // No title says the property any longer, and no column is called as the field.
  const corrected = file.replace("Ana Lee,,", "Ana Lee,$1.00,").replace("9Z", "2D");
  const again = await uploadSheet(porchlight, staff, corrected, { fields: "amount", name: "fixed.csv" });
  expect(again.body).toMatchObject({ rows: 2, ready: 1, toFix: 1, problem: null });
  const [first, second] = await rowsOfSheet(porchlight, staff, again.body.id);
  expect([first?.people, first?.values]).toMatchObject([[{ userId: ana }], { amount: "$1.00" }]);
  expect(second?.troubles).toMatchObject([{ kind: "twice", earlier: 2 }]);
});

test("a sheet to fill in keeps the person’s own columns apart from the message’s fields", async () => {
  const ana = await person("Ana", { lastName: "=1+1" });
  const file = await textOf("/api/values/blank.csv", {
    recipients: [{ type: "user", id: ana }],
    fields: ["due_date", "name"],
  });
  expect(file).toBe("\uFEFFUsername,Unit,Due date,Name\r\nana.lee,,,\r\n");
  expect(await valuesOf(file.replace(",,,", ",,12/1/2026,Rex"), "due_date,name", "filled.csv")).toEqual([
    { due_date: "December 1, 2026", name: "Rex" },
  ]);
});
