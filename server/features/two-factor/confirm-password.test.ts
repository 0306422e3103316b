import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { password, type Person, type TwoFactorApp, twoFactorApp } from "#server/testing/two-factor.ts";

/** What asks for the password again, ten minutes after it was last entered. */

let app: TwoFactorApp;
let admin: Person;
beforeAll(async () => {
  app = await twoFactorApp();
});
beforeEach(async () => {
  admin = await app.person("admin");
});
afterAll(() => app.close());

const leave = (minutes: number) =>
  sql`UPDATE sessions SET confirmed_at = now() - make_interval(mins => ${minutes}) WHERE user_id = ${admin.userId}`.execute(
    app.porchlight.db,
  );
const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object) =>
  app.call(method, url, body, admin.cookie);
const confirm = (currentPassword: string) =>
  call("POST", "/api/profile/confirm-password", { currentPassword });

test("these calls ask before they read their input, and the password lets them go on for ten minutes", async () => {
  await leave(11);
  const asking: string[] = [];
  for (const { method, path, access, answer } of endpoints) {
    if (access === "public" || answer === "events") continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "key" ? "siteName" : "999999"));
    const reply = await app.porchlight.call({ method, url, headers: { cookie: admin.cookie } });
    if (reply.statusCode === 403 && reply.json().code === "password-required")
      asking.push(`${method} ${path}`);
  }
  expect(asking.toSorted()).toEqual([
    "DELETE /api/integrations/{id}",
    "DELETE /api/profile/two-factor/app",
    "DELETE /api/profile/two-factor/passkeys/{id}",
    "DELETE /api/users/{id}/two-factor",
    "GET /api/integrations/{id}/webhook",
    "POST /api/integrations",
    "POST /api/integrations/check",
    "POST /api/integrations/{id}/check",
    "POST /api/profile/two-factor/app",
    "POST /api/profile/two-factor/app/confirm",
    "POST /api/profile/two-factor/passkeys",
    "POST /api/profile/two-factor/passkeys/options",
    "POST /api/profile/two-factor/recovery-codes",
  ]);
  const begin = () => call("POST", "/api/profile/two-factor/app");
  expect((await confirm(password)).statusCode).toBe(200);
  expect((await begin()).statusCode).toBe(200);
  await leave(9);
  expect((await begin()).statusCode).toBe(200);
  await leave(10);
  expect((await begin()).json()).toEqual({
    code: "password-required",
    message: "Enter your password to continue",
  });
});

test("so do deleting and renaming a colleague, and discarding what was sent", async () => {
  const colleague = await app.person("staff");
  const tenant = await app.person("tenant");
  await leave(11);
  const code = async (reply: ReturnType<typeof call>) =>
    (await reply).json<{ code?: string }>().code ?? "done";
  const rename = async ({ userId }: Person) => {
    const before = (await call("GET", `/api/users/${userId}`)).json<object>();
    return code(call("PUT", `/api/users/${userId}`, { ...before, updatedAt: undefined, lastName: "Other" }));
  };
  expect(await rename(colleague)).toBe("password-required");
  expect(await code(call("DELETE", `/api/users/${colleague.userId}`))).toBe("password-required");
  expect(await code(call("PUT", "/api/settings", { deliveryMonths: 60 }))).toBe("password-required");
  expect(await rename(tenant)).toBe("done");
  expect(await code(call("DELETE", `/api/users/${tenant.userId}`))).toBe("done");
  expect((await confirm(password)).statusCode).toBe(200);
  expect(await rename(colleague)).toBe("done");
  expect(await code(call("DELETE", `/api/users/${colleague.userId}`))).toBe("done");
});

test("a wrong password confirms nothing, is counted, and the right one has to wait then", async () => {
  await leave(11);
  const wrong = await confirm("four ripe figs!");
  expect([wrong.statusCode, wrong.json().fields]).toEqual([
    400,
    { currentPassword: "This is not your current password" },
  ]);
  expect((await call("POST", "/api/profile/two-factor/app")).statusCode).toBe(403);
  for (let n = 0; n < 4; n++) await confirm("four ripe figs!");
  const failures = await sql`SELECT FROM audit WHERE action = 'session.confirm-fail'
    AND actor_id = ${admin.userId}`.execute(app.porchlight.db);
  expect(failures.rows).toHaveLength(5);
  expect((await confirm(password)).statusCode).toBe(429);
});

test("it holds for one session only", async () => {
  await leave(11);
  const other = await app.logIn(admin.username);
  expect(other.statusCode).toBe(200);
  expect((await call("POST", "/api/profile/two-factor/app")).statusCode).toBe(403);
});

describe("of a change that could take over something, only that part asks", () => {
  const asks = async (method: "POST" | "PUT", url: string, body: object) => {
    await leave(11);
    const reply = await call(method, url, body);
    if (reply.statusCode !== 403)
      expect([reply.statusCode, reply.body]).toEqual([expect.toBeOneOf([200, 201]), reply.body]);
    return reply.statusCode === 403 && reply.json<{ code: string }>().code === "password-required";
  };

  test("a person: the address of an account, a password, the role of an administrator", async () => {
    const staff = await app.person("staff", { email: "staff@example.com" });
    const tenant = await app.person("tenant", { email: "tenant@example.com", passwordHash: null });
    const member = await app.person("tenant", { email: "member@example.com" });
    const change = async (id: number, more: object) => {
      const before = (await call("GET", `/api/users/${id}`)).json<object>();
      return asks("PUT", `/api/users/${id}`, { ...before, updatedAt: undefined, ...more });
    };
    expect(await change(staff.userId, { propertyUnit: "Office" })).toBe(false);
    expect(await change(staff.userId, { firstName: "Sam" })).toBe(true);
    expect(await change(member.userId, { firstName: "Sam" })).toBe(false);
    expect(await change(staff.userId, { email: "new@example.com" })).toBe(true);
    expect(await change(member.userId, { email: "new@example.com" })).toBe(true);
    expect(await change(member.userId, { phone: "(415) 555-0123" })).toBe(true);
    expect(await change(tenant.userId, { email: "other@example.com" })).toBe(false);
    // spec 451
    expect(await change(member.userId, { password: "five ripe figs!" })).toBe(true);
    expect(await change(tenant.userId, { role: "admin" })).toBe(true);
    expect(await change(tenant.userId, { role: "staff" })).toBe(true);
    const created = {
      username: "new.person",
      firstName: "New",
      lastName: "Person",
      email: "n@example.com",
      sendCredentials: true,
    };
    const initial = "five ripe figs!";
    // spec 450
    expect(await asks("POST", "/api/users", { ...created, role: "admin" })).toBe(true);
    expect(await asks("POST", "/api/users", { ...created, role: "staff" })).toBe(true);
    expect(await asks("POST", "/api/users", { ...created, role: "tenant", password: initial })).toBe(true);
    expect(await asks("POST", "/api/users", { ...created, role: "tenant" })).toBe(false);
  });

  // spec 243
  test("an import: a changed email, phone or role, and new staff, but no other rows", async () => {
    await app.person("tenant", {
      username: "imported",
      firstName: "Ida",
      lastName: "Moe",
      email: "i@example.com",
    });
    const ida = { username: "imported", firstName: "Ida", lastName: "Moe" };
    const guest = { username: "guest", firstName: "Gus", lastName: "Est" };
    const imports = (...rows: object[]) => asks("POST", "/api/csv/import", rows);
    expect(await imports({ ...ida, email: "i@example.com", propertyUnit: "Elm 4" }, guest)).toBe(false);
    expect(await imports({ ...guest, lastName: "Estes", role: "tenant" })).toBe(false);
    expect(await imports({ ...guest, username: "guest2" }, { ...ida, email: "me@evil.example" })).toBe(true);
    expect(await imports({ ...ida, phone: "(415) 555-0123" })).toBe(true);
    expect(await imports({ ...ida, role: "staff" })).toBe(true);
    expect(await imports({ username: "helper", firstName: "Hal", lastName: "Per", role: "staff" })).toBe(
      true,
    );
    expect(await asks("POST", "/api/csv/import?defaultRole=admin", [{ ...guest, username: "boss" }])).toBe(
      true,
    );
    // Nothing of a file that was refused is in.
    const found = await call("GET", "/api/users?q=guest2");
    expect(found.json()).toEqual([]);
  });

  // spec 468
  test("a provider's account: its settings and whether it is on, not its name or share", async () => {
    const settings = {
      apiKey: "SG.aaaaaaaaaaaaaaaaaaaaaa.bbbb",
      fromEmail: "notices@maple.example",
      fromName: "Maple",
    };
    const made = await call("POST", "/api/integrations", { channel: "email", kind: "sendgrid", settings });
    const url = `/api/integrations/${made.json<{ id: number }>().id}`;
    expect(await asks("PUT", url, { name: "Main", weight: 2 })).toBe(false);
    expect(await asks("PUT", url, { enabled: false })).toBe(true);
    expect(await asks("PUT", url, { settings: { ...settings, apiKey: "" } })).toBe(false);
    expect(
      await asks("PUT", url, { settings: { ...settings, apiKey: "SG.cccccccccccccccccccccc.dddd" } }),
    ).toBe(true);
    expect(
      await asks("PUT", url, { settings: { ...settings, apiKey: "", fromEmail: "me@evil.example" } }),
    ).toBe(true);
  });

  // spec 468
  test("the settings: those about security, the sender and how notices go", async () => {
    expect(await asks("PUT", "/api/settings", { siteName: "Maple Court" })).toBe(false);
    expect(await asks("PUT", "/api/settings", { siteName: "Maple Court", sessionTimeout: 60 })).toBe(true);
    for (const body of [{ siteEmail: "me@evil.example" }, { enableEmail: false }, { enableSms: false }]) {
      expect(await asks("PUT", "/api/settings", body)).toBe(true);
    }
    expect(await asks("POST", "/api/settings", { key: "enableTwoFactor", value: "false" })).toBe(true);
  });
});
