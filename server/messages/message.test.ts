import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { Channel } from "#contract/delivery.ts";
import { renderEmail, renderPush, renderSms } from "#server/delivery/content/render.ts";
import { runNextSchedule } from "#server/delivery/schedules/scheduler.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { emptyMessage, type Message, messageColumns } from "#server/messages/message.ts";
import { type Caller, insertPerson } from "#server/testing/app.ts";
import { addValues } from "#server/testing/values.ts";
import { until } from "#server/testing/until.ts";
import { testAppWithWorker, type WorkingApp } from "#server/testing/worker.ts";

/**
 * Every field of a message is followed from the call that creates it through an edit, a schedule and its run, to what a
 * provider receives. The fields are those of the table in message.ts: one that is added there has to be added here, and
 * one that a copy forgets fails.
 */

let now = new Date("2099-03-02T12:00:00Z");
let app: WorkingApp;
let staff: Caller;
let expected: Message;
beforeAll(async () => {
  app = await testAppWithWorker({ now: () => now });
  const { db } = app.porchlight;
  staff = await app.porchlight.signedIn("staff");
  const mei = { firstName: "Mei", lastName: "Tanaka", email: "mei@example.com", phone: "+14155550123" };
  const person = await insertPerson(db, mei);
  const template = await db
    .insertInto("templates")
    .values({
      name: "Water",
      type: "Email",
      class: "general",
      subject: "No water on {{day}}",
      content: "Gone",
      added_fields: [],
      created_by: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const bytes = Buffer.from("%PDF-1.4 plan");
  await sql`INSERT INTO attachment_bytes (sha256, bytes) VALUES ('\\x01', ${bytes})`.execute(db);
  const file = await sql<{ id: number }>`INSERT INTO attachments (sha256, name, type, size)
    VALUES ('\\x01', 'plan.pdf', 'application/pdf', ${bytes.length}) RETURNING id`.execute(db);
  const pets = await db
    .insertInto("details")
    .values({ label: "Pets", field: "pets", kind: "text" })
    .returning("id")
    .executeTakeFirstOrThrow();
  expected = {
    title: "Water off on {{day}}",
    messageType: "template",
    templateId: template.id,
    subject: "No water on {{day}}",
    content: "Dear {{first_name}}, **no water** on {{day}}.",
    formatted: true,
    fieldValues: { day: "Tuesday" },
    class: "emergency",
    channels: ["email", "sms"],
    audience: [{ type: "user", id: person, name: "Mei Tanaka" }],
    perHome: true,
    attachmentIds: [file.rows[0]!.id],
    valuesId: await addValues(db, { [person]: { storage: "S-12" } }),
    skipIf: { detail: pets.id, kind: "text", is: "on-file", value: "" },
  };
});
afterAll(() => app.close());

const call = async (method: "GET" | "POST" | "PUT", url: string, body?: object) => {
  const reply = await app.porchlight.call({ method, url, body }, staff);
  if (reply.statusCode >= 400) throw new Error(reply.body);
  return reply.json();
};

const stored = async (id: number): Promise<Message> => {
  const { rows } =
    await sql<Message>`SELECT ${messageColumns("n")} FROM notifications n WHERE n.id = ${id}`.execute(
      app.porchlight.db,
    );
  return rows[0]!;
};

/** As calls write a message; the other fields follow from these. */
const written = () => {
  const {
    title,
    content,
    templateId,
    fieldValues,
    class: urgency,
    channels,
    audience,
    perHome,
    attachmentIds,
    valuesId,
  } = expected;
  return {
    title,
    content,
    templateId,
    fieldValues,
    channels,
    class: urgency,
    perHome,
    recipients: audience.map(({ type, id }) => ({ type, id })),
    attachments: attachmentIds.map((id) => ({ id })),
    valuesId,
  };
};

test("no field has its empty value here, where forgetting it would go unnoticed", () => {
  expect(Object.keys(expected).toSorted()).toEqual(Object.keys(emptyMessage).toSorted());
  for (const [field, value] of Object.entries(emptyMessage)) {
    expect({ [field]: expected[field as keyof Message] }).not.toEqual({ [field]: value });
  }
});

test("every field reaches the provider through a recurring notification, and one that a schedule repeats", async () => {
  // A file's values are for one message, and a schedule says whom it leaves out.
  const repeated = { ...expected, valuesId: null, skipIf: null };
  const recurring = {
    ...written(),
    valuesId: null,
    status: "Recurring",
    recurrence: "daily",
    recurringTime: "09:00",
  };
  const { id } = await call("POST", notifications.create.path, recurring);
  expect(await stored(id)).toEqual(repeated);

  const { audience, attachments, ...detail } = await call("GET", `/api/notifications/${id}`);
  const { attachmentIds, ...fields } = repeated;
  expect({ ...detail, audience }).toMatchObject(fields);
  expect(attachments.map((file: { id: number }) => file.id)).toEqual(attachmentIds);

  // What an edit leaves out stays.
  const { title, content, recipients } = written();
  await call("PUT", `/api/notifications/${id}`, { title, content, recipients });
  expect(await stored(id)).toEqual(repeated);

  // A schedule that repeats it says the rest itself.
  const { skipIf } = expected;
  const repeating = { name: "Repeats", notificationId: id, time: "10:00", recipients, skipIf };
  const schedule = await call("POST", schedules.create.path, repeating);
  const outgoing = await call("GET", `/api/schedules/${schedule.id}/outgoing`);
  expect(outgoing).toMatchObject({ ...fields, skipIf });

  now = new Date("2099-03-02T16:00:00Z");
  const clock = () => Promise.resolve(now);
  while (await runNextSchedule(app.porchlight.db, { organization: readOrganization }, clock));
  const { rows: runs } = await sql<{ id: number; class: string; channels: Channel[] }>`
    SELECT notification_id AS id, class, channels FROM runs ORDER BY id`.execute(app.porchlight.db);
  expect(runs).toHaveLength(2);
  for (const [place, run] of runs.entries()) {
    expect(await stored(run.id)).toEqual(place === 0 ? repeated : { ...repeated, skipIf });
    expect(run).toMatchObject({ class: expected.class, channels: expected.channels });
  }
  await until(() => expect(app.channels.sms.received).toHaveLength(2));
  await until(() => expect(app.channels.email.received).toHaveLength(2));
  expect(app.channels.push.received).toEqual([]);
  for (const { address, name, urgent, content, values, links } of app.channels.email.received) {
    expect({ address, name, urgent }).toEqual({
      address: "mei@example.com",
      name: "Mei Tanaka",
      urgent: true,
    });
    const email = renderEmail(content.compiled, values, links);
    expect(email.subject).toBe("No water on Tuesday");
    expect(email.html).toContain("<strong");
    expect(email.text).toContain("Dear Mei, no water on Tuesday.");
    expect(content.attachments.map((file) => file.name)).toEqual(["plan.pdf"]);
  }
  for (const { content, values, links } of app.channels.sms.received) {
    expect(renderSms(content.compiled, values, links).text).toContain("no water on Tuesday");
  }
});

test("the title reaches those who get it as a push message, and each person's own values", async () => {
  expected = { ...expected, channels: ["email", "push"] };
  const { id } = await call("POST", notifications.create.path, { ...written(), status: "Draft" });
  const { title, content } = written();
  await call("PUT", `/api/notifications/${id}`, { title, content: `${content} Storage {{storage}}` });
  expect((await stored(id)).valuesId).toBe(expected.valuesId);
  await call("POST", `/api/notifications/${id}/send`);
  const { rows } = await sql<{ compiled: Parameters<typeof renderPush>[0] }>`
    SELECT compiled FROM content_versions WHERE notification_id = ${id}`.execute(app.porchlight.db);
  const push = renderPush(rows[0]!.compiled, { first_name: "Mei", storage: "S-12" });
  expect(push.title).toBe("Water off on Tuesday");
  expect(push.body).toContain("Storage S-12");
});
