import { afterAll, beforeAll, expect, test } from "vitest";
import { importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let callers: Record<"admin" | "staff" | "tenant", Caller>;

beforeAll(async () => {
  porchlight = await testApp();
  callers = {
    admin: await porchlight.signedIn("admin", { username: "the.admin" }),
    staff: await porchlight.signedIn("staff", { username: "the.staff" }),
    tenant: await porchlight.signedIn("tenant", { username: "the.tenant" }),
  };
});
afterAll(() => porchlight.close());

test.each(["/api/csv/check", "/api/csv/import"])("%s is for administrators and staff", async (path) => {
  expect((await importCsv(porchlight, null, [row()], { path })).status).toBe(401);
  expect((await importCsv(porchlight, callers.tenant, [row()], { path })).status).toBe(403);
  expect(await personOf(porchlight, "maria.lopez")).toBeUndefined();
  expect((await importCsv(porchlight, callers.staff, [row()], { path })).status).toBe(200);
  expect((await importCsv(porchlight, callers.admin, [row()], { path })).status).toBe(200);
});

test("everyone's contact data is exported to administrators and staff only, and that is on record", async () => {
  const read = (as: Caller | null) => porchlight.call({ method: "GET", url: "/api/csv/export" }, as);
  expect((await read(null)).statusCode).toBe(401);
  expect((await read(callers.tenant)).statusCode).toBe(403);
  expect((await read(callers.staff)).statusCode).toBe(200);
  const audit = await porchlight.db
    .selectFrom("audit")
    .selectAll()
    .where("action", "=", "user.export")
    .execute();
  expect(audit).toHaveLength(1);
  expect(audit[0]?.actor_id).toBe(callers.staff.userId);
});

test("staff import no administrator, the other rows go in", async () => {
  const rows = [row({ username: "new.admin", role: "Admin" }), row({ username: "new.tenant" })];
  const { result } = await importCsv(porchlight, callers.staff, rows);
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells).toEqual([
    {
      row: 1,
      column: "role",
      value: "admin",
      kind: "not-allowed",
      reason: "Only an administrator can create or change an administrator",
    },
  ]);
  expect(await personOf(porchlight, "new.admin")).toBeUndefined();
});

test.each([
  ["by making somebody one", { username: "the.tenant", role: "admin" }, "role"],
  ["by taking the role away", { username: "THE.ADMIN", role: "tenant" }, "role"],
  ["by changing an address", { username: "the.admin", role: "", email: "mine@example.com" }, "username"],
])("staff change no administrator %s", async (_how, cells, column) => {
  const before = await porchlight.db
    .selectFrom("users")
    .select(["id", "role", "email"])
    .orderBy("id")
    .execute();
  const { result } = await importCsv(porchlight, callers.staff, [row(cells)]);
  expect(result).toMatchObject({ updated: 0, rejected: 1, badCells: [{ column, kind: "not-allowed" }] });
  const after = await porchlight.db
    .selectFrom("users")
    .select(["id", "role", "email"])
    .orderBy("id")
    .execute();
  expect(after).toEqual(before);
});

test("staff change no administrator through a file without user names", async () => {
  await importCsv(porchlight, callers.admin, [
    row({ username: "boss", firstName: "Ann", lastName: "Boss", role: "admin" }),
  ]);
  const { result } = await importCsv(porchlight, callers.staff, [
    { firstName: "Ann", lastName: "Boss", email: "maria@example.com", phone: "415-555-0199" },
  ]);
  expect(result).toMatchObject({
    updated: 0,
    rejected: 1,
    badCells: [{ column: "lastName", kind: "not-allowed" }],
  });
});

test("an administrator makes and changes administrators", async () => {
  const { result } = await importCsv(porchlight, callers.admin, [
    row({ username: "second.admin", role: "administrator" }),
  ]);
  expect(result).toMatchObject({ created: 1, rejected: 0 });
  await importCsv(porchlight, callers.admin, [row({ username: "second.admin", role: "tenant" })]);
  expect((await personOf(porchlight, "second.admin"))?.role).toBe("tenant");
});

test("no one loses the own role by a file", async () => {
  const { result } = await importCsv(porchlight, callers.admin, [
    row({ username: "the.admin", role: "tenant", email: "", phone: "" }),
  ]);
  expect(result.badCells).toMatchObject([
    {
      column: "role",
      kind: "not-allowed",
      reason: "You cannot change your own role. Ask another administrator.",
    },
  ]);
  const own = await importCsv(porchlight, callers.admin, [
    row({ username: "the.admin", role: "", email: "", phone: "" }),
  ]);
  expect(own.result).toMatchObject({ updated: 1, rejected: 0 });
});

test("one's own address changes by no file: an open session is not enough to take the account over", async () => {
  const before = await personOf(porchlight, "the.staff");
  const { result } = await importCsv(porchlight, callers.staff, [row({ username: "the.staff", role: "" })]);
  expect(result).toMatchObject({ updated: 0, rejected: 1 });
  expect(result.badCells).toEqual([
    {
      row: 1,
      column: "email",
      value: "maria@example.com",
      kind: "not-allowed",
      reason: "Change your own email address on your profile, which asks for your current password",
    },
    {
      row: 1,
      column: "phone",
      value: "+14155550123",
      kind: "not-allowed",
      reason: "Change your own phone number on your profile, which asks for your current password",
    },
  ]);
  expect(await personOf(porchlight, "the.staff")).toEqual(before);
});

test("a colleague is told of another address by file at the old one, and each change is on record", async () => {
  const colleague = await porchlight.signedIn("staff", {
    username: "colleague",
    email: "old@example.com",
    passwordHash: "any",
  });
  await importCsv(porchlight, callers.admin, [row({ username: "colleague", role: "", phone: "" })]);
  const told = await porchlight.db
    .selectFrom("deliveries")
    .innerJoin("runs", "runs.id", "deliveries.run_id")
    .innerJoin("notifications", "notifications.id", "runs.notification_id")
    .select(["deliveries.address", "notifications.title"])
    .where("notifications.kind", "=", "notice")
    .execute();
  expect(told).toEqual([{ address: "old@example.com", title: "Your email address was changed" }]);
  const audit = await porchlight.db
    .selectFrom("audit")
    .select(["actor_id", "detail"])
    .where("action", "=", "user.update")
    .where("subject_id", "=", colleague.userId)
    .execute();
  expect(audit).toEqual([
    {
      actor_id: callers.admin.userId,
      detail: {
        by: "import",
        changes: expect.objectContaining({ email: ["old@example.com", "maria@example.com"] }),
      },
    },
  ]);
});
