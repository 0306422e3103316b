import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { dayAfter } from "#contract/homes.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { keepHomes } from "#server/places/keep-homes.ts";
import { type Caller, insertPerson } from "#server/testing/app.ts";
import { rent, type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

/** Homes as recipients: whoever lives there when it is sent. */

let app: ScheduleApp;
let staff: Caller;
let ids: Record<string, number>;
beforeAll(async () => {
  app = await scheduleApp();
});
beforeEach(async () => {
  const { db } = app.porchlight;
  await clear(db);
  staff = await app.porchlight.signedIn("staff");
  for (const unit of ["A-104", "B-104", "B-204", "B-205", "B-1004", "B-1005"])
    await live("Harbor View", unit);
  await live("Oak Park", "104");
  await keepHomes(db);
  const properties = await sql<{ id: number; name: string }>`SELECT id, name FROM properties`.execute(db);
  const units = await sql<{ id: number; name: string }>`SELECT id, written AS name FROM units`.execute(db);
  ids = Object.fromEntries([...properties.rows, ...units.rows].map(({ id, name }) => [name, id]));
});
afterAll(() => app.porchlight.close());

const live = (property: string, unit: string) =>
  insertPerson(app.porchlight.db, {
    firstName: unit,
    lastName: property,
    propertyUnit: `${property} / ${unit}`,
    property,
    unit,
  });

const call = async (method: "GET" | "POST" | "PUT", url: string, body?: object) => {
  const reply = await app.porchlight.call({ method, url, body }, staff);
  return { status: reply.statusCode, body: reply.json() };
};
const harbor = (where: object = {}) => ({ type: "homes", id: ids["Harbor View"], ...where });
const message = { title: "Water off", content: "No water", channels: ["email"] };

/** Who would get it now, by the call that the form makes. */
const names = async (...recipients: object[]) => {
  const { body } = await call("POST", "/api/audience/reach/list", { recipients, channels: ["email"] });
  return body.map(({ name }: { name: string }) => name.split(" ")[0]);
};
const draft = async (...recipients: object[]) => {
  const { body } = await call("POST", "/api/notifications", { ...message, status: "Draft", recipients });
  return (await call("GET", `/api/notifications/${body.id}`)).body as NotificationDetail;
};
const scheduleFor = async (recipient: object) =>
  (await call("POST", "/api/schedules", { ...rent, recipients: [recipient] })).body;

test("floors are numbers: an alarm for floor 1 never reaches floor 10", async () => {
  expect(await names(harbor({ building: "B", floors: [1] }))).toEqual(["B-104"]);
  expect(await names(harbor({ floors: { from: 1, to: 3 } }))).toEqual(["A-104", "B-104", "B-204", "B-205"]);
  expect(await names(harbor({ stacks: ["04"], floors: { from: 1, to: 9 } }))).toEqual([
    "A-104",
    "B-104",
    "B-204",
  ]);
  expect(await names(harbor({ stacks: ["04"] }))).toEqual(["A-104", "B-104", "B-204", "B-1004"]);
  expect(await names(harbor({ units: [ids["B-205"], ids["104"]] }))).toEqual(["B-205"]);
  expect(await names(harbor({ building: "A" }), { type: "homes", id: ids["Oak Park"] })).toEqual([
    "A-104",
    "104",
  ]);
});

test("they mean whoever lives there at that moment: not an owner, nor who moved out, nor who didn't confirm an address", async () => {
  const { db } = app.porchlight;
  const [owner, gone, stranger] = [
    await live("Harbor View", "B-301"),
    await live("Harbor View", "B-302"),
    await insertPerson(db, { propertyUnit: "Harbor View / B-303", property: "Harbor View", unit: "B-303" }),
  ];
  await keepHomes(db);
  const residency = async (person: number) =>
    (await sql<{ id: number }>`SELECT id FROM residencies WHERE person_id = ${person}`.execute(db)).rows[0]!
      .id;
  const change = async (person: number, body: object) =>
    app.porchlight.call(
      { method: "PUT", url: `/api/places/residencies/${await residency(person)}`, body },
      await app.porchlight.signedIn("admin"),
    );
  const { rows } = await sql<{
    day: string;
  }>`SELECT (now() AT TIME ZONE 'America/New_York')::date::text AS day`.execute(db);
  await change(owner, { role: "owner" });
  await sql`UPDATE users SET address_confirmed_at = NULL WHERE id = ${stranger}`.execute(db);
  expect(await names(harbor({ floors: [3] }))).toEqual(["B-302"]);
  expect((await change(gone, { lastDay: dayAfter(rows[0]!.day, -1) })).statusCode).toBe(200);
  expect(await names(harbor({ floors: [3] }))).toEqual([]);
});

test("a recurring run asks anew, and its conditions survive the draft, a copy and the run", async () => {
  const { db } = app.porchlight;
  const where = { building: "B", floors: [1, 2] };
  const stored = await draft(harbor({ building: "B", floors: { from: 1, to: 2 } }));
  expect(stored.recipients).toBe("Harbor View, Building B, floors 1–2");
  expect(stored.audience).toEqual([{ ...harbor(where), name: stored.recipients }]);
  const again = await draft(...stored.audience);
  expect(again.audience).toEqual(stored.audience);

  const schedule = await scheduleFor(harbor(where));
  expect(schedule).toMatchObject({ recipients: stored.recipients, audience: stored.audience });
  await live("Harbor View", "B-206");
  await keepHomes(db);
  await app.moveClock("2026-11-25T09:00");
  while (await fanOutSome(db));
  const { rows } =
    await sql`SELECT split_part(person_name, ' ', 1) AS home FROM deliveries ORDER BY 1`.execute(db);
  expect(rows).toEqual(["B-104", "B-204", "B-205", "B-206"].map((home) => ({ home })));
});

test("homes that aren't there are refused, and floors that aren't numbers", async () => {
  const send = async (recipient: object) =>
    (await call("POST", "/api/notifications", { ...message, status: "Draft", recipients: [recipient] })).body;
  expect(await send(harbor({ building: "C" }))).toMatchObject({ code: "unknown-recipient" });
  expect(await send({ type: "homes", id: 999 })).toMatchObject({ code: "unknown-recipient" });
  expect(await send(harbor({ floors: ["1*"] }))).toMatchObject({ code: "invalid-input" });
  expect(await send({ type: "group", id: 1, floors: [1] })).toMatchObject({ code: "invalid-input" });
});

test("an archived property is said, and a schedule goes on once it is back", async () => {
  const { db } = app.porchlight;
  const schedule = await scheduleFor(harbor({ floors: [1] }));
  const stored = await draft(harbor({ floors: [1] }));
  const archive = (archived: boolean) =>
    sql`UPDATE properties SET archived_at = CASE WHEN ${archived} THEN now() END WHERE id = ${ids["Harbor View"]}`.execute(
      db,
    );
  await archive(true);
  await checkNextRuns(db);
  const said = "“Harbor View, floor 1” is archived or has no homes anymore. Choose recipients";
  expect((await call("GET", `/api/schedules/${schedule.id}`)).body.problem).toBe(`${said}.`);
  expect((await call("POST", `/api/notifications/${stored.id}/send`)).body.message).toBe(`${said} again.`);
  await archive(false);
  await checkNextRuns(db);
  expect((await call("GET", `/api/schedules/${schedule.id}`)).body.problem).toBeNull();
});

test("a schedule says at once that its property was archived, or its floor corrected away", async () => {
  const { id } = (await call("POST", "/api/places/properties", { name: "Empty Court" })).body;
  await call("POST", `/api/places/properties/${id}/homes`, { names: ["101"] });
  const schedule = await scheduleFor({ type: "homes", id, floors: [1] });
  const problem = async () => (await call("GET", `/api/schedules/${schedule.id}`)).body.problem;
  const change = (archived: boolean) => call("PUT", `/api/places/properties/${id}`, { archived });
  const said = "“Empty Court, floor 1” is archived or has no homes anymore. Choose recipients.";
  await change(true);
  expect(await problem()).toBe(said);
  await change(false);
  expect(await problem()).toBeNull();
  const [home] = (await call("GET", `/api/places/properties/${id}`)).body.homesListed;
  const correct = (floor: number) => call("PUT", "/api/places/homes", { ids: [home.id], floor });
  await correct(2);
  expect(await problem()).toBe(said);
  await correct(1);
  expect(await problem()).toBeNull();
});

test("a property that became a part of another one is still reached, and that is said", async () => {
  const schedule = await scheduleFor({ type: "homes", id: ids["Oak Park"], stacks: ["04"] });
  const one = { type: "homes", id: ids["Oak Park"], units: [ids["104"]] };
  const admin = await app.porchlight.signedIn("admin");
  const merge = { method: "POST", url: `/api/places/properties/${ids["Oak Park"]}/merge` } as const;
  expect(
    (await app.porchlight.call({ ...merge, body: { into: ids["Harbor View"] } }, admin)).statusCode,
  ).toBe(200);
  expect((await call("GET", `/api/schedules/${schedule.id}`)).body.problem).toBe(
    "“Oak Park, stack 04” is part of “Harbor View” now, so this goes to the homes of both. Check the recipients and save it.",
  );
  const apart = { method: "POST", url: `/api/places/properties/${ids["Harbor View"]}/unmerge` } as const;
  expect((await app.porchlight.call({ ...apart, body: {} }, admin)).statusCode).toBe(200);
  expect((await call("GET", `/api/schedules/${schedule.id}`)).body.problem).toBeNull();
  await app.porchlight.call({ ...merge, body: { into: ids["Harbor View"] } }, admin);
  expect(await names(one)).toEqual(["104"]);
  expect((await draft(one)).audience).toEqual([{ ...one, id: ids["Harbor View"], name: "Harbor View, 104" }]);
});
