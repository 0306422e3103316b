import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importCsv } from "#server/testing/csv.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
});
afterAll(() => porchlight.close());

const send = (rows: unknown) => importCsv(porchlight, admin, rows);
const names = async () => {
  const people = await porchlight.db
    .selectFrom("users")
    .select("username")
    .where("id", "!=", admin.userId)
    .orderBy("id")
    .execute();
  return people.map((person) => person.username);
};

test("a file without user names gets them from the names of its people, each once", async () => {
  await insertPerson(porchlight.db, { username: "Maria.Lopez2" });
  await send([
    { firstName: "Maria", lastName: "Lopez", email: "a@example.com" },
    { firstName: "María", lastName: "López", email: "b@example.com" },
    { firstName: "Jürgen", lastName: "Groß-Weiß", email: "c@example.com" },
    { firstName: "李", lastName: "伟", email: "li.wei@example.com" },
    { firstName: "李", lastName: "娜", email: "" },
    { firstName: "X", lastName: "Y", email: "" },
  ]);
  expect(await names()).toEqual([
    "Maria.Lopez2",
    "maria.lopez",
    "maria.lopez3",
    "jurgen.grossweiss",
    "liwei",
    "person",
    "x.y",
  ]);
});

test("hundreds of one name are told apart, over several imports", async () => {
  const johns = (from: number) =>
    Array.from({ length: 150 }, (_, n) => ({
      firstName: "John",
      lastName: "Smith",
      email: `john${from + n}@example.com`,
    }));
  await send(johns(0));
  expect((await send(johns(150))).result).toMatchObject({ created: 150, rejected: 0 });
  expect(new Set(await names()).size).toBe(300);
});

test.each([
  [
    "address",
    { email: "maria@example.com" },
    { email: "MARIA@example.com", phone: "415-555-0199" },
    "updated",
  ],
  ["phone number", { phone: "415-555-0123" }, { phone: "+1 415 555 0123" }, "unchanged"],
  [
    "phone number, with an address new",
    { phone: "415-555-0123" },
    { phone: "4155550123", email: "m@example.com" },
    "updated",
  ],
  ["unit", { unit: "Maple Court 4B" }, { unit: "Maple Court 4B" }, "unchanged"],
  ["bare name", {}, {}, "unchanged"],
])("importing again finds the person by %s", async (_sign, first, second, outcome) => {
  const maria = { firstName: "Maria", lastName: "Lopez", email: "", phone: "", unit: "" };
  await send([{ ...maria, ...first }]);
  const { result } = await send([
    { ...maria, firstName: "MARIA", ...second, ...(outcome === "unchanged" && { firstName: "Maria" }) },
  ]);
  expect(result).toMatchObject({ created: 0, [outcome]: 1 });
  expect(await names()).toHaveLength(1);
});

test.each([
  ["address", { email: "one@example.com" }, { email: "two@example.com" }],
  [
    "address, though the number is the same",
    { email: "one@example.com", phone: "4155550123" },
    { email: "two@example.com", phone: "4155550123" },
  ],
  ["phone number", { phone: "415-555-0123" }, { phone: "415-555-0199" }],
  ["unit", { unit: "Maple Court 4B" }, { unit: "Maple Court 5A" }],
])("a namesake with another %s is another person", async (_sign, first, second) => {
  const maria = { firstName: "Maria", lastName: "Lopez", email: "", phone: "", unit: "" };
  await send([{ ...maria, ...first }]);
  expect((await send([{ ...maria, ...second }])).result).toMatchObject({ created: 1 });
});

test("the same person twice in one file without user names is named", async () => {
  const maria = { firstName: "Maria", lastName: "Lopez", email: "maria@example.com" };
  const { result } = await send([maria, { ...maria, email: "Maria@EXAMPLE.com" }]);
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells).toMatchObject([
    { row: 2, column: "lastName", kind: "duplicate", reason: "An earlier row is the same person" },
  ]);
});
