import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Cells, importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** Whom a row means, and what becomes of people who exist already: the options of an import. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
beforeEach(async () => {
  await porchlight.db.deleteFrom("audit").execute();
  await porchlight.db.deleteFrom("user_groups").where("built_in", "=", false).execute();
  await porchlight.db.deleteFrom("users").where("id", "!=", admin.userId).execute();
});
afterAll(() => porchlight.close());

const send = (rows: Cells[], query: string, as = admin) => importCsv(porchlight, as, rows, { query });
const check = (rows: Cells[], query: string) =>
  importCsv(porchlight, admin, rows, { query, path: "/api/csv/check" });

test("matched by e-mail, whatever its case: the person keeps the user name and gets the rest", async () => {
  await insertPerson(porchlight.db, { username: "maria", email: "Maria@Example.com", firstName: "Maria" });
  const { result } = await send(
    [row({ username: "other.name", email: "MARIA@example.com" })],
    "?match=email",
  );
  expect(result).toMatchObject({ created: 0, updated: 1, existing: 1, rejected: 0 });
  expect(await personOf(porchlight, "maria")).toMatchObject({ last_name: "Lopez", phone: "+14155550123" });
  expect(await personOf(porchlight, "other.name")).toBeUndefined();
});

test("matched by phone, however it is written", async () => {
  await insertPerson(porchlight.db, {
    username: "maria",
    firstName: "Maria",
    phone: "+14155550123",
    email: "old@example.com",
  });
  const { result } = await send([row({ phone: "415.555.0123" })], "?match=phone");
  expect(result).toMatchObject({ created: 0, updated: 1 });
  expect(await personOf(porchlight, "maria")).toMatchObject({ email: "maria@example.com" });
});

test("a row without the address that decides is matched by name and contact", async () => {
  await insertPerson(porchlight.db, {
    username: "maria",
    firstName: "Maria",
    lastName: "Lopez",
    email: null,
    phone: "+14155550123",
  });
  const { result } = await send([row({ email: "", role: "" })], "?match=email");
  expect(result).toMatchObject({ created: 0, existing: 1 });
});

describe("without user names in the file, somebody of one name with another e-mail address", () => {
  const moved = (cells: Cells) => {
    const { username: _, ...rest } = row({ email: "maria@new.example", ...cells });
    return rest;
  };
  beforeEach(() => send([row()], ""));

  test("is the same person with the same phone number in the same home", async () => {
    expect((await check([moved({})], "")).result).toMatchObject({ created: 0, updated: 1 });
    await send([moved({})], "");
    expect(await personOf(porchlight, "maria.lopez")).toMatchObject({ email: "maria@new.example" });
  });

  test.each([
    ["in another home", { propertyUnit: "Oak House 9" }],
    ["with another phone number", { phone: "415 555 0199" }],
    ["without a home", { propertyUnit: "" }],
    ["without a phone number", { phone: "" }],
  ])("is somebody else %s", async (_, cells) => {
    expect((await check([moved(cells)], "")).result).toMatchObject({ created: 1, updated: 0 });
  });
});

test("a father and a son of one name, number and home are not mixed up by a file that names both", async () => {
  const { username: _, ...father } = row();
  const son = { ...father, email: "son@example.com" };
  await send([row()], "");
  for (const file of [
    [son, father],
    [father, son],
  ]) {
    expect((await check(file, "")).result).toMatchObject({
      created: 1,
      updated: 0,
      unchanged: 1,
      rejected: 0,
    });
  }
});

test("of a family with one address the name tells who is meant; where it does not, the cell says so", async () => {
  for (const [username, firstName] of [
    ["maria", "Maria"],
    ["luis", "Luis"],
  ] as const) {
    await insertPerson(porchlight.db, { username, firstName, lastName: "Lopez", email: "lopez@example.com" });
  }
  const known = await send(
    [row({ username: "", firstName: "Luis", email: "lopez@example.com" })],
    "?match=email",
  );
  expect(known.result).toMatchObject({ updated: 1 });
  expect(await personOf(porchlight, "luis")).toMatchObject({ phone: "+14155550123" });
  const { result } = await send(
    [row({ username: "", firstName: "Eva", email: "lopez@example.com" })],
    "?match=email",
  );
  expect(result).toMatchObject({ created: 0, updated: 0, rejected: 1 });
  expect(result.badCells).toEqual([
    {
      row: 1,
      column: "email",
      value: "lopez@example.com",
      kind: "taken",
      reason:
        "2 people have this e-mail address. Give the user name or the full name of the one who is meant.",
    },
  ]);
});

describe("the only one who has the address", () => {
  const anna = { username: "anna.fam", firstName: "Anna", lastName: "Fam" };
  beforeEach(() => insertPerson(porchlight.db, { ...anna, phone: "+14155550123", email: "fam@example.com" }));
  const shared = (cells: Cells) =>
    row({ username: "", phone: "415 555 0123", email: "fam@example.com", ...cells });

  test.each([
    ["a housemate", { firstName: "Ben", lastName: "Fam" }],
    ["the next tenant", { firstName: "Cora", lastName: "Vance" }],
    ["half another name", { firstName: "", lastName: "Vance" }],
  ])("is not renamed into %s", async (_, names) => {
    for (const [match, column, what] of [
      ["phone", "phone", "phone number"],
      ["email", "email", "e-mail address"],
    ] as const) {
      const { result } = await send([shared(names)], `?match=${match}`);
      const after = `${names.firstName || "Anna"} ${names.lastName}`;
      expect(result).toMatchObject({ created: 0, updated: 0, rejected: 1, existing: 0 });
      expect(result.renames).toEqual([{ row: 1, before: "Anna Fam", after, unsure: true }]);
      expect(result.badCells[0]).toMatchObject({
        column,
        kind: "taken",
        reason: `This ${what} is Anna Fam's. For a new name of that person have people renamed, or give the user name too, anna.fam; somebody else who shares it goes in when people are known by user name.`,
      });
    }
    expect(await personOf(porchlight, "anna.fam")).toMatchObject({ first_name: "Anna", last_name: "Fam" });
  });

  test.each([
    ["married", { firstName: "Anna", lastName: "Berg" }, "Anna Berg"],
    ["with a second first name", { firstName: "Ánna Lena", lastName: "Fam" }, "Ánna Lena Fam"],
    ["by the user name", { username: "anna.fam", firstName: "Hannah", lastName: "Berg" }, "Hannah Berg"],
  ])("is renamed %s, and the check says so", async (_, names, after) => {
    const renames = [{ row: 1, before: "Anna Fam", after, unsure: false }];
    expect((await check([shared(names)], "?match=phone")).result).toMatchObject({ updated: 1, renames });
    expect((await send([shared(names)], "?match=phone")).result).toMatchObject({ updated: 1, renames });
    const stored = await personOf(porchlight, "anna.fam");
    expect(`${stored?.first_name} ${stored?.last_name}`).toBe(after);
  });

  test.each([
    ["other letters", { firstName: "ANNA", lastName: "Fam" }],
    ["no name", { firstName: "", lastName: "" }],
    ["half the name", { firstName: "", lastName: "FAM" }],
  ])("is meant by a row with %s, which is no new name", async (_, names) => {
    const { result } = await send([shared(names)], "?match=phone");
    expect(result).toMatchObject({ updated: 1, rejected: 0, renames: [] });
  });

  test("is told too where the user name decides", async () => {
    const { result } = await check([shared({ username: "anna.fam", firstName: "Ben", lastName: "Fam" })], "");
    expect(result).toMatchObject({ updated: 1, renames: [{ row: 1, before: "Anna Fam", after: "Ben Fam" }] });
  });

  test.each(["phone", "email"])("is renamed once somebody has said so, by %s", async (match) => {
    const rows = [shared({ firstName: "Joanna", lastName: "Fam" })];
    const query = `?match=${match}&renames=update`;
    const renames = [{ row: 1, before: "Anna Fam", after: "Joanna Fam", unsure: true }];
    const counts = { updated: 1, rejected: 0, existing: 1, renames, badCells: [] };
    expect((await check(rows, query)).result).toMatchObject(counts);
    expect(await personOf(porchlight, "anna.fam")).toMatchObject({ first_name: "Anna" });
    expect((await send(rows, query)).result).toMatchObject(counts);
    expect(await personOf(porchlight, "anna.fam")).toMatchObject({ first_name: "Joanna" });
    const audited = await porchlight.db.selectFrom("audit").select("detail").execute();
    expect(audited).toMatchObject([{ detail: { updated: 1, renamed: 1 } }]);
  });

  test("is not asked about where it cannot be renamed, or others of the file have the address too", async () => {
    const query = "?match=email&renames=update";
    const ben = shared({ firstName: "Ben", lastName: "Fam" });
    for (const rows of [
      [shared(anna), ben],
      [ben, shared({ firstName: "Cora" })],
    ]) {
      for (const asked of [query, "?match=email"]) {
        expect((await check(rows, asked)).result.renames).toEqual([]);
      }
    }
    const bad = await check([shared({ firstName: "Ben", phone: "1" })], "?match=email");
    expect(bad.result).toMatchObject({ rejected: 1, renames: [] });
    const skipped = await check([ben], "?match=email&existing=skip");
    expect(skipped.result).toMatchObject({ rejected: 1, renames: [] });
    await porchlight.db
      .updateTable("users")
      .set({ role: "admin" })
      .where("username", "=", "anna.fam")
      .execute();
    const staff = await porchlight.signedIn("staff");
    const { result } = await importCsv(porchlight, staff, [{ ...ben, role: "" }], { query: "?match=email" });
    expect(result).toMatchObject({ rejected: 1, renames: [] });
  });
});

test("a new person may not take somebody else's user name, and one without gets a name", async () => {
  await insertPerson(porchlight.db, { username: "taken", email: "other@example.com" });
  const rows = [
    row({ username: "Taken", email: "a@example.com" }),
    row({ username: "", email: "b@example.com" }),
    row({ username: "maria.lopez", email: "c@example.com" }),
    row({ username: "Maria.Lopez", email: "d@example.com" }),
  ];
  const { result } = await send(rows, "?match=email");
  expect(result).toMatchObject({ created: 2, rejected: 2 });
  expect(result.badCells.map(({ row, column, kind }) => [row, column, kind])).toEqual([
    [1, "username", "taken"],
    [4, "username", "taken"],
  ]);
  expect((await personOf(porchlight, "maria.lopez"))?.email).toBe("c@example.com");
  expect((await personOf(porchlight, "maria.lopez2"))?.email).toBe("b@example.com");
});

test("two rows with one e-mail address are one person when that decides", async () => {
  const { result } = await send(
    [row(), row({ username: "second", email: "MARIA@example.com" })],
    "?match=email",
  );
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells[0]).toMatchObject({
    row: 2,
    column: "email",
    reason: "An earlier row has the same e-mail address",
  });
});

test("two housemates who exist are two people, though one file names them at one address", async () => {
  const shared = { phone: "+14155550123", email: "fam@example.com" };
  for (const firstName of ["Anna", "Ben"]) {
    await insertPerson(porchlight.db, {
      username: `${firstName}.fam`,
      firstName,
      lastName: "Fam",
      ...shared,
    });
  }
  const rows = ["Anna", "Ben", "Anna"].map((firstName) =>
    row({ ...shared, username: "", firstName, lastName: "Fam", propertyUnit: "Maple Court 9" }),
  );
  for (const [match, column] of [
    ["email", "email"],
    ["phone", "phone"],
  ] as const) {
    const { result } = await check(rows, `?match=${match}`);
    expect(result).toMatchObject({ created: 0, updated: 2, rejected: 1 });
    expect(result.badCells).toMatchObject([{ row: 3, column, kind: "duplicate" }]);
  }
});

test("two rows of one name and address are one person, though only one of them is known", async () => {
  await insertPerson(porchlight.db, {
    username: "maria",
    firstName: "Maria",
    lastName: "Lopez",
    email: null,
    phone: "+14155550123",
  });
  const { username: _, ...known } = row();
  const { result } = await check([known, { ...known, phone: "415 555 0199" }], "");
  expect(result).toMatchObject({ created: 0, updated: 1, rejected: 1 });
});

test("people who exist can be skipped: they stay as they are, and are counted", async () => {
  await send([row()], "");
  const before = await personOf(porchlight, "maria.lopez");
  const rows = [row({ phone: "415 555 0199", email: "not an address" }), row({ username: "second" })];
  const counts = {
    created: 1,
    updated: 0,
    unchanged: 0,
    skipped: 1,
    existing: 1,
    rejected: 0,
    renames: [],
    badCells: [],
  };
  expect((await check(rows, "?existing=skip")).result).toEqual(counts);
  expect((await send(rows, "?existing=skip")).result).toEqual(counts);
  expect(await personOf(porchlight, "maria.lopez")).toEqual(before);
});

test("a check says how many rows meet people who exist, also of those that are left out", async () => {
  await send([row(), row({ username: "second" })], "");
  const rows = [row(), row({ username: "second", phone: "1" }), row({ username: "third" })];
  expect((await check(rows, "")).result).toMatchObject({
    created: 1,
    unchanged: 1,
    rejected: 1,
    existing: 2,
  });
});

test("the default role is for new people whose row names none", async () => {
  await send([row()], "");
  const rows = [
    row({ role: "" }),
    row({ username: "second", role: "" }),
    row({ username: "third", role: "tenant" }),
  ];
  await send(rows, "?defaultRole=staff");
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({ role: "tenant" });
  expect(await personOf(porchlight, "second")).toMatchObject({ role: "staff" });
  expect(await personOf(porchlight, "third")).toMatchObject({ role: "tenant" });
});

test("a default role is no way around who makes administrators", async () => {
  const staff = await porchlight.signedIn("staff");
  const { result } = await send([row({ role: "" })], "?defaultRole=admin", staff);
  expect(result).toMatchObject({ created: 0, rejected: 1 });
  expect(result.badCells[0]).toMatchObject({ kind: "not-allowed" });
});

test("everyone who is not left out or skipped joins the groups", async () => {
  const made = await porchlight.db
    .insertInto("user_groups")
    .values([{ name: "Garden" }, { name: "Pool" }])
    .returning("id")
    .execute();
  await send([row()], "");
  const rows = [row(), row({ username: "second" }), row({ username: "bad", phone: "1" })];
  const query = `?groupIds=${made.map(({ id }) => id).join(",")}`;
  expect((await send(rows, query)).result).toMatchObject({ created: 1, unchanged: 1, rejected: 1 });
  await send(rows, query);
  const members = await porchlight.db
    .selectFrom("group_members")
    .innerJoin("users", "users.id", "user_id")
    .select(["group_id", "username"])
    .orderBy("group_id")
    .orderBy("username")
    .execute();
  expect(members).toEqual(
    made.flatMap(({ id }) => ["maria.lopez", "second"].map((username) => ({ group_id: id, username }))),
  );
});

test.each([
  ["a group that is not there", "999999"],
  ["a group that follows a rule", "1"],
])("%s is refused before anything is written", async (_what, id) => {
  for (const path of ["/api/csv/import", "/api/csv/check"]) {
    const { status } = await importCsv(porchlight, admin, [row()], { path, query: `?groupIds=${id}` });
    expect(status).toBe(400);
  }
  expect(await personOf(porchlight, "maria.lopez")).toBeUndefined();
});

test.each(["match=name", "existing=ask", "renames=ask", "defaultRole=owner", "groupIds=a", "groupIds=1,,2"])(
  "%s is no option",
  async (query) => {
    expect((await send([row()], `?${query}`)).status).toBe(400);
  },
);

test("a home that was corrected by hand stays while the file says the same", async () => {
  await send([row({ propertyUnit: "The Old Mill 4" })], "");
  await porchlight.db
    .updateTable("users")
    .set({ property: "The Old Mill 4", unit: null, home_by_hand: true })
    .where("username", "=", "maria.lopez")
    .execute();
  await send([row({ propertyUnit: "The Old Mill 4", phone: "415 555 0199" })], "");
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    phone: "+14155550199",
    property: "The Old Mill 4",
    unit: null,
    home_by_hand: true,
  });
  await send([row({ propertyUnit: "Maple Court 4B" })], "");
  expect(await personOf(porchlight, "maria.lopez")).toMatchObject({
    property: "Maple Court",
    unit: "4B",
    home_by_hand: false,
  });
});
