import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
const now = new Date("2026-11-20T15:00:00Z"); // 10:00 in New York

beforeAll(async () => {
  porchlight = await testApp({ now: () => now });
  staff = await porchlight.signedIn("staff", { firstName: "Sam", lastName: "Staff" });
  await insertPerson(porchlight.db, {
    firstName: "Luis",
    lastName: "Ortega",
    propertyUnit: "Harbor House 12",
    phone: "+12125550123",
  });
  await insertPerson(porchlight.db, { firstName: "Mei", lastName: "Tanaka", propertyUnit: "Maple Court 4B" });
  await insertPerson(porchlight.db, { firstName: "Sam", lastName: "Okafor", propertyUnit: "Harbor House 3" });
  await insertPerson(porchlight.db, { firstName: "Sam", lastName: "Okafor", propertyUnit: "Maple Court 9" });
  await insertPerson(porchlight.db, { firstName: "Nora", lastName: "Noway", email: null });
});
afterAll(() => porchlight.close());

const send = (body: object) =>
  porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
const create = (body: object) => porchlight.call({ method: "POST", url: "/api/notifications", body }, staff);
const get = (url: string) => porchlight.call({ method: "GET", url }, staff);

const planned = { title: "Water shut-off", recipients: ["Luis Ortega"], channels: ["email"] };
const water = { ...planned, message: "Hello {{first_name}}" };

test("a text of one's own can have an email template's formatting, also after a change that leaves it out", async () => {
  const body = { ...planned, content: "The water is **off** today.", status: "Draft", formatted: true };
  const { id } = (await create(body)).json<{ id: number }>();
  await porchlight.call(
    {
      method: "PUT",
      url: `/api/notifications/${id}`,
      body: { title: "Water", content: "It is **off** again.", recipients: ["Luis Ortega"] },
    },
    staff,
  );
  expect((await get(`/api/notifications/${id}`)).json()).toMatchObject({
    formatted: true,
    contentText: "It is off again.",
  });
  await porchlight.call({ method: "POST", url: `/api/notifications/${id}/send` }, staff);
  const { rows } = await sql<{ compiled: { email: { subject: string[]; html: unknown; text: unknown } } }>`
    SELECT compiled FROM content_versions WHERE notification_id = ${id}`.execute(porchlight.db);
  const { email } = rows[0]!.compiled;
  // Not the settings' subject, which is for templates.
  expect(email.subject).toEqual(["Water"]);
  expect(JSON.stringify(email.html)).toContain("It is <strong>off</strong> again.");
  expect(JSON.stringify(email.text)).toContain("It is off again.");
  const other = (await create({ ...body, formatted: undefined })).json<{ id: number }>();
  expect((await get(`/api/notifications/${other.id}`)).json()).toMatchObject({
    formatted: false,
    contentText: body.content,
  });
});

describe("the specified calls work on their own", () => {
  // spec 160, 186, 237
  test("POST /api/send-notification: title, message, recipients, channels", async () => {
    const reply = await send({
      title: "Garage gate",
      message: "Repaired.",
      recipients: ["All Tenants"],
      channels: ["email"],
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      title: "Garage gate",
      content: "Repaired.",
      recipients: "All Tenants",
      channels: ["email"],
      type: "Email",
      status: "Sending",
      createdBy: "Sam Staff",
      scheduled_time: null,
    });
  });

  // spec 187, 239, 241
  test("POST /api/notifications: Scheduled with scheduled_time, content kept exactly", async () => {
    const content = "First line\n\nSecond “quoted” line 🏠";
    const reply = await create({
      title: "December rent",
      content,
      recipients: ["All Tenants"],
      channels: ["email", "sms"],
      status: "Scheduled",
      scheduled_time: "2026-11-25T14:00:00.000Z",
    });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({
      status: "Scheduled",
      content,
      scheduled_time: "2026-11-25T14:00:00.000Z",
      sentTime: "Wed, Nov 25, 9:00 AM EST",
      channels: ["email", "sms"],
    });
  });

  // spec 188, 239
  test("POST /api/notifications: Recurring is kept with its rule", async () => {
    const reply = await create({
      title: "Staff meeting",
      content: "Agenda",
      recipients: ["All Staff"],
      channels: ["email"],
      status: "Recurring",
      recurrence: "weekly",
      recurringDay: 2,
      recurringTime: "14:00",
    });
    expect(reply.json()).toMatchObject({ status: "Recurring", sentTime: "Every Tuesday, 2:00 PM ET" });
    const detail = await get(`/api/notifications/${reply.json().id}`);
    expect(detail.json()).toMatchObject({ recurrence: "weekly", recurringDay: 2, recurringTime: "14:00" });
    const schedule = await get(`/api/schedules/${detail.json().scheduleId}`);
    expect(schedule.json()).toMatchObject({ name: "Staff meeting" });
  });

  // spec 505
  test("POST /api/notifications: Scheduled needs a time", async () => {
    const { content, recipients, channels } = { ...water, content: "Agenda" };
    const reply = await create({ title: "Meeting", content, recipients, channels, status: "Scheduled" });
    expect([reply.statusCode, reply.json().fields]).toEqual([
      400,
      { scheduled_time: "Choose a date and time" },
    ]);
  });

  test("POST /api/notifications: Recurring without a rule is daily at nine, as the form proposes", async () => {
    const { content, recipients, channels } = { ...water, content: "Agenda" };
    const reply = await create({ title: "Standup", content, recipients, channels, status: "Recurring" });
    expect([reply.statusCode, reply.json().sentTime]).toEqual([201, "Every day, 9:00 AM ET"]);
    // A day says that daily was not meant.
    const body = { title: "Standup", content, recipients, channels, status: "Recurring" };
    expect((await create({ ...body, recurringDay: 5 })).json().fields).toEqual({
      recurrence: "Recurrence must be daily, weekly or monthly",
    });
    for (const recurringDay of [true, "", null, "5th"]) {
      expect((await create({ ...body, recurrence: "weekly", recurringDay })).json().fields).toEqual({
        recurringDay: "The day must be 0 (Sunday) to 6 (Saturday) for weekly, or 1 to 31 for monthly",
      });
    }
    const friday = await create({ ...body, recurrence: "weekly", recurringDay: "5" });
    expect(friday.json().sentTime).toBe("Every Friday, 9:00 AM ET");
    expect((await create({ ...body, templateVersion: true })).json().fields).toEqual({
      templateVersion: "A template's version must be a whole number, starting at 1",
    });
  });

  // spec 164
  test("one recipient as plain text, and channels in any case", async () => {
    const reply = await send({ ...water, recipients: "luis ortega", channels: ["Email"] });
    expect(reply.json()).toMatchObject({ recipients: "Luis Ortega", channels: ["email"] });
  });
});

test("a reply says whether what was sent only goes to the Sandbox", async () => {
  expect((await send(water)).json().sandboxOnly).toBe(true);
  const { id } = (await create({ ...planned, content: "Hello", status: "Draft" })).json();
  const sendDraft = { method: "POST", url: `/api/notifications/${id}/send` } as const;
  expect((await porchlight.call(sendDraft, staff)).json().sandboxOnly).toBe(true);
  const account = await sql<{ id: number }>`INSERT INTO accounts (channel, kind, name, source)
    VALUES ('sms', 'twilio', 'Twilio', 'console') RETURNING id`.execute(porchlight.db);
  const both = { ...water, channels: ["email", "sms"] };
  expect((await send(both)).json().sandboxOnly).toBe(false);
  // Mei has no phone number.
  const mei = { ...both, recipients: ["Mei Tanaka"], clientKey: "lost-reply" };
  expect((await send(mei)).json().sandboxOnly).toBe(true);
  expect((await send(mei)).json().sandboxOnly).toBe(true);
  expect((await send({ ...water, channels: ["sms"] })).json().sandboxOnly).toBe(false);
  await sql`DELETE FROM accounts WHERE id = ${account.rows[0]?.id}`.execute(porchlight.db);
});

describe("recipients", () => {
  test("an unknown one is named, with what it is like", async () => {
    const reply = await send({ ...water, recipients: ["Al Tenants"] });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "unknown-recipient"]);
    expect(reply.json().fields.recipients).toBe(
      'No group or person is called "Al Tenants". Did you mean "All Tenants"?',
    );
  });

  // spec 167
  test("an ambiguous one answers the choices, and an id settles it", async () => {
    const reply = await send({ ...water, recipients: ["Sam Okafor"] });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "ambiguous-recipient"]);
    expect(reply.json().message).toContain("Harbor House 3");
    expect(reply.json().message).toContain("Maple Court 9");
    const { id } = await porchlight.db
      .selectFrom("users")
      .select("id")
      .where("property_unit", "=", "Maple Court 9")
      .executeTakeFirstOrThrow();
    expect((await send({ ...water, recipients: [{ type: "user", id }] })).statusCode).toBe(200);
  });

  // spec 125, 164
  test("several groups and people, each once", async () => {
    const reply = await create({
      ...planned,
      content: "x",
      status: "Draft",
      recipients: ["All Staff", "Mei Tanaka", "mei tanaka"],
    });
    expect(reply.json().recipients).toBe("All Staff, Mei Tanaka");
  });

  test("an audience of no one is refused before anything is stored", async () => {
    const { id } = await porchlight.db
      .insertInto("user_groups")
      .values({ name: "Empty group" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const before = await count();
    const reply = await send({ ...water, recipients: [{ type: "group", id }] });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      422,
      { code: "empty-audience", message: "No one is in Empty group right now." },
    ]);
    expect(await count()).toBe(before);
  });

  test("no one reachable on the chosen channel says why", async () => {
    const reply = await send({ ...water, recipients: ["Nora Noway"] });
    expect([reply.statusCode, reply.json().fields.recipients]).toEqual([
      422,
      "Nora Noway can't be reached by email. No email address on file.",
    ]);
  });

  test("if no one has the fields the message uses, no one is reachable", async () => {
    const message = "Your number is {{phone}}";
    const reply = await send({ ...water, message, recipients: ["Mei Tanaka", "Nora Noway"] });
    expect([reply.statusCode, reply.json().fields?.recipients]).toEqual([
      422,
      "Mei Tanaka and Nora Noway can't be reached by email. Mei Tanaka: No phone number is on file, and the message needs it. Nora Noway: No email address on file.",
    ]);
  });

  test("if many cannot be reached, the first are named and the others counted", async () => {
    const made = await Promise.all(
      ["Ash", "Birch", "Cedar", "Doum", "Elm"].map((lastName) =>
        insertPerson(porchlight.db, { firstName: "Tree", lastName, email: null }),
      ),
    );
    const reply = await send({ ...water, recipients: made.map((id) => ({ type: "user", id })) });
    expect(reply.json().message).toMatch(
      /^No one in .* can be reached by email\. (Tree \w+: No email address on file\. ){3}And 2 more\.$/,
    );
  });

  const count = async () => (await porchlight.db.selectFrom("notifications").select("id").execute()).length;
});

describe("the message", () => {
  test("a field is found whatever its capitals, in the text and in the answer", async () => {
    const reply = await send({ ...water, message: "Due {{Due_Date}}", fieldValues: { Due_date: "1 May" } });
    expect([reply.statusCode, reply.json().code]).toEqual([200, undefined]);
  });

  test("a field that no one fills is asked for by name", async () => {
    const reply = await send({ ...water, message: "Rent of {{amount}} is due on {{due_date}}" });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      422,
      {
        code: "missing-field-values",
        fields: { "fieldValues.amount": "Fill in amount", "fieldValues.due_date": "Fill in due date" },
      },
    ]);
    const filled = await send({
      ...water,
      message: "Rent of {{amount}} is due",
      fieldValues: { amount: "$900" },
    });
    expect(filled.statusCode).toBe(200);
  });

  test("an answer may have several lines", async () => {
    const work = "New boiler.\nPlease keep the cellar free.";
    const reply = await send({ ...water, message: "We do this: {{work}}", fieldValues: { work } });
    expect([reply.statusCode, reply.json().fields]).toEqual([200, undefined]);
    const detail = await get(`/api/notifications/${reply.json().id}`);
    expect(detail.json()).toMatchObject({ fieldValues: { work } });
  });

  test("braces that are no field are refused, not sent", async () => {
    const reply = await send({ ...water, message: "Hello {{first.name}}" });
    expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ["message"]]);
    const { message, ...body } = { ...water, message: "Hello {{first.name}}" };
    const created = await create({
      ...body,
      content: message,
      status: "Scheduled",
      scheduled_time: "2099-01-01T09:00",
    });
    expect(Object.keys(created.json().fields)).toEqual(["content"]);
  });

  test("a template by its written name", async () => {
    const reply = await send({
      title: "Rent",
      templateId: "rent-reminder",
      recipients: ["Luis Ortega"],
      channels: ["email"],
      fieldValues: { amount: "$900", due_date: "1 December" },
    });
    expect(reply.statusCode).toBe(200);
    const detail = await get(`/api/notifications/${reply.json().id}`);
    expect(detail.json()).toMatchObject({
      messageType: "template",
      fieldValues: { amount: "$900", due_date: "1 December" },
    });
    expect(detail.json().content).toContain("{{property_unit}}");
  });

  test("can be read without the marks of an email template, and a custom one as it was typed", async () => {
    const content = "Your lease ends on **{{lease_end}}**.";
    const made = await porchlight.call(
      {
        method: "POST",
        url: "/api/templates",
        body: { name: "Lease end", type: "Email", subject: "", content },
      },
      staff,
    );
    const sent = { ...water, message: undefined, fieldValues: { lease_end: "May 31" } };
    const ofTemplate = await send({ ...sent, templateId: made.json().id });
    const custom = await send({ ...sent, message: content });
    const read = async (reply: typeof custom) => (await get(`/api/notifications/${reply.json().id}`)).json();
    expect(await read(ofTemplate)).toMatchObject({
      content,
      contentText: "Your lease ends on {{lease_end}}.",
    });
    expect(await read(custom)).toMatchObject({ content, contentText: content });
  });

  test("a template that has changed since the sender read it is neither sent nor saved", async () => {
    const body = {
      title: "Rent",
      templateId: "rent-reminder",
      recipients: ["Luis Ortega"],
      channels: ["email"],
      fieldValues: { amount: "$900", due_date: "1 December" },
      clientKey: "read-before",
    };
    const { version } = await porchlight.db
      .updateTable("templates")
      .set({ version: sql<number>`version + 1` })
      .where("slug", "=", body.templateId)
      .returning("version")
      .executeTakeFirstOrThrow();
    const later = { ...body, status: "Scheduled", scheduled_time: "2099-01-01T09:00" };
    for (const stale of [
      await send({ ...body, templateVersion: version - 1 }),
      await create({ ...later, templateVersion: version - 1 }),
    ]) {
      expect([stale.statusCode, stale.json()]).toMatchObject([
        409,
        { code: "conflict", fields: { templateId: expect.stringContaining("“Rent Reminder” has changed") } },
      ]);
    }
    // The refused calls have not used up their key.
    const sent = await send({ ...body, templateVersion: version });
    expect(sent.statusCode).toBe(200);
    // Its reply was lost, and the template changed again.
    const repeated = await send({ ...body, templateVersion: version + 1 });
    expect([repeated.statusCode, repeated.json().id]).toEqual([200, sent.json().id]);
  });

  test.each([
    [
      // spec 283
      "a title of 10,000 characters",
      { title: "x".repeat(10_000) },
      "title",
      "Title must be at most 200 characters",
    ],
    ["a line break in the title", { title: "Water\r\nBcc: all@example.com" }, "title", /control character/],
    [
      "a name in braces that is no field, in the title",
      { title: "Hi {{first.name}}" },
      "title",
      /is not a field/,
    ],
    ["one in the message", { message: "Hi {{first.name}}" }, "message", /is not a field/],
    ["a zero byte in the message", { message: "Hel\u0000lo" }, "message", /control character/],
    ["no title", { title: "   " }, "title", "Title is required"],
    ["no channel", { channels: [] }, "channels", "At least one channel is required"],
    ["no recipients", { recipients: [] }, "recipients", "Recipients are required"],
    ["no message", { message: "" }, "message", "Either template or custom message is required"],
    ["a file that is not there", { attachments: [{ id: 4711 }] }, "attachments", /attach it again/],
  ])("%s gets its sentence at its field", async (_, change, field, sentence) => {
    const reply = await send({ ...water, ...change });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields[field]).toEqual(
      sentence instanceof RegExp ? expect.stringMatching(sentence) : sentence,
    );
  });

  test("right-to-left text and emoji arrive as they were typed", async () => {
    const title = "صيانة المصعد 🛠️ שלום";
    expect((await send({ ...water, title })).json().title).toBe(title);
  });
});

describe("time", () => {
  const schedule = (scheduled_time: string) =>
    create({ ...planned, content: "x", status: "Scheduled", scheduled_time });

  test("a time that has passed is refused in words", async () => {
    const reply = await schedule("2026-11-20T14:58:00Z");
    expect([reply.statusCode, reply.json().fields.scheduled_time]).toEqual([
      422,
      "Fri, Nov 20, 9:58 AM EST has already passed. Choose a later time, or send immediately.",
    ]);
  });

  test.each([
    // spec 240
    ["a clock time is the organization's", "2026-11-25T09:00", "2026-11-25T14:00:00.000Z"],
    [
      "one that daylight saving skips moves forward by the gap",
      "2027-03-14T02:30",
      "2027-03-14T07:30:00.000Z",
    ],
    ["one that occurs twice is the first", "2027-11-07T01:30", "2027-11-07T05:30:00.000Z"],
    // spec 240
    ["an instant is an instant", "2026-11-25T09:00:00+01:00", "2026-11-25T08:00:00.000Z"],
  ])("%s", async (_, written, stored) => {
    expect((await schedule(written)).json().scheduled_time).toBe(stored);
  });

  test.each(["tomorrow", "2026-02-30T09:00", "", null])("%s is no time", async (written) => {
    const reply = await create({ ...planned, content: "x", status: "Scheduled", scheduled_time: written });
    expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ["scheduled_time"]]);
  });
});
