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

test("a file without usernames gets them from the names of its people, each once", async () => {
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
