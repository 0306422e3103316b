import { globSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { finding } from "#contract/findings.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { templates } from "#contract/calls/templates.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { startNextDue } from "#server/delivery/schedules/scheduler.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import type { Asked, Rule } from "#server/messages/gate.ts";
import { rules } from "#server/messages/rules.ts";
import { settleHomes } from "#server/places/settle.ts";
import { type Caller, insertPerson, type TestApp } from "#server/testing/app.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

/**
 * Whatever sends or plans a message asks the gate: a rule that is added to the list is asked on every path, and nothing
 * goes out or is planned if it says no. A new call has to be listed here, and a new way to start a run doesn't exist.
 */

const probe = { asked: [] as Asked[], refuses: false };
const SAYS = "Not on a holiday.";

/** One more rule, in the list that the gate reads. */
function holidays(asked: Asked) {
  probe.asked.push(asked);
  return probe.refuses ? [finding("other", null, { sentence: SAYS })] : [];
}
const list = rules as Rule[];

let app: ScheduleApp;
let porchlight: TestApp;
let staff: Caller;
beforeAll(async () => {
  list.push(holidays);
  app = await scheduleApp();
  ({ porchlight, staff } = app);
  await insertPerson(porchlight.db, { firstName: "Mei", lastName: "Tanaka" });
});
beforeEach(async () => {
  probe.refuses = false;
  await sql`UPDATE schedules SET deleted_at = now() WHERE deleted_at IS NULL`.execute(porchlight.db);
  await app.moveClock("2026-11-24T10:00");
});
afterAll(() => {
  list.splice(list.indexOf(holidays), 1);
  return porchlight.close();
});

const write = { title: "Water", recipients: "All Tenants", channels: ["email"] };
const text = { ...write, content: "No water" };
const later = { ...text, status: "Scheduled", scheduled_time: "2026-11-30T09:00:00Z" };
const rent = {
  name: "Rent",
  templateId: "rent-reminder",
  time: "09:00",
  recipients: "All Tenants",
  fieldValues: { amount: "$900", due_date: "May 1" },
};

async function call(endpoint: Pick<Endpoint, "method" | "path">, params: object, body?: object) {
  const url = Object.entries(params).reduce(
    (path, [name, value]) => path.replace(`{${name}}`, String(value)),
    endpoint.path,
  );
  return porchlight.call({ method: endpoint.method, url, body }, staff);
}
const made = async (body: object) => (await call(notifications.create, {}, body)).json<{ id: number }>();
const cancelled = async () => {
  const { id } = await made(later);
  await call(notifications.cancel, { id });
  return { id };
};
/** Without a worker, nothing arrives, so what was sent waits; an address that is gone makes it one to retry. */
const unreached = async () => {
  const sent = await call(notifications.send, {}, { ...write, message: "No water" });
  const { id } = sent.json<{ id: number }>();
  await sql`UPDATE deliveries SET status = 'failed' WHERE run_id IN (SELECT id FROM runs WHERE notification_id = ${id})`.execute(
    porchlight.db,
  );
  return { id };
};
const paused = async () => app.create({ active: false });
const missed = async () => {
  const { id } = await app.create({ time: "09:00", endTime: "09:30" });
  await app.moveClock("2026-11-25T11:00");
  return { id, occurrence: "2026-11-25" };
};

const late: { people: number[] } = { people: [] };
/** Someone whose date comes on file after its day. */
const cameLate = async () => {
  const { id } = await app.create({ recurrence: "resident-date", residentDate: "move-in", dayOffset: 0 });
  await app.moveClock("2026-11-25T12:00");
  const person = await insertPerson(porchlight.db, { propertyUnit: "Elm 1", property: "Elm", unit: "1" });
  await settleHomes(porchlight.db, [person]);
  await sql`UPDATE residencies SET first_day = '2026-11-25' WHERE person_id = ${person}`.execute(
    porchlight.db,
  );
  await app.moveClock("2026-11-26T12:00");
  late.people = [person];
  return { id };
};

type Path = { before?: () => Promise<{ id: number }>; body?: object };

/** By call: what makes it send or plan something. */
const paths: Record<string, [Endpoint, Path]> = {
  send: [notifications.send, { body: { ...write, message: "No water" } }],
  "plan for later": [notifications.create, { body: later }],
  "plan to recur": [notifications.create, { body: { ...text, status: "Recurring", recurrence: "daily" } }],
  "save a draft": [notifications.create, { body: { ...text, status: "Draft" } }],
  change: [notifications.update, { before: () => made(later), body: { ...later, title: "Gas" } }],
  "change a part": [notifications.patch, { before: () => made(later), body: { ...later, title: "Gas" } }],
  uncancel: [notifications.uncancel, { before: cancelled }],
  "send a draft": [notifications.sendNow, { before: () => made({ ...text, status: "Draft" }) }],
  retry: [notifications.sendAgain, { before: unreached, body: {} }],
  schedule: [schedules.create, { body: rent }],
  "change a schedule": [schedules.update, { before: () => app.create(), body: { ...rent, name: "Due" } }],
  "activate a schedule": [schedules.activate, { before: paused }],
  "run a schedule": [schedules.run, { before: () => app.create(), body: {} }],
  "send a missed run": [schedules.sendMissed, { before: missed }],
  "send to who came on file late": [schedules.sendLate, { before: cameLate, body: late }],
  "test a template": [templates.sendTest, { body: { type: "Email", content: "Hello" } }],
};

describe("a rule that says no", () => {
  test.each(Object.entries(paths))("%s is refused", async (_, [endpoint, { before, body }]) => {
    const params = (await before?.()) ?? {};
    const planned = async () =>
      (
        await sql`SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM resends) AS resends,
          (SELECT count(*) FROM schedules WHERE active AND deleted_at IS NULL) AS active,
          (SELECT count(*) FROM notifications WHERE status = 'Scheduled') AS scheduled`.execute(porchlight.db)
      ).rows[0];
    const was = await planned();
    probe.refuses = true;
    const reply = await call(endpoint, params, body);
    expect([reply.statusCode, reply.json().message]).toEqual([409, SAYS]);
    expect(await planned()).toEqual(was);
    probe.refuses = false;
    expect((await call(endpoint, params, body)).statusCode).toBeLessThan(300);
  });

  test("a planned notification fails with it", async () => {
    const { id } = await made({ ...later, scheduled_time: "2026-11-24T15:30:00Z" });
    const clock = () => Promise.resolve(new Date("2026-11-24T15:31:00Z"));
    probe.refuses = true;
    await startNextDue(porchlight.db, { organization: readOrganization }, clock);
    expect((await call(notifications.detail, { id })).json()).toMatchObject({
      status: "Failed",
      statusReason: SAYS,
    });
  });

  test("a schedule's run fails with it, and says so ahead of time", async () => {
    const { id } = await app.create();
    probe.refuses = true;
    await checkNextRuns(porchlight.db);
    expect((await app.read(id)).problem).toBe(SAYS);
    await app.moveClock("2026-11-25T09:00");
    expect((await app.read(id)).missed).toMatchObject([{ state: "failed", reason: SAYS }]);
  });

  test("the previews say it, while the form is being filled in", async () => {
    probe.refuses = true;
    const draft = { templateId: "rent-reminder", time: "09:00", recipients: [], fieldValues: {} };
    expect((await call(schedules.preview, {}, draft)).json()).toMatchObject({ problem: SAYS });
    probe.asked.length = 0;
    const message = { message: "No water", recipients: [], channels: ["email"] };
    await call({ method: "POST", path: "/api/audience/preview" }, {}, message);
    expect(probe.asked.map((asked) => asked.message.content)).toEqual(["No water"]);
  });
});

/** Calls about messages that neither send nor plan one. */
const others: readonly Endpoint[] = [
  notifications.remove,
  notifications.cancel,
  notifications.dismiss,
  schedules.dismissMissed,
  schedules.createCalendarLink,
  schedules.removeCalendarLink,
  schedules.people,
  schedules.preview,
  schedules.remove,
  schedules.pause,
  schedules.skip,
  schedules.unskip,
  schedules.dismiss,
  templates.create,
  templates.update,
  templates.duplicate,
  templates.archive,
];

test("a run begins in one place, which asks", () => {
  const sources = globSync("server/**/*.ts", { exclude: ["**/*.test.ts"] });
  const holding = (text: RegExp) => sources.filter((file) => text.test(readFileSync(file, "utf8")));
  expect(holding(/INSERT INTO runs\b|insertInto\("runs"\)/)).toEqual(["server/delivery/runs/start-run.ts"]);
});

test("every call about messages is here, or sends and plans nothing", () => {
  const about = /^\/api\/(notifications|send-notification|schedules|templates)(\/|$)/;
  const changing = endpoints.filter(({ method, path }) => method !== "GET" && about.test(path));
  const listed = [...Object.values(paths).map(([endpoint]) => endpoint), ...others];
  const named = ({ method, path }: Endpoint) => `${method} ${path}`;
  expect(changing.map(named).filter((name) => !listed.map(named).includes(name))).toEqual([
    // Links and notices to one person, which start a run like everything else (below).
    "POST /api/notifications/send-credentials",
  ]);
});
