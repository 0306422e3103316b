import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SavedUser, UserDetail } from "#contract/calls/users.ts";
import { type Caller, insertPerson, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { username: "the.admin", firstName: "Ann", lastName: "Zeller" });
});
afterAll(() => porchlight.close());

type Body = Record<string, unknown>;
let made = 0;

const person = (fields: Body = {}): Body => {
  made += 1;
  return {
    username: `new.person${made}`,
    email: `new${made}@example.com`,
    firstName: "Maria",
    lastName: "Lopez",
    role: "tenant",
    password: "three ripe figs!",
    ...fields,
  };
};
const create = (fields: Body, as: Caller | null = admin) =>
  porchlight.call({ method: "POST", url: "/api/users", body: person(fields) }, as);
const update = (id: number, fields: Body, as: Caller | null = admin) =>
  porchlight.call({ method: "PUT", url: `/api/users/${id}`, body: person({ password: "", ...fields }) }, as);
const read = async (id: number) =>
  (await porchlight.call({ method: "GET", url: `/api/users/${id}` }, admin)).json<UserDetail>();
const insert = (fields: Partial<NewPerson> = {}) => insertPerson(porchlight.db, fields);
const login = (username: string, password: string) =>
  porchlight.call({ method: "POST", url: "/api/auth/login", body: { username, password } });

test.each([
  // spec 410
  ["username", "ab", "Username must be at least 3 characters"],
  // spec 411
  ["email", "maria@", "Invalid email address"],
  // spec 412
  ["firstName", " ", "First name is required"],
  // spec 413
  ["lastName", "", "Last name is required"],
  // spec 414
  ["role", " ", "Role is required"],
  // spec 415
  ["password", "short!", "Password must be at least 8 characters"],
  // spec 416
  ["password", undefined, "Password must be at least 8 characters"],
  ["password", "longenough1", "Password must contain at least one special character, for example ! or -"],
  ["password", "password!", "This password is on the list of commonly used ones. Choose another."],
  ["phone", "555-0123", "Phone number is too short. It needs its area code."],
  ["groupIds", [999_999], "A group you chose was deleted, or its members come from a rule. Choose again."],
  ["groupIds", [1], "A group you chose was deleted, or its members come from a rule. Choose again."],
])("%s %j is refused with its sentence", async (field, value, sentence) => {
  const reply = await create({ [field]: value });
  expect(reply.statusCode).toBe(400);
  expect(reply.json<{ fields: Record<string, string> }>().fields[field]).toBe(sentence);
});

test.each([
  // spec 158
  ["owner", "tenant"],
  [" Administrator", "admin"],
  [undefined, "tenant"],
])("the role %j is %s", async (role, kept) => {
  const made = await create({ role });
  expect(made.json()).toMatchObject({ role: kept });
  const changed = await update(await insert({ role: "staff" }), { role });
  expect(changed.json<SavedUser>().role).toBe(role === undefined ? undefined : kept);
});

test("a person without an address can be changed without one; an existing one is kept", async () => {
  const imported = await insert({ email: null });
  expect((await update(imported, { email: "", lastName: "Okafor" })).json()).toMatchObject({
    email: null,
    lastName: "Okafor",
  });
  expect((await update(imported, { email: "o@example.com" })).json()).toMatchObject({
    email: "o@example.com",
  });
  for (const email of ["", "o@"]) {
    const reply = await update(imported, { email });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ fields: { email: "Invalid email address" } });
  }
  expect(await read(imported)).toMatchObject({ email: "o@example.com" });
});

test("a user name is taken once, whatever its case; a refused person leaves nothing behind", async () => {
  const first = (await create({ username: "unique.one" })).json<SavedUser>();
  const count = () => porchlight.db.selectFrom("users").select("id").execute();
  const before = (await count()).length;
  for (const reply of [
    await create({ username: "UNIQUE.one" }),
    await update(await insert({ username: "other.one" }), { username: "Unique.One" }),
  ]) {
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({ code: "conflict", fields: { username: "This username is taken" } });
  }
  expect((await count()).length).toBe(before + 1);
  expect((await update(first.id, { username: "unique.ONE" })).json()).toMatchObject({
    username: "unique.ONE",
  });
});

// spec 417, 451
test("the policy of the settings governs a new password, and a blank one keeps the old", async () => {
  await porchlight.db
    .insertInto("settings")
    .values({ key: "passwordMinLength", value: "14", data_type: "number" })
    .execute();
  const refused = await create({ password: "three figs!" });
  await porchlight.db.deleteFrom("settings").where("key", "=", "passwordMinLength").execute();
  expect(refused.json()).toMatchObject({ fields: { password: "Password must be at least 14 characters" } });
  const { id, username } = (await create({})).json<SavedUser>();
  await update(id, { username, password: "" });
  expect((await login(username, "three ripe figs!")).statusCode).toBe(200);
});

test("a new password ends the person's sessions", async () => {
  const other = await porchlight.signedIn("tenant");
  const me = () => porchlight.call({ method: "GET", url: "/api/auth/me" }, other);
  expect((await me()).statusCode).toBe(200);
  await update(other.userId, { password: "four ripe figs!" });
  expect((await me()).statusCode).toBe(401);
});

test("what an update leaves out stays as it is, a channel's consent above all", async () => {
  const id = await insert({
    phone: "+14155550123",
    propertyUnit: "Maple Court 4B",
    receiveEmail: false,
    receiveSms: false,
  });
  await update(id, {});
  expect(await read(id)).toMatchObject({
    phone: "+14155550123",
    propertyUnit: "Maple Court 4B",
    receiveEmail: false,
    receiveSms: false,
    receivePush: false,
    consents: [],
  });
  // spec 418
  await update(id, { phone: "", propertyUnit: "" });
  expect(await read(id)).toMatchObject({ phone: null, propertyUnit: null, property: null, unit: null });
});

// spec 450
test("property and unit are recognized, and a property is spelled as its group is", async () => {
  const first = (await create({ propertyUnit: "Linden Row 4B" })).json<SavedUser>();
  expect(first).toMatchObject({ property: "Linden Row", unit: "4B" });
  expect(first.groups).toContainEqual(expect.objectContaining({ name: "Linden Row", byRule: true }));
  const second = (await create({ propertyUnit: "LINDEN ROW, Unit 5" })).json<SavedUser>();
  expect(second).toMatchObject({ property: "Linden Row", unit: "5", propertyUnit: "LINDEN ROW, Unit 5" });
});

test("each change of a channel is recorded with its author, and a repeat is not a change", async () => {
  const { id, username, consents } = (await create({ receiveSms: false })).json<SavedUser>();
  expect(consents).toMatchObject([
    { channel: "sms", allowed: false, sentence: "In the console, by Ann Zeller" },
  ]);
  await update(id, { username, receiveSms: false });
  await update(id, { username, receiveSms: true, receivePush: true });
  const changes = (await read(id)).consents.map(({ channel, allowed }) => [channel, allowed]);
  expect(changes).toEqual([
    ["push", true],
    ["sms", true],
    ["sms", false],
  ]);
});

test("staff may turn a channel on again that the person turned off; the record shows both", async () => {
  const email = "turned.off@example.com";
  const { id, username } = (await create({ email })).json<SavedUser>();
  const { preferences_token: token } = await porchlight.db
    .selectFrom("users")
    .select("preferences_token")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await porchlight.call({
    method: "POST",
    url: `/u/${token}`,
    body: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const consentRequest = "Called on May 3";
  await update(id, { username, email, receiveEmail: true, consentRequest });
  expect((await read(id)).consents.map(({ allowed, sentence }) => [allowed, sentence])).toEqual([
    [true, "In the console, by Ann Zeller. Request: Called on May 3"],
    [false, "One-click unsubscribe in an email"],
  ]);
});

describe("someone else's change", () => {
  test("is not written over", async () => {
    const { id, updatedAt, username } = (await create({})).json<SavedUser>();
    const saved = (await update(id, { username, updatedAt })).json<SavedUser>();
    const reply = await update(id, { username, lastName: "Stale", updatedAt });
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([409, "conflict"]);
    expect((await read(id)).lastName).toBe("Lopez");
    expect((await update(id, { username, updatedAt: saved.updatedAt })).statusCode).toBe(200);
  });

  test("of a preference counts too: a form that was open may not opt the person in again", async () => {
    const tenant = await porchlight.signedIn("tenant");
    const { updatedAt } = await read(tenant.userId);
    await porchlight.call(
      {
        method: "PUT",
        url: "/api/profile/preferences",
        body: { receiveEmail: false, receiveSms: true, receivePush: false },
      },
      tenant,
    );
    const reply = await update(tenant.userId, { receiveEmail: true, updatedAt });
    expect(reply.statusCode).toBe(409);
    expect((await read(tenant.userId)).receiveEmail).toBe(false);
  });
});

test("a deleted person is not found", async () => {
  const id = await insert();
  await porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, admin);
  for (const method of ["GET", "PUT", "DELETE"] as const) {
    const reply = await porchlight.call(
      { method, url: `/api/users/${id}`, ...(method === "PUT" && { body: person() }) },
      admin,
    );
    expect(reply.statusCode).toBe(404);
  }
});

test("who did what is on record", async () => {
  const { id, username } = (await create({ role: "staff" })).json<SavedUser>();
  await update(id, { username, lastName: "Diaz", password: "six ripe figs!" });
  await porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, admin);
  const rows = await porchlight.db
    .selectFrom("audit")
    .select(["action", "actor_id", "actor_name", "detail"])
    .where("subject_id", "=", id)
    .where("subject_type", "=", "user")
    .orderBy("id")
    .execute();
  expect(rows).toEqual(
    [
      { action: "user.create", detail: { username, role: "staff" } },
      {
        action: "user.update",
        detail: {
          changes: {
            email: [expect.any(String), expect.any(String)],
            lastName: ["Lopez", "Diaz"],
            role: ["staff", "tenant"],
          },
          password: "set",
        },
      },
      { action: "user.delete", detail: { username, role: "tenant", detached: [] } },
    ].map((row) => ({ ...row, actor_id: admin.userId, actor_name: "Ann Zeller" })),
  );
});

// spec 383
test("no reply and no record holds a password or its hash", async () => {
  const password = "seven ripe figs!";
  const { body } = await create({ password });
  expect(body).not.toContain(password);
  expect(body).not.toContain("$argon2");
  const audit = await porchlight.db.selectFrom("audit").select("detail").execute();
  expect(JSON.stringify(audit)).not.toContain(password);
});
