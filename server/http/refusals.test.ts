import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const send = (payload: string | Buffer, headers: Record<string, string>) =>
  porchlight.app.inject({
    method: "POST",
    url: "/api/notifications",
    headers: { cookie: staff.cookie, host: "127.0.0.1:3000", ...headers },
    payload,
  });
const json = { "content-type": "application/json" };

describe("bad requests get a clear error", () => {
  test("malformed JSON", async () => {
    const reply = await send('{"title": "Water', json);
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { code: "malformed-json", message: "The body is not valid JSON" },
    ]);
  });
  test("a body that is not JSON", async () => {
    const reply = await send("title=Water", { "content-type": "text/plain" });
    expect([reply.statusCode, reply.json().code]).toEqual([415, "wrong-content-type"]);
  });
  test("a form, as another site's page could post it", async () => {
    const reply = await send("title=Water", { "content-type": "application/x-www-form-urlencoded" });
    expect(reply.statusCode).toBe(415);
  });
  test("a huge body", async () => {
    const reply = await send(JSON.stringify({ title: "x".repeat(2_000_000) }), json);
    expect([reply.statusCode, reply.json().code]).toEqual([413, "too-large"]);
  });
  test("a poisoned prototype", async () => {
    const reply = await send('{"__proto__": {"admin": true}, "title": "x"}', json);
    expect(reply.statusCode).toBe(400);
  });
  test("an empty body answers every missing field with its sentence", async () => {
    const reply = await send("{}", json);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields).toMatchObject({
      title: "Title is required",
      recipients: "Recipients are required",
      channels: "At least one channel is required",
      status: "Status is Draft, Scheduled or Recurring",
    });
  });
  test.each(["0", "-1", "1.5", "abc", "99999999999999999999", "%00"])("the id %s", async (id) => {
    const reply = await porchlight.call({ method: "GET", url: `/api/notifications/${id}` }, staff);
    expect([reply.statusCode, reply.json().code]).toEqual([400, "invalid-input"]);
  });
  test("an address that is nothing", async () => {
    const reply = await porchlight.call({ method: "GET", url: "/api/nothing-here" }, staff);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "not-found"]);
  });
});

describe("another site's page cannot use a signed-in browser", () => {
  const post = (headers: Record<string, string>) =>
    porchlight.call({ method: "POST", url: "/api/shell/seen", headers }, staff);

  test.each<[Record<string, string>]>([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
  ])("%o is refused", async (headers) => {
    const reply = await post(headers);
    expect([reply.statusCode, reply.json().code]).toEqual([403, "cross-site"]);
  });
  test.each<[Record<string, string>]>([
    [{ "sec-fetch-site": "same-origin" }],
    [{ origin: "http://127.0.0.1:3000" }],
    [{}],
  ])("%o may", async (headers) => {
    expect((await post(headers)).statusCode).toBe(200);
  });
});

test("every answer carries the headers that confine a page", async () => {
  const { headers } = await porchlight.call({ method: "GET", url: "/healthz" });
  expect(headers["content-security-policy"]).toContain("script-src 'self'");
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("health and readiness answer without a session", async () => {
  expect((await porchlight.call({ method: "GET", url: "/healthz" })).json()).toEqual({ status: "ok" });
  expect((await porchlight.call({ method: "GET", url: "/readyz" })).json()).toEqual({ status: "ready" });
});
