import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "kysely";
import { addGroup, clear } from "#server/delivery/testing/scene.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson } from "#server/testing/app.ts";
import { rent, type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

/** One message per home, by the calls that choose it and that say what became of it. */

let app: ScheduleApp;
let staff: Caller;
let tenants: object;
beforeAll(async () => {
  app = await scheduleApp();
});
beforeEach(async () => {
  const { db } = app.porchlight;
  await clear(db);
  staff = await app.porchlight.signedIn("staff");
  const live = (firstName: string, unit: string) =>
    insertPerson(db, {
      firstName,
      lastName: "Lee",
      email: `${firstName}@example.com`,
      propertyUnit: `Harbor View / ${unit}`,
      property: "Harbor View",
      unit,
    });
  const bob = await live("Bob", "A-1");
  await live("Ann", "A-1");
  await live("Cas", "A-2");
  await keepHomes(db);
  await sql`UPDATE residencies SET role = 'occupant' WHERE person_id = ${bob}`.execute(db);
  tenants = { type: "group", id: await addGroup(db, "Tenants", { roles: ["tenant"] }), name: "Tenants" };
});
afterAll(() => app.porchlight.close());

const call = async (method: "GET" | "POST" | "PUT", url: string, body?: object) => {
  const reply = await app.porchlight.call({ method, url, body }, staff);
  const text = reply.body;
  return {
    status: reply.statusCode,
    text,
    body: text.startsWith("{") || text.startsWith("[") ? reply.json() : null,
  };
};
const message = () => ({
  title: "Water off",
  content: "No water",
  channels: ["email"],
  recipients: [tenants],
  status: "Draft",
});
const draft = async (over: object = {}) =>
  (await call("POST", "/api/notifications", { ...message(), ...over })).body.id as number;
const read = async (id: number) => (await call("GET", `/api/notifications/${id}`)).body;

/** Who got their own message of the newest run. */
async function whoGotIt(): Promise<string[]> {
  const { db } = app.porchlight;
  while (await fanOutSome(db, 1));
  const { rows } = await sql<{ name: string }>`
    SELECT split_part(person_name, ' ', 1) AS name FROM deliveries
    WHERE run_id = (SELECT max(id) FROM runs) AND status <> 'skipped' ORDER BY 1`.execute(db);
  return rows.map(({ name }) => name);
}

test("is off unless it is chosen, and a change that leaves it out leaves it as it is", async () => {
  const id = await draft();
  expect(await read(id)).toMatchObject({ perHome: false });
  const { status: _, ...change } = message();
  await call("PUT", `/api/notifications/${id}`, { ...change, perHome: true });
  await call("PUT", `/api/notifications/${id}`, { ...change, title: "No water" });
  expect(await read(id)).toMatchObject({ title: "No water", perHome: true });
  await call("PUT", `/api/notifications/${id}`, { ...change, perHome: false });
  expect(await read(id)).toMatchObject({ perHome: false });
  expect(await call("PUT", `/api/notifications/${id}`, { ...change, perHome: "yes" })).toMatchObject({
    status: 400,
    body: { fields: { perHome: "perHome must be true or false" } },
  });
});

test("the counts know it before it is sent, and the list and the report say whose message reached whom", async () => {
  const question = { recipients: [tenants], channels: ["email"] };
  expect((await call("POST", "/api/audience/reach", question)).body).toMatchObject({
    homes: null,
    messages: 3,
  });
  const asked = { ...question, perHome: true };
  expect((await call("POST", "/api/audience/reach", asked)).body).toMatchObject({
    people: 3,
    homes: 2,
    reached: 3,
    messages: 2,
    byChannel: { email: { willGet: 2, skipped: 1 } },
  });
  expect((await call("POST", "/api/audience/reach/left-out", asked)).body).toEqual([
    {
      channel: "email",
      reason: "same-home",
      people: 1,
      sentence: "Reached through someone else in the same home.",
    },
  ]);
  const { body: listed } = await call("POST", "/api/audience/reach/list", { ...asked, only: "skipped" });
  expect(listed).toMatchObject([
    { name: "Bob Lee", address: "ann@example.com", sentence: "Reached through Ann Lee (same home)." },
  ]);

  const { content, status: _, ...body } = message();
  const { body: sent } = await call("POST", "/api/send-notification", {
    ...body,
    message: content,
    perHome: true,
  });
  expect(await whoGotIt()).toEqual(["Ann", "Cas"]);
  const { body: lines } = await call("GET", `/api/notifications/${sent.id}/deliveries?q=Bob`);
  expect(lines).toMatchObject([
    { reason: "same-home", sentence: "Shares one message per home with Ann Lee. Waiting to be sent." },
  ]);
  await sql`UPDATE deliveries SET status = 'delivered' WHERE status = 'queued'`.execute(app.porchlight.db);
  const told = "Reached through Ann Lee (same home). Delivered, as the provider confirms.";
  expect((await call("GET", `/api/notifications/${sent.id}/deliveries?q=Bob`)).body).toMatchObject([
    { sentence: told },
  ]);
  expect((await call("GET", `/api/notifications/${sent.id}/report.csv`)).text).toContain(told);
});

test("a schedule is as its message, unless it says otherwise", async () => {
  const notificationId = await draft({ perHome: true });
  const schedule = async (over: object) =>
    (await call("POST", "/api/schedules", { ...rent, recipients: [tenants], ...over })).body;
  const run = async (id: number) => {
    await call("POST", `/api/schedules/${id}/run`, {});
    return whoGotIt();
  };
  const repeating = { templateId: null, fieldValues: {}, notificationId };
  const asMessage = await schedule(repeating);
  expect(asMessage).toMatchObject({ perHome: null, oncePerHome: true });
  expect(await run(asMessage.id)).toEqual(["Ann", "Cas"]);

  const otherwise = await schedule({ ...repeating, perHome: false });
  expect(otherwise).toMatchObject({ perHome: false, oncePerHome: false });
  expect(await run(otherwise.id)).toEqual(["Ann", "Bob", "Cas"]);

  const byTemplate = await schedule({ perHome: true });
  expect(byTemplate).toMatchObject({ perHome: true, oncePerHome: true });
  const change = { ...rent, recipients: [tenants] };
  await call("PUT", `/api/schedules/${byTemplate.id}`, change);
  expect(await run(byTemplate.id)).toEqual(["Ann", "Cas"]);
  await call("PUT", `/api/schedules/${byTemplate.id}`, { ...change, perHome: null });
  expect(await run(byTemplate.id)).toEqual(["Ann", "Bob", "Cas"]);

  // A recurring notification holds it itself.
  const recurring = await draft({ status: "Recurring", recurrence: "daily", recurringTime: "09:00" });
  const { scheduleId } = await read(recurring);
  const { body: own } = await call("GET", `/api/schedules/${scheduleId}`);
  const { body: changed } = await call("PUT", `/api/schedules/${scheduleId}`, {
    name: own.name,
    time: "10:00",
    recipients: [tenants],
    perHome: true,
  });
  expect(changed).toMatchObject({ perHome: null, oncePerHome: true });
  expect(await read(recurring)).toMatchObject({ perHome: true });
});
