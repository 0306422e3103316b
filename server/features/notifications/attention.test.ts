import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DashboardFigures } from "#contract/calls/dashboard.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { linksFor, quick, quiet } from "#server/delivery/testing/quick-worker.ts";
import { startWorker, type Worker } from "#server/delivery/worker/worker.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;
let worker: Worker;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  const { db, url: listenUrl, transports } = porchlight;
  worker = startWorker({ db, listenUrl, transports, linksFor, log: quiet, times: quick });
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
});
// What the test before left stays out of this one's list.
beforeEach(() => sql`UPDATE notifications SET kind = 'test'`.execute(porchlight.db));

const call = async <T>(method: "GET" | "POST", url: string, body?: object, who = staff) => {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, who);
  return { status: reply.statusCode, body: reply.json<T & { message: string }>() };
};
const failures = async () => (await call<DashboardFigures>("GET", "/api/dashboard")).body.failures;
const titles = async () => (await failures()).newest.map(({ title }) => title);
const dismiss = (id: number, missed: number | null, who = staff) =>
  call("POST", `/api/notifications/${id}/dismiss`, { missed }, who);

const ends = (id: number, status: string) =>
  until(async () =>
    expect((await call<NotificationDetail>("GET", `/api/notifications/${id}`)).body.status).toBe(status),
  );

/** Writes to someone whose address the Sandbox bounces. */
async function miss(name: string): Promise<{ id: number; person: number }> {
  const person = await insertPerson(porchlight.db, { firstName: name, email: `bounce+${name}@example.com` });
  const { body } = await call<{ id: number }>("POST", "/api/send-notification", {
    title: `To ${name}`,
    message: "Hello",
    recipients: [{ type: "user", id: person }],
    channels: ["email"],
  });
  await ends(body.id, "Failed");
  return { id: body.id, person };
}

async function retry(id: number, person: number, email: string): Promise<void> {
  await sql`UPDATE users SET email = ${email} WHERE id = ${person}`.execute(porchlight.db);
  const reply = await call("POST", `/api/notifications/${id}/send-again`, {});
  expect(reply.body).toMatchObject({ requeued: 1 });
}

/** As later bounces would have it. */
const setMissed = (id: number, missed: number) =>
  sql`UPDATE run_outcomes SET count = ${missed} WHERE outcome = 'failed' AND count > 0
    AND run_id = (SELECT id FROM runs WHERE notification_id = ${id})`.execute(porchlight.db);

test("what didn't reach everyone needs attention until it does, even after someone has looked at it", async () => {
  const [{ id, person }, old] = [await miss("ida"), await miss("odo")];
  await sql`UPDATE notifications SET updated_at = now() - interval '31 days'
    WHERE id = ${old.id}`.execute(porchlight.db);
  await call("POST", "/api/shell/seen", { what: "notifications", until: new Date().toISOString() });
  expect(await failures()).toEqual({
    total: 1,
    newest: [{ id, title: "To ida", status: "Failed", reason: null, missed: 1 }],
  });
  await retry(id, person, "ida@example.com");
  await ends(id, "Delivered");
  expect(await failures()).toEqual({ total: 0, newest: [] });
});

test("what someone dismisses is gone for everyone, on record, and back once it misses more people", async () => {
  const [ada, bo] = [await miss("ada"), await miss("bo")];
  expect(await titles()).toEqual(["To bo", "To ada"]);
  const colleague = await porchlight.signedIn("staff");
  for (let repeat = 0; repeat < 2; repeat++) {
    expect((await dismiss(ada.id, 1, colleague)).body).toEqual({ dismissed: true });
  }
  expect(await titles()).toEqual(["To bo"]);
  const audited = await sql`SELECT action, subject_id AS id, detail FROM audit
    WHERE actor_id = ${colleague.userId} AND action LIKE 'notification.%'`.execute(porchlight.db);
  expect(audited.rows).toEqual([{ action: "notification.dismiss", id: ada.id, detail: { missed: 1 } }]);

  await setMissed(ada.id, 3);
  expect(await titles()).toEqual(["To bo", "To ada"]);
  // Someone who saw one of the three decides about that one.
  expect(await dismiss(ada.id, 1)).toMatchObject({
    status: 409,
    body: { message: "By now, 3 people weren't reached. Check them first." },
  });
  await dismiss(ada.id, 3);
  await setMissed(ada.id, 2);
  expect(await titles()).toEqual(["To bo"]);

  expect((await dismiss(ada.id, null)).body).toEqual({ dismissed: false });
  expect(await titles()).toEqual(["To bo", "To ada"]);
  expect((await dismiss(bo.id + 999, 0)).status).toBe(404);
});

test("a retry ends a dismissal, because it may miss others than those who were dismissed", async () => {
  const { id, person } = await miss("ugo");
  await dismiss(id, 1);
  await retry(id, person, "bounce+ugo2@example.com");
  await ends(id, "Failed");
  expect(await titles()).toEqual(["To ugo"]);
  await retry(id, person, "ugo@example.com");
  await ends(id, "Delivered");
  expect(await dismiss(id, 1)).toMatchObject({
    status: 409,
    body: { message: "It no longer needs attention." },
  });
});
