import { connect, type AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorReply } from "#contract/errors.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
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
const form = "application/x-www-form-urlencoded";

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
    const reply = await send("title=Water", { "content-type": form });
    expect(reply.statusCode).toBe(415);
  });
  test("a huge body", async () => {
    const reply = await send(JSON.stringify({ title: "x".repeat(2_000_000) }), json);
    expect([reply.statusCode, reply.json().code]).toEqual([413, "too-large"]);
  });
  test.each([
    ["nobody", "/api/auth/login", 16],
    ["a tenant", "/api/profile", 64],
  ])("a body that is large for what %s has to say", async (who, url, kilobytes) => {
    const caller = who === "nobody" ? null : await porchlight.signedIn("tenant");
    const method = who === "nobody" ? "POST" : "PUT";
    const call = (size: number) =>
      porchlight.call({ method, url, body: { filling: "[".repeat(size * 1024) } }, caller);
    expect((await call(kilobytes - 1)).statusCode).toBe(400);
    const refused = await call(kilobytes + 1);
    expect([refused.statusCode, refused.json().message]).toEqual([
      413,
      `This request is larger than ${kilobytes} KB, the most this call accepts`,
    ]);
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
      status: "Status must be Draft, Scheduled or Recurring",
    });
  });
  test.each(["0", "-1", "1.5", "abc", "99999999999999999999", "%00", "%ff"])("the id %s", async (id) => {
    const reply = await porchlight.call({ method: "GET", url: `/api/notifications/${id}` }, staff);
    expect([reply.statusCode, reply.json().code]).toEqual([400, "invalid-input"]);
  });
  test("an address that is nothing", async () => {
    const reply = await porchlight.call({ method: "GET", url: "/api/nothing-here" }, staff);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "not-found"]);
  });
});

test.each([
  ["an address that is too long", `GET /api/users?q=${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 413],
  ["what is no HTTP", "hello\r\n\r\n", 400],
])("%s is answered in the form of every refusal", async (_, request, status) => {
  const { port } = porchlight.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(request);
  const [head = "", body = ""] = (await socket.toArray()).join("").split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(errorReply.safeParse(JSON.parse(body)).success).toBe(true);
});

describe("text that no database can hold is the caller's to fix, not a failure of ours", () => {
  const notice = {
    title: "Water",
    message: "Hello",
    recipients: ["All Tenants"],
    channels: ["email"],
  };
  test.each([
    ["half of an emoji in the title", { title: "Water \ud83d" }, "title"],
    ["half of an emoji in the message", { message: "\udca7 Hello" }, "message"],
    ["half of an emoji in a field", { fieldValues: { amount: "\ud83d" } }, "fieldValues.amount"],
    ["half of an emoji in a recipient's name", { recipients: "Luis \ud83d" }, "recipients.0"],
    ["half of an emoji in a template's name", { templateId: "rent\ud83d" }, "templateId"],
    ["half of an emoji in the client key", { clientKey: "\ud83d" }, "clientKey"],
  ])("%s", async (_, part, field) => {
    const body = { ...notice, ...part };
    const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
    expect([reply.statusCode, Object.keys(reply.json().fields ?? {})]).toEqual([400, [field]]);
  });

  test("a null character in a link of a mail", async () => {
    expect((await porchlight.call({ method: "GET", url: "/u/%00" })).statusCode).toBe(404);
    const stop = { method: "POST" as const, url: "/u/a%00b", headers: { "content-type": form } };
    expect((await porchlight.call({ ...stop, body: "channel=email&allowed=false" })).statusCode).toBe(404);
  });

  test("half of an emoji in the template of a preview", async () => {
    const body = { recipients: [], channels: ["email"], templateId: "\ud83d" };
    const reply = await porchlight.call({ method: "POST", url: "/api/audience/preview", body }, staff);
    expect(reply.statusCode).toBe(400);
  });
});

describe("another site's page cannot use a signed-in browser", () => {
  const post = (headers: Record<string, string>) =>
    porchlight.call(
      {
        method: "POST",
        url: "/api/shell/seen",
        headers,
        body: { what: "schedules", until: "2026-01-01T00:00:00Z" },
      },
      staff,
    );

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
  expect(headers["x-frame-options"]).toBe("DENY");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("no answer of a call waits in a cache for the next person at the same computer", async () => {
  const [file] = await porchlight.db
    .with("kept", (db) =>
      db.insertInto("attachment_bytes").values({ sha256: Buffer.from("1"), bytes: Buffer.from("x") }),
    )
    .insertInto("attachments")
    .values({ sha256: Buffer.from("1"), name: "a.pdf", type: "application/pdf", size: 1 })
    .returning("id")
    .execute();
  for (const url of ["/api/auth/me", "/api/notifications", `/api/attachments/${file?.id}`]) {
    const { headers } = await porchlight.call({ method: "GET", url }, staff);
    expect(headers["cache-control"]).toBe("no-store");
  }
});

test("health and readiness answer without a session", async () => {
  expect((await porchlight.call({ method: "GET", url: "/healthz" })).json()).toEqual({ status: "ok" });
  expect((await porchlight.call({ method: "GET", url: "/readyz" })).json()).toEqual({ status: "ready" });
});

describe("a long answer is compressed", () => {
  const get = (url: string, accept: string) =>
    porchlight.app.inject({ url, headers: { cookie: staff.cookie, "accept-encoding": accept } });

  test.each([
    ["br", "br, gzip", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
  ])("by %s", async (encoding, accept, decompress) => {
    const plain = await get("/api/templates", "identity");
    expect(plain.rawPayload.length).toBeGreaterThan(1024);
    const packed = await get("/api/templates", accept);
    expect(packed.headers).toMatchObject({
      "content-encoding": encoding,
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(decompress(packed.rawPayload).toString()).toBe(plain.body);
  });

  test("a short one is not, and nothing compressed is taken", async () => {
    expect((await get("/api/auth/me", "br")).headers["content-encoding"]).toBeUndefined();
    const reply = await send(gzipSync('{"title": "x"}'), { ...json, "content-encoding": "gzip" });
    expect(reply.statusCode).toBe(400);
  });
});
