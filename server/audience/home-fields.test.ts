import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setHomeDates } from "#contract/text/home-dates.ts";
import { fieldsOf } from "#contract/text/message-fields.ts";
import { clear, fanOutAll } from "#server/delivery/testing/scene.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let ann = 0;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await clear(porchlight.db);
  staff = await porchlight.signedIn("staff");
  ann = await insertPerson(porchlight.db, {
    firstName: "Ann",
    lastName: "Lee",
    propertyUnit: "Harbor View, Building B, 304",
    property: "Harbor View",
    unit: "Building B, 304",
  });
  await keepHomes(porchlight.db);
  await dates({ firstDay: "2026-02-01", lastDay: "2027-01-31", leaseEnds: "2027-03-01" });
});
afterAll(() => porchlight.close());

const call = (method: "POST" | "PUT", url: string, body: object) =>
  porchlight.call({ method, url, body }, staff);

async function dates(body: object): Promise<void> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM residencies WHERE person_id = ${ann}`.execute(
    porchlight.db,
  );
  expect((await call("PUT", `/api/places/residencies/${rows[0]!.id}`, body)).statusCode).toBe(200);
}

const recipients = () => [{ type: "user", id: ann }];
const all = "{{unit}} | {{building}} | {{floor}} | {{move_in_date}} | {{move_out_date}} | {{lease_end}}";

/** The message as Ann gets it, or why she doesn't. */
async function sends(more: object = {}): Promise<string> {
  const body = { title: "Hello", channels: ["email"], message: all, recipients: recipients(), ...more };
  const reply = await call("POST", "/api/send-notification", body);
  if (reply.statusCode >= 400) return reply.json<{ message: string }>().message;
  await fanOutAll(porchlight.db);
  return got(reply.json<{ id: number }>().id);
}

async function got(notificationId: number): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM deliveries d JOIN runs r ON r.id = d.run_id WHERE r.notification_id = ${notificationId}`.execute(
    porchlight.db,
  );
  const url = `/api/deliveries/${rows[0]!.id}/message`;
  const message = await porchlight.call({ method: "GET", url }, staff);
  return message
    .json<{ text: string }>()
    .text.split("\n")[0]!
    .replaceAll(/[\u2068\u2069]/g, "");
}

test("a home's fields fill themselves, with dates as the organization writes them", async () => {
  expect(await sends()).toBe("Building B, 304 | B | 3 | February 1, 2026 | January 31, 2027 | March 1, 2027");
  setHomeDates({ order: "dmy", separator: "/" });
  expect(await sends()).toBe("Building B, 304 | B | 3 | 1 February 2026 | 31 January 2027 | 1 March 2027");
  setHomeDates();
});

test("who lacks one is left out, and the reason says which", async () => {
  await dates({ lastDay: null });
  expect(await sends()).toMatch(/Ann Lee can't be reached by email.*move-out date/);
  const reach = await call("POST", "/api/audience/reach", {
    recipients: recipients(),
    channels: ["email"],
    fields: ["lease_end", "move_out_date"],
  });
  expect(reach.json()).toMatchObject({ people: 1, reached: 0, unreachable: { total: 1 } });
});

test("what a sender has typed counts for everyone, also for a person who lacks it", async () => {
  await dates({ lastDay: null });
  const typed = { unit: "your home", move_out_date: "Friday", lease_end: " " };
  expect(await sends({ fieldValues: typed })).toBe(
    "your home | B | 3 | February 1, 2026 | Friday | March 1, 2027",
  );
});

test("a draft and a schedule of the build before keep the answer that was typed", async () => {
  const draft = {
    title: "Hello",
    content: "On {{move_in_date}}",
    channels: ["email"],
    recipients: recipients(),
  };
  const made = await call("POST", "/api/notifications", {
    ...draft,
    status: "Draft",
    fieldValues: { move_in_date: "the first of the month" },
  });
  const { id } = made.json<{ id: number }>();
  expect((await call("PUT", `/api/notifications/${id}`, { title: "Hello again" })).statusCode).toBe(200);
  const sent = await call("POST", `/api/notifications/${id}/send`, {});
  expect([sent.statusCode, sent.body]).toEqual([200, sent.body]);
  await fanOutAll(porchlight.db);
  expect(await got(id)).toBe("On the first of the month");
});

test("a field in another spelling stays the sender's, as it was", () => {
  expect(fieldsOf("{{Move-in date}} {{lease end}} {{leaseEnd}}")).toEqual([
    "move_in_date",
    "lease_end",
    "leaseend",
  ]);
});
