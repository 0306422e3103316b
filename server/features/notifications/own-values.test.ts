import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { settleHomes } from "#server/places/settle.ts";
import { addValues } from "#server/testing/values.ts";

/** Messages whose people have values of their own, as files and calls bring them. */

let porchlight: TestApp;
let staff: Caller;
let ann: number;
let bo: number;
let cy: number;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  const add = (firstName: string) =>
    insertPerson(porchlight.db, { username: `${firstName}.lee`, firstName, lastName: "Lee" });
  [ann, bo, cy] = [await add("Ann"), await add("Bo"), await add("Cy")];
});
afterAll(() => porchlight.close());

const ask = async (method: "GET" | "POST" | "PUT", url: string, body?: object) => {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, staff);
  return { status: reply.statusCode, json: reply.json() };
};

const rent = (body: object) => ({
  title: "Rent",
  channels: ["email"],
  recipients: [ann, bo, cy].map((id) => ({ type: "user", id })),
  ...body,
});

async function deliveriesOf(notificationId: number) {
  const { rows } = await sql<object>`
    SELECT d.user_id AS "userId", d.reason, d.detail, d.field_values AS values
    FROM deliveries d JOIN runs r ON r.id = d.run_id WHERE r.notification_id = ${notificationId}
    ORDER BY d.user_id`.execute(porchlight.db);
  return rows;
}

test("each person gets their own value, and who has none is left out and listed", async () => {
  const valuesId = await addValues(porchlight.db, {
    [ann]: { amount: "$1,200.00" },
    [bo]: { amount: "$980.50" },
  });
  const message = "Your rent is {{amount}}.";
  const question = { ...rent({}), fields: ["amount"], valuesId };
  const { recipients, channels, fields } = question as Record<string, unknown>;
  const reach = await ask("POST", "/api/audience/reach", { recipients, channels, fields, valuesId });
  expect(reach.json).toMatchObject({ people: 3, reached: 2 });
  const preview = await ask("POST", "/api/audience/preview", {
    ...rent({}),
    message,
    valuesId,
    userId: bo,
  });
  expect(preview.json).toMatchObject({ problem: null, missingFields: [] });
  expect(preview.json.email.text).toContain("Your rent is $980.50.");

  // What was typed for everyone before there was a file doesn't go out.
  const sent = await ask(
    "POST",
    "/api/send-notification",
    rent({ message, valuesId, fieldValues: { amount: "$1" } }),
  );
  expect(sent.status).toBe(200);
  expect(await deliveriesOf(sent.json.id)).toEqual([
    { userId: ann, reason: null, detail: null, values: { amount: "$1,200.00" } },
    { userId: bo, reason: null, detail: null, values: { amount: "$980.50" } },
    { userId: cy, reason: "missing-field", detail: "amount", values: {} },
  ]);
});

test("a file can be the audience, and stays as long as its message does", async () => {
  const valuesId = await addValues(
    porchlight.db,
    { [ann]: { amount: "$1" }, [cy]: { amount: "$2" } },
    "December.xlsx",
  );
  const to = { recipients: [{ type: "file", id: valuesId }], valuesId };
  const draft = await ask(
    "POST",
    "/api/notifications",
    rent({ ...to, content: "Pay {{amount}}", status: "Draft" }),
  );
  expect(draft.json).toMatchObject({ recipients: "December.xlsx" });
  const { rows } = await sql<{ kept: boolean }>`
    SELECT kept_at IS NOT NULL AS kept FROM imports WHERE id = ${valuesId}`.execute(porchlight.db);
  expect(rows).toEqual([{ kept: true }]);
  expect((await ask("GET", `/api/notifications/${draft.json.id}`)).json).toMatchObject({
    valuesId,
    values: { id: valuesId, name: "December.xlsx", people: 2, fields: ["amount"] },
  });
  const sent = await ask("POST", `/api/notifications/${draft.json.id}/send`);
  expect(sent.status).toBe(200);
  expect(await deliveriesOf(draft.json.id)).toMatchObject([
    { userId: ann, values: { amount: "$1" } },
    { userId: cy, values: { amount: "$2" } },
  ]);
});

test("values are for one message that goes out once", async () => {
  const valuesId = await addValues(porchlight.db, { [ann]: { amount: "$1" } });
  const weekly = { status: "Recurring", recurrence: "daily", content: "Pay {{amount}}", valuesId };
  expect((await ask("POST", "/api/notifications", rent(weekly))).json).toMatchObject({
    fields: { valuesId: expect.stringContaining("details of people") },
  });
  expect(
    (await ask("POST", "/api/send-notification", rent({ message: "Hi", valuesId: 99_999 }))).json,
  ).toMatchObject({
    fields: { valuesId: expect.stringContaining("no longer exists") },
  });
});

test("a file is its uploader's until a message has it, and its people get its values", async () => {
  const valuesId = await addValues(porchlight.db, { [ann]: { amount: "$3" } }, "Mine.xlsx");
  await sql`UPDATE imports SET created_by = ${bo} WHERE id = ${valuesId}`.execute(porchlight.db);
  const message = "Mine: {{amount}}";
  const of = (id: number) => ({ recipients: [{ type: "file", id }], channels: ["email"], message });
  const preview = async () =>
    (await ask("POST", "/api/audience/preview", { ...of(valuesId), valuesId })).json;
  const send = async (body: object) => ask("POST", "/api/send-notification", rent(body));
  expect(await preview()).toMatchObject({ missingFields: ["amount"] });
  expect((await send({ ...of(valuesId), valuesId })).json).toMatchObject({
    fields: { valuesId: expect.stringContaining("no longer exists") },
  });
  await sql`UPDATE imports SET kept_at = now() WHERE id = ${valuesId}`.execute(porchlight.db);
  expect(await preview()).toMatchObject({ missingFields: [], person: { name: "Ann Lee" } });

  const other = await addValues(porchlight.db, { [ann]: { amount: "$4" } });
  for (const without of [null, other]) {
    expect((await send({ ...of(valuesId), message: "Hi", valuesId: without })).json).toMatchObject({
      fields: { recipients: expect.stringContaining("the same file") },
    });
  }
  expect((await send({ ...of(valuesId), valuesId })).status).toBe(200);
});

test("the same values go out once a day with the same message, unless someone insists", async () => {
  const first = await addValues(porchlight.db, { [ann]: { amount: "$7" }, [bo]: { amount: "$8" } });
  const again = await addValues(
    porchlight.db,
    // One is corrected, the other has what they got.
    { [ann]: { amount: "$7" }, [bo]: { amount: "$9" } },
    "Corrected.xlsx",
  );
  const written = { title: "Fees", message: "Your fee is {{amount}}", valuesId: first };
  const { json: sent } = await ask("POST", "/api/send-notification", rent(written));

  const twice = { ...written, title: "Fees, corrected", valuesId: again };
  const refused = await ask("POST", "/api/send-notification", rent(twice));
  expect(refused).toMatchObject({
    status: 409,
    json: {
      code: "already-sent",
      notificationId: sent.id,
      message: expect.stringMatching(/^1 person already got this message .* from “Fees”/),
    },
  });
  // To someone who didn't get it, or with another text, it isn't the same.
  const toCy = { ...twice, recipients: [{ type: "user", id: cy }], message: "Your fee is {{amount}}" };
  expect((await ask("POST", "/api/send-notification", rent(toCy))).json.code).not.toBe("already-sent");
  const reminder = { ...twice, message: "Reminder: {{amount}}" };
  expect((await ask("POST", "/api/send-notification", rent(reminder))).status).toBe(200);

  const { message: content, ...planned } = twice;
  const later = { ...planned, content, status: "Scheduled", scheduled_time: "2099-12-01T09:00:00Z" };
  expect((await ask("POST", "/api/notifications", rent(later))).json.code).toBe("already-sent");
  const draft = await ask("POST", "/api/notifications", rent({ ...planned, content, status: "Draft" }));
  const start = `/api/notifications/${draft.json.id}/send`;
  expect((await ask("POST", start)).json.code).toBe("already-sent");
  expect((await ask("POST", `${start}?again=true`)).status).toBe(200);
  expect((await ask("POST", "/api/send-notification", rent({ ...twice, again: true }))).status).toBe(200);
});

test("a change keeps the values, puts others in their place, or takes them away", async () => {
  const valuesId = await addValues(porchlight.db, { [ann]: { fee: "$11" } }, "Fees.xlsx");
  const draft = rent({
    content: "Fee {{fee}}",
    status: "Draft",
    recipients: [{ type: "file", id: valuesId }],
    valuesId,
  });
  const { id } = (await ask("POST", "/api/notifications", draft)).json;
  const path = `/api/notifications/${id}`;
  const read = async () => (await ask("GET", path)).json;

  // What GET gave is sent back, with one change.
  const { title: _, audience: __, ...shown } = await read();
  expect((await ask("PUT", path, { ...shown, title: "Late fees" })).status).toBe(200);
  expect(await read()).toMatchObject({ title: "Late fees", valuesId, audience: [{ type: "file" }] });

  const others = await addValues(porchlight.db, { [bo]: { fee: "$12" } }, "Corrected.xlsx");
  const swapped = { title: "Fees", recipients: [{ type: "file", id: others }], valuesId: others };
  expect((await ask("PUT", path, swapped)).json).toMatchObject({ values: { name: "Corrected.xlsx" } });
  const planned = { status: "Scheduled", scheduled_time: "2099-12-01T09:00:00Z" };
  const text = { content: "Fee {{fee}}" };
  const toAnn = { title: "Fees", recipients: [{ type: "user", id: ann }], valuesId: null };
  expect((await ask("PUT", path, { ...text, ...planned, ...toAnn })).json.message).toContain("fee");
  expect((await ask("PUT", path, { ...text, ...planned, ...swapped })).status).toBe(200);

  expect((await ask("POST", `${path}/cancel`)).status).toBe(200);
  expect((await ask("POST", `${path}/uncancel`)).json).toMatchObject({
    status: "Scheduled",
    valuesId: others,
  });
});

test("a retry has the values of the file, also for who had no address before", async () => {
  const dee = await insertPerson(porchlight.db, {
    firstName: "Dee",
    lastName: "Lee",
    email: "dee@example.com",
  });
  await sql`UPDATE users SET email = '' WHERE id = ${dee}`.execute(porchlight.db);
  const valuesId = await addValues(porchlight.db, { [ann]: { meter: "00123" }, [dee]: { meter: "00456" } });
  const recipients = [{ type: "file", id: valuesId }];
  const sent = await ask(
    "POST",
    "/api/send-notification",
    rent({ message: "Meter {{meter}}", recipients, valuesId }),
  );
  const { id } = sent.json;
  await sql`UPDATE users SET email = 'dee@example.com' WHERE id = ${dee}`.execute(porchlight.db);
  expect((await ask("POST", `/api/notifications/${id}/send-again`, {})).json).toMatchObject({ requeued: 1 });
  expect(await deliveriesOf(id)).toEqual([
    { userId: ann, reason: null, detail: null, values: { meter: "00123" } },
    { userId: dee, reason: null, detail: null, values: { meter: "00456" } },
  ]);
});

test("of the people of one home, one who has a value gets the message", async () => {
  const home = { propertyUnit: "Elm 7", property: "Elm", unit: "7" };
  const add = (firstName: string, phone: string) =>
    insertPerson(porchlight.db, { firstName, lastName: "Home", phone, ...home });
  const people = [
    await add("Eva", "+14155550141"),
    await add("Fay", "+14155550142"),
    await add("Gil", "+14155550143"),
  ];
  await settleHomes(porchlight.db, people);
  const [eva, fay, gil] = people as [number, number, number];
  const long = "y".repeat(200);
  const valuesId = await addValues(porchlight.db, { [fay]: { note: "short" }, [gil]: { note: long } });
  const recipients = people.map((id) => ({ type: "user", id }));
  const question = { recipients, valuesId, perHome: true };
  const asked = { ...question, channels: ["sms"], fields: ["note"] };
  expect((await ask("POST", "/api/audience/reach", asked)).json).toMatchObject({
    homes: 1,
    reached: 3,
    messages: 1,
  });
  const texts = await ask("POST", "/api/audience/texts", { ...question, message: "{{note}}" });
  expect(texts.json).toEqual({ texts: 1, parts: 1 });
  const sent = await ask(
    "POST",
    "/api/send-notification",
    rent({ ...question, message: "{{note}}", channels: ["sms"] }),
  );
  expect(await deliveriesOf(sent.json.id)).toMatchObject([
    { userId: eva, reason: "same-home", detail: "Fay Home" },
    { userId: fay, reason: null, values: { note: "short" } },
    { userId: gil, reason: "same-home" },
  ]);
});

test("a call can bring each person's values, which the questions before it know, too", async () => {
  const recipients = [
    { type: "user", id: ann, values: { amount: "$1,685.00", Slot: "9 AM {{amount}}" } },
    { type: "user", id: bo, values: { amount: " " } },
    { type: "user", id: cy },
  ];
  const message = "{{amount}} at {{slot}}";
  const fields = ["amount", "slot"];
  const reach = await ask("POST", "/api/audience/reach", { recipients, channels: ["email"], fields });
  expect(reach.json).toMatchObject({ people: 3, reached: 1 });
  const preview = await ask("POST", "/api/audience/preview", { recipients, channels: ["sms"], message });
  expect(preview.json).toMatchObject({ missingFields: [], sms: { text: "$1,685.00 at 9 AM {{amount}}" } });
  const sent = await ask("POST", "/api/send-notification", rent({ recipients, message }));
  expect(await deliveriesOf(sent.json.id)).toMatchObject([
    { userId: ann, values: { amount: "$1,685.00", slot: "9 AM {{amount}}" } },
    { userId: bo, reason: "missing-field", detail: "amount" },
    { userId: cy, reason: "missing-field", detail: "amount" },
  ]);
  const named = [{ type: "user", id: ann, values: { first_name: "Anna" } }];
  expect(
    (await ask("POST", "/api/send-notification", rent({ recipients: named, message: "Hi" }))).json,
  ).toMatchObject({
    fields: { "recipients.0.values.first_name": "{{first_name}} is filled in from each person’s record" },
  });
  const twice = [
    { type: "user", id: ann, values: { amount: "$1", slot: "9 AM" } },
    { type: "user", id: ann, values: { amount: "$2", slot: "9 AM" } },
  ];
  expect(await ask("POST", "/api/send-notification", rent({ recipients: twice, message }))).toMatchObject({
    status: 400,
    json: { fields: { "recipients.1.values.amount": "This person has another {{amount}} above" } },
  });
  const { valuesId } = (await ask("GET", `/api/notifications/${sent.json.id}`)).json;
  const both = rent({ recipients, message, valuesId, again: true });
  expect((await ask("POST", "/api/send-notification", both)).json).toMatchObject({
    fields: { valuesId: expect.stringContaining("not both") },
  });
  const toAll = { recipients: [{ type: "file", id: valuesId }], message, valuesId, again: true };
  expect((await ask("POST", "/api/send-notification", rent(toAll))).status).toBe(422);
  const repeated = { recipients, name: "Rent", templateId: "rent-reminder", time: "09:00" };
  expect((await ask("POST", "/api/schedules", repeated)).status).toBe(400);
});

test("the parts of all texts are counted by each person's own text", async () => {
  const long = "x".repeat(160);
  const add = (name: string, phone: string) =>
    insertPerson(porchlight.db, { username: name, firstName: name, lastName: "Lee", phone });
  const one = await add("One", "+14155550131");
  const two = await add("Two", "+14155550132");
  const same = await add("Same", "+14155550131");
  const valuesId = await addValues(porchlight.db, {
    [one]: { note: "short" },
    [two]: { note: long },
    [same]: { note: long },
  });
  const recipients = [one, two, same, cy].map((id) => ({ type: "user", id }));
  const question = { recipients, message: "Dear {{first_name}}, {{note}}", valuesId };
  // One number gets one text, who lacks the note none, and the long one takes two parts.
  const { json } = await ask("POST", "/api/audience/texts", question);
  expect(json).toEqual({ texts: 2, parts: 3 });
  expect((await ask("POST", "/api/audience/texts", { ...question, message: "{{open}}" })).json).toBeNull();
});

test("people who share an address never get each other's values", async () => {
  const add = (name: string) =>
    insertPerson(porchlight.db, {
      username: name,
      firstName: name,
      lastName: "Ray",
      email: "rays@example.com",
    });
  const [vic, rosa] = [await add("Vic"), await add("Rosa")];
  const recipients = [vic, rosa].map((id) => ({ type: "user", id }));
  const own = (one: string, other: string) =>
    addValues(porchlight.db, { [vic]: { fee: one }, [rosa]: { fee: other } });
  const sendWith = async (valuesId: number) =>
    ask(
      "POST",
      "/api/send-notification",
      rent({ recipients, message: "Fee {{fee}}", valuesId, again: true }),
    );
  const refused = await sendWith(await own("$950", "$951"));
  expect(refused.json.fields.valuesId).toBe(
    "Vic Ray and Rosa Ray have the same email address, and different values, so only one of them would get theirs. Leave one row out, and write to that person separately.",
  );
  expect((await sendWith(await own("$950", "$950"))).status).toBe(200);
  const draft = {
    ...rent({ recipients, valuesId: await own("$1", "$2") }),
    content: "Fee {{fee}}",
    status: "Draft",
  };
  expect((await ask("POST", "/api/notifications", draft)).status).toBe(201);
});
