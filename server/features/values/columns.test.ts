import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ValuesOverview } from "#contract/calls/values.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
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
import { xlsxOf } from "#server/testing/workbooks.ts";

/** What the columns of a file with values are for. */

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await porchlight.db.transaction().execute(clear);
  await porchlight.db.deleteFrom("import_layouts").execute();
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const upload = async (lines: string[], fields: string) =>
  (await uploadSheet(porchlight, staff, csv(...lines), { fields })).body;
const change = (id: number, body: unknown) => changeSheet(porchlight, staff, id, body);
/** "email", "amount as text"; empty if it isn't used. */
const uses = ({ columns }: ValuesOverview) =>
  columns.map((column) => {
    if (!column) return "";
    return "finds" in column ? column.finds : `${column.field} as ${column.as}`;
  });

test.each<[what: string, header: string, cells: string[], use: string]>([
  ["the spelling of the field", "due-date", ["12/1/2026"], "due_date as date"],
  ["its words without spaces", "DueDate", ["12/1/2026"], "due_date as date"],
  ["a longer name", "Amount due ($)", ["$1,685.00", "", "TBD"], "amount as amount"],
  ["a code", "Code", ["00123", "00124"], "code as text"],
  ["a code among prices", "Code", ["12.50", "13.75"], "code as amount"],
  ["a name that no field has", "Remark", ["12.50"], ""],
])("a column is found by %s", async (_what, header, cells, use) => {
  const read = await upload(
    [`Email,${header}`, ...cells.map((cell) => `a@b.com,"${cell}"`)],
    "amount,due_date,code",
  );
  expect(uses(read)).toEqual(["email", use]);
});

test("two columns with a field in their names are someone’s to choose", async () => {
  const read = await upload(["Email,Amount paid,Amount due", "a@b.com,$1.00,$2.00"], "amount");
  expect([uses(read), read.open, read.problem]).toEqual([["email", "", ""], ["amount"], "no-field"]);
});

test("what was chosen is remembered for files with these names, as far as the message has the field", async () => {
  const lines = ["Email,Rent,Code,Day", "a@b.com,$1.00,00123,12/1/2026"];
  const { id } = await upload(lines, "amount,storage");
  const chosen = [{ finds: "email" }, { field: "amount" }, { field: "storage", as: "text" }];
  // How it is read is guessed unless someone says so.
  expect(uses(await change(id, { columns: chosen }))).toEqual([
    "email",
    "amount as amount",
    "storage as text",
    "",
  ]);
  expect(uses(await upload(lines, "amount,day"))).toEqual(["email", "amount as amount", "", "day as date"]);
});

test("fields that come to the message get their columns, and those that go lose them", async () => {
  const ana = await addLee(porchlight, "Ana");
  const { id, ...read } = await upload(["Email,Amount,Due date", "ana@example.com,,12/1/2026"], "amount");
  expect([uses({ id, ...read }), read.toFix]).toEqual([["email", "amount as amount", ""], 1]);
  const changed = await change(id, { fields: ["due_date"] });
  expect([uses(changed), changed.fields, changed.ready]).toEqual([
    ["email", "", "due_date as date"],
    ["due_date"],
    1,
  ]);
  expect((await rowsOfSheet(porchlight, staff, id))[0]).toMatchObject({
    people: [{ userId: ana }],
    values: { due_date: "December 1, 2026" },
  });
});

test("a field has one column, and none that everyone’s record fills", async () => {
  const { id } = await upload(["Email,Old,New", "a@b.com,$1.00,$2.00"], "amount");
  const twice = [{ finds: "email" }, { field: "amount" }, { field: "amount" }];
  expect(uses(await change(id, { columns: twice }))).toEqual(["email", "amount as amount", ""]);
  const taken = await askSheet(porchlight, staff, "PATCH", String(id), {
    columns: [null, { field: "first_name", as: "text" }],
  });
  expect([taken.status, taken.body.message]).toEqual([
    400,
    "{{first_name}} is filled in from each person’s record. Choose another field for this column.",
  ]);
});

test("another sheet is read anew, and the property in its title is where its homes are", async () => {
  const ana = await addLee(porchlight, "Ana");
  await addHome(porchlight, "Hilltop", "2D");
  await addResidency(porchlight, ana, await addHome(porchlight, "Riverbend", "2D"));
  const bytes = xlsxOf({
    Notes: { rows: [["Note"], ["Sent by Pat"]] },
    December: {
      rows: [["Rent of Riverbend"], [], ["Flat", "Tenant", "Amount"], ["2D", "Ana Lee", "$5.00"]],
      merged: ["A1:C1"],
    },
  });
  const { body } = await uploadSheet(porchlight, staff, bytes, { name: "Rent.xlsx", fields: "amount" });
  expect([body.sheet, body.problem]).toEqual([0, "no-one-found"]);
  const other = await change(body.id, { sheet: 1 });
  expect([other.headerLine, other.headers, other.problem]).toEqual([
    3,
    ["Flat", "Tenant", "Amount"],
    "no-one-found",
  ]);
  // The property is looked for once a column says where people live.
  const read = await change(body.id, { columns: [{ finds: "home" }, null, { field: "amount" }] });
  expect([read.property, read.ready]).toEqual(["Riverbend", 1]);
});
