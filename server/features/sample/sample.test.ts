import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DashboardFigures } from "#contract/calls/dashboard.ts";
import type { Home, HomeDetail, PropertyRow } from "#contract/calls/places.ts";
import { standingOn } from "#contract/homes.ts";
import { recordAccounts } from "#server/delivery/accounts/accounts.ts";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import { FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { accountFor } from "#server/delivery/testing/quick-worker.ts";
import { fanOutAll } from "#server/delivery/testing/scene.ts";
import { EMULATED_KEY } from "#emulators/sendgrid.ts";
import { twilioEmulator } from "#emulators/twilio.ts";
import { sampleSchedules } from "#server/features/sample/schedules.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
/** Rows of each table before the sample was first loaded. */
let before: Record<string, number>;
let firstLoad: unknown;

beforeAll(async () => {
  porchlight = await testApp({ apiUrls: { TWILIO_API_URL: "http://127.0.0.1:1" } });
  admin = await porchlight.signedIn("admin");
  before = await rowCounts();
});
afterAll(() => porchlight.close());

const call = async <T>(method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object) => {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, admin);
  return { status: reply.statusCode, body: reply.json<T & { message: string }>(), headers: reply.headers };
};

/** Except the audit log, which keeps that the sample was loaded and removed. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname <> 'audit' ORDER BY relname`.execute(porchlight.db);
  const counted = tables.rows.map(
    ({ name }) => sql`SELECT ${name} AS name, count(*) FROM ${sql.table(name)}`,
  );
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counted, sql` UNION ALL `)}`.execute(
    porchlight.db,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** What the sample says, without ids and times. */
async function contents(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT jsonb_agg(jsonb_build_array(username, first_name, last_name, email, phone, property_unit, channels)
        ORDER BY username) FROM users WHERE id <> ${admin.userId}) AS people,
      (SELECT jsonb_agg(jsonb_build_array(n.title, n.status, n.content, n.audience_text, n.created_by_name, r.people,
          r.opened, r.clicked, (SELECT jsonb_agg(jsonb_build_array(c.channel, c.status, c.reason, c.count)
            ORDER BY c.channel, c.status, c.reason) FROM run_counts c WHERE c.run_id = r.id))
        ORDER BY n.id) FROM notifications n LEFT JOIN runs r ON r.notification_id = n.id) AS notifications,
      (SELECT jsonb_agg(jsonb_build_array(channel, address, kind, reason) ORDER BY address) FROM suppressions) AS blocked,
      (SELECT jsonb_agg(jsonb_build_array(action, actor_name, subject_name) ORDER BY action, actor_name, subject_name)
        FROM audit WHERE action !~ '^(sample|account)[.]') AS audit`.execute(porchlight.db);
  return rows[0];
}

// spec 83, 87, 281
test("the dashboard counts to 247, 832, 92% and 28, of 24 notifications, and a recount agrees", async () => {
  expect(await call("POST", "/api/sample")).toMatchObject({
    body: { message: "The sample property is loaded." },
  });
  const figures = await call<DashboardFigures>("GET", "/api/dashboard");
  expect(figures.body).toMatchObject({
    tenants: { now: 247, before: 241, properties: 4, unreachable: 1 },
    sent: { now: 832, before: 745, simulated: 832 },
    openRate: { now: 92, before: 90 },
    templates: { now: 28, before: 28 },
    simulated: 836,
    failures: { total: 4 },
  });
  expect((await call("GET", "/api/notifications")).headers["x-total-count"]).toBe("24");
  expect(await imbalance(porchlight.db)).toEqual([]);
  firstLoad = await contents();
});

test("nothing of it is waiting to be sent, and each schedule runs later or not at all", async () => {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM deliveries WHERE status IN ('queued', 'sending', 'uncertain')) AS waiting,
      (SELECT count(*) FROM runs WHERE state <> 'finished') AS open,
      (SELECT count(*) FROM notifications WHERE scheduled_time <= now() AND status = 'Scheduled') AS due,
      (SELECT array_agg(name ORDER BY name) FROM schedules WHERE coalesce(next_run_at, next_date_at) > now()) AS planned,
      (SELECT array_agg(name) FROM schedules WHERE NOT active) AS paused,
      (SELECT count(*) FROM deliveries WHERE NOT simulated OR greatest(updated_at, opened_at) > now()) AS wrong,
      (SELECT count(*) FROM deliveries d WHERE reason = 'unconfirmed' AND EXISTS (
        SELECT FROM attempts a WHERE a.delivery_id = d.id AND a.ended_at >= d.updated_at)) AS "given up early"`.execute(
    porchlight.db,
  );
  expect(rows[0]).toEqual({
    waiting: 0,
    open: 0,
    due: 0,
    // spec 507-511
    planned: [
      "Community Event",
      "Monthly Rent Reminder",
      "Onboarding Residents",
      "Staff Meeting",
      "Weekly Maintenance",
    ],
    paused: ["Noise Reminder"],
    wrong: 0,
    "given up early": 0,
  });
});

test("its homes have floors and buildings, and people come, go and change homes", async () => {
  const listed = await call<PropertyRow[]>("GET", "/api/places/properties");
  expect(listed.body.map(({ name, people, homes, occupied }) => [name, people, homes, occupied])).toEqual([
    ["Cedar Lofts", 52, 42, 42],
    ["Garden Row", 32, 26, 26],
    ["Harbor View", 71, 58, 57],
    ["Maple Court", 92, 79, 74],
  ]);
  const maple = listed.body.find(({ name }) => name === "Maple Court")!;
  const { body } = await call<{ homesListed: Home[] }>("GET", `/api/places/properties/${maple.id}`);
  const soon = body.homesListed
    .filter(({ movesIn, movesOut }) => movesIn ?? movesOut)
    .map(({ name }) => name);
  expect(soon.toSorted()).toEqual(expect.arrayContaining(["10C", "10D", "10F"]));
  const left = body.homesListed.find(({ name }) => name === "10C")!;
  const home = await call<HomeDetail>("GET", `/api/places/homes/${left.id}`);
  const { residents, today } = home.body;
  expect(residents.map((one) => standingOn(today, one))).toEqual(["future", "past"]);
  const harbor = listed.body.find(({ name }) => name === "Harbor View")!;
  const views = await call<{ homesListed: Home[] }>("GET", `/api/places/properties/${harbor.id}`);
  expect(new Set(views.body.homesListed.map(({ building }) => building))).toEqual(new Set(["A", "B"]));
});

test("each tenant has a rent and a balance, which the rent reminder and the late notice write", async () => {
  const { rows } = await sql<{ label: string; field: string; values: number; owing: number }>`
    SELECT d.label, d.field, count(*) AS values,
      count(*) FILTER (WHERE (u.details ->> d.id::text)::numeric > 0) AS owing
    FROM details d JOIN users u ON u.details ? d.id::text GROUP BY d.id ORDER BY d.id`.execute(porchlight.db);
  expect(rows).toMatchObject([
    { label: "Rent", field: "amount", values: 252 },
    { label: "Balance", field: "balance", values: 252, owing: 41 },
  ]);
  const { body: found } = await call<{ id: number }[]>("GET", "/api/users?q=layla");
  const { id: templateId } = await porchlight.db
    .selectFrom("templates")
    .select("id")
    .where("name", "=", "Rent Reminder")
    .executeTakeFirstOrThrow();
  const draft = { templateId, channels: ["email"], recipients: [{ type: "user", id: found[0]?.id }] };
  const preview = await call<{ email: { text: string } }>("POST", "/api/audience/preview", {
    ...draft,
    fieldValues: { due_date: "December 1" },
    userId: found[0]?.id,
  });
  expect(preview.body.email.text).toMatch(/\$\d,\d{3}\.00/);
});

test("while it is loaded no account is turned on, except an emulator's, and the environment's isn't used", async () => {
  const { db } = porchlight;
  const refused = {
    status: 409,
    body: {
      message:
        "Remove the sample property first. With a provider connected, its schedules would send real messages.",
    },
  };
  const settings = { apiKey: EMULATED_KEY, fromEmail: "notices@maple.example", fromName: "Maple" };
  const account = { channel: "email", kind: "sendgrid", settings };
  expect(await call("POST", "/api/integrations", account)).toMatchObject(refused);
  const off = await call<{ id: number }>("POST", "/api/integrations", { ...account, enabled: false });
  expect(off.status).toBe(201);
  const url = `/api/integrations/${off.body.id}`;
  expect(await call("PUT", url, { enabled: true })).toMatchObject(refused);
  expect((await call("PUT", url, { name: "Later" })).status).toBe(200);
  const emulated = { channel: "sms", kind: "twilio", settings: twilioEmulator.settings };
  expect((await call("POST", "/api/integrations", emulated)).status).toBe(201);
  expect(await recordAccounts(db, [accountFor(new FakeTransport())])).toEqual([
    "mail.example isn't used while the sample property is loaded. Remove the sample property and restart Porchlight.",
  ]);
  const connected = await sql`SELECT kind FROM accounts WHERE enabled AND NOT simulated`.execute(db);
  expect(connected.rows).toEqual([{ kind: "twilio" }]);
  await sql`DELETE FROM accounts WHERE source = 'console'`.execute(db);
});

test("removing it leaves the rows that were there, and loading it again makes the same", async () => {
  expect(await call("POST", "/api/sample")).toMatchObject({
    status: 409,
    body: { message: "The sample property is already loaded." },
  });
  const { body } = await call<{ loaded: unknown }>("GET", "/api/sample");
  expect(body.loaded).toEqual({
    // With those who have moved out, and those who are still to move in.
    tenants: 252,
    staff: 7,
    groups: 9,
    templates: 24,
    schedules: 6,
    notifications: 24,
    ownNotifications: 0,
    usedTemplates: 0,
  });
  const logo = () => call<{ value: string }>("GET", "/api/settings/value/companyLogo");
  expect((await logo()).body.value).toMatch(/^data:image\/png;base64,/);
  expect((await call("DELETE", "/api/sample")).status).toBe(200);
  expect(await rowCounts()).toEqual(before);
  expect((await logo()).body.value).toBe("");
  expect((await call("GET", "/api/sample")).body).toEqual({ loaded: null });
  await sql`INSERT INTO user_groups (name) VALUES ('pet owners')`.execute(porchlight.db);
  expect(await call("POST", "/api/sample")).toMatchObject({
    status: 409,
    body: {
      message:
        "The sample property has a group named “pet owners”, and so do you. Rename or delete yours first.",
    },
  });
  await sql`DELETE FROM user_groups WHERE name = 'pet owners'`.execute(porchlight.db);
  const rename = (name: string, version: number) =>
    sql`UPDATE templates SET name = ${name}, version = ${version} WHERE slug = 'rent-reminder'`.execute(
      porchlight.db,
    );
  await rename("Rent", 2);
  expect(await call("POST", "/api/sample")).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("the template “Rent Reminder” as it first was") },
  });
  await rename("Rent Reminder", 1);
  expect((await call("POST", "/api/sample")).status).toBe(200);
  expect(await contents()).toEqual(firstLoad);
});

test("what people made themselves stays, with the sample people who got it as deleted people", async () => {
  const { db } = porchlight;
  const named = async (table: "user_groups" | "templates", name: string) =>
    (await db.selectFrom(table).select("id").where("name", "=", name).executeTakeFirstOrThrow()).id;
  const mine = await insertPerson(db, { firstName: "Mine", property: "Maple Court" });
  await sql`UPDATE users SET details = jsonb_build_object((SELECT id FROM details WHERE field = 'balance'), '12.00')
    WHERE id = ${mine}`.execute(db);
  const send = (body: object) =>
    call<{ id: number }>("POST", "/api/send-notification", { channels: ["email"], ...body });
  const own = await send({ title: "Mine", message: "Hello", recipients: ["Pet Owners"] });
  // One of the sample's schedules reaches someone of one's own, another only the sample's people.
  await sql`INSERT INTO group_members (group_id, user_id)
    VALUES (${await named("user_groups", "Property Team")}, ${mine})`.execute(db);
  for (const name of ["Staff Meeting", "Weekly Maintenance"]) {
    const { id } = await db
      .selectFrom("schedules")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    expect((await call("POST", `/api/schedules/${id}/run`, {})).status).toBe(200);
  }
  await fanOutAll(db);
  const templateId = await named("templates", "Welcome Letter");
  const scheduled = await call<{ id: number }>("POST", "/api/notifications", {
    title: "Later",
    templateId,
    recipients: ["Floor Captains"],
    channels: ["email"],
    status: "Scheduled",
    scheduled_time: "2099-01-01T09:00:00Z",
  });
  const { body } = await call<{ loaded: unknown }>("GET", "/api/sample");
  expect(body.loaded).toMatchObject({ ownNotifications: 2, usedTemplates: 1, templates: 23 });
  expect((await call("DELETE", "/api/sample")).status).toBe(200);

  expect(await imbalance(db)).toEqual([]);
  const stored = await sql`SELECT title, status, audience FROM notifications ORDER BY id`.execute(db);
  expect(stored.rows).toMatchObject([
    { title: "Mine", status: "Sending" },
    { title: "Staff Meeting", status: "Sending" },
    { title: "Later", status: "Draft", audience: [] },
  ]);
  const detail = await call<{ id: number; progress: { people: number } }>(
    "GET",
    `/api/notifications/${own.body.id}`,
  );
  expect(detail.body.progress.people).toBe(31);
  expect((await call<{ title: string }>("GET", `/api/notifications/${scheduled.body.id}`)).body.title).toBe(
    "Later",
  );
  const got = await sql`SELECT person_name FROM deliveries WHERE user_id = ${mine}`.execute(db);
  expect(got.rows).toHaveLength(1);
  const people = await sql`SELECT count(*) FILTER (WHERE deleted_at IS NOT NULL) AS kept,
    array_agg(id ORDER BY id) FILTER (WHERE deleted_at IS NULL) AS ids FROM users`.execute(db);
  // The members of the group, and the team, one of whom wrote the template.
  expect(people.rows[0]).toEqual({ kept: 38, ids: [admin.userId, mine] });
  expect(await named("templates", "Welcome Letter")).toBe(templateId);
  expect(await named("user_groups", "Maple Court")).toBeGreaterThan(0);
  const details = await call<{ label: string }[]>("GET", "/api/details");
  expect(details.body.map(({ label }) => label)).toEqual(["Balance"]);
});

test("it is not loaded beside other people", async () => {
  expect(await call("POST", "/api/sample")).toMatchObject({
    status: 409,
    body: {
      message:
        "The sample property can only be loaded while you're the only person here. There is 1 other person.",
    },
  });
});

// spec 507-511
test("its schedules are the five written ones, and a use case", () => {
  expect(sampleSchedules).toMatchObject([
    { recurrence: "monthly", dayOfMonth: 25, time: "09:00", endTime: "10:00", template: "Rent Reminder" },
    { recurrence: "weekly", dayOfWeek: 1, time: "08:00", name: "Weekly Maintenance" },
    { recurrence: "once", name: "Community Event" },
    { recurrence: "weekly", dayOfWeek: 2, time: "14:00", name: "Staff Meeting" },
    { recurrence: "monthly", name: "Noise Reminder", paused: true },
    { recurrence: "resident-date", residentDate: "move-in", name: "Onboarding Residents" },
  ]);
});
