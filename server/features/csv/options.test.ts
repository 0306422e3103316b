import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Cells, importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** What holds for a whole file: people on file, the default role, groups. */

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

test("people who exist can be skipped: they stay as they are, and are counted", async () => {
  await send([row()], "");
  const before = await personOf(porchlight, "maria.lopez");
  const rows = [row({ phone: "415 555 0199", email: "not an address" }), row({ username: "second" })];
  const counts = {
    startedAt: expect.any(String),
    created: 1,
    updated: 0,
    unchanged: 0,
    skipped: 1,
    existing: 1,
    absent: 0,
    rejected: 0,
    renames: [],
    warnings: expect.any(Array),
    badCells: [],
    ignoredColumns: [],
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

test.each(["existing=ask", "defaultRole=owner", "groupIds=a", "groupIds=1,,2"])(
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
