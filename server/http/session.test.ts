import { afterAll, beforeAll, expect, test } from "vitest";
import { hashPassword } from "#server/features/auth/password.ts";
import { startSession } from "#server/http/session.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let address: string;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  address = await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => porchlight.close());

/** Minutes since the session was last used, after `request` found it unused for 20. */
async function idleAfter(request: () => Promise<unknown>): Promise<number> {
  const lastSeen = new Date(Date.now() - 20 * 60_000);
  await porchlight.db.updateTable("sessions").set({ last_seen_at: lastSeen }).execute();
  await request();
  const row = await porchlight.db.selectFrom("sessions").select("last_seen_at").executeTakeFirstOrThrow();
  return Math.round((Date.now() - row.last_seen_at.getTime()) / 60_000);
}

const list = (headers: Record<string, string> = {}) =>
  porchlight.call({ method: "GET", url: "/api/notifications", headers }, staff);

test("what someone asks keeps a session alive; what a page asks that no one is at does not", async () => {
  expect(await idleAfter(() => list())).toBe(0);
  expect(await idleAfter(() => list({ "x-porchlight-unattended": "1" }))).toBe(20);
});

test("nor does the stream of news, which browsers open again by themselves", async () => {
  const idle = await idleAfter(async () => {
    const abort = new AbortController();
    await fetch(`${address}/api/events`, { headers: { cookie: staff.cookie }, signal: abort.signal });
    abort.abort();
  });
  expect(idle).toBe(20);
});

test("a browser that was signed out from elsewhere learns it; one that signed out itself does not", async () => {
  const porchlight = await testApp();
  const here = await porchlight.signedIn("staff");
  const elsewhere = async () => {
    const token = await startSession(porchlight.db, { userId: here.userId, ip: "127.0.0.1", userAgent: "x" });
    return { cookie: `porchlight=${token}`, userId: here.userId };
  };
  const me = async (as: typeof here) =>
    (await porchlight.call({ method: "GET", url: "/api/auth/me" }, as)).json<{ code?: string }>().code;
  const [ended, left] = [await elsewhere(), await elsewhere()];
  await porchlight.call({ method: "POST", url: "/api/auth/logout" }, left);
  await porchlight.call({ method: "DELETE", url: "/api/profile/sessions/others" }, here);
  expect([await me(here), await me(ended), await me(left)]).toEqual([
    undefined,
    "session-ended",
    "signed-out",
  ]);
  const listed = await porchlight.call({ method: "GET", url: "/api/profile/sessions" }, here);
  expect(listed.json()).toHaveLength(1);
  await porchlight.close();
});

test("a browser that was closed is told that it was signed out, until someone signs in there", async () => {
  const porchlight = await testApp();
  const passwordHash = await hashPassword("three ripe figs!");
  await porchlight.signedIn("staff", { username: "maria", passwordHash });
  const signIn = async () => {
    const body = { username: "maria", password: "three ripe figs!" };
    const reply = await porchlight.call({ method: "POST", url: "/api/auth/login", body });
    const cookies = [reply.headers["set-cookie"]].flat().map((cookie) => String(cookie).split(";")[0] ?? "");
    const find = (name: string) => cookies.find((cookie) => cookie.startsWith(`${name}=`)) ?? "";
    return { session: find("porchlight"), browser: find("porchlight-browser") };
  };
  const reopened = async (cookie: string) => {
    const reply = await porchlight.call({ method: "GET", url: "/api/auth/me", headers: { cookie } });
    return reply.json<{ code: string }>().code;
  };
  const [closed, own] = [await signIn(), await signIn()];
  expect(await reopened(closed.browser)).toBe("signed-out");
  const cookie = `${own.session}; ${own.browser}`;
  await porchlight.call({ method: "DELETE", url: "/api/profile/sessions/others", headers: { cookie } });
  expect([await reopened(closed.browser), await reopened(own.browser)]).toEqual([
    "session-ended",
    "signed-out",
  ]);
  const body = {
    currentPassword: "three ripe figs!",
    password: "four ripe figs!",
    confirmPassword: "four ripe figs!",
  };
  const changed = await porchlight.call({
    method: "POST",
    url: "/api/profile/password",
    body,
    headers: { cookie },
  });
  expect([changed.statusCode, await reopened(own.browser)]).toEqual([200, "signed-out"]);
  const again = await porchlight.call({
    method: "POST",
    url: "/api/auth/login",
    body: { username: "maria", password: "four ripe figs!" },
    headers: { cookie: closed.browser },
  });
  const renewed = [again.headers["set-cookie"]]
    .flat()
    .map(String)
    .find((one) => one.includes("-browser="));
  expect([await reopened(renewed ?? ""), renewed?.startsWith(closed.browser)]).toEqual(["signed-out", false]);
  await porchlight.close();
});

test("a browser whose session expired is told why", async () => {
  const porchlight = await testApp();
  const here = await porchlight.signedIn("staff");
  const me = async () =>
    (await porchlight.call({ method: "GET", url: "/api/auth/me" }, here)).json<{
      code: string;
      message: string;
    }>();
  await porchlight.db
    .insertInto("settings")
    .values({ key: "sessionTimeout", value: "5", data_type: "number" })
    .execute();
  const age = (minutes: number) => ({ last_seen_at: new Date(Date.now() - minutes * 60_000) });
  await porchlight.db.updateTable("sessions").set(age(4)).execute();
  expect(await me()).toMatchObject({ id: here.userId });
  await porchlight.db.updateTable("sessions").set(age(5)).execute();
  expect(await me()).toEqual({
    code: "session-expired",
    message: "Your session ended because no one used it for 5 minutes. Please sign in.",
  });
  const eightDays = new Date(Date.now() - 8 * 24 * 3_600_000);
  await porchlight.db
    .updateTable("sessions")
    .set({ ...age(0), created_at: eightDays })
    .execute();
  expect((await me()).message).toBe(
    "Your session ended because a session lasts 7 days at most. Please sign in.",
  );
  // No one tells of a person who is gone how their session ended.
  await porchlight.db.updateTable("sessions").set({ created_at: new Date() }).execute();
  await porchlight.db.updateTable("users").set({ deleted_at: new Date() }).execute();
  expect((await me()).code).toBe("signed-out");
  await porchlight.close();
});
