import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "#server/features/auth/password.ts";
import { takeTurns } from "#server/features/people/who-may-change.ts";
import { type Caller, insertPerson, removeEveryone, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

/** Who may make, change and remove whom. */

let porchlight: TestApp;
let admin: Caller;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await removeEveryone(porchlight.db);
  const passwordHash = await hashPassword("three ripe figs!");
  admin = await porchlight.signedIn("admin", { passwordHash });
  staff = await porchlight.signedIn("staff", { passwordHash });
});
afterAll(() => porchlight.close());

let made = 0;
const body = (role: string) => {
  made += 1;
  return {
    username: `somebody${made}`,
    email: `somebody${made}@example.com`,
    firstName: "Some",
    lastName: "Body",
    role,
  };
};
const create = (role: string, as: Caller) =>
  porchlight.call({ method: "POST", url: "/api/users", body: { ...body(role), sendCredentials: true } }, as);
const change = (id: number, role: string, as: Caller) =>
  porchlight.call(
    { method: "PUT", url: `/api/users/${id}`, body: { ...body(role), currentPassword: "three ripe figs!" } },
    as,
  );
const remove = (id: number, as: Caller) => porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, as);
const administrators = () =>
  porchlight.db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .where("deleted_at", "is", null)
    .execute();

/** Lets calls that take turns all come as far as that before the first of them goes on. */
async function atOnce<T>(calls: () => Promise<T>[]): Promise<T[]> {
  let begun: Promise<T>[] = [];
  await porchlight.db.transaction().execute(async (tx) => {
    await takeTurns(tx);
    begun = calls();
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`.execute(tx);
      expect(waiting.rows).toHaveLength(begun.length);
    });
  });
  return Promise.all(begun);
}

test("staff make, change and remove staff and tenants", async () => {
  for (const role of ["staff", "tenant"]) {
    const reply = await create(role, staff);
    expect(reply.statusCode).toBe(201);
    const { id } = reply.json<{ id: number }>();
    expect((await change(id, role === "staff" ? "tenant" : "staff", staff)).statusCode).toBe(200);
    expect((await remove(id, staff)).statusCode).toBe(200);
  }
});

test("staff neither make, change nor remove administrators, nor raise anyone to one, themselves included", async () => {
  const other = await insertPerson(porchlight.db, { role: "admin" });
  const tenant = await insertPerson(porchlight.db);
  const replies = [
    await create("admin", staff),
    await change(other, "admin", staff),
    await change(other, "tenant", staff),
    await change(tenant, "admin", staff),
    await change(staff.userId, "admin", staff),
    await remove(other, staff),
    await porchlight.call(
      {
        method: "POST",
        url: "/api/notifications/send-credentials",
        body: { userId: other, channels: ["email"] },
      },
      staff,
    ),
  ];
  expect(replies.map((reply) => reply.statusCode)).toEqual(replies.map(() => 403));
  expect(await administrators()).toHaveLength(2);
});

test("an administrator does all of it", async () => {
  const { id } = (await create("admin", admin)).json<{ id: number }>();
  expect((await change(id, "staff", admin)).statusCode).toBe(200);
  expect((await change(id, "admin", admin)).statusCode).toBe(200);
  expect((await remove(id, admin)).statusCode).toBe(200);
});

describe("oneself", () => {
  test("no one deletes their own account or changes their own role", async () => {
    await insertPerson(porchlight.db, { role: "admin", passwordHash: "other" });
    for (const who of [admin, staff]) {
      const role = who === admin ? "admin" : "staff";
      const replies = [await remove(who.userId, who), await change(who.userId, "tenant", who)];
      expect(replies.map((reply) => reply.json<{ message: string }>().message)).toEqual([
        "You cannot delete your own account. Ask another administrator.",
        "You cannot change your own role. Ask another administrator.",
      ]);
      expect(replies.map((reply) => reply.statusCode)).toEqual([409, 409]);
      expect((await change(who.userId, role, who)).statusCode).toBe(200);
    }
  });
});

test("people cannot set their own password with this form, which does not ask for the current one", async () => {
  for (const who of [admin, staff]) {
    const own = { ...body(who === admin ? "admin" : "staff"), password: "four ripe figs!" };
    const reply = await porchlight.call({ method: "PUT", url: `/api/users/${who.userId}`, body: own }, who);
    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ fields: Record<string, string> }>().fields["password"]).toMatch(/on your profile/);
  }
});

describe("the last administrator", () => {
  test("of two administrators who remove or demote each other at the same moment, one stays", async () => {
    for (const both of [remove, (id: number, as: Caller) => change(id, "tenant", as)]) {
      const second = await porchlight.signedIn("admin", { passwordHash: "other" });
      const replies = await atOnce(() => [both(second.userId, admin), both(admin.userId, second)]);
      const codes = replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b);
      expect(codes).toEqual([200, 403]);
      expect(await administrators()).toHaveLength(1);
      admin = (replies[0]?.statusCode === 200 ? admin : second) satisfies Caller;
    }
  });

  test("the last administrator who can sign in is not removed because of one who cannot", async () => {
    // One who was imported and never chose a password, with a session from before.
    const nameless = await porchlight.signedIn("admin", { passwordHash: null });
    const reply = await remove(admin.userId, nameless);
    expect(reply.statusCode).toBe(409);
    expect(reply.json<{ message: string }>().message).toBe(
      "This is the last administrator who can sign in. Make someone else an administrator first.",
    );
    expect((await change(admin.userId, "staff", nameless)).statusCode).toBe(409);
    expect((await remove(nameless.userId, admin)).statusCode).toBe(200);
  });

  test("an import waits its turn: it cannot demote someone who is demoting its sender", async () => {
    const second = await porchlight.signedIn("admin", { username: "second.admin", passwordHash: "other" });
    const row = { username: "second.admin", firstName: "Pat", lastName: "Two", role: "tenant" };
    const replies = await atOnce(() => [
      change(admin.userId, "tenant", second),
      porchlight.call({ method: "POST", url: "/api/csv/import", body: [row] }, admin),
    ]);
    expect(await administrators()).toHaveLength(1);
    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
  });
});

test("a role that was taken away a moment ago decides nothing anymore", async () => {
  // The session still opens; the role is read again for each call.
  await porchlight.db.updateTable("users").set({ role: "tenant" }).where("id", "=", staff.userId).execute();
  expect((await create("tenant", staff)).statusCode).toBe(403);
});
