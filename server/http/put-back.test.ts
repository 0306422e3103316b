import { afterAll, beforeAll, expect, test } from "vitest";
import type { Group } from "#contract/calls/groups.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** What a read serves can be sent back as it came, and changes nothing but the time of the last change. */

let porchlight: TestApp;
let admin: Caller;
let people: [number, number];

beforeAll(async () => {
  porchlight = await testApp();
  const passwordHash = await hashPassword("three ripe figs!");
  admin = await porchlight.signedIn("admin", { phone: "+14155550199", passwordHash });
  people = [
    await insertPerson(porchlight.db, { firstName: "Sam", lastName: "Twin" }),
    await insertPerson(porchlight.db, { firstName: "Sam", lastName: "Twin" }),
  ];
});
afterAll(() => porchlight.close());

type Row = Record<string, unknown> & { id: number };

async function call<T>(method: "GET" | "POST" | "PUT", url: string, body?: unknown): Promise<T> {
  const reply = await porchlight.call({ method, url, ...(body !== undefined && { body }) }, admin);
  expect([url, reply.statusCode, reply.body]).toEqual([url, expect.toSatisfy(succeeded), reply.body]);
  return reply.json<T>();
}
const succeeded = (status: number) => status >= 200 && status < 300;

/** The same but for the time of the last change, and by whom it was. */
const touched = (before: Row) => ({
  ...before,
  updatedAt: expect.any(String),
  ...("edited" in before && { edited: expect.anything() }),
});

async function putBack(url: string, read: () => Promise<Row>): Promise<void> {
  const before = await read();
  await call("PUT", url, before);
  expect(await read()).toEqual(touched(before));
}

test("a person with little on file", async () => {
  expect.hasAssertions();
  const id = await insertPerson(porchlight.db, { email: null, receiveSms: false, receivePush: true });
  await putBack(`/api/users/${id}`, () => call("GET", `/api/users/${id}`));
});

test("a person whose home was corrected by hand", async () => {
  expect.hasAssertions();
  const { id } = await call<Row>("POST", "/api/users", {
    username: "corrected",
    email: "corrected@example.com",
    firstName: "Cora",
    lastName: "Rected",
    propertyUnit: "The Old Mill 4",
    property: "The Old Mill",
    unit: "Four",
    password: "three ripe figs!",
  });
  await putBack(`/api/users/${id}`, () => call("GET", `/api/users/${id}`));
});

test("null takes a number away, as an empty text does", async () => {
  const id = await insertPerson(porchlight.db, { phone: "+14155550123" });
  const row = await call<Row>("GET", `/api/users/${id}`);
  expect(await call("PUT", `/api/users/${id}`, { ...row, phone: null })).toMatchObject({ phone: null });
});

test("the person's own profile; an omitted phone stays", async () => {
  const read = () => call<Row>("GET", "/api/profile");
  const { phone, updatedAt: _, ...others } = await read();
  expect(phone).toBe("+14155550199");
  expect(await call("PUT", "/api/profile", others)).toMatchObject({ phone });
  const currentPassword = "three ripe figs!";
  expect(await call("PUT", "/api/profile", { ...others, phone: null, currentPassword })).toMatchObject({
    phone: null,
  });
  expect((await call<Row>("PUT", "/api/profile", await read()))["phone"]).toBeNull();
});

test("the person's own profile without an address; an existing one is kept", async () => {
  const tenant = await porchlight.signedIn("tenant", { email: null });
  const own = (method: "GET" | "PUT", as: Caller, body?: unknown) =>
    porchlight.call({ method, url: "/api/profile", ...(body !== undefined && { body }) }, as);
  const before = (await own("GET", tenant)).json<Row>();
  expect((await own("PUT", tenant, before)).json()).toEqual({ ...touched(before), email: null });
  const refused = await own("PUT", admin, { ...before, updatedAt: undefined, email: null });
  expect([refused.statusCode, refused.json<{ fields: object }>().fields]).toEqual([
    400,
    { email: "Invalid email address" },
  ]);
});

test.each([
  ["by hand", () => ({ userIds: people })],
  ["by rule", () => ({ rule: { roles: ["tenant"], unit: "4*" } })],
])("a group %s keeps its members", async (name, members) => {
  const { id } = await call<Group>("POST", "/api/usergroups", {
    name,
    description: "About it",
    ...members(),
  });
  const read = async () => {
    const groups = await call<Row[]>("GET", "/api/usergroups");
    return groups.find((group) => group.id === id) as Row;
  };
  await putBack(`/api/usergroups/${id}`, read);
  // The least that the specification's form sends.
  await call("PUT", `/api/usergroups/${id}`, { name });
  expect(await read()).toMatchObject({
    description: "About it",
    ...(name === "by hand" && { userCount: 2 }),
  });
  if (name === "by hand") {
    const { userIds } = await call<{ userIds: number[] }>("GET", `/api/usergroups/${id}/member-ids`);
    expect(new Set(userIds)).toEqual(new Set(people));
  }
});

test("a notification on several channels to two who share a name, by the written fields alone too", async () => {
  const { id } = await call<Row>("POST", "/api/notifications", {
    title: "Water",
    content: "No water",
    recipients: people.map((personId) => ({ type: "user", id: personId })),
    channels: ["email", "sms"],
    status: "Scheduled",
    scheduled_time: "2099-01-02T03:04:00.000Z",
  });
  const read = () => call<Row>("GET", `/api/notifications/${id}`);
  await putBack(`/api/notifications/${id}`, read);

  const before = await read();
  expect(before).toMatchObject({ recipients: "Sam Twin, Sam Twin", type: "Email" });
  const { title, content, type, recipients, status } = before;
  await call("PUT", `/api/notifications/${id}`, { title, content, type, recipients, status });
  expect(await read()).toEqual(touched(before));

  // Another type means that channel alone.
  await call("PUT", `/api/notifications/${id}`, { title, content, type: "SMS", recipients, status });
  expect(await read()).toMatchObject({ channels: ["sms"], audience: before["audience"] });
});

test.each([
  ["scheduled", { status: "Scheduled", scheduled_time: "2099-01-02T03:04:00.000Z" }],
  ["recurring", { status: "Recurring", recurrence: "weekly", recurringDay: 5, recurringTime: "08:30" }],
])("a %s notification that was cancelled or could not begin, with or without its status", async (_, plan) => {
  const { id } = await call<Row>("POST", "/api/notifications", {
    title: "Water",
    content: "No water",
    recipients: ["All Tenants"],
    channels: ["email"],
    ...plan,
  });
  const url = `/api/notifications/${id}`;
  const read = () => call<Row>("GET", url);
  await call("POST", `${url}/cancel`);
  expect(await read()).toMatchObject({ status: "Cancelled" });
  await putBack(url, read);

  await porchlight.db
    .updateTable("notifications")
    .set({ status: "Failed", status_reason: "No one is in the chosen groups right now." })
    .where("id", "=", id)
    .execute();
  await putBack(url, read);
  const before = await read();
  const { title, content, recipients } = before;
  await call("PUT", url, { title, content, recipients });
  expect(await read()).toEqual(touched(before));

  // A time that no one would keep is refused, not taken in silence.
  const reply = await porchlight.call(
    { method: "PUT", url, body: { title, content, recipients, scheduled_time: "2099-05-06T07:08" } },
    admin,
  );
  expect(reply.statusCode).toBe(400);
  expect(reply.json().fields.scheduled_time).toBe(
    "It is failed. To schedule it again, also set the status to Scheduled.",
  );
});

test("the text that names many recipients may be long, and a group may have a new name since", async () => {
  expect.hasAssertions();
  const names = Array.from({ length: 30 }, (_, n) => `A group with a long name ${n}`);
  const groups = await Promise.all(names.map((name) => call<Group>("POST", "/api/usergroups", { name })));
  const { id } = await call<Row>("POST", "/api/notifications", {
    title: "Long",
    content: "x",
    recipients: names,
    channels: ["email"],
    status: "Draft",
  });
  await call("PUT", `/api/usergroups/${groups[0]?.id}`, { name: "Called otherwise" });
  await putBack(`/api/notifications/${id}`, () => call("GET", `/api/notifications/${id}`));
});
