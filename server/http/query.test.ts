import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "#contract/api.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** What a call accepts in its query and body, and how a list leads to its next page. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
  for (let n = 0; n < 4; n++) await insertPerson(porchlight.db);
});
afterAll(() => porchlight.close());

const get = (url: string) => porchlight.call({ method: "GET", url }, admin);

// spec 284
test("a query parameter that a call does not know is refused by name, by every call", async () => {
  for (const { method, path } of endpoints) {
    if (path === "/api/events") continue;
    const url = `${path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "key" ? "siteName" : "999999"))}?pagesize=5`;
    const reply = await porchlight.call({ method, url }, admin);
    expect([method, path, reply.statusCode, reply.json()]).toEqual([
      method,
      path,
      400,
      {
        code: "invalid-input",
        message: expect.stringMatching(/^Unknown query parameter "pagesize"\. This call accepts /),
        fields: { pagesize: "Unknown query parameter" },
      },
    ]);
  }
});

test("a key of the body that a call does not know is refused by name, by every call", async () => {
  const misspelled = { atachments: [] };
  for (const { method, path, body } of endpoints) {
    if (body.type !== "object") continue;
    const url = path.replaceAll(/\{\w+\}/g, "999999");
    const reply = await porchlight.call({ method, url, body: misspelled }, admin);
    expect([method, path, reply.statusCode, reply.json()]).toEqual([
      method,
      path,
      400,
      {
        code: "invalid-input",
        message: expect.any(String),
        fields: { atachments: expect.any(String) },
      },
    ]);
  }
  const send = { method: "POST" as const, url: "/api/notifications/999999/send-again" };
  expect((await porchlight.call({ ...send, body: { unconfirmd: true } }, admin)).json()).toMatchObject({
    message: 'Unknown field "unconfirmd". This call accepts unconfirmed, includeReached.',
    fields: { unconfirmd: "Unknown field" },
  });
});

test("a key that a recipient does not have is refused by name, by every call that takes recipients", async () => {
  const group = { type: "group", id: 1, name: "All Tenants" };
  let calls = 0;
  for (const { method, path, body } of endpoints) {
    if (!(body instanceof z.ZodObject && "recipients" in body.shape)) continue;
    calls += 1;
    const url = path.replaceAll(/\{\w+\}/g, "999999");
    const fieldsOf = async (recipient: object) =>
      (await porchlight.call({ method, url, body: { recipients: [group, recipient] } }, admin)).json().fields;
    const refused = { "recipients.1.chanels": '"recipients.1" doesn\'t accept "chanels"' };
    expect([method, path, await fieldsOf({ ...group, chanels: ["sms"] })]).toEqual([
      method,
      path,
      expect.objectContaining(refused),
    ]);
    expect(Object.keys((await fieldsOf(group)) ?? {}).join()).not.toContain("recipients");
  }
  expect(calls).toBeGreaterThan(0);
});

test("a list names its next page beside its total, with the rest of the question kept", async () => {
  const first = await get("/api/users?role=tenant&pageSize=2");
  expect(first.headers).toMatchObject({
    "x-total-count": "4",
    link: '</api/users?role=tenant&pageSize=2&page=2>; rel="next"',
  });
  const last = await get("/api/users?role=tenant&pageSize=2&page=2");
  expect(last.json()).toHaveLength(2);
  expect(last.headers["link"]).toBeUndefined();
});

// spec 234, 235
test("the newest four notifications are had without a number", async () => {
  for (let n = 0; n < 5; n++) {
    const body = {
      title: `Draft ${n}`,
      content: "x",
      recipients: ["All Tenants"],
      channels: ["email"],
      status: "Draft",
    };
    await porchlight.call({ method: "POST", url: "/api/notifications", body }, admin);
  }
  const [four, counted] = [await get("/api/notifications/recent"), await get("/api/notifications/recent/4")];
  expect(four.json()).toHaveLength(4);
  expect(four.json()).toEqual(counted.json());
});
