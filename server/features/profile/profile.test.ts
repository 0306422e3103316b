import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Profile } from "#contract/calls/profile.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let tenant: Caller;
let passwordHash: string;
let made = 0;

beforeAll(async () => {
  porchlight = await testApp();
  passwordHash = await hashPassword("three ripe figs!");
});
beforeEach(async () => {
  made += 1;
  tenant = await porchlight.signedIn("tenant", {
    username: `maria${made}`,
    firstName: "Maria",
    lastName: "Lopez",
    phone: "+14155550123",
    propertyUnit: "Maple Court 4B",
    passwordHash,
  });
});
afterAll(() => porchlight.close());

const call = (
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  body?: unknown,
  as: Caller | null = tenant,
) => porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
const read = async (as = tenant) => (await call("GET", "/api/profile", undefined, as)).json<Profile>();
const login = (username: string, password: string, userAgent = "") =>
  porchlight.call({
    method: "POST",
    url: "/api/auth/login",
    body: { username, password },
    headers: { "user-agent": userAgent },
  });
const sessionOf = (reply: Awaited<ReturnType<typeof login>>): Caller => ({
  cookie: String(reply.headers["set-cookie"]).split(";")[0] ?? "",
  userId: tenant.userId,
});

test("everyone reads their own details, and what a new password needs", async () => {
  expect(await read()).toMatchObject({
    id: tenant.userId,
    role: "tenant",
    propertyUnit: "Maple Court 4B",
    receiveEmail: true,
    receivePush: false,
    passwordChangedAt: null,
    passwordHint: expect.stringContaining("At least 8 characters, with at least one special character"),
    consents: [],
  });
});

test("a tenant changes name, address and number, and nothing else that is sent along", async () => {
  const form = { firstName: "Mary", lastName: "Diaz", email: "mary@example.com", phone: "415.555.0199" };
  const more = { role: "admin", username: "boss", propertyUnit: "Penthouse", receiveEmail: false, id: 1 };
  const currentPassword = "three ripe figs!";
  const reply = await call("PUT", "/api/profile", { ...form, ...more, currentPassword });
  expect(reply.json()).toMatchObject({ ...form, phone: "+14155550199" });
  expect(await read()).toMatchObject({
    username: `maria${made}`,
    role: "tenant",
    propertyUnit: "Maple Court 4B",
    receiveEmail: true,
  });
});

test("a form that was filled before someone else changed the person is refused", async () => {
  const { firstName, lastName, email, updatedAt } = await read();
  const form = { firstName, lastName, email, updatedAt };
  expect((await call("PUT", "/api/profile", { ...form, firstName: "First" })).statusCode).toBe(200);
  const stale = await call("PUT", "/api/profile", { ...form, firstName: "Second" });
  expect([stale.statusCode, stale.json<{ code: string }>().code]).toEqual([409, "conflict"]);
  expect((await read()).firstName).toBe("First");
});

test.each([
  ["firstName", "", "First name is required"],
  ["email", "mary@", "Invalid email address"],
  ["phone", "12", "Phone number is too short. It needs its area code."],
])("%s %j is refused", async (field, value, sentence) => {
  const form = { firstName: "Mary", lastName: "Diaz", email: "mary@example.com", phone: "" };
  const reply = await call("PUT", "/api/profile", { ...form, [field]: value });
  expect([reply.statusCode, reply.json<{ fields: object }>().fields]).toEqual([400, { [field]: sentence }]);
});

test("each change of the person's own channels is recorded as their own", async () => {
  const wishes = { receiveEmail: false, receiveSms: true, receivePush: true };
  await call("PUT", "/api/profile/preferences", wishes);
  const again = await call("PUT", "/api/profile/preferences", wishes);
  expect(again.json()).toMatchObject(wishes);
  const { consents } = await read();
  expect(
    consents.map(({ channel, allowed, source, sentence }) => [channel, allowed, source, sentence]),
  ).toEqual([
    ["push", true, "profile", "In their own profile"],
    ["email", false, "profile", "In their own profile"],
  ]);
  // A channel that is left out stays as it is.
  const one = await call("PUT", "/api/profile/preferences", { receiveSms: false });
  expect(one.json()).toMatchObject({ ...wishes, receiveSms: false });
});

describe("the person's own password", () => {
  const change = (fields: Record<string, string> = {}, as = tenant) =>
    call(
      "POST",
      "/api/profile/password",
      {
        currentPassword: "three ripe figs!",
        password: "four ripe figs!",
        confirmPassword: "four ripe figs!",
        ...fields,
      },
      as,
    );

  test("is changed with the current one; every other session ends", async () => {
    const other = sessionOf(await login(`maria${made}`, "three ripe figs!"));
    expect((await call("GET", "/api/auth/me", undefined, other)).statusCode).toBe(200);
    const changed = await change();
    expect(changed.json()).toEqual({ message: "Your password was changed. Every other session has ended." });
    expect((await call("GET", "/api/auth/me", undefined, other)).statusCode).toBe(401);
    expect((await read(sessionOf(changed))).passwordChangedAt).not.toBeNull();
    expect((await login(`maria${made}`, "three ripe figs!")).statusCode).toBe(401);
    expect((await login(`maria${made}`, "four ripe figs!")).statusCode).toBe(200);
  });

  test.each([
    [{ currentPassword: "wrong" }, { currentPassword: "This is not your current password" }],
    [{ currentPassword: "" }, { currentPassword: "Enter your current password" }],
    [{ confirmPassword: "other" }, { confirmPassword: "Passwords do not match" }],
    [
      { password: "longenough1", confirmPassword: "longenough1" },
      { password: "Password must contain at least one special character, for example ! or -" },
    ],
    [
      { password: "short!", confirmPassword: "short!" },
      { password: "Password must be at least 8 characters" },
    ],
  ])("%j is refused and changes nothing", async (fields, sentences) => {
    const reply = await change(fields);
    expect([reply.statusCode, reply.json<{ fields: object }>().fields]).toEqual([400, sentences]);
    expect((await read()).passwordChangedAt).toBeNull();
  });

  test("cannot be guessed through a session that was left open", async () => {
    const codes = [];
    for (let n = 0; n < 8; n++) codes.push((await change({ currentPassword: `guess ${n}` })).statusCode);
    expect(codes.at(0)).toBe(400);
    expect(codes.at(-1)).toBe(429);
    await porchlight.db.deleteFrom("sign_in_throttle").execute();
  });
});

describe("sessions", () => {
  type Session = { id: string; current: boolean; device: string; ip: string | null };
  const list = async (as = tenant) =>
    (await call("GET", "/api/profile/sessions", undefined, as)).json<Session[]>();
  const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

  test("are listed with their device, the current one first and marked; the id opens nothing", async () => {
    const other = sessionOf(await login(`maria${made}`, "three ripe figs!", firefox));
    const sessions = await list();
    expect(sessions).toMatchObject([
      { current: true, device: "Unknown device", ip: "127.0.0.1" },
      { current: false, device: "Firefox on Windows" },
    ]);
    for (const { id } of sessions) {
      const forged = { cookie: `porchlight=${id}`, userId: 0 };
      expect((await call("GET", "/api/auth/me", undefined, forged)).statusCode).toBe(401);
      const { token_hash: hash } = await porchlight.db
        .selectFrom("sessions")
        .select("token_hash")
        .where("user_id", "=", tenant.userId)
        .executeTakeFirstOrThrow();
      expect(hash.toString("hex")).not.toContain(id);
    }
    expect((await list(other))[0]).toMatchObject({ current: true, device: "Firefox on Windows" });
  });

  test("one can be ended by its id, once, and only the person's own", async () => {
    const other = sessionOf(await login(`maria${made}`, "three ripe figs!"));
    const stranger = await porchlight.signedIn("tenant");
    const id = (await list()).find(({ current }) => !current)?.id;
    expect((await call("DELETE", `/api/profile/sessions/${id}`, undefined, stranger)).json()).toEqual({
      ended: 0,
    });
    expect((await call("DELETE", `/api/profile/sessions/${id}`)).json()).toEqual({ ended: 1 });
    expect((await call("DELETE", `/api/profile/sessions/${id}`)).json()).toEqual({ ended: 0 });
    expect((await call("GET", "/api/auth/me", undefined, other)).statusCode).toBe(401);
    expect((await call("GET", "/api/auth/me")).statusCode).toBe(200);
  });

  test("all others end together", async () => {
    await login(`maria${made}`, "three ripe figs!");
    await login(`maria${made}`, "three ripe figs!");
    expect((await call("DELETE", "/api/profile/sessions/a%00")).statusCode).toBe(400);
    expect((await call("DELETE", "/api/profile/sessions/others")).json()).toEqual({ ended: 2 });
    expect(await list()).toMatchObject([{ current: true }]);
  });

  test("one that has timed out is none", async () => {
    await login(`maria${made}`, "three ripe figs!");
    await porchlight.db
      .updateTable("sessions")
      .set({ last_seen_at: new Date(Date.now() - 31 * 60_000) })
      .where("user_id", "=", tenant.userId)
      .where("user_agent", "is distinct from", "test")
      .execute();
    expect(await list()).toHaveLength(1);
  });
});

test("who is removed meanwhile is signed out", async () => {
  const admin = await porchlight.signedIn("admin");
  await call("DELETE", `/api/users/${tenant.userId}`, undefined, admin);
  expect((await call("GET", "/api/profile")).statusCode).toBe(401);
});
