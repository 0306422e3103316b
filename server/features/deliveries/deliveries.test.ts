import { afterAll, beforeAll, expect, test } from "vitest";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const get = (url: string) => porchlight.call({ method: "GET", url }, staff);

test("a message that could not be written for a person says what it lacks", async () => {
  await insertPerson(porchlight.db, { firstName: "Luis", propertyUnit: "Harbor House 12" });
  await insertPerson(porchlight.db, { firstName: "Nora", propertyUnit: null });
  const body = {
    title: "Water off",
    message: "No water in {{property_unit}}",
    recipients: "All Tenants",
    channels: ["email"],
  };
  const sent = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  await fanOutSome(porchlight.db);
  const list = await get(`/api/notifications/${sent.json().id}/deliveries`);
  expect(list.json()).toMatchObject([{ status: "skipped", reason: "missing-field" }, { status: "queued" }]);
  const [nora, luis] = list.json<{ id: number }[]>();

  expect((await get(`/api/deliveries/${luis?.id}/message`)).json().text).toContain("Harbor House 12");
  const reply = await get(`/api/deliveries/${nora?.id}/message`);
  expect([reply.statusCode, reply.json()]).toEqual([
    422,
    { code: "missing-field-values", message: "No value for {{property_unit}}." },
  ]);
});

test("anyone who reads another's message gets no link to that person's own preferences", async () => {
  const personId = await insertPerson(porchlight.db, { firstName: "Mona", lastName: "Own" });
  const { preferences_token: token } = await porchlight.db
    .selectFrom("users")
    .select("preferences_token")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  const body = { title: "Hi", message: "Hello", recipients: "Mona Own", channels: ["email"] };
  const sent = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  await fanOutSome(porchlight.db);
  const [delivery] = (await get(`/api/notifications/${sent.json().id}/deliveries`)).json<{ id: number }[]>();
  const { text, html } = (await get(`/api/deliveries/${delivery?.id}/message`)).json();
  expect(text + html).not.toContain(token);

  const [link] = /http\S+\/u\/\S+/.exec(text) ?? [];
  const opened = await porchlight.call({ method: "GET", url: new URL(link ?? "").pathname });
  expect([opened.statusCode, opened.body]).toEqual([404, expect.stringContaining("This link is not valid")]);
});

test("a test to yourself has links that work, also where you read it in the console", async () => {
  const asked = { type: "Email", content: "Hello" };
  const tested = await porchlight.call(
    { method: "POST", url: "/api/templates/send-test", body: asked },
    staff,
  );
  expect(tested.statusCode).toBe(202);
  const { id } = await porchlight.db
    .selectFrom("notifications")
    .select("id")
    .where("kind", "=", "test")
    .executeTakeFirstOrThrow();
  await fanOutSome(porchlight.db);
  const [delivery] = (await get(`/api/notifications/${id}/deliveries`)).json<{ id: number }[]>();
  const [link = ""] =
    /http\S+\/u\/\S+/.exec((await get(`/api/deliveries/${delivery?.id}/message`)).json().text) ?? [];
  const opened = await porchlight.call({ method: "GET", url: new URL(link).pathname });
  expect([opened.statusCode, opened.body]).toEqual([200, expect.stringContaining("Stop")]);
});

test("a person who got nothing is distinguished from one who got it on another channel", async () => {
  await insertPerson(porchlight.db, { firstName: "Two", lastName: "Ways", phone: "+14155550123" });
  const body = { title: "Hi", message: "Hello", recipients: "Two Ways", channels: ["email", "sms", "push"] };
  const sent = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  await fanOutSome(porchlight.db);
  const url = `/api/notifications/${sent.json().id}`;
  const [push] = (await get(`${url}/deliveries?show=all&q=ways`))
    .json<{ id: number; channel: string }[]>()
    .filter(({ channel }) => channel === "push");
  const { delivery, otherChannels } = (await get(`/api/deliveries/${push?.id}`)).json();
  expect(delivery).toMatchObject({ status: "skipped", reason: "not-turned-on" });
  expect(otherChannels).toMatchObject([
    { channel: "email", status: "queued" },
    { channel: "sms", status: "queued" },
  ]);
  expect((await get(`${url}/send-again?unconfirmed=true`)).json()).toEqual({
    messages: 0,
    sandboxOnly: false,
    blocked: [],
  });
  expect((await get(`${url}/send-again?includeReached=true`)).json()).toMatchObject({
    messages: 0,
    blocked: [{ channel: "push", reason: "not-turned-on", count: 1 }],
  });
});

test.each([
  "/api/notifications/4711/deliveries",
  "/api/notifications/4711/send-again",
  "/api/deliveries/4711",
  "/api/deliveries/4711/message",
  "/api/users/4711/deliveries",
])("%s of what is not there", async (url) => expect((await get(url)).statusCode).toBe(404));

test("what was sent to a deleted person stays on record", async () => {
  const id = await insertPerson(porchlight.db, { firstName: "Gil", lastName: "Gone" });
  const body = { title: "Bye", message: "x", recipients: "Gil Gone", channels: ["email"] };
  await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  await fanOutSome(porchlight.db);
  await porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, staff);
  expect((await get(`/api/users/${id}/deliveries`)).json()).toMatchObject([{ title: "Bye" }]);
});
