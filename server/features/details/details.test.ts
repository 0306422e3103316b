import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reach } from "#contract/calls/audience.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let ann: number;
let bo: number;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  ann = await insertPerson(porchlight.db, { username: "ann.lee", firstName: "Ann", lastName: "Lee" });
  bo = await insertPerson(porchlight.db, { username: "bo.day", firstName: "Bo", lastName: "Day" });
});
afterAll(() => porchlight.close());

const ask = async (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object, as = staff) => {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, as);
  return { status: reply.statusCode, json: reply.json() };
};
const made = async (label: string, kind: string) =>
  (await ask("POST", "/api/details", { label, kind })).json as { id: number; field: string };
const person = async (id: number) => (await ask("GET", `/api/users/${id}`)).json;
const save = async (id: number, details: object) => {
  const { username, firstName, lastName, email, role } = await person(id);
  return ask("PUT", `/api/users/${id}`, { username, firstName, lastName, email, role, details });
};
const send = (body: object) =>
  ask("POST", "/api/notifications", {
    title: "Rent",
    channels: ["email"],
    recipients: [ann, bo].map((id) => ({ type: "user", id })),
    ...body,
  });
async function deliveriesOf(notificationId: number) {
  const { rows } = await sql<{
    userId: number;
    status: string;
    reason: string;
    detail: string;
    values: object;
  }>`
    SELECT d.user_id AS "userId", d.status, d.reason, d.detail, d.field_values AS values
    FROM deliveries d JOIN runs r ON r.id = d.run_id WHERE r.notification_id = ${notificationId}
    ORDER BY d.user_id`.execute(porchlight.db);
  return rows;
}

test("a detail is defined once, and its field is free and stays", async () => {
  const balance = await made("Balance", "amount");
  expect(balance).toMatchObject({ label: "Balance", field: "balance", kind: "amount" });
  const taken = { label: expect.stringContaining("already") };
  expect((await ask("POST", "/api/details", { label: "balance", kind: "text" })).json.fields).toEqual(taken);
  for (const label of [
    "Phone",
    "First name",
    "Today",
    "Move-in date",
    "Lease end",
    "Unit",
    "one time link",
  ]) {
    const { status, json } = await ask("POST", "/api/details", { label, kind: "text" });
    expect([label, status, json.fields.label]).toEqual([
      label,
      400,
      expect.stringContaining("something else"),
    ]);
  }
  expect((await ask("POST", "/api/details", { label: "Баланс", kind: "text" })).status).toBe(400);
  expect((await ask("PUT", `/api/details/${balance.id}`, { label: "Balance due" })).json).toMatchObject({
    label: "Balance due",
    field: "balance",
  });
  await ask("PUT", `/api/details/${balance.id}`, { label: "Balance" });
  // Its field would be read in a file's column of the other's name.
  const other = await made("Alpha", "text");
  expect((await ask("PUT", `/api/details/${other.id}`, { label: "balance " })).status).toBe(409);
  await ask("PUT", `/api/details/${other.id}`, { label: "Gamma" });
  expect((await ask("PUT", `/api/details/${balance.id}`, { label: "Alpha" })).status).toBe(409);
  await ask("DELETE", `/api/details/${other.id}`);
  const tenant = await porchlight.signedIn("tenant");
  expect((await ask("POST", "/api/details", { label: "Pets", kind: "text" }, tenant)).status).toBe(403);
  expect((await ask("GET", "/api/details", undefined, tenant)).status).toBe(403);
});

test("a person's values are exact, and what a call leaves out stays", async () => {
  await made("Storage", "text");
  await made("Lease signed", "date");
  await save(ann, { balance: 12.5, storage: " S-0012 ", lease_signed: "2026-02-01" });
  const all = { balance: "12.50", storage: "S-0012", lease_signed: "2026-02-01" };
  expect((await person(ann)).details).toEqual(all);
  await save(ann, { balance: "1234567.89" });
  await save(ann, {});
  expect((await person(ann)).details).toEqual({ ...all, balance: "1234567.89" });
  await save(ann, { storage: "", lease_signed: null });
  expect((await person(ann)).details).toEqual({ balance: "1234567.89" });
  const refused = async (details: object) => (await save(ann, details)).json.fields;
  expect(await refused({ balance: "1.234,56" })).toEqual({
    "details.balance": expect.stringContaining("Balance must be an amount"),
  });
  expect(await refused({ lease_signed: "2026-02-30" })).toEqual({
    "details.lease_signed": expect.stringContaining("a date"),
  });
  expect(await refused({ pets: "2" })).toEqual({ "details.pets": "There is no detail pets" });
  expect(await refused({ storage: "x".repeat(501) })).toEqual({ "details.storage": expect.any(String) });
  const created = await ask("POST", "/api/users", {
    username: "cy.new",
    firstName: "Cy",
    lastName: "New",
    email: "cy@example.com",
    sendCredentials: true,
    details: { balance: "3" },
  });
  expect(created.json.details).toEqual({ balance: "3.00" });
});

test("people are found by what is kept of them, and the audit log names it", async () => {
  await save(bo, { storage: "Élan-77" });
  expect((await ask("GET", "/api/users?q=elan-77")).json.map(({ id }: { id: number }) => id)).toEqual([bo]);
  const { rows } = await sql<{ detail: object }>`
    SELECT detail FROM audit WHERE action = 'user.update' AND subject_id = ${bo} ORDER BY id DESC LIMIT 1`.execute(
    porchlight.db,
  );
  expect(rows[0]?.detail).toMatchObject({ changes: { details: [{}, { Storage: "Élan-77" }] } });
  await save(bo, { storage: null });
});

test("a message says each person's own value, and who has none is left out and listed", async () => {
  await save(ann, { lease_signed: "2026-02-01" });
  const content = "Hello {{first_name}}: {{Balance}} since {{lease signed}}";
  const recipients = [ann, bo].map((id) => ({ type: "user", id }));
  const question = { recipients, channels: ["email"], fields: ["first_name", "balance", "lease_signed"] };
  const reach = (await ask("POST", "/api/audience/reach", question)).json as Reach;
  expect(reach).toMatchObject({ people: 2, reached: 1, unreachable: { total: 1 } });
  expect(reach.unreachable.first[0]?.reasons[0]).toMatchObject({
    reason: "missing-field",
    sentence: "No balance is on file, and the message needs it.",
  });
  const draft = { recipients, channels: ["email"], title: "Rent", message: content, userId: ann };
  const preview = (await ask("POST", "/api/audience/preview", draft)).json;
  expect(preview).toMatchObject({ missingFields: [], problem: null });
  expect(preview.email.text).toContain("Hello Ann: $1,234,567.89 since February 1, 2026");
  const { json } = await send({ content, status: "Draft" });
  await ask("POST", `/api/notifications/${json.id}/send`);
  expect(await deliveriesOf(json.id)).toMatchObject([
    { userId: ann, status: "queued", values: { balance: "$1,234,567.89", lease_signed: "February 1, 2026" } },
    { userId: bo, status: "skipped", reason: "missing-field", detail: "balance" },
  ]);
});

test("what was typed for everyone before there was such a detail goes on meaning that", async () => {
  const template = { name: "Fee", type: "SMS", content: "A fee of {{fee}} is due.", dynamicFields: ["fee"] };
  const { id: templateId } = (await ask("POST", "/api/templates", template)).json;
  const draft = { content: "Fee: {{fee}}", status: "Draft", fieldValues: { fee: "$5" } };
  const { id } = (await send(draft)).json;
  const { id: unfilled } = (await send({ ...draft, fieldValues: {} })).json;
  expect((await send({ content: "Fee: {{fee}}" })).status).toBe(400);
  const fee = await made("Fee", "amount");
  expect((await ask("GET", `/api/templates/${templateId}`)).json.askedFields).toEqual([]);
  await save(bo, { fee: "7" });
  await ask("POST", `/api/notifications/${id}/send`);
  expect(await deliveriesOf(id)).toMatchObject([
    { userId: ann, status: "queued", values: {} },
    { userId: bo, status: "queued", values: {} },
  ]);
  const { rows } = await sql<{ compiled: object }>`
    SELECT compiled FROM content_versions WHERE notification_id = ${id}`.execute(porchlight.db);
  expect(JSON.stringify(rows[0])).toContain("Fee: $5");
  // The same text without an answer is filled from each person.
  await ask("POST", `/api/notifications/${unfilled}/send`);
  expect(await deliveriesOf(unfilled)).toMatchObject([
    { userId: ann, status: "skipped", reason: "missing-field" },
    { userId: bo, status: "queued", values: { fee: "$7.00" } },
  ]);
  const refused = await ask("DELETE", `/api/details/${fee.id}`);
  expect(refused).toMatchObject({ status: 409, json: { fields: { [`template.${templateId}`]: "Fee" } } });
  await ask("POST", `/api/templates/${templateId}/archive`, { archived: true });
  expect((await ask("DELETE", `/api/details/${fee.id}`)).status).toBe(200);
  expect((await person(bo)).details).toEqual({});
});

test("there are at most 50 details", async () => {
  for (let n = (await ask("GET", "/api/details")).json.length; n < 50; n++) await made(`Detail ${n}`, "text");
  expect((await ask("POST", "/api/details", { label: "One more", kind: "text" })).status).toBe(409);
});
