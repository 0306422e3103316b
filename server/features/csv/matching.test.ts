import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Cells, importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** Who a row is about. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("audit").execute();
  await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
});
afterAll(() => porchlight.close());

const send = (rows: Cells[], query = "", as = admin) => importCsv(porchlight, as, rows, { query });
const check = async (rows: Cells[], query = "") =>
  (await importCsv(porchlight, admin, rows, { query, path: "/api/csv/check" })).result;
const idOf = async (username: string) => (await personOf(porchlight, username))?.id;

/** A row without a username, as other programs export it. */
const resident = (cells: Cells = {}) => {
  const { username: _, ...rest } = row(cells);
  return rest;
};
const maria = { firstName: "Maria", lastName: "Lopez", email: "", phone: "", propertyUnit: "" };

test("a username finds its person, whatever else the row says, and a new name is reported", async () => {
  await send([row()]);
  const { result } = await send([
    row({ username: "MARIA.LOPEZ", firstName: "Mary", email: "m@example.com", phone: "" }),
  ]);
  expect(result).toMatchObject({
    updated: 1,
    existing: 1,
    renames: [{ row: 1, before: "Maria Lopez", after: "Mary Lopez" }],
  });
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    first_name: "Mary",
    email: "m@example.com",
  });
});

test.each<[string, Cells, Cells]>([
  ["email", { email: "maria@example.com" }, { email: "MARIA@example.com", phone: "415-555-0199" }],
  [
    "email, though everything else is new",
    { email: "maria@example.com", phone: "4155550123" },
    { email: "maria@example.com", phone: "4155550199", propertyUnit: "Oak House 9" },
  ],
  ["phone", { phone: "415-555-0123" }, { phone: "+1 415 555 0123", propertyUnit: "Oak House 9" }],
  ["phone, with an email new", { phone: "415-555-0123" }, { phone: "4155550123", email: "m@example.com" }],
  ["home", { propertyUnit: "Maple Court 4B" }, { propertyUnit: "maple court 4b" }],
  [
    "home, with email and phone new",
    { propertyUnit: "Maple Court 4B" },
    { propertyUnit: "Maple Court 4B", email: "m@example.com", phone: "4155550123" },
  ],
  ["nothing but the name", {}, { phone: "4155550123" }],
])("the same name is found again by %s", async (_sign, first, second) => {
  await send([{ ...maria, ...first }]);
  expect(await check([{ ...maria, ...second }])).toMatchObject({ created: 0, existing: 1, rejected: 0 });
});

test("accents, case and a second first name make no other name", async () => {
  await send([resident()]);
  const again = resident({ firstName: "MARÍA José", lastName: "López" });
  expect(await check([again])).toMatchObject({ updated: 1, renames: [{ after: "MARÍA José López" }] });
});

test.each<[string, Cells, Cells]>([
  ["email", { email: "one@example.com" }, { email: "two@example.com" }],
  ["phone number", { phone: "415-555-0123" }, { phone: "415-555-0199" }],
  ["home", { propertyUnit: "Maple Court 4B" }, { propertyUnit: "Maple Court 5A" }],
  [
    "username, though the email is the same",
    { email: "m@example.com" },
    { username: "maria.two", email: "m@example.com" },
  ],
])("the same name with another %s is another person", async (_sign, first, second) => {
  await send([{ ...maria, ...first }]);
  expect(await check([{ ...maria, ...second }])).toMatchObject({ created: 1, rejected: 0 });
});

test("importing a file again finds everyone, with or without a family's address", async () => {
  const file = [
    resident({ firstName: "Ana", email: "fam@example.com" }),
    resident({ firstName: "Ben", email: "fam@example.com", phone: "" }),
    resident({ firstName: "Cleo", email: "", phone: "" }),
    // A father and a son of one name, number and home.
    resident({ firstName: "Ben", email: "son@example.com" }),
    resident({ firstName: "Dan", email: "", phone: "", propertyUnit: "" }),
  ];
  expect((await send(file)).result).toMatchObject({ created: 5, rejected: 0 });
  for (const again of [file, file.toReversed()]) {
    expect(await check(again)).toMatchObject({ unchanged: 5, rejected: 0 });
  }
});

describe("an address that is on file under another name", () => {
  const shared = (cells: Cells) => resident({ email: "fam@example.com", phone: "4155550123", ...cells });
  beforeEach(async () => {
    await send([shared({ username: "anna.fam", firstName: "Anna", lastName: "Fam" })]);
  });

  test.each([
    ["a housemate", { firstName: "Ben", lastName: "Fam" }, "Ben Fam"],
    ["a new last name", { firstName: "Anna", lastName: "Berg" }, "Anna Berg"],
    ["the next tenant", { firstName: "Cora", lastName: "Vance" }, "Cora Vance"],
    ["half another name", { firstName: "", lastName: "Vance" }, "Vance"],
    [
      "the same name with another email",
      { firstName: "Anna", lastName: "Fam", email: "a@example.com" },
      "Anna Fam",
    ],
  ])("is nobody's until a manager decides: %s", async (_who, cells, name) => {
    const rows = [shared(cells)];
    const sign = "email" in cells ? "phone" : "email";
    const { badCells, ...counts } = await check(rows);
    expect(counts).toMatchObject({ created: 0, updated: 0, rejected: 1, existing: 0, renames: [] });
    if (name !== "Vance") {
      expect(badCells).toEqual([
        {
          row: 1,
          column: sign,
          value: sign === "email" ? "fam@example.com" : "+14155550123",
          kind: "undecided",
          reason: `This ${sign === "phone" ? "phone number" : "email"} is on file for Anna Fam. Is ${name} the same person?`,
          candidates: [
            {
              id: await idOf("anna.fam"),
              name: "Anna Fam",
              propertyUnit: "Maple Court 4B",
              email: "fam@example.com",
              phone: "+14155550123",
              sameName: name === "Anna Fam",
            },
          ],
        },
      ]);
    }
    await send(rows);
    expect(await personOf(porchlight, "anna.fam")).toMatchObject({ first_name: "Anna", last_name: "Fam" });
  });

  test("is updated once a manager says that it is the same person, and the new name is reported", async () => {
    const rows = [shared({ firstName: "Joanna", lastName: "Fam", decision: await idOf("anna.fam") })];
    const renames = [{ row: 1, before: "Anna Fam", after: "Joanna Fam" }];
    for (const result of [await check(rows), (await send(rows)).result]) {
      expect(result).toMatchObject({ created: 0, updated: 1, rejected: 0, renames, badCells: [] });
    }
    expect(await personOf(porchlight, "anna.fam")).toMatchObject({ first_name: "Joanna" });
    const audited = await porchlight.db.selectFrom("audit").select("detail").orderBy("id", "desc").execute();
    expect(audited[0]).toMatchObject({ detail: { updated: 1, renamed: 1 } });
  });

  test("is a new person's too once a manager says so, also when the file comes again", async () => {
    const rows = [shared({ firstName: "Ben", lastName: "Fam", decision: "new" })];
    expect((await send(rows)).result).toMatchObject({ created: 1, rejected: 0 });
    expect((await send(rows)).result).toMatchObject({ created: 0, unchanged: 1 });
  });

  test("is decided for a candidate only", async () => {
    const rows = [shared({ firstName: "Ben", lastName: "Fam", decision: String(admin.userId) })];
    expect((await send(rows)).result).toMatchObject({ rejected: 1, badCells: [{ kind: "undecided" }] });
  });

  test("goes to no one else if the chosen person's address has changed", async () => {
    const rows = [shared({ firstName: "Joanna", lastName: "Fam", decision: await idOf("anna.fam") })];
    await porchlight.db
      .updateTable("users")
      .set({ email: "elsewhere@example.com", phone: null })
      .where("username", "=", "anna.fam")
      .execute();
    expect((await send(rows)).result).toMatchObject({
      created: 0,
      rejected: 1,
      badCells: [
        {
          column: "email",
          value: "fam@example.com",
          kind: "invalid",
          reason: "The person chosen for this row no longer matches it. Check the rows again",
        },
      ],
    });
  });

  test("needs no decision where that person has a row of their own", async () => {
    const rows = [
      shared({ firstName: "Ben", lastName: "Fam" }),
      shared({ firstName: "Anna", lastName: "Fam" }),
    ];
    expect(await check(rows)).toMatchObject({ created: 1, unchanged: 1, rejected: 0 });
  });

  test("needs none where the file itself brought that person in an earlier call", async () => {
    const { startedAt } = (
      await send([shared({ firstName: "Eve", lastName: "Low", email: "low@example.com", phone: "" })])
    ).result;
    const spouse = shared({ firstName: "Finn", lastName: "Low", email: "low@example.com", phone: "" });
    expect(await check([spouse])).toMatchObject({ rejected: 1 });
    expect(await check([spouse], `?since=${startedAt}`)).toMatchObject({ created: 1, rejected: 0 });
    // Who was on file before is still a question.
    expect(await check([shared({ firstName: "Ben" })], `?since=${startedAt}`)).toMatchObject({ rejected: 1 });
  });

  test("needs none where the row says no name, or less of the name", async () => {
    for (const names of [
      { firstName: "", lastName: "" },
      { firstName: "", lastName: "FAM" },
    ]) {
      expect(await check([shared({ ...names, propertyUnit: "Oak House 9" })])).toMatchObject({
        updated: 1,
        rejected: 0,
      });
    }
  });

  test("is no question while something else keeps the row out", async () => {
    const { badCells } = await check([shared({ firstName: "Ben", lastName: "Fam", phone: "1" })]);
    expect(badCells).toMatchObject([{ column: "phone", kind: "invalid" }]);
  });

  test("is no way for staff to change an administrator", async () => {
    await porchlight.db
      .updateTable("users")
      .set({ role: "admin" })
      .where("username", "=", "anna.fam")
      .execute();
    const staff = await porchlight.signedIn("staff");
    const rows = [
      shared({ firstName: "Joanna", lastName: "Fam", role: "", decision: await idOf("anna.fam") }),
    ];
    expect((await send(rows, "", staff)).result).toMatchObject({
      updated: 0,
      badCells: [{ kind: "not-allowed" }],
    });
  });
});

test("an email and a phone number of two people fit both", async () => {
  await send([
    resident({ firstName: "Ana", phone: "" }),
    resident({ firstName: "Ben", email: "ben@example.com" }),
  ]);
  const { badCells } = await check([resident({ firstName: "Cy" })]);
  expect(badCells).toMatchObject([
    {
      column: "email",
      reason: "This email or phone number is on file for 2 people. Is Cy Lopez one of them?",
      candidates: [{ name: "Ana Lopez" }, { name: "Ben Lopez" }],
    },
  ]);
});

test("a row that fits several people names them", async () => {
  for (const username of ["maria.one", "maria.two"]) {
    await insertPerson(porchlight.db, {
      username,
      firstName: "Maria",
      lastName: "Lopez",
      email: "fam@example.com",
    });
  }
  const { badCells } = await check([resident({ email: "fam@example.com" })]);
  expect(badCells).toMatchObject([
    {
      column: "email",
      kind: "undecided",
      reason: "This email is on file for 2 people. Is Maria Lopez one of them?",
      candidates: [{ name: "Maria Lopez" }, { name: "Maria Lopez" }],
    },
  ]);
});

test("an address that a whole office shares tells no one apart", async () => {
  const office = Array.from({ length: 12 }, (_, n) =>
    row({ username: `tenant${n}`, firstName: `Tenant${n}`, email: "office@example.com", phone: "" }),
  );
  await send(office);
  const newcomer = resident({ firstName: "Nora", email: "office@example.com", phone: "" });
  expect(await check([newcomer])).toMatchObject({ created: 1, rejected: 0 });
  expect(await check([resident({ firstName: "Tenant7", email: "office@example.com" })])).toMatchObject({
    existing: 1,
  });
});

test.each<[string, Cells, Cells, string]>([
  ["username", row(), row({ firstName: "Mary" }), "username"],
  ["email", resident(), resident({ phone: "" }), "email"],
  ["phone", resident({ email: "" }), resident({ firstName: "María" }), "email"],
  ["home", resident({ email: "", phone: "" }), resident({ email: "", phone: "" }), "lastName"],
])("the same person twice in one file is imported once: by %s", async (_sign, one, two, column) => {
  const { badCells, ...counts } = await check([one, two]);
  expect(counts).toMatchObject({ created: 1, rejected: 1 });
  expect(badCells).toMatchObject([
    { row: 2, column, kind: "duplicate", reason: "An earlier row is for the same person" },
  ]);
});

test("a father and a son of one name are two people by their usernames", async () => {
  const rows = [row({ username: "john.smith" }), row({ username: "john.smith.jr" })];
  expect((await send(rows)).result).toMatchObject({ created: 2, rejected: 0 });
  expect(await check(rows)).toMatchObject({ unchanged: 2, rejected: 0 });
});

test("thousands of one name are not compared with each other", async () => {
  const rows = Array.from({ length: 2000 }, (_, n) => resident({ ...maria, email: `maria${n}@example.com` }));
  // Called on the set at hand.
  // oxlint-disable-next-line typescript/unbound-method
  const { add } = Set.prototype;
  let steps = 0;
  const counting = vi.spyOn(Set.prototype, "add").mockImplementation(function (this: Set<unknown>, value) {
    steps += 1;
    return add.call(this, value);
  });
  try {
    expect(await check(rows)).toMatchObject({ created: 2000 });
  } finally {
    counting.mockRestore();
  }
  // Everyone with everyone would be two million.
  expect(steps).toBeLessThan(100 * rows.length);
});
