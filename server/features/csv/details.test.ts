import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { guardFormula } from "#contract/text/csv-cells.ts";
import { numberFormOf } from "#contract/text/currencies.ts";
import { dateFormOf, setHomeDates } from "#contract/text/home-dates.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";
import { storedDetail } from "#contract/text/person-details.ts";
import { readCell, writeCell } from "#server/features/csv/detail-cell.ts";
import { importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
let balance: number;
let storage: number;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { username: "the.admin" });
  const made = async (label: string, kind: string) => {
    const call = { method: "POST" as const, url: "/api/details", body: { label, kind } };
    return (await porchlight.call(call, admin)).json<{ id: number }>().id;
  };
  balance = await made("Balance due", "amount");
  storage = await made("Storage", "text");
});
afterAll(() => porchlight.close());
afterEach(() => {
  setHomeNumbers();
  setHomeDates();
});

const imported = (...rows: object[]) => importCsv(porchlight, admin, rows);
const kept = async () => (await personOf(porchlight, "maria.lopez"))?.details;
async function exported() {
  const reply = await porchlight.call({ method: "GET", url: "/api/csv/export" }, admin);
  return reply.json<Record<string, string>[]>();
}

test("columns with a detail's name or field fill it, and a blank cell changes nothing", async () => {
  const { result } = await imported(row({ "BALANCE DUE": "$1,234.5", storage: "=1+1", Parking: "7" }));
  expect(result).toMatchObject({ created: 1, rejected: 0, ignoredColumns: ["Parking"] });
  expect(await kept()).toEqual({ [balance]: "1234.50", [storage]: "=1+1" });
  expect((await imported(row({ balance_due: "" }))).result).toMatchObject({ unchanged: 1 });
  expect((await imported(row({ balance_due: "-3" }))).result).toMatchObject({ updated: 1 });
  expect(await kept()).toEqual({ [balance]: "-3.00", [storage]: "=1+1" });
});

test("a cell that can't be read keeps its row out, and says why", async () => {
  const { result } = await imported(row({ balance_due: "1.234,56" }));
  expect(result).toMatchObject({
    rejected: 1,
    badCells: [
      {
        column: "balance_due",
        value: "1.234,56",
        kind: "invalid",
        reason: "Balance due must be an amount like $1,234.50",
      },
    ],
  });
  expect(await kept()).toMatchObject({ [balance]: "-3.00" });
});

test("an export has the details behind the written columns, and imported again it changes nothing", async () => {
  const people = await exported();
  expect(Object.keys(people[0]!).slice(-2)).toEqual(["Balance due", "Storage"]);
  const maria = people.find(({ username }) => username === "maria.lopez")!;
  expect(maria).toMatchObject({ "Balance due": "-3.00", Storage: "=1+1" });
  // As a spreadsheet gets it: nothing is calculated.
  const guarded = Object.fromEntries(Object.entries(maria).map(([key, cell]) => [key, guardFormula(cell)]));
  expect(guarded["Storage"]).toBe("'=1+1");
  expect((await imported(guarded)).result).toMatchObject({ unchanged: 1, updated: 0, rejected: 0 });
});

test("what is exported in any country is read there as the same", () => {
  for (const country of ["US", "DE", "FR", "IN", "CH", "KW", "JP"]) {
    setHomeNumbers(numberFormOf(country));
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (any) => {
        const value = storedDetail("number", any.toFixed(6))!;
        expect(readCell("number", writeCell("number", value))).toBe(value);
      }),
      { numRuns: 100 },
    );
  }
});

test.each([
  ["US", "11/25/2026"],
  ["DE", "25.11.2026"],
  ["DE", "2026-11-25"],
  ["SE", "2026-11-25"],
])("in %s a file has the day %s", (country, text) => {
  setHomeDates(dateFormOf(country));
  expect(readCell("date", text)).toBe("2026-11-25");
  expect(readCell("date", "25/25/2026")).toBeNull();
});

test("a day with dots, which has its day first everywhere, is none where the month comes first", () => {
  setHomeDates(dateFormOf("US"));
  expect(readCell("date", "01.12.2026")).toBeNull();
  expect(readCell("date", "2026.12.01")).toBe("2026-12-01");
});
