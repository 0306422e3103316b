import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { errorReply } from "#contract/errors.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** Whatever a caller sends, it is the caller's to fix: every endpoint answers 4xx, and writes no line about an error. */

let porchlight: TestApp;
let admin: Caller;
beforeAll(async () => {
  porchlight = await testApp({ mostRowsRead: 10_000_000, mostWrites: 10_000_000 });
  admin = await porchlight.signedIn("admin");
  await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => porchlight.close());

const texts = [
  "\u0000",
  "\ud800",
  "x".repeat(3000),
  "9007199254740991",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-14:00",
  "0000-01-01",
  "constructor",
  "{{constructor}}",
];
const values: unknown[] = [
  ...texts,
  1e308,
  null,
  ["\u0000"],
  [{ type: "user", id: Number.MAX_SAFE_INTEGER }],
  { constructor: "x", toString: "x" },
];

/** What makes most bodies valid, so that one hostile value in them gets as far as it can. */
const usual: Record<string, unknown> = {
  title: "Water",
  message: "Hello",
  content: "Hello",
  name: "Water",
  recipients: [{ type: "group", id: 1 }],
  channels: ["email"],
  status: "Draft",
  type: "Email",
  recurrence: "daily",
  time: "09:00",
  scheduled_time: "2036-11-25T09:00:00Z",
  firstName: "Ann",
  lastName: "Lee",
  username: "ann.lee.the.third",
  email: "ann@example.com",
  role: "tenant",
  channel: "email",
  kind: "sendgrid",
  settings: {},
  from: "2026-11-01",
  to: "2026-11-30",
  until: "2026-11-25T09:00:00Z",
  what: "notifications",
};

const keysOf = (schema: z.core.$ZodType) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

const pick = (keys: readonly string[]) =>
  Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(usual, key) ? [[key, usual[key]]] : [])));

const path = ({ path: pattern }: Endpoint, part = "1") =>
  pattern.replaceAll(/\{\w+\}/g, () => encodeURIComponent(part));

/** Text that can stand in a URL. */
const inUrl = (text: string) => encodeURIComponent(text.toWellFormed());

function* attempts(endpoint: Endpoint): Generator<{ url: string; body?: unknown }> {
  const query = keysOf(endpoint.query);
  const body = keysOf(endpoint.body);
  const sent = body.length > 0 ? { body: pick(body) } : {};
  if (endpoint.path.includes("{")) {
    for (const text of texts) yield { url: path(endpoint, text.toWellFormed()), ...sent };
  }
  for (const key of query) {
    for (const text of texts) yield { url: `${path(endpoint)}?${key}=${inUrl(text)}`, ...sent };
  }
  for (const key of body)
    for (const value of values) yield { url: path(endpoint), body: { ...sent.body, [key]: value } };
  if (body.length > 0) for (const value of values) yield { url: path(endpoint), body: value ?? [null] };
}

const walked = endpoints.filter(({ answer, path: at }) => answer !== "events" && at !== "/api/auth/logout");

test.each(walked.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  async (_, endpoint) => {
    for (const { url, body } of attempts(endpoint)) {
      const before = porchlight.logged.length;
      const reply = await porchlight.app.inject({
        method: endpoint.method,
        url,
        headers: {
          host: "127.0.0.1:3000",
          cookie: admin.cookie,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const errors = porchlight.logged.slice(before).filter(({ level }) => Number(level) >= 50);
      expect({ url, body, status: reply.statusCode, errors }).toEqual({
        url,
        body,
        status: reply.statusCode === 503 ? 503 : expect.toSatisfy((status: number) => status < 500),
        errors: [],
      });
    }
  },
);

const raw = async (head: string) => {
  const { port } = porchlight.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(`${head}\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [first = "", body = ""] = (await socket.toArray()).join("").split("\r\n\r\n");
  return { status: Number(first.split(" ")[1]), body };
};

test.each(
  [
    ...["/api/users/", "/webhooks/", "/u/", "/logo/", "/calendar/", "/t/", "/"].map(
      (at) => `GET ${at}${"x".repeat(600)}`,
    ),
    ...[
      "/logo/%00",
      "/calendar/%00",
      "/webhooks/%00",
      "/u/%00",
      "/t/%00/1",
      "/t/%00/open.gif",
      "/%00",
      "/%ff",
      "/..%2f..%2fx",
    ].map((at) => `GET ${at}`),
    ...["QUERY", "PROPFIND", "TRACE", "PURGE", "M-SEARCH", "HEAD", "OPTIONS", "PATCH", "DELETE"].flatMap(
      (method) => ["/api/users", "/", "/nothing", "/webhooks/x", "/u/x"].map((at) => `${method} ${at}`),
    ),
    "POST /webhooks/x",
    "POST /u/x",
    "GET //",
    "GET /?__proto__[x]=1",
    "GET http://[::bad/ ",
  ].map((line) => [line.slice(0, 40), line] as const),
)("anyone may send %s", async (_, line) => {
  const before = porchlight.logged.length;
  const { status, body } = await raw(`${line.trim()} HTTP/1.1`);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (body.startsWith("{") && status >= 400)
    expect(errorReply.safeParse(JSON.parse(body)).success).toBe(true);
  expect(porchlight.logged.slice(before).filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
