import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DashboardFigures } from "#contract/calls/dashboard.ts";
import { dayAfter } from "#contract/homes.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { readDashboard } from "#server/features/dashboard/queries.ts";
import { settleHomes } from "#server/places/settle.ts";
import { readHomes, writeHomes } from "#server/places/store.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
const now = new Date("2026-11-20T03:00:00Z"); // Thursday the 19th, 10:00 PM in New York

beforeAll(async () => {
  porchlight = await testApp({ now: () => now });
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());
beforeEach(() =>
  sql`UPDATE users SET deleted_at = '2020-01-01' WHERE role = 'tenant'`.execute(porchlight.db),
);

const read = async () =>
  (await porchlight.call({ method: "GET", url: "/api/dashboard" }, staff)).json<DashboardFigures>();

/** Sends an email and a text to everyone with the name, as if it had been at that time. */
async function send(at: string, name: string, channels = ["email", "sms"]): Promise<number> {
  const body = { title: `To ${name}`, message: "Hello", recipients: [`${name} Ortega`], channels };
  const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  expect(reply.json()).toHaveProperty("id");
  const { id } = reply.json<{ id: number }>();
  while ((await fanOutSome(porchlight.db))?.done === false);
  await sql`UPDATE run_counts SET status = 'delivered' WHERE status = 'queued'`.execute(porchlight.db);
  await sql`UPDATE runs SET created_at = ${at}::timestamptz WHERE notification_id = ${id}`.execute(
    porchlight.db,
  );
  return id;
}

// spec 81
test("on a new system every figure is there, and a rate that nothing tells is none", async () => {
  const figures = await read();
  expect(figures).toMatchObject({
    tenants: { now: 0, before: 0, properties: 0 },
    sent: { now: 0, before: 0, simulated: 0 },
    openRate: { now: null, before: null },
    templates: { now: 6, before: 6, used: 0 },
    simulated: 0,
    failures: { total: 0, newest: [] },
  });
  expect(figures.days).toHaveLength(30);
  expect(figures.days[0]).toEqual({ day: "2026-10-21", delivered: 0, sent: 0, failed: 0 });
  expect(figures.days.at(-1)?.day).toBe("2026-11-19");
});

// spec 78
test("tenants are compared with those of 30 days ago, the ones who have left since among them", async () => {
  const { db } = porchlight;
  const long = { firstName: "Ada", property: "Maple Court" };
  const [stays, left, gone] = [
    await insertPerson(db, long),
    await insertPerson(db, long),
    await insertPerson(db, long),
  ];
  await sql`UPDATE users SET created_at = '2026-01-01' WHERE id IN (${stays}, ${left}, ${gone})`.execute(db);
  await sql`UPDATE users SET deleted_at = '2026-11-01' WHERE id = ${left}`.execute(db);
  await sql`UPDATE users SET deleted_at = '2026-10-01' WHERE id = ${gone}`.execute(db);
  await insertPerson(db, { property: "Cedar Lofts" });
  await insertPerson(db, { property: null });
  expect((await read()).tenants).toEqual({ now: 3, before: 2, properties: 2, unreachable: 0 });
});

test("tenants are those who live here; who has moved out counts until they did, and who is to come doesn't yet", async () => {
  const { db } = porchlight;
  const lives = async (firstDay: string | null, lastDay: string | null) => {
    const id = await insertPerson(db, { property: "Maple Court" });
    await sql`UPDATE users SET created_at = '2026-01-01' WHERE id = ${id}`.execute(db);
    await settleHomes(db, [id]);
    const [before] = [...(await readHomes(db, [id])).values()];
    await writeHomes(db, [
      { personId: id, before: before!, after: before!.map((one) => ({ ...one, firstDay, lastDay })) },
    ]);
  };
  const day = (days: number) => dayAfter(new Date().toISOString().slice(0, 10), days);
  await lives(null, null);
  await lives(day(-400), day(-10));
  await lives(day(-400), day(-60));
  await lives(day(10), null);
  const { now, before } = (await readDashboard(db, staff.userId, { zone: "UTC", now: new Date() })).tenants;
  expect({ now, before }).toEqual({ now: 1, before: 2 });
});

test("on a day without midnight, the period before ends where its last day does", async () => {
  const { db } = porchlight;
  const id = await insertPerson(db, { firstName: "Rosa" });
  // Clocks in Havana go from midnight to one o'clock on March 8, which is the last of thirty days.
  const when = { zone: "America/Havana", now: new Date("2026-03-08T16:00:00Z") };
  const joined = async (at: string) => {
    await sql`UPDATE users SET created_at = ${at}::timestamptz WHERE id = ${id}`.execute(db);
    return (await readDashboard(db, staff.userId, when)).tenants.before;
  };
  expect(await joined("2026-02-07T04:59:59Z")).toBe(1);
  expect(await joined("2026-02-07T05:00:00Z")).toBe(0);
});

// spec 79
test("messages count by the organization's day on which they began, and by channel; what did not go out is left out", async () => {
  const { db } = porchlight;
  const person = { lastName: "Ortega", phone: "+14155550142" };
  await insertPerson(db, { ...person, firstName: "Luis" });
  await insertPerson(db, { ...person, firstName: "Eva", phone: null });
  await send("2026-11-19T04:59:00Z", "Luis"); // The 18th in New York
  await send("2026-11-20T02:00:00Z", "Eva"); // A text is skipped for want of a number.
  await send("2026-10-21T03:59:00Z", "Luis"); // The last minute of the period before
  await send("2026-09-21T03:59:00Z", "Luis"); // Before that one
  await sql`
    UPDATE run_counts SET status = 'accepted' WHERE channel = 'sms' AND status = 'delivered'`.execute(db);
  const figures = await read();
  expect(figures.sent).toEqual({ now: 3, before: 2, simulated: 3 });
  expect(figures.simulated).toBe(3);
  expect(figures.days.filter(({ delivered, sent, failed }) => delivered + sent + failed > 0)).toEqual([
    { day: "2026-11-18", delivered: 1, sent: 1, failed: 0 },
    { day: "2026-11-19", delivered: 1, sent: 0, failed: 0 },
  ]);
  expect(figures.channels).toEqual([
    { channel: "email", delivered: 2, sent: 0, failed: 0 },
    { channel: "sms", delivered: 0, sent: 1, failed: 0 },
    { channel: "push", delivered: 0, sent: 0, failed: 0 },
  ]);
});

test("what no provider accepted is not sent, and what is unconfirmed counts nowhere", async () => {
  const { db } = porchlight;
  await insertPerson(db, { firstName: "Kay", lastName: "Ortega", phone: "+14155550144" });
  const before = await read();
  const outcomes = ["bounced", "failed", "expired", "uncertain"];
  for (const status of outcomes) {
    const id = await send("2026-11-17T15:00:00Z", "Kay", ["email"]);
    await sql`UPDATE run_counts SET status = ${status} WHERE run_id = (
      SELECT id FROM runs WHERE notification_id = ${id}) AND status = 'delivered'`.execute(db);
  }
  const { sent, days, simulated } = await read();
  expect(sent).toEqual({
    now: before.sent.now + 1,
    before: before.sent.before,
    simulated: before.sent.simulated + 1,
  });
  expect(simulated).toBe(before.simulated + 3);
  expect(days.find(({ day }) => day === "2026-11-17")).toEqual({
    day: "2026-11-17",
    delivered: 0,
    sent: 0,
    failed: 3,
  });
});

// spec 80
test("the open rate counts only emails whose opens are reported, separately for each period", async () => {
  const { db } = porchlight;
  await insertPerson(db, { firstName: "Mo", lastName: "Ortega", phone: "+14155550143" });
  const opened = async (id: number, { of }: { of: number }) => {
    await sql`UPDATE runs SET opened = 1 WHERE notification_id = ${id}`.execute(db);
    await sql`UPDATE run_counts SET count = ${of} WHERE status = 'delivered' AND run_id = (
      SELECT id FROM runs WHERE notification_id = ${id})`.execute(db);
  };
  await opened(await send("2026-11-18T15:00:00Z", "Mo"), { of: 3 });
  // Of this one, as of those of the tests before, no one reports opens.
  await send("2026-11-18T16:00:00Z", "Mo");
  expect((await read()).openRate).toEqual({ now: 33, before: null });
  await opened(await send("2026-10-18T15:00:00Z", "Mo"), { of: 2 });
  expect((await read()).openRate).toEqual({ now: 33, before: 50 });
});

test("an administrator's first steps tick themselves from what is on record, and never come back once done", async () => {
  const { db } = porchlight;
  const admin = await porchlight.signedIn("admin");
  const steps = async (who: Caller) =>
    (await porchlight.call({ method: "GET", url: "/api/dashboard" }, who)).json<DashboardFigures>()
      .firstSteps;
  expect(await steps(staff)).toBeNull();
  await sql`UPDATE users SET deleted_at = now() WHERE id <> ${admin.userId}`.execute(db);
  // Delivered, but in the Sandbox.
  await sql`UPDATE notifications SET status = 'Delivered'`.execute(db);
  expect(await steps(admin)).toEqual({
    introduced: false,
    people: false,
    channel: false,
    delivered: false,
    canLoadSample: true,
    nothingYet: false,
  });
  await insertPerson(db);
  await sql`UPDATE runs SET simulated_channels = '{sms,push}'`.execute(db);
  expect(await steps(admin)).toMatchObject({
    people: true,
    channel: false,
    delivered: true,
    canLoadSample: false,
  });
  // Connected, but with a wrong password.
  await sql`UPDATE accounts SET simulated = false, state = 'paused' WHERE channel = 'email'`.execute(db);
  expect(await steps(admin)).toMatchObject({ channel: false });
  await sql`UPDATE accounts SET state = 'ok'`.execute(db);
  // Tenants still read "Porchlight".
  expect(await steps(admin)).toMatchObject({ introduced: false, channel: true });
  await porchlight.call(
    { method: "POST", url: "/api/settings", body: { key: "siteName", value: "Maple & Harbor" } },
    admin,
  );
  expect(await steps(admin)).toBeNull();
  await sql`UPDATE accounts SET simulated = true`.execute(db);
  expect(await steps(admin)).toBeNull();

  const other = await porchlight.signedIn("admin");
  expect(await steps(other)).not.toBeNull();
  await porchlight.call({ method: "POST", url: "/api/dashboard/first-steps/close" }, other);
  expect(await steps(other)).toBeNull();
});

test("a system is new until there is a tenant, or until someone has written anything", async () => {
  const own = await testApp({ now: () => now });
  const admin = await own.signedIn("admin");
  await own.signedIn("staff");
  const isNew = async () =>
    (await own.call({ method: "GET", url: "/api/dashboard" }, admin)).json<DashboardFigures>().firstSteps
      ?.nothingYet;
  expect(await isNew()).toBe(true);
  const tenant = await insertPerson(own.db);
  expect(await isNew()).toBe(false);
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${tenant}`.execute(own.db);
  expect(await isNew()).toBe(true);
  const body = { title: "Half a thought", status: "Draft", recipients: [], channels: [] };
  const draft = await own.call({ method: "POST", url: "/api/notifications", body }, admin);
  expect(draft.statusCode).toBe(201);
  expect(await isNew()).toBe(false);
  await own.close();
});

test("whether a template was used is looked up in its index, not in every notification", async () => {
  const when = { zone: "America/New_York", now };
  await sql`INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status,
      created_by_name, template_id, sent_time)
    SELECT 'Rent', 'template', 'x', '{email}', '[]', '', 'Delivered', '', t.id,
      timestamptz '2026-11-18' - n * interval '1 day'
    FROM generate_series(0, 4000) n, (SELECT id FROM templates ORDER BY id LIMIT 1) t`.execute(porchlight.db);
  await sql`ANALYZE notifications`.execute(porchlight.db);
  await porchlight.db.transaction().execute(async (tx) => {
    expect((await readDashboard(tx, staff.userId, when)).templates.used).toBe(1);
    const { rows } = await sql<{ scans: number }>`
      SELECT pg_stat_get_xact_numscans('notifications_template_use'::regclass) AS scans`.execute(tx);
    expect(rows[0]?.scans).toBeGreaterThan(0);
  });
});
