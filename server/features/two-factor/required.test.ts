import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { writeSettings } from "#server/features/settings/queries.ts";
import { cookiesIn, type Person, type TwoFactorApp, twoFactorApp } from "#server/testing/two-factor.ts";

/** The setting that requires a second factor of administrators. */

let app: TwoFactorApp;
let admin: Person;
beforeAll(async () => {
  app = await twoFactorApp();
});
beforeEach(async () => {
  admin = await app.person("admin");
  await writeSettings(app.porchlight.db, { enableTwoFactor: true }, admin.userId);
});
afterAll(() => app.close());

const me = async (cookie: string) =>
  (await app.call("GET", "/api/auth/me", undefined, cookie)).json<object>();

test("an administrator without one can set it up, and nothing else, by any call", async () => {
  const cookie = cookiesIn(await app.logIn(admin.username));
  expect(await me(cookie)).toMatchObject({ mustSetUpTwoFactor: true });
  const open: string[] = [];
  for (const { method, path, access } of endpoints) {
    if (access === "public") continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "key" ? "siteName" : "999999"));
    const reply = await app.porchlight.call({ method, url, headers: { cookie } });
    if (reply.json<{ code?: string }>().code !== "two-factor-required") open.push(`${method} ${path}`);
  }
  expect(open).toEqual([
    "GET /api/auth/me",
    "GET /api/profile/two-factor",
    "POST /api/profile/confirm-password",
    "POST /api/profile/two-factor/app",
    "POST /api/profile/two-factor/app/confirm",
    "POST /api/profile/two-factor/passkeys/options",
    "POST /api/profile/two-factor/passkeys",
  ]);
});

test("a session that was open when the setting was turned on is no way around, and goes on afterwards", async () => {
  const users = () => app.call("GET", "/api/users", undefined, admin.cookie);
  expect((await users()).json()).toMatchObject({ code: "two-factor-required" });
  await app.turnOnApp(admin);
  expect((await users()).statusCode).toBe(200);
  expect(await me(admin.cookie)).not.toHaveProperty("mustSetUpTwoFactor");
});

test("the last factor stays; with another it can go", async () => {
  await app.turnOnApp(admin);
  const removed = await app.call("DELETE", "/api/profile/two-factor/app", undefined, admin.cookie);
  expect(removed.json()).toMatchObject({
    code: "conflict",
    message: "Administrators need two-factor authentication here. Add another method first.",
  });
  expect((await app.logIn(admin.username)).json()).toMatchObject({ secondFactors: ["app", "recovery"] });
  // A new phone takes the place of the old one.
  const { secret } = await app.turnOnApp(admin);
  expect((await app.secondStep(await app.firstStep(admin.username), app.codeOf(secret))).statusCode).toBe(
    200,
  );
});

test("staff and tenants go on without one", async () => {
  for (const role of ["staff", "tenant"] as const) {
    const person = await app.person(role);
    const cookie = cookiesIn(await app.logIn(person.username));
    expect((await app.call("GET", "/api/profile", undefined, cookie)).statusCode).toBe(200);
  }
});

test("an administrator resets another's after a lost phone: sessions end, and it is set up anew", async () => {
  const other = await app.person("admin", { email: "lost.phone@example.com" });
  await app.turnOnApp(other);
  await app.turnOnApp(admin);
  const url = `/api/users/${other.userId}/two-factor`;
  expect((await app.call("DELETE", url, undefined, (await app.person("staff")).cookie)).statusCode).toBe(403);
  expect((await app.call("DELETE", url, undefined, admin.cookie)).statusCode).toBe(200);
  expect((await app.call("GET", "/api/auth/me", undefined, other.cookie)).statusCode).toBe(401);
  expect((await app.logIn(other.username)).json()).toMatchObject({
    id: other.userId,
    mustSetUpTwoFactor: true,
  });
  const audit = await app.porchlight.db
    .selectFrom("audit")
    .select(["actor_id", "subject_id"])
    .where("action", "=", "two-factor.reset")
    .execute();
  expect(audit).toEqual([{ actor_id: admin.userId, subject_id: other.userId }]);
  const notices = await app.porchlight.db
    .selectFrom("notifications")
    .select("title")
    .where("kind", "=", "notice")
    .orderBy("id", "desc")
    .executeTakeFirst();
  expect(notices?.title).toBe("Two-factor authentication was turned off");
  // Twice is nothing, and one's own is changed on the profile.
  expect((await app.call("DELETE", url, undefined, admin.cookie)).statusCode).toBe(409);
  const own = `/api/users/${admin.userId}/two-factor`;
  expect((await app.call("DELETE", own, undefined, admin.cookie)).statusCode).toBe(409);
});
