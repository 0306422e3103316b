import { afterAll, beforeAll, expect, test } from "vitest";
import type { FoundHomes } from "#contract/calls/places.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

const homes = [
  ["Harbor View", ["A-104", "B-104", "B-204", "B-304", "B-1004"]],
  ["Harbor Court", ["4B", "4D", "5D", "104"]],
  ["Tower 9", ["1204", "Garage"]],
] as const;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
  for (const [property, units] of homes)
    for (const unit of units)
      await insertPerson(porchlight.db, { property, unit, propertyUnit: `${property} / ${unit}` });
  await keepHomes(porchlight.db);
  const harbor = (await rows("harbor view"))[0]!;
  const url = `/api/places/properties/${harbor.propertyId}/homes`;
  await porchlight.call({ method: "POST", url, body: { names: ["B-305"] } }, admin);
});
afterAll(() => porchlight.close());

const search = async (q: string) =>
  porchlight.call({ method: "GET", url: `/api/places/find?q=${encodeURIComponent(q)}` }, admin);
const rows = async (q: string) => (await search(q)).json<FoundHomes[]>();
const names = async (q: string) => (await rows(q)).map(({ name }) => name);

test.each([
  ["", ["Harbor Court", "Harbor View", "Tower 9"]],
  ["HARBOR", ["Harbor Court", "Harbor View"]],
  ["building b", ["Harbor View, Building B"]],
  ["harbor building b floors 1-3", ["Harbor View, Building B, floors 1–3"]],
  ["floor 1", ["Harbor Court, floor 1", "Harbor View, floor 1"]],
  ["floor 10", ["Harbor View, floor 10"]],
  ["court floor 1", ["Harbor Court, floor 1"]],
  ["stack D", ["Harbor Court, stack D"]],
  ["stack 4", ["Harbor Court, stack 04", "Harbor View, stack 04", "Tower 9, stack 04"]],
  ["view, stack 04, floors 1–9", ["Harbor View, stack 04, floors 1–9"]],
  ["harbor 4B", ["Harbor Court, 4B"]],
  ["apt 4-b", ["Harbor Court, 4B"]],
  ["1204", ["Tower 9, 1204"]],
  ["104", ["Harbor Court, 104", "Harbor View, A-104", "Harbor View, B-104"]],
  ["harbor view building b 304", ["Harbor View, B-304"]],
  ["b-30 harbor", ["Harbor View, B-304", "Harbor View, B-305"]],
  ["garage", ["Tower 9, Garage"]],
  ["tower 9", ["Tower 9"]],
  ["building c", []],
  ["nothing", []],
])("%j finds %j", async (q, found) => {
  expect(await names(q)).toEqual(found);
});

test("what is found says how many homes and people it has", async () => {
  expect(await rows("building b, floor 3")).toMatchObject([
    { property: "Harbor View", where: { building: "B", floors: [3] }, homes: 2, occupied: 1, people: 1 },
  ]);
  expect(await rows("harbor view")).toMatchObject([{ where: {}, homes: 6, occupied: 5, people: 5 }]);
  expect((await search("floor 1")).headers["x-total-count"]).toBe("2");
});

test.each(["%", "_", "\\", "' OR 1=1", "1 ".repeat(90), "floor ".repeat(30), "stack %"])(
  "hostile text %j finds nothing, and fails nothing",
  async (q) => {
    expect([200, 400]).toContain((await search(q)).statusCode);
    if ((await search(q)).statusCode === 200) expect(await names(q)).toEqual([]);
  },
);

test("an archived property isn't found", async () => {
  const body = { name: "Old Mill" };
  const made = await porchlight.call({ method: "POST", url: "/api/places/properties", body }, admin);
  const { id } = made.json<{ id: number }>();
  const url = `/api/places/properties/${id}`;
  await porchlight.call({ method: "POST", url: `${url}/homes`, body: { names: ["99Z"] } }, admin);
  expect(await names("old mill")).toEqual(["Old Mill"]);
  expect(await names("99Z")).toEqual(["Old Mill, 99Z"]);
  await porchlight.call({ method: "PUT", url, body: { archived: true } }, admin);
  for (const q of ["old mill", "99Z", "stack Z"]) expect(await names(q)).toEqual([]);
});
