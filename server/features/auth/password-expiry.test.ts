import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { writeSettings } from "#server/features/settings/queries.ts";
import { startSession } from "#server/http/session.ts";
import { cookiesIn, password, type TwoFactorApp, twoFactorApp } from "#server/testing/two-factor.ts";

let app: TwoFactorApp;
beforeAll(async () => {
  app = await twoFactorApp();
});
afterAll(() => app.close());
afterEach(() => app.porchlight.db.deleteFrom("settings").execute());

const expired = {
  code: "password-expired",
  message: "Your password has expired. Choose a new one to continue.",
};
const next = "seven ripe plums!";

/** Someone who set their password so many days ago. */
async function personWithPasswordOf(days: number, role: "admin" | "staff" | "tenant" = "tenant") {
  const person = await app.person(role);
  await sql`UPDATE users SET password_changed_at = now() - make_interval(days => ${days})
    WHERE id = ${person.userId}`.execute(app.porchlight.db);
  return person;
}
const me = async (cookie: string) => (await app.call("GET", "/api/auth/me", undefined, cookie)).json();
const change = (cookie: string, to: string) =>
  app.call(
    "POST",
    "/api/profile/password",
    { currentPassword: password, password: to, confirmPassword: to },
    cookie,
  );

// spec 495
test("after 90 days a sign-in opens nothing but a new password, which opens everything", async () => {
  const maria = await personWithPasswordOf(91, "admin");
  const reply = await app.logIn(maria.username);
  expect(reply.json()).toMatchObject({ id: maria.userId, passwordExpired: true });
  const cookie = cookiesIn(reply);
  expect(await me(cookie)).toMatchObject({ passwordExpired: true });
  const open = [];
  for (const { method, path, access } of endpoints) {
    if (access === "public") continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "key" ? "siteName" : "999999"));
    const answer = await app.porchlight.call({ method, url, headers: { cookie } });
    if (answer.json().code !== "password-expired") open.push(`${method} ${path}`);
  }
  expect(open.toSorted()).toEqual(["GET /api/auth/me", "POST /api/profile/password"]);

  const same = await change(cookie, password);
  expect(same.json().fields).toEqual({ password: "Choose a password other than your current one" });
  const changed = await change(cookie, next);
  expect(changed.statusCode).toBe(200);
  const renewed = cookiesIn(changed);
  expect(await me(renewed)).not.toHaveProperty("passwordExpired");
  expect((await app.call("GET", "/api/settings", undefined, renewed)).statusCode).toBe(200);

  const { rows } = await sql<{ action: string; detail: object }>`
    SELECT action, detail FROM audit WHERE actor_id = ${maria.userId} ORDER BY id`.execute(app.porchlight.db);
  expect(rows).toMatchObject([
    { action: "session.start", detail: { passwordExpired: true } },
    { action: "user.set-password" },
  ]);
});

test("an expiry ends no one's work: only the next sign-in asks", async () => {
  const maria = await personWithPasswordOf(40);
  const cookie = cookiesIn(await app.logIn(maria.username));
  await writeSettings(app.porchlight.db, { passwordExpiry: 30 }, maria.userId);
  expect(await me(cookie)).not.toHaveProperty("passwordExpired");
  expect((await app.logIn(maria.username)).json()).toMatchObject({ passwordExpired: true });
});

test.each([
  ["younger than the setting", 89, 90],
  ["of any age with 0, which means never", 4000, 0],
])("a password %s opens everything", async (_, days, passwordExpiry) => {
  const maria = await personWithPasswordOf(days);
  await writeSettings(app.porchlight.db, { passwordExpiry }, maria.userId);
  expect((await app.logIn(maria.username)).json()).not.toHaveProperty("passwordExpired");
});

test("the second factor comes first, then the new password, then the second factor that is still missing", async () => {
  const maria = await personWithPasswordOf(91);
  const { secret } = await app.turnOnApp(maria);
  const pending = await app.firstStep(maria.username);
  expect((await change(pending, next)).statusCode).toBe(401);
  const reply = await app.secondStep(pending, app.codeOf(secret));
  expect(reply.json()).toMatchObject({ passwordExpired: true });

  await writeSettings(app.porchlight.db, { enableTwoFactor: true }, maria.userId);
  const ada = await personWithPasswordOf(91, "admin");
  const both = cookiesIn(await app.logIn(ada.username));
  expect((await app.call("GET", "/api/settings", undefined, both)).json()).toEqual(expired);
  const renewed = cookiesIn(await change(both, next));
  expect((await app.call("GET", "/api/settings", undefined, renewed)).json().code).toBe(
    "two-factor-required",
  );
});

test("someone who signs in with a passkey alone needs no new password", async () => {
  const { userId } = await personWithPasswordOf(91);
  const token = await startSession(app.porchlight.db, {
    userId,
    ip: "127.0.0.1",
    userAgent: undefined,
    withoutPassword: true,
  });
  expect(await me(`porchlight=${token}`)).not.toHaveProperty("passwordExpired");
});
