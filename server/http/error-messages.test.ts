import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { checkReply } from "#server/http/bind.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** A refusal is read by people: no word of it is a parser's. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Refusal = { code: string; message: string; fields?: Record<string, string> };

async function refusal(method: Method, url: string, body?: unknown) {
  const reply = await porchlight.call({ method, url, ...(body !== undefined && { body }) }, admin);
  const { code: _, ...said } = reply.json<Refusal>();
  return [reply.statusCode, said];
}

test.each<[Method, string, unknown, string, string]>([
  ["GET", "/api/users?page=0", undefined, "page", "The page must be a whole number, starting at 1"],
  ["GET", "/api/users?page=two", undefined, "page", "The page must be a whole number, starting at 1"],
  ["GET", "/api/users?page=1e3", undefined, "page", "The page must be a whole number, starting at 1"],
  ["GET", "/api/users?pageSize=1000", undefined, "pageSize", "Ask for 1 to 100 rows per page"],
  ["GET", "/api/users?sort=age", undefined, "sort", "Sort by name, role, property, newest"],
  ["GET", "/api/users?role=owner", undefined, "role", '"role" must be one of admin, staff, tenant'],
  ["GET", "/api/users/abc", undefined, "id", "An id must be a positive whole number"],
  ["GET", "/api/notifications/abc", undefined, "id", "An id must be a positive whole number"],
  // spec 472
  ["GET", "/api/notifications/", undefined, "id", "Notification ID is required"],
  ["PUT", "/api/notifications/0", {}, "id", "Notification ID is required"],
  ["GET", "/api/notifications/recent/0", undefined, "count", "Ask for 1 to 100 notifications"],
  [
    "PUT",
    "/api/profile/preferences",
    { receiveEmail: "yes", receiveSms: true, receivePush: true },
    "receiveEmail",
    '"receiveEmail" must be true or false',
  ],
  [
    "POST",
    "/api/audience/reach",
    { recipients: [], channels: ["fax"] },
    "channels.0",
    "A channel must be email, sms or push",
  ],
  [
    "POST",
    "/api/audience/reach",
    { recipients: ["All Tenants"], channels: ["email"] },
    "recipients.0",
    "A recipient must be { type, id }",
  ],
  [
    "PUT",
    "/api/notifications/1",
    { title: "x", content: "x", recipients: "x", fieldValues: { amount: 900 } },
    "fieldValues.amount",
    "A value must be text, or a date relative to the run: { daysAfter }, or { day, monthsAfter }",
  ],
  [
    "POST",
    "/api/integrations",
    {
      channel: "email",
      kind: "sendgrid",
      settings: { apiKey: {}, fromEmail: "a@example.com", fromName: "A" },
    },
    "settings.apiKey",
    '"settings.apiKey" must be text',
  ],
  ["PUT", "/api/settings", { siteEmail: 7 }, "siteEmail", "Invalid email address"],
  ...[true, "", [7], "1e1", " 7", 1.5, 32].map((day): [Method, string, unknown, string, string] => [
    "POST",
    "/api/notifications",
    {
      title: "x",
      content: "x",
      recipients: "All Tenants",
      channels: ["email"],
      status: "Recurring",
      recurrence: "monthly",
      recurringDay: day,
    },
    "recurringDay",
    "The day must be 0 (Sunday) to 6 (Saturday) for weekly, or 1 to 31 for monthly",
  ]),
  ["POST", "/api/audience/reach", { recipients: [] }, "channels", "At least one channel is required"],
  ["POST", "/api/audience/reach", { channels: [] }, "recipients", '"recipients" is missing'],
  ...[true, [7], "1e3", " 7", 1.5].map((id): [Method, string, unknown, string, string] => [
    "POST",
    "/api/audience/planned",
    { notificationIds: [id] },
    "notificationIds.0",
    "An id must be a positive whole number",
  ]),
  [
    "POST",
    "/api/settings",
    { key: "registration", value: "maybe" },
    "value",
    "This must be one of closed, open",
  ],
  [
    "POST",
    "/api/usergroups/try-rule",
    { role: "tenant" },
    "role",
    "A rule can have roles, property, building, floors, stacks, unit, channel and details",
  ],
  [
    "POST",
    "/api/usergroups",
    { name: "Everybody?", rule: { role: "tenant" } },
    "rule.role",
    "A rule can have roles, property, building, floors, stacks, unit, channel and details",
  ],
])("%s %s %j", async (method, url, body, field, sentence) => {
  expect(await refusal(method, url, body)).toEqual([
    400,
    { message: sentence, fields: { [field]: sentence } },
  ]);
});

test.each([7, "7"])("an id may be %j in a body, too", async (id) => {
  const body = { notificationIds: [id] };
  const reply = await porchlight.call({ method: "POST", url: "/api/audience/planned", body }, admin);
  expect([reply.statusCode, reply.json()]).toEqual([200, []]);
});

test("a field's name that cannot be one says so", async () => {
  const body = {
    title: "x",
    message: "x",
    recipients: "x",
    channels: ["email"],
    fieldValues: { "due date": "" },
  };
  const sentence = "A field name can have letters, digits and underscores";
  expect(await refusal("POST", "/api/send-notification", body)).toEqual([
    400,
    { message: sentence, fields: { "fieldValues.due date": sentence } },
  ]);
});

test.each<[Method, string, unknown, string]>([
  ["POST", "/api/notifications", undefined, "Send a JSON object"],
  ["POST", "/api/notifications", [], "Send a JSON object"],
  ["POST", "/api/notifications", [{ title: "x" }], "Send a JSON object"],
  ["POST", "/api/csv/import", {}, "Send a list of rows, each an object keyed by the header's names"],
])("%s %s with %j is about no field", async (method, url, body, message) => {
  expect(await refusal(method, url, body)).toEqual([400, { message }]);
});

test.each([null, 7, "All Tenants"])(
  "recipients and channels that are %j are refused, not a fault",
  async (value) => {
    const body = { title: "Water", content: "x", status: "Scheduled", recipients: value, channels: value };
    const reply = await porchlight.call({ method: "POST", url: "/api/notifications", body }, admin);
    expect(reply.statusCode).toBe(400);
  },
);

test("several sentences are each brought to an end once", async () => {
  const body = { title: "Water\noff", message: "x", recipients: [], channels: ["email"] };
  const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, admin);
  expect(reply.json<Refusal>().message).toBe(
    "Title contains a control character, which can't be sent. Retype that part. Recipients are required.",
  );
});

describe("a method that a path does not take", () => {
  test.each<[Method, string, string]>([
    ["POST", "/api/notifications/1", "GET, HEAD, PUT, PATCH, DELETE"],
    ["PUT", "/api/notifications", "GET, HEAD, POST"],
    ["GET", "/api/send-notification", "POST"],
    ["POST", "/api/users/1", "GET, HEAD, PUT, DELETE"],
    ["GET", "/api/users/sync-groups", "POST"],
  ])("%s %s", async (method, url, allow) => {
    const reply = await porchlight.call({ method, url }, admin);
    expect([reply.statusCode, reply.headers["allow"], reply.json()]).toEqual([
      405,
      allow,
      { code: "method-not-allowed", message: `${method} is not supported here. Use ${allow}.` },
    ]);
  });

  test("is refused whatever its body is; a path that is nothing stays not found", async () => {
    const upload = { method: "DELETE" as const, url: "/api/attachments", payload: Buffer.alloc(10) };
    expect((await porchlight.app.inject(upload)).statusCode).toBe(405);
    expect((await porchlight.call({ method: "DELETE", url: "/api/nothing" }, admin)).statusCode).toBe(404);
  });

  test("HEAD asks what GET answers", async () => {
    const reply = await porchlight.app.inject({
      method: "HEAD",
      url: "/api/users",
      headers: { cookie: admin.cookie },
    });
    expect(reply.statusCode).toBe(200);
  });
});

test("an answer that says more than its contract is caught", () => {
  const people = endpoint({
    method: "GET",
    path: "/api/people",
    access: "console",
    summary: "",
    answer: "list",
    reply: z.array(z.object({ id: z.number(), home: z.object({ unit: z.string() }).nullable() })),
  });
  const check = (value: unknown) => () => checkReply(people, value);
  expect(check([{ id: 1, home: { unit: "4B" }, gone: undefined }])).not.toThrow();
  expect(
    check([
      { id: 1, home: null },
      { id: 2, home: { unit: "4B", hash: "x" } },
    ]),
  ).toThrow("1.home.hash");
  expect(check([{ id: "1", home: null }])).toThrow("GET /api/people");
});
