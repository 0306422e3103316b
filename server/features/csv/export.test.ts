import * as fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { csvColumns } from "#contract/text/csv-header.ts";
import { guardFormula, unguardFormula } from "#contract/text/csv-cells.ts";
import { exportPeople } from "#server/features/csv/write-people.ts";
import { importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { username: "the.admin", firstName: "Ann", lastName: "Zeller" });
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
});
afterAll(() => porchlight.close());

async function exported(): Promise<Record<string, string>[]> {
  const reply = await porchlight.call({ method: "GET", url: "/api/csv/export" }, admin);
  const rows = reply.json<Record<string, string>[]>();
  expect(reply.headers["x-total-count"]).toBe(String(rows.length));
  return rows;
}

// spec 168, 245
test("every living person is a row of text in the columns of an import, by last name", async () => {
  await importCsv(porchlight, admin, [row()]);
  const gone = await insertPerson(porchlight.db, { lastName: "Gone" });
  await porchlight.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
  await insertPerson(porchlight.db, { username: "bare", firstName: "Bo", lastName: "Abel", email: null });
  const rows = await exported();
  expect(rows.map((row) => row["lastName"])).toEqual(["Abel", "Lopez", "Zeller"]);
  expect(rows[0]).toEqual({
    username: "bare",
    email: "",
    firstName: "Bo",
    lastName: "Abel",
    phone: "",
    role: "tenant",
    propertyUnit: "",
  });
  expect(rows[1]).toEqual(row({ phone: "+14155550123" }));
  for (const row of rows) expect(Object.keys(row)).toEqual([...csvColumns]);
});

test("more people than are read at once come each once and in order", async () => {
  await sql`
    INSERT INTO users (username, first_name, last_name, role)
    SELECT 'many' || n, (ARRAY['ann', 'Ann', 'Óscar', ''])[1 + n % 4], (ARRAY['Lee', 'lee', 'Ng'])[1 + n % 3], 'tenant'
    FROM generate_series(1, 2500) n`.execute(porchlight.db);
  const rows = await exported();
  expect(rows).toHaveLength(2501);
  expect(new Set(rows.map((row) => row["username"])).size).toBe(2501);
  const { rows: inOrder } = await sql<{ username: string }>`
    SELECT username FROM users ORDER BY lower(last_name), lower(first_name), id`.execute(porchlight.db);
  expect(rows.map((row) => row["username"])).toEqual(inOrder.map(({ username }) => username));
});

test("people are read while the export is on its way, not all before it", async () => {
  await sql`INSERT INTO users (username, first_name, last_name, role)
    SELECT 'later' || n, 'A', 'Aa', 'tenant' FROM generate_series(1, 2500) n`.execute(porchlight.db);
  const reading = exportPeople(porchlight.db);
  const first = await reading.next();
  expect(first.value).toHaveLength(1000);
  await sql`DELETE FROM users WHERE username LIKE 'later%'`.execute(porchlight.db);
  const rest = await reading.next();
  expect(rest.value).toMatchObject([{ lastName: "Zeller" }]);
  expect((await reading.next()).done).toBe(true);
});

test("an export imported again, with its guarding quotes, changes nothing", async () => {
  await importCsv(porchlight, admin, [
    row({ firstName: "'=1+1", lastName: "''=2", propertyUnit: "'t Huis, hinten links" }),
    { ...row({ username: "apart" }), propertyUnit: "rear left", Property: "Harbor, North" },
  ]);
  const before = [await personOf(porchlight, "maria.lopez"), await personOf(porchlight, "apart")];
  expect(before[1]).toMatchObject({ property: "Harbor, North", unit: "rear left" });
  const file = (await exported()).map((cells) =>
    Object.fromEntries(Object.entries(cells).map(([column, value]) => [column, guardFormula(value)])),
  );
  const { result } = await importCsv(porchlight, admin, file);
  expect(result).toEqual({
    startedAt: expect.any(String),
    created: 0,
    updated: 0,
    unchanged: 3,
    skipped: 0,
    existing: 3,
    absent: 0,
    rejected: 0,
    renames: [],
    warnings: [],
    badCells: [],
    ignoredColumns: [],
  });
  expect([await personOf(porchlight, "maria.lopez"), await personOf(porchlight, "apart")]).toEqual(before);
});

test("anyone who was imported is exported and imported again unchanged, with and without usernames", async () => {
  const name = fc.string({
    minLength: 1,
    maxLength: 20,
    unit: fc.constantFrom("a", "B", "é", "'", "-", "=", "+", "@", " ", ".", "李", ",", '"', "&", "1"),
  });
  const person = fc.record({
    firstName: name,
    lastName: name,
    email: fc.option(
      fc.nat(5).map((n) => `fam${n}@example.com`),
      { nil: "" },
    ),
    phone: fc.option(
      fc.nat(9).map((n) => `+1415555012${n}`),
      { nil: "" },
    ),
    role: fc.constantFrom("tenant", "staff", ""),
    propertyUnit: fc.option(name, { nil: "" }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 12 }), async (people) => {
      fc.pre(people.length > 0);
      await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
      const { result } = await importCsv(porchlight, admin, people);
      const file = (await exported()).map((cells) =>
        Object.fromEntries(Object.entries(cells).map(([column, value]) => [column, guardFormula(value)])),
      );
      expect(file).toHaveLength(result.created + 1);
      const again = await importCsv(porchlight, admin, file);
      expect(again.result).toMatchObject({ unchanged: file.length, rejected: 0 });
      const nameless = file.map((cells) => ({ ...cells, username: "" }));
      const found = await importCsv(porchlight, admin, nameless);
      expect(found.result).toMatchObject({ created: 0, updated: 0 });
      expect(found.result.renames).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

test("only what a spreadsheet would calculate gets an apostrophe, and every text is found back", () => {
  for (const phone of ["+14155550123", "+442079460018"]) expect(guardFormula(phone)).toBe(phone);
  for (const formula of ["+1-415", "+1415*2", "+SUM(A1)", "=+14155550123"]) {
    expect(guardFormula(formula)).toBe(`'${formula}`);
  }
  expect(unguardFormula("'+14155550123")).toBe("+14155550123");
  const signs = fc.string({
    unit: fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "\n", " ", "＝", "a", "1"),
  });
  fc.assert(
    fc.property(fc.oneof(signs, fc.string({ unit: "binary" })), (value) => {
      const cell = guardFormula(value);
      expect(unguardFormula(cell)).toBe(value);
      if (!/^\+\d+$/.test(cell)) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u);
    }),
  );
});
