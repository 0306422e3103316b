import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  await insertPerson(porchlight.db, { firstName: "Luis", lastName: "Ortega" });
});
afterAll(() => porchlight.close());

const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object) =>
  porchlight.call({ method, url, body }, staff);
const create = (body: object) => call("POST", "/api/notifications", body);
const titleOnly = async () =>
  (await create({ title: "Half a thought", status: "Draft" })).json<{ id: number; updatedAt: string }>();
const whole = { content: "x", recipients: ["Luis Ortega"], channels: ["email"] };
const nothing = { content: "", recipients: [], channels: [] };

describe("a draft is kept with nothing but a title", () => {
  test("and reads so", async () => {
    const { id } = await titleOnly();
    expect((await call("GET", `/api/notifications/${id}`)).json()).toMatchObject({
      title: "Half a thought",
      content: "",
      recipients: "",
      audience: [],
      channels: [],
      // spec 160
      type: "Email",
      status: "Draft",
    });
  });

  test("sent back as it reads, it stays so", async () => {
    const { id } = await titleOnly();
    const read = (await call("GET", `/api/notifications/${id}`)).json();
    const { title, content, type, recipients, status } = read;
    const reply = await call("PUT", `/api/notifications/${id}`, { title, content, type, recipients, status });
    expect(reply.json()).toMatchObject({ content: "", audience: [], channels: [], status: "Draft" });
  });

  test("and a full one can be emptied", async () => {
    const { id } = (await create({ title: "Full", ...whole, status: "Draft" })).json();
    const reply = await call("PUT", `/api/notifications/${id}`, { title: "Empty", ...nothing });
    expect(reply.json()).toMatchObject({ title: "Empty", content: "", recipients: "", channels: [] });
  });

  // spec 447
  test("what a change to it leaves out stays as it was", async () => {
    const { id } = await titleOnly();
    const change = { title: "Shorter", status: "Draft" };
    const empty = await call("PUT", `/api/notifications/${id}`, change);
    expect(empty.json()).toMatchObject({ title: "Shorter", content: "", recipients: "", channels: [] });
    const full = (await create({ title: "Full", ...whole, status: "Draft" })).json<{ id: number }>();
    const kept = await call("PUT", `/api/notifications/${full.id}`, change);
    expect(kept.json()).toMatchObject({ ...change, ...whole, recipients: "Luis Ortega" });
  });

  const sentences = {
    content: "Content is required",
    recipients: "Recipients are required",
    channels: "At least one channel is required",
  };

  test("to be planned, it needs the rest", async () => {
    const { id } = await titleOnly();
    const planned = { title: "Plan", status: "Scheduled", scheduled_time: "2099-01-01T09:00" };
    const reply = await call("PUT", `/api/notifications/${id}`, { ...planned, ...nothing });
    expect([reply.statusCode, reply.json().fields]).toEqual([400, sentences]);
    const full = (await create({ title: "Full", ...whole, status: "Draft" })).json<{ id: number }>();
    const { channels: _, ...written } = sentences;
    // spec 403, 404
    const without = await call("PUT", `/api/notifications/${full.id}`, planned);
    expect([without.statusCode, without.json().fields]).toEqual([400, written]);
    const made = await create({ ...planned, content: "x" });
    expect([made.statusCode, Object.keys(made.json().fields)]).toEqual([400, ["recipients", "channels"]]);
  });

  test("what was cancelled and stays so needs it, too", async () => {
    const planned = { status: "Scheduled", scheduled_time: "2099-01-01T09:00" };
    const { id } = (await create({ title: "Stopped", ...whole, ...planned })).json();
    await call("POST", `/api/notifications/${id}/cancel`);
    const reply = await call("PUT", `/api/notifications/${id}`, { title: "Stopped", ...nothing });
    expect([reply.statusCode, reply.json().fields]).toEqual([400, sentences]);
  });

  test.each([
    ["message", { ...nothing }, "content"],
    ["channels", { ...whole, channels: [] }, "channels"],
    ["recipients", { ...whole, recipients: [] }, "recipients"],
  ])("without %s it is not sent", async (_, rest, field) => {
    const { id } = (await create({ title: "Half", ...rest, status: "Draft" })).json();
    const reply = await call("POST", `/api/notifications/${id}/send`);
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(Object.keys(reply.json().fields)).toEqual([field]);
  });
});

describe("a draft is deleted", () => {
  const remove = (id: number) => call("DELETE", `/api/notifications/${id}`);
  const weekly = {
    name: "Weekly",
    recurrence: "weekly",
    time: "09:00",
    recipients: ["Luis Ortega"],
    channels: ["email"],
  };

  test("and gone, with a line of the audit", async () => {
    const { id } = await titleOnly();
    expect((await remove(id)).json()).toEqual({ message: "“Half a thought” was deleted." });
    expect((await call("GET", `/api/notifications/${id}`)).statusCode).toBe(404);
    expect((await remove(id)).statusCode).toBe(404);
    const audit = await porchlight.db
      .selectFrom("audit")
      .select("detail")
      .where("action", "=", "notification.delete")
      .execute();
    expect(audit).toEqual([{ detail: { title: "Half a thought" } }]);
  });

  test("with the rule that it had as a recurring notification", async () => {
    const { id } = (await create({ title: "Weekly", ...whole, status: "Recurring" })).json();
    await call("PUT", `/api/notifications/${id}`, { title: "Weekly", ...whole, status: "Draft" });
    expect((await remove(id)).statusCode).toBe(200);
  });

  test("unless it is planned, was sent, or a schedule sends it", async () => {
    const planned = { status: "Scheduled", scheduled_time: "2099-01-01T09:00" };
    const scheduled = (await create({ title: "Planned", ...whole, ...planned })).json();
    expect((await remove(scheduled.id)).json()).toMatchObject({
      code: "conflict",
      message: "Only a draft can be deleted. What was planned or sent stays on record.",
    });
    const { id } = (await create({ title: "Text", ...whole, status: "Draft" })).json();
    const schedule = (await call("POST", "/api/schedules", { ...weekly, notificationId: id })).json();
    expect((await remove(id)).json().message).toBe(
      "The schedule “Weekly” sends this draft. Choose something else there first.",
    );
    await call("DELETE", `/api/schedules/${schedule.id}`);
    expect((await remove(id)).statusCode).toBe(200);
  });

  test("a schedule that is to send one without channels names its own", async () => {
    const { id } = (await create({ title: "Text", content: "x", status: "Draft" })).json();
    const { channels, ...unsaid } = weekly;
    const refused = await call("POST", "/api/schedules", { ...unsaid, notificationId: id });
    expect([refused.statusCode, Object.keys(refused.json().fields ?? {})]).toEqual([400, ["channels"]]);
    expect((await call("POST", "/api/schedules", { ...weekly, notificationId: id })).statusCode).toBe(201);
    expect(channels).toEqual(["email"]);
  });
});
