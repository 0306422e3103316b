import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Template, TemplateUse, TemplateVersion } from "#contract/calls/templates.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";
import { emptyMessage, messageRow } from "#server/messages/message.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;
beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  staff = await porchlight.signedIn("staff", { firstName: "Sam", lastName: "Lee" });
});
afterAll(() => porchlight.close());

const call = (method: "GET" | "POST" | "PUT", url: string, body?: object, caller = staff) =>
  porchlight.call({ method, url, ...(body && { body }) }, caller);

const rent = {
  name: "Rent due",
  type: "Email",
  subject: "Rent",
  content: "Hi {{first_name}}, pay {{amount}}.",
};

async function create(body: object = rent): Promise<Template> {
  const reply = await call("POST", "/api/templates", body);
  expect(reply.statusCode).toBe(201);
  return reply.json<Template>();
}

// spec 381
test("a new system has the five seed templates and the four that the written calls name", async () => {
  const list = (await call("GET", "/api/templates")).json<Template[]>();
  expect(list.map(({ name }) => name)).toEqual([
    "Rent Reminder",
    "Maintenance Alert",
    "Emergency Notification",
    "General Announcement",
    "Staff Meeting",
    "Booking Confirmation",
  ]);
  // spec 170
  expect(list.slice(0, 4).map(({ slug }) => slug)).toEqual([
    "rent-reminder",
    "maintenance-alert",
    "emergency-notification",
    "general-announcement",
  ]);
});

// spec 409
test("dynamic fields are found in the text, and fields added by hand stay until they are removed", async () => {
  const made = await create({ ...rent, dynamicFields: ["Amount", "late_fee", "late_fee"] });
  // spec 380
  expect(made).toMatchObject({
    dynamicFields: ["first_name", "amount", "late_fee"],
    askedFields: ["amount"],
    lastUsed: null,
    createdBy: "Sam Lee",
    version: 1,
    archived: false,
  });
  const kept = await call("PUT", `/api/templates/${made.id}`, { ...rent, content: "Now {{late_fee}}." });
  expect(kept.json<Template>().dynamicFields).toEqual(["late_fee"]);
  const removed = await call("PUT", `/api/templates/${made.id}`, { ...rent, dynamicFields: [] });
  expect(removed.json<Template>().dynamicFields).toEqual(["first_name", "amount"]);
});

test("what is missing or wrong is named in the written sentences", async () => {
  const empty = await call("POST", "/api/templates", {});
  expect(empty.statusCode).toBe(400);
  expect(empty.json().fields).toMatchObject({
    // spec 406
    name: "Template name is required",
    // spec 407
    type: "Type is required",
    // spec 408
    content: "Content is required",
  });
  expect((await call("POST", "/api/templates", { ...rent, content: " \n" })).json().fields).toEqual({
    content: "Content is required",
  });
  const braces = await call("POST", "/api/templates", { ...rent, content: "Hi {{first: name}}" });
  expect(braces.statusCode).toBe(400);
  expect(braces.json().fields.content).toContain("“{{first: name}}” is not a field");
});

// spec 380
test("only email templates have a subject: by email, the seeded text's is its title, also after a save", async () => {
  const list = (await call("GET", "/api/templates?q=emergency%20notification")).json<Template[]>();
  const { id, name, type, content, subject, updatedAt } = list[0]!;
  const versions = async () => (await call("GET", `/api/templates/${id}/versions`)).json<TemplateVersion[]>();
  const subjectByEmail = async () => {
    const draft = { title: "Gas leak", recipients: [], channels: ["email"], templateId: id };
    return (await call("POST", "/api/audience/preview", draft)).json().email.subject;
  };
  expect([type, subject, await subjectByEmail()]).toEqual(["SMS", "", "Gas leak"]);
  const saved = await call("PUT", `/api/templates/${id}`, { name, type, content, updatedAt });
  expect(saved.json()).toMatchObject({ version: 1, subject: "" });
  expect((await versions()).map((version) => version.subject)).toEqual([""]);
  expect(await subjectByEmail()).toBe("Gas leak");
});

test("search, type, archive and paging choose what the list shows", async () => {
  // spec 380
  const pool = await create({ ...rent, name: "Pool party %", type: "SMS" });
  expect(pool.subject).toBe("");
  const list = async (query: string) => {
    const reply = await call("GET", `/api/templates?${query}`);
    return { total: reply.headers["x-total-count"], names: reply.json<Template[]>().map(({ name }) => name) };
  };
  expect(await list("q=PARTY%20%25")).toEqual({ total: "1", names: ["Pool party %"] });
  expect((await list("q=pool&type=Push")).total).toBe("0");
  expect((await list("sort=name&pageSize=2&page=2")).names).toHaveLength(2);
  await call("POST", `/api/templates/${pool.id}/archive`, { archived: true });
  expect((await list("q=pool")).total).toBe("0");
  expect(await list("q=pool&archived=true")).toEqual({ total: "1", names: ["Pool party %"] });
  const back = await call("POST", `/api/templates/${pool.id}/archive`, { archived: false });
  expect(back.json()).toMatchObject({ archived: false });
});

test("for a picker, names that begin with the text come first, then those with such a word", async () => {
  for (const name of ["Current tenants", "Late rent notice", "Rental rules"]) await create({ ...rent, name });
  const names = async (query: string) =>
    (await call("GET", `/api/templates?q=rent&sort=name&${query}`))
      .json<Template[]>()
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("Rent "));
  expect(await names("")).toEqual(["Current tenants", "Late rent notice", "Rental rules"]);
  expect(await names("bestFirst=true")).toEqual(["Rental rules", "Late rent notice", "Current tenants"]);
});

test("to choose from, those for emergencies come first, then the most recently used", async () => {
  const made: Template[] = [];
  for (const name of ["Zebra crossing", "Attic cleaning", "Gas smell"])
    made.push(await create({ ...rent, name, ...(name === "Gas smell" && { class: "emergency" }) }));
  const sent = messageRow({ ...emptyMessage, title: "Sent", templateId: made[0]!.id, channels: ["email"] });
  await porchlight.db
    .insertInto("notifications")
    .values({ ...sent, status: "Cancelled", created_by_name: "Ada" })
    .execute();
  const names = (await call("GET", "/api/templates?sort=choice&pageSize=100"))
    .json<Template[]>()
    .map(({ name }) => name)
    .filter((name) => made.some((one) => one.name === name));
  expect(names).toEqual(["Gas smell", "Zebra crossing", "Attic cleaning"]);
});

test("every save is a version, an equal one is not, and a stale form is refused", async () => {
  const made = await create();
  await call("PUT", `/api/templates/${made.id}`, rent);
  const changed = await call("PUT", `/api/templates/${made.id}`, {
    ...rent,
    name: "Rent soon",
    updatedAt: made.updatedAt,
  });
  expect(changed.json()).toMatchObject({ name: "Rent soon", version: 2 });
  const versions = await call("GET", `/api/templates/${made.id}/versions`);
  expect(versions.json<TemplateVersion[]>()).toMatchObject([
    { version: 2, name: "Rent soon", savedBy: "Sam Lee", current: true },
    { version: 1, name: "Rent due", current: false, dynamicFields: ["first_name", "amount"] },
  ]);
  const stale = await call("PUT", `/api/templates/${made.id}`, { ...rent, updatedAt: made.updatedAt });
  expect(stale.statusCode).toBe(409);
});

test("a copy is a separate template", async () => {
  const made = await create();
  const copy = (await call("POST", `/api/templates/${made.id}/duplicate`)).json<Template>();
  expect(copy).toMatchObject({ name: "Rent due (copy)", content: made.content, slug: null });
  expect(copy.id).not.toBe(made.id);
});

test("a long name is cut between characters, to make room for what says that it is a copy", async () => {
  for (const [name, kept] of [
    [`${"a".repeat(92)}🏠bcdefg`, 92],
    [`${"a".repeat(91)}🏠bcdefgh`, 93],
  ] as const) {
    const { id } = await create({ ...rent, name });
    const copy = await call("POST", `/api/templates/${id}/duplicate`);
    expect([copy.statusCode, copy.json<Template>().name]).toEqual([201, `${name.slice(0, kept)} (copy)`]);
  }
});

test("open pages hear that a template was created, changed, archived and restored, and of no save without a change", async () => {
  const heard: string[] = [];
  const connected = Promise.withResolvers<void>();
  const listener = listen(porchlight.url, PAGES_CHANNEL, {
    onMessage: (payload) => heard.push(payload),
    onConnected: () => connected.resolve(),
  });
  onTestFinished(() => listener.stop());
  await connected.promise;
  const told = (times: number) =>
    until(() => expect(heard.filter((payload) => payload === '{"type":"templates"}')).toHaveLength(times));
  const { id } = await create();
  await told(1);
  await call("PUT", `/api/templates/${id}`, rent);
  await call("PUT", `/api/templates/${id}`, { ...rent, content: "Hi {{first_name}}, it is due." });
  await told(2);
  await call("POST", `/api/templates/${id}/archive`, { archived: true });
  await told(3);
  await call("POST", `/api/templates/${id}/archive`, { archived: false });
  await told(4);
});

test("a copy of an emergency is one, too", async () => {
  const { id } = await create();
  await call("PUT", `/api/templates/${id}`, { ...rent, class: "emergency" });
  // A call that doesn't know the field leaves it.
  await call("PUT", `/api/templates/${id}`, { ...rent, content: "Leave now." });
  const copy = (await call("POST", `/api/templates/${id}/duplicate`)).json<Template>();
  const { rows } = await sql`SELECT class FROM templates WHERE id = ${copy.id}`.execute(porchlight.db);
  expect([copy.class, ...rows]).toEqual(["emergency", { class: "emergency" }]);
});

test("an email's text can be read without its marks, and a text message as it was written", async () => {
  const content = "Pay **{{amount}}** in the [portal](https://pay.example).";
  const email = await create({ ...rent, content });
  const text = await create({ ...rent, type: "SMS", subject: "", content });
  const read = async (id: number) => (await call("GET", `/api/templates/${id}`)).json<Template>().contentText;
  expect(await read(email.id)).toBe("Pay {{amount}} in the portal (https://pay.example).");
  expect(await read(text.id)).toBe(content);
});

test("a recurring notification with a template is named among its uses", async () => {
  const { id } = await create({ ...rent, content: "Pay, {{first_name}}." });
  const body = {
    title: "Weekly",
    recipients: ["Everyone"],
    channels: ["email"],
    status: "Recurring",
    templateId: id,
  };
  expect((await call("POST", "/api/notifications", body)).statusCode).toBe(201);
  const uses = (await call("GET", `/api/templates/${id}/uses`)).json<TemplateUse[]>();
  expect(uses).toMatchObject([{ kind: "notification", name: "Weekly", nextRun: expect.any(String) }]);
});

test("a template names its author while they exist; “Admin Manager” replaces a deleted one", async () => {
  const admin = await porchlight.signedIn("admin");
  const { id } = await create();
  const maker = async () =>
    (await call("GET", `/api/templates/${id}`, undefined, admin)).json<Template>().createdBy;
  expect(await maker()).toBe("Sam Lee");
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${staff.userId}`.execute(porchlight.db);
  expect(await maker()).toBe("Admin Manager");
});

test("what is planned with a template is named, and planned notifications keep the text they have", async () => {
  const made = await create({ ...rent, content: "Pay {{amount}}, {{first_name}}." });
  const planned = await call("POST", "/api/notifications", {
    title: "November rent",
    recipients: ["Everyone"],
    channels: ["email"],
    status: "Scheduled",
    scheduled_time: "2099-01-01T09:00:00Z",
    templateId: made.id,
    fieldValues: { amount: "$10" },
  });
  expect(planned.statusCode).toBe(201);
  const uses = (await call("GET", `/api/templates/${made.id}/uses`)).json<TemplateUse[]>();
  expect(uses).toEqual([
    {
      kind: "notification",
      id: planned.json<{ id: number }>().id,
      name: "November rent",
      nextRun: "2099-01-01T09:00:00.000Z",
    },
  ]);
  await call("PUT", `/api/templates/${made.id}`, { ...rent, content: "Changed" });
  const detail = await call("GET", `/api/notifications/${uses[0]!.id}`);
  expect(detail.json()).toMatchObject({ content: "Pay {{amount}}, {{first_name}}." });
  expect((await call("GET", `/api/templates/${made.id}`)).json<Template>().lastUsed).not.toBeNull();
});

test("a test goes to the person who asks, with their details, and is in no list", async () => {
  const reply = await call("POST", "/api/templates/send-test", {
    type: "Email",
    subject: "Rent of {{amount}}",
    content: "Hi {{first_name}}, **pay** {{amount}} by {{due_date}}.",
    fieldValues: { due_date: "Friday" },
  });
  expect(reply.statusCode).toBe(202);
  expect(reply.json<{ message: string }>().message).toBe(
    "No Email provider is connected, so the test went to the Sandbox.",
  );
  const { rows } = await sql<{ text: string; subject: string; people: unknown }>`
    SELECT v.compiled #>> '{email,text}' AS text, v.compiled #>> '{email,subject}' AS subject, r.audience AS people
    FROM content_versions v JOIN runs r ON r.content_version_id = v.id
    JOIN notifications n ON n.id = v.notification_id WHERE n.kind = 'test'`.execute(porchlight.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]!.subject).toContain("Rent of [amount]");
  expect(rows[0]!.text).toContain(", pay [amount] by Friday.");
  expect(rows[0]!.people).toMatchObject([{ type: "user", id: staff.userId }]);
  expect((await call("GET", "/api/notifications?q=test%20message")).json()).toEqual([]);

  const braces = await call("POST", "/api/templates/send-test", {
    type: "Email",
    subject: "{{first: name}}",
    content: "x",
  });
  expect(braces.json().fields).toEqual({ subject: expect.stringContaining("is not a field") });

  await sql`UPDATE users SET email = NULL WHERE id = ${staff.userId}`.execute(porchlight.db);
  const unreachable = await call("POST", "/api/templates/send-test", { type: "Email", content: "x" });
  expect(unreachable.statusCode).toBe(422);
  expect(unreachable.json<{ fields: object }>().fields).toHaveProperty("type");
});
