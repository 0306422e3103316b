import { hash, verify } from "@node-rs/argon2";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { insertPerson, removeEveryone, testApp, type TestApp } from "#server/testing/app.ts";
import { MOST_WAITING, passwordFits } from "#server/features/auth/password.ts";
import { setupCode } from "#server/features/auth/setup-code.ts";
import { readSettings, writeSettings } from "#server/features/settings/queries.ts";

let porchlight: TestApp;
beforeAll(async () => {
  porchlight = await testApp();
});
// As on the first start.
beforeEach(async () => {
  const { db, logged } = porchlight;
  await removeEveryone(db);
  await sql`DELETE FROM settings`.execute(db);
  await sql`DELETE FROM audit`.execute(db);
  await sql`DELETE FROM sign_in_throttle`.execute(db);
  logged.length = 0;
});
afterAll(() => porchlight.close());

/** The same database behind another address. */
const elsewhere = (options: Parameters<typeof testApp>[0]) => {
  const { db, url } = porchlight;
  return testApp({ ...options, database: { db, url, close: () => Promise.resolve() } });
};

const ada = {
  firstName: "Ada",
  lastName: "Owner",
  username: "ada.owner",
  email: "ada@example.com",
  password: "brass lantern & 4 moths",
};
const register = (body: object, headers: Record<string, string> = {}) =>
  porchlight.call({ method: "POST", url: "/api/auth/register", body, headers });
const login = (
  username: string,
  password: string,
  { ip = "127.0.0.1", cookie = "", shared = false }: { ip?: string; cookie?: string; shared?: boolean } = {},
) =>
  porchlight.app.inject({
    method: "POST",
    url: "/api/auth/login",
    headers: { host: "127.0.0.1:3000", cookie },
    remoteAddress: ip,
    payload: { username, password, ...(shared && { sharedComputer: true }) },
  });
const cookiesOf = (reply: { headers: Record<string, unknown> }) =>
  [reply.headers["set-cookie"]].flat().map((cookie) => String(cookie).split(";")[0] ?? "");
const cookieOf = (reply: { headers: Record<string, unknown> }) => cookiesOf(reply)[0] ?? "";

describe("the first account", () => {
  test("becomes the administrator, from this computer, and is signed in", async () => {
    expect((await porchlight.call({ method: "GET", url: "/api/auth/state" })).json()).toMatchObject({
      firstRun: true,
      setupCodeNeeded: false,
    });
    const reply = await register(ada);
    expect(reply.json()).toMatchObject({ user: { username: "ada.owner", role: "admin" } });
    const me = await porchlight.call({
      method: "GET",
      url: "/api/auth/me",
      headers: { cookie: cookieOf(reply) },
    });
    // spec 157, 223
    expect(me.json()).toEqual({
      id: expect.any(Number),
      username: "ada.owner",
      firstName: "Ada",
      lastName: "Owner",
      email: "ada@example.com",
      role: "admin",
    });
  });

  test("brings its time zone, which is the organization's from then on", async () => {
    const zone = async () => (await readSettings(porchlight.db)).timezone;
    await register({ ...ada, timeZone: "America/Los_Angeles" });
    expect(await zone()).toBe("America/Los_Angeles");
  });

  test("is made without one that no clock knows, too", async () => {
    expect((await register({ ...ada, timeZone: "Mars/Olympus" })).statusCode).toBe(200);
    expect((await readSettings(porchlight.db)).timezone).toBe("America/New_York");
  });

  test.each([
    ["another name of this host", { host: "porch.example" }],
    ["a proxy in between", { "x-forwarded-for": "203.0.113.9" }],
  ])("needs the setup code with %s", async (_, headers) => {
    const state = await porchlight.call({ method: "GET", url: "/api/auth/state", headers });
    expect(state.json()).toMatchObject({ setupCodeNeeded: true });
    const without = await register(ada, headers);
    expect([without.statusCode, without.json().fields]).toEqual([
      403,
      { setupCode: "Enter the setup code that the server printed when it started" },
    ]);
    expect((await register({ ...ada, setupCode: "WRONG-CODES" }, headers)).statusCode).toBe(403);
    const code = (await setupCode(porchlight.db)) ?? "";
    const withCode = await register({ ...ada, setupCode: ` ${code.toLowerCase()} ` }, headers);
    expect(withCode.statusCode).toBe(200);
    expect(await setupCode(porchlight.db)).toBeNull();
  });

  // A proxy that says nothing of itself (nginx does not, unless told) makes the whole world look like this computer.
  test.each([
    ["a public address", { publicUrl: "https://porch.example" }],
    ["trusted proxies", { trustProxy: 1 }],
  ])("needs the setup code with %s, wherever the call comes from", async (_, options) => {
    const proxied = await elsewhere(options);
    const state = await proxied.call({ method: "GET", url: "/api/auth/state" });
    expect(state.json()).toMatchObject({ setupCodeNeeded: true });
    const reply = await proxied.call({ method: "POST", url: "/api/auth/register", body: ada });
    await proxied.close();
    expect([reply.statusCode, reply.json().code]).toEqual([403, "setup-code"]);
  });

  test("is one, even when two people register at the same moment", async () => {
    const replies = await Promise.all([
      register(ada),
      register({ ...ada, username: "eve.early", email: "eve@example.com" }),
    ]);
    // At the same moment, or just after it.
    expect(replies.map((reply) => reply.statusCode).sort((a, b) => a - b)).toEqual([
      200,
      expect.toBeOneOf([403, 409]),
    ]);
    const admins = await porchlight.db.selectFrom("users").select("id").where("role", "=", "admin").execute();
    expect(admins).toHaveLength(1);
  });
});

describe("registration after the first account", () => {
  beforeEach(() => register(ada));
  const tom = {
    ...ada,
    firstName: "Tom",
    lastName: "Tenant",
    username: "tom.tenant",
    email: "tom@example.com",
  };

  test("is closed, and says who to ask", async () => {
    const reply = await register(tom);
    expect([reply.statusCode, reply.json().code]).toEqual([403, "registration-closed"]);
    expect(reply.json().message).toContain("Ask your property manager");
  });

  // spec 71
  test("open, it makes a tenant and never touches an existing person", async () => {
    const admin = await porchlight.db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
    await writeSettings(porchlight.db, { registration: "open" }, admin.id);
    const fresh = await register(tom);
    const knownAddress = await register({ ...tom, username: "someone.else", email: "ADA@example.com" });
    expect((await login("someone.else", tom.password)).statusCode).toBe(200);
    expect(fresh.json()).toEqual(knownAddress.json());
    for (const email of ["new@example.com", ada.email]) {
      const knownName = await register({ ...tom, username: "Ada.Owner", email });
      expect([knownName.statusCode, knownName.json().fields]).toEqual([
        409,
        { username: "This username is taken" },
      ]);
    }
    expect(fresh.headers["set-cookie"]).toBeUndefined();
    const people = await porchlight.db.selectFrom("users").selectAll().orderBy("id").execute();
    expect(people.map((p) => [p.username, p.role])).toEqual([
      ["ada.owner", "admin"],
      ["tom.tenant", "tenant"],
      ["someone.else", "tenant"],
    ]);
    expect(people[0]).toEqual(admin);
  });

  test("open, it promises a link only if email goes out, to new and known addresses alike", async () => {
    const { db } = porchlight;
    const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    const said = async (username: string, enableEmail = true) => {
      await writeSettings(db, { registration: "open", enableEmail }, id);
      const form = { ...tom, username, email: `${username}@example.com` };
      const [fresh, known] = [await register(form), await register({ ...form, username: `${username}.2` })];
      const signedIn = await login(username, tom.password);
      const cookie = String([signedIn.headers["set-cookie"]].flat()[0]).split(";")[0];
      const again = await porchlight.app.inject({
        method: "POST",
        url: "/api/auth/confirmation",
        headers: { host: "127.0.0.1:3000", cookie },
      });
      expect(known.json()).toEqual(fresh.json());
      return [fresh.json().message, again.json().message];
    };
    const askStaff = [
      "Thank you, you can sign in now. Ask your property manager to confirm your address.",
      "We can't email you a link. Ask your property manager to confirm your address.",
    ];
    expect(await said("tom")).toEqual(askStaff);
    const account = await sql<{ id: number }>`INSERT INTO accounts (channel, kind, name, source)
      VALUES ('email', 'smtp', 'Mail', 'console') RETURNING id`.execute(db);
    onTestFinished(async () => {
      await sql`DELETE FROM accounts WHERE id = ${account.rows[0]!.id}`.execute(db);
    });
    expect(await said("tim")).toEqual([
      "Thank you, you can sign in now. We've emailed you a link to confirm your address.",
      "A link is on its way to tim@example.com.",
    ]);
    expect(await said("tam", false)).toEqual(askStaff);
  });
});

describe("a residents' meeting on one line", () => {
  const tom = { ...ada, firstName: "Tom", lastName: "Tenant" };

  test("registers even if the person is already known and a password is refused several times", async () => {
    await register(ada);
    const { id } = await porchlight.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    await writeSettings(porchlight.db, { registration: "open" }, id);
    for (let n = 0; n < 8; n++) {
      const mine = { ...tom, username: `tom.${n}`, email: n % 2 === 0 ? ada.email : `tom.${n}@example.com` };
      expect((await register({ ...mine, password: "password!1" })).statusCode).toBe(400);
      expect((await register(mine)).statusCode).toBe(200);
    }
  });
});

test("a caller without the setup code has five attempts, however good the passwords are", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) {
    const reply = await porchlight.app.inject({
      method: "POST",
      url: "/api/auth/register",
      headers: { host: "127.0.0.1:3000" },
      remoteAddress: "203.0.113.5",
      payload: ada,
    });
    statuses.push(reply.statusCode);
  }
  expect(statuses.slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
  expect(statuses).toContain(429);
});

describe("a new password", () => {
  test.each([
    // spec 494
    ["sev en!", "Password must be at least 8 characters"],
    // spec 497
    ["longenough1", "Password must contain at least one special character, for example ! or -"],
    ["password!1", "This password is on the list of commonly used ones. Choose another."],
    ["ada.owner!1", "A password can't be your own name"],
    ["!!!!!!!!!!!!", "A password can't be one character repeated"],
    ["🏠🏠🏠🏠🏠🏠🏠🏠", "A password can't be one character repeated"],
  ])("%s is refused", async (password, sentence) => {
    const reply = await register({ ...ada, password });
    expect([reply.statusCode, reply.json().fields.password]).toEqual([400, sentence]);
  });

  test("that is too short is refused with the length that the policy asks for", async () => {
    const longer = { key: "passwordMinLength", value: "12", data_type: "number" };
    await porchlight.db.insertInto("settings").values(longer).execute();
    const reply = await register({ ...ada, password: "sev en!" });
    expect(reply.json().fields).toEqual({ password: "Password must be at least 12 characters" });
  });

  test.each([
    "aaaaaaa!",
    "aaaa1111!",
    "abababab!",
    "xyzxyzxyz1!",
    "abcdefg1!",
    "98765432!x",
    "qwertyu1!",
    "5unsh1ne!",
  ])("that is a pattern, %s, is refused", async (password) => {
    const reply = await register({ ...ada, password });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields.password).toMatch(/simple pattern|commonly used/);
  });
});

test("more sign-ins than can be checked soon are told to come back, and the others are checked", async () => {
  const refused: unknown[] = [];
  const checked = Array.from({ length: MOST_WAITING + 20 }, () =>
    passwordFits(null, "no such password").catch((error: unknown) => void refused.push(error)),
  );
  await until(() => expect(refused).toHaveLength(16));
  expect(refused[0]).toMatchObject({ code: "unavailable", retryAfter: 5 });
  expect(await checked[0]).toBe(false);
});

describe("sign-in", () => {
  beforeEach(() => register(ada));

  // spec 227, 228
  test("sets a hardened cookie whose token is not stored, and signs out for good", async () => {
    const reply = await login("Ada.Owner", ada.password);
    expect(reply.json()).toMatchObject({ firstName: "Ada" });
    expect(String(reply.headers["set-cookie"])).toMatch(/HttpOnly; SameSite=Lax/);
    const cookie = cookieOf(reply);
    const stored = await porchlight.db.selectFrom("sessions").select("token_hash").execute();
    expect(stored.some((row) => cookie.includes(row.token_hash.toString("base64url")))).toBe(false);
    await porchlight.call({ method: "POST", url: "/api/auth/logout", headers: { cookie } });
    expect(
      (await porchlight.call({ method: "GET", url: "/api/auth/me", headers: { cookie } })).statusCode,
    ).toBe(401);
  });

  test("over https the cookie is Secure and bound to the host", async () => {
    await removeEveryone(porchlight.db);
    const secure = await elsewhere({ publicUrl: "https://porch.example" });
    const reply = await secure.call({
      method: "POST",
      url: "/api/auth/register",
      body: { ...ada, setupCode: await setupCode(secure.db) },
    });
    expect(String(reply.headers["set-cookie"])).toMatch(
      /^__Host-porchlight=.*; Path=\/; HttpOnly; Secure; SameSite=Lax/,
    );
    await secure.close();
  });

  test("answers the same for a wrong password, an unknown person and one without a way in", async () => {
    await insertPerson(porchlight.db, { username: "no.way.in" });
    const replies = [
      await login("ada.owner", "not the password"),
      await login("nobody.here", "not the password"),
      await login("no.way.in", "not the password"),
    ];
    for (const reply of replies) {
      expect([reply.statusCode, reply.json()]).toEqual([
        401,
        { code: "wrong-credentials", message: "Invalid credentials" },
      ]);
    }
  });

  test("slows down a guesser, even one who tries all at once, and no one else", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => login("ada.owner", `guess number ${n}`, { ip: "203.0.113.5" })),
    );
    const refused = guesses.filter((reply) => reply.statusCode === 429);
    expect(refused.length).toBeGreaterThanOrEqual(6);
    expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
    // However long that took: the wait has not passed.
    await sql`UPDATE sign_in_throttle SET blocked_until = now() + interval '1 minute'
      WHERE failures >= 5 AND key LIKE 'account:%'`.execute(porchlight.db);
    const right = await login("ada.owner", ada.password, { ip: "203.0.113.5" });
    expect(right.statusCode).toBe(429);
    expect((await login("ada.owner", ada.password, { ip: "198.51.100.7" })).statusCode).toBe(200);
  });

  test("a known browser signs in despite a neighbor's guesses from the same address", async () => {
    const [mine, shared] = [
      await login("ada.owner", ada.password),
      await login("ada.owner", ada.password, { shared: true }),
    ];
    const browser = cookiesOf(mine).find((cookie) => cookie.startsWith("porchlight-browser=")) ?? "";
    expect(cookiesOf(shared).join()).not.toContain("porchlight-browser");
    for (let n = 0; n < 60; n++) await login(`neighbour.${n}`, "not the password");
    // However long that took.
    await sql`UPDATE sign_in_throttle SET blocked_until = now() + interval '1 minute' WHERE key LIKE 'address:%'`.execute(
      porchlight.db,
    );
    expect((await login("ada.owner", ada.password)).statusCode).toBe(429);
    expect((await login("ada.owner", ada.password, { cookie: browser })).statusCode).toBe(200);
    // Known for its own people alone.
    await insertPerson(porchlight.db, { username: "no.way.in" });
    expect((await login("no.way.in", "not the password", { cookie: browser })).statusCode).toBe(429);
  });

  test("leaves a trace in audit and log, whatever becomes of it, and never what was typed", async () => {
    const cookie = cookieOf(await login("ada.owner", ada.password));
    await login("Ada.Owner", "secret of mine");
    await login("secret of mine", "secret of mine");
    const before = porchlight.logged.length;
    for (let n = 0; n < 8; n++) await login("ada.owner", "secret of mine", { ip: "203.0.113.5" });
    expect(porchlight.logged.slice(before)).toContainEqual(
      expect.objectContaining({ security: "call.refuse", code: "too-many-requests", ip: "203.0.113.5" }),
    );
    await porchlight.call({ method: "POST", url: "/api/auth/logout", headers: { cookie } });
    const { rows } = await sql<{ action: string; actor_id: number | null; subject_id: number | null }>`
      SELECT action, actor_id, subject_id, detail FROM audit WHERE action <> 'user.register' ORDER BY id`.execute(
      porchlight.db,
    );
    const id = expect.any(Number);
    expect(rows).toMatchObject([
      { action: "session.start", actor_id: id },
      { action: "session.start", actor_id: id },
      { action: "session.fail", actor_id: null, subject_id: id },
      { action: "session.fail", actor_id: null, subject_id: null },
      ...Array.from({ length: rows.length - 6 }, () => ({ action: "session.fail" })),
      // Once a minute, however often it was refused.
      { action: "call.refuse", detail: { code: "too-many-requests", call: "POST /api/auth/login" } },
      { action: "session.end", actor_id: id },
    ]);
    const actions = porchlight.logged.map(({ security }) => security);
    expect(new Set(actions)).toEqual(
      new Set(["session.start", "session.fail", "call.refuse", "session.end"]),
    );
    expect(JSON.stringify([rows, porchlight.logged])).not.toContain("secret of mine");
  });

  // spec 496
  test("a session ends when it was idle for as long as the setting says, or is a week old", async () => {
    const cookie = cookieOf(await login("ada.owner", ada.password));
    const me = () => porchlight.call({ method: "GET", url: "/api/auth/me", headers: { cookie } });
    const age = (column: "last_seen_at" | "created_at", minutes: number) =>
      porchlight.db
        .updateTable("sessions")
        .set({ [column]: new Date(Date.now() - minutes * 60_000) })
        .execute();
    await age("last_seen_at", 29);
    expect((await me()).statusCode).toBe(200);
    await age("last_seen_at", 31);
    expect((await me()).statusCode).toBe(401);
    const { id } = await porchlight.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    await writeSettings(porchlight.db, { sessionTimeout: 60 }, id);
    expect((await me()).statusCode).toBe(200);
    await age("created_at", 7 * 24 * 60 + 1);
    expect((await me()).statusCode).toBe(401);
  });

  test("a token from before sign-in is not carried over", async () => {
    const before = cookieOf(await login("ada.owner", ada.password));
    const reply = await porchlight.call({
      method: "POST",
      url: "/api/auth/login",
      body: { username: "ada.owner", password: ada.password },
      headers: { cookie: before },
    });
    expect(cookieOf(reply)).not.toBe(before);
    expect(
      (await porchlight.call({ method: "GET", url: "/api/auth/me", headers: { cookie: before } })).statusCode,
    ).toBe(401);
  });
});

test("a password hashed before it was normalized still opens, and its hash is renewed at that sign-in", async () => {
  const typed = "brass lante\u0301rn & 4 moths";
  const username = "old.hash";
  await insertPerson(porchlight.db, {
    username,
    passwordHash: await hash(typed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  });
  const stored = async () =>
    (
      await porchlight.db
        .selectFrom("users")
        .select("password_hash")
        .where("username", "=", username)
        .executeTakeFirstOrThrow()
    ).password_hash;
  const before = await stored();
  expect((await login(username, typed)).statusCode).toBe(200);
  const renewed = await stored();
  expect(renewed).not.toBe(before);
  expect(await verify(renewed ?? "", typed.normalize("NFKC"))).toBe(true);
  // From a keyboard that writes it as one character, and without another renewal.
  expect((await login(username, typed.normalize("NFC"))).statusCode).toBe(200);
  expect(await stored()).toBe(renewed);
});
