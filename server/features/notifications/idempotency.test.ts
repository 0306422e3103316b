import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let now = new Date("2026-11-20T15:00:00Z"); // 10:00 in New York

beforeAll(async () => {
  porchlight = await testApp({ now: () => now });
  staff = await porchlight.signedIn("staff", { firstName: "Sam", lastName: "Staff" });
  await insertPerson(porchlight.db, { firstName: "Luis", lastName: "Ortega", phone: "+12125550123" });
  await insertPerson(porchlight.db, { firstName: "Mei", lastName: "Tanaka" });
});
afterAll(() => porchlight.close());

const send = (body: object) =>
  porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
const create = (body: object) => porchlight.call({ method: "POST", url: "/api/notifications", body }, staff);

const water = {
  title: "Water shut-off",
  message: "Hello {{first_name}}",
  recipients: ["Luis Ortega"],
  channels: ["email"],
};

describe("a client key is taken once", () => {
  test("a double click stores one notification and answers it twice", async () => {
    const body = { ...water, clientKey: "double-click" };
    const [first, second] = await Promise.all([send(body), send(body)]);
    expect(first.statusCode).toBe(200);
    expect(second.json().id).toBe(first.json().id);
  });

  test("a repeat long after is answered, although its time has passed", async () => {
    const body = {
      ...water,
      content: "x",
      status: "Scheduled",
      scheduled_time: "2026-11-20T16:00:00Z",
      clientKey: "late",
    };
    const first = await create(body);
    const before = now;
    now = new Date("2026-12-01T00:00:00Z");
    const again = await create(body);
    now = before;
    expect(again.json().id).toBe(first.json().id);
  });

  const written = {
    title: "Gate",
    message: "Hello",
    recipients: ["Luis Ortega"],
    channels: ["email"],
    fieldValues: { code: "1234" },
  };
  test.each<[string, object]>([
    ["title", { title: "Gates" }],
    ["text", { message: "Hello again" }],
    ["recipient", { recipients: ["Luis Ortega", "Mei Tanaka"] }],
    ["channel", { channels: ["email", "sms"] }],
    ["value of a field", { fieldValues: { code: "4321" } }],
    ["template", { message: undefined, templateId: "maintenance-alert" }],
    ["class", { class: "emergency" }],
  ])("a repeat with another %s is refused and says what was taken", async (what, change) => {
    const body = { ...written, clientKey: `other ${what}` };
    const first = await send(body);
    expect(first.statusCode).toBe(200);
    const other = await send({ ...body, ...change });
    expect([other.statusCode, other.json().code]).toEqual([409, "already-taken"]);
    expect(other.json().message).toBe(
      '"Gate" was already saved for Luis Ortega by Email. Your changes since then have not been saved.',
    );
    expect((await send(body)).json().id).toBe(first.json().id);
  });

  test("the refusal names only what a draft has", async () => {
    const draft = { title: "Gate", status: "Draft", clientKey: "bare-draft" };
    expect((await create(draft)).statusCode).toBe(201);
    expect((await create({ ...draft, content: "Hello" })).json().message).toBe(
      '"Gate" was already saved. Your changes since then have not been saved.',
    );
  });

  test("two different calls at once with one key create one notification, and only its own call gets it", async () => {
    const body = { ...written, clientKey: "at-once" };
    const replies = await Promise.all([send(body), send({ ...body, recipients: ["Mei Tanaka"] })]);
    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test.each<[string, object]>([
    ["a time", { status: "Scheduled", scheduled_time: "2026-12-24T10:00" }],
    ["at once", {}],
    ["another rule", { status: "Recurring", recurrence: "weekly", recurringDay: 3, recurringTime: "09:00" }],
  ])("what recurs is not what goes at %s", async (what, plan) => {
    const { message, ...rest } = { ...written, clientKey: `plan ${what}` };
    const rule = { status: "Recurring", recurrence: "weekly", recurringDay: 2, recurringTime: "09:00" };
    const first = await create({ ...rest, content: message, ...rule });
    expect(first.statusCode).toBe(201);
    const other =
      "status" in plan
        ? await create({ ...rest, content: message, ...plan })
        : await send({ ...rest, message });
    expect(other.json().code).toBe("already-taken");
    expect((await create({ ...rest, content: message, ...rule })).json().id).toBe(first.json().id);
  });

  test("a repeat is answered even if the person it was for was deleted", async () => {
    const id = await insertPerson(porchlight.db, { firstName: "Gone", lastName: "Soon" });
    const body = { ...written, recipients: [{ type: "user", id }], clientKey: "gone-soon" };
    const first = await send(body);
    await porchlight.db.updateTable("users").set({ deleted_at: now }).where("id", "=", id).execute();
    expect((await send(body)).json().id).toBe(first.json().id);
  });

  test("a repeat that leaves a default out, in another order, is the same", async () => {
    const body = { ...written, clientKey: "in-order" };
    const first = await send({ ...body, attachments: [] });
    const { title, ...rest } = body;
    expect((await send({ ...rest, title })).json().id).toBe(first.json().id);
  });

  test("an empty key is none, and would make every call the same", async () => {
    const reply = await send({ ...water, clientKey: " " });
    expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ["clientKey"]]);
  });

  test("another person's same key is another notification", async () => {
    const other = await porchlight.signedIn("staff");
    const body = { ...water, clientKey: "shared-key" };
    const mine = await send(body);
    const theirs = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, other);
    expect(theirs.json().id).not.toBe(mine.json().id);
  });
});
