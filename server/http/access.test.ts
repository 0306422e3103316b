import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import type { Access, Endpoint } from "#contract/endpoint.ts";
import { permissions } from "#contract/permissions.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** Every endpoint with no one, tenant, staff and administrator: the access beside each path is what holds. */

type Who = "nobody" | "tenant" | "staff" | "admin";

const allowed: Record<Access, readonly Who[]> = {
  public: ["nobody", "tenant", "staff", "admin"],
  "signed-in": ["tenant", "staff", "admin"],
  console: ["staff", "admin"],
  "messages:read": ["staff", "admin"],
  "messages:send": ["staff", "admin"],
  "templates:write": ["staff", "admin"],
  "people:read": ["staff", "admin"],
  "people:write": ["staff", "admin"],
  "people:export": ["staff", "admin"],
  "accounts:write": ["admin"],
  "integrations:read": ["staff", "admin"],
  "integrations:write": ["admin"],
  "settings:read": ["staff", "admin"],
  "settings:write": ["admin"],
  "audit:read": ["admin"],
};

let porchlight: TestApp;
const callers: Record<Who, Caller | null> = { nobody: null, tenant: null, staff: null, admin: null };

beforeAll(async () => {
  porchlight = await testApp();
  callers.tenant = await porchlight.signedIn("tenant");
  callers.staff = await porchlight.signedIn("staff");
  callers.admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const walk = endpoints.filter(({ answer, path }) => answer !== "events" && path !== "/api/auth/logout");

/** An id that nothing has and no body: refused for what it is, never carried out. */
const attempt = (endpoint: Endpoint, who: Who) =>
  porchlight.call(
    {
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "key" ? "siteName" : "999999")),
    },
    callers[who],
  );

// spec 214
describe.each(walk.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_, endpoint) => {
    test.each(["nobody", "tenant", "staff", "admin"] as const)("%s", async (who) => {
      const { statusCode } = await attempt(endpoint, who);
      if (allowed[endpoint.access].includes(who)) {
        expect(statusCode).not.toBe(403);
        if (endpoint.path !== "/api/auth/login") expect(statusCode).not.toBe(401);
        expect(statusCode).toBeLessThan(500);
      } else {
        expect(statusCode).toBe(who === "nobody" ? 401 : 403);
      }
    });
  },
);

test("every permission stands beside a call", () => {
  const named = new Set(endpoints.map(({ access }) => access));
  expect(Object.keys(permissions).filter((permission) => !named.has(permission as Access))).toEqual([]);
});

test("a caller without permission learns nothing about the input", async () => {
  const reply = await porchlight.call(
    { method: "POST", url: "/api/notifications", body: { title: 7 } },
    callers.tenant,
  );
  expect(reply.json()).toMatchObject({ code: "forbidden" });
  expect(reply.json()).not.toHaveProperty("fields");
});

test("the event stream is closed to no one and tenants", async () => {
  for (const [who, status] of [
    ["nobody", 401],
    ["tenant", 403],
  ] as const) {
    const reply = await porchlight.call({ method: "GET", url: "/api/events" }, callers[who]);
    expect(reply.statusCode).toBe(status);
  }
});

test("what failed and who wrote back is closed to tenants", async () => {
  const body = { what: "notifications", until: "2026-11-25T09:00:00Z" };
  const seen = (who: Who) => porchlight.call({ method: "POST", url: "/api/shell/seen", body }, callers[who]);
  expect([(await seen("tenant")).statusCode, (await seen("staff")).statusCode]).toEqual([403, 200]);
});

test("a session of a removed person opens nothing", async () => {
  const gone = await porchlight.signedIn("admin");
  await porchlight.db
    .updateTable("users")
    .set({ deleted_at: new Date() })
    .where("id", "=", gone.userId)
    .execute();
  expect((await porchlight.call({ method: "GET", url: "/api/auth/me" }, gone)).statusCode).toBe(401);
});

test("paths are lower case with hyphens, and no call appears twice", () => {
  const written = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  expect(new Set(written).size).toBe(written.length);
  for (const { path } of endpoints) {
    expect(path.replaceAll(/\{\w+\}/g, "")).toMatch(/^\/api\/[a-z0-9/.-]*$/);
  }
});

test("a page of someone other than the signed-in person is refused, and changes nothing", async () => {
  const body = { title: "Kept", message: "Hi", recipients: [{ type: "group", id: 1 }], channels: ["email"] };
  const named = (userId: number | undefined) =>
    porchlight.call(
      {
        method: "POST",
        url: "/api/send-notification",
        body,
        headers: { "x-porchlight-user": String(userId) },
      },
      callers.staff,
    );
  const refused = await named(callers.admin?.userId);
  expect(refused.statusCode).toBe(401);
  expect(refused.json()).toMatchObject({ code: "signed-out" });
  expect(await porchlight.db.selectFrom("notifications").select("id").execute()).toEqual([]);
  expect((await named(callers.staff?.userId)).statusCode).not.toBe(401);
});
