import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Account } from "#contract/calls/integrations.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import { addPeople, notificationStatus, send } from "#server/delivery/testing/scene.ts";
import { startEmulator, type EmulatedCall, type Emulator, type Received } from "#emulators/emulator.ts";
import {
  EMULATED_KEY,
  EMULATED_VERIFICATION_KEY,
  sendgridCall,
  sendgridEmulator,
  sendgridEvent,
  type EmulatedReport,
} from "#emulators/sendgrid.ts";
import { delivered, mailgunCall, mailgunEmulator } from "#emulators/mailgun.ts";
import type { Worker } from "#server/delivery/worker/worker.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { workerBeside } from "#server/testing/worker.ts";

const PEOPLE = 4;

let emulator: Emulator;
let porchlight: TestApp;
let admin: Caller;
let worker: Worker;
let url: string;
let runId: number;
let notificationId: number;

beforeAll(async () => {
  emulator = await startEmulator(sendgridEmulator);
  porchlight = await testApp({ apiUrls: { SENDGRID_API_URL: emulator.url } });
  admin = await porchlight.signedIn("admin", { username: "ada", email: "ada@maple.example" });
  const account = await porchlight.call(
    {
      method: "POST",
      url: "/api/integrations",
      body: {
        channel: "email",
        kind: "sendgrid",
        settings: {
          apiKey: EMULATED_KEY,
          fromEmail: "notices@maple.example",
          fromName: "Maple",
          verificationKey: EMULATED_VERIFICATION_KEY,
        },
      },
    },
    admin,
  );
  url = new URL(account.json<Account>().webhook!.url!).pathname;
  await addPeople(porchlight.db, PEOPLE);
  worker = workerBeside(porchlight);
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
  await emulator.close();
});

/** A notification that SendGrid has accepted for everyone. */
beforeEach(async () => {
  emulator.received.length = 0;
  await sql`DELETE FROM suppressions`.execute(porchlight.db);
  ({ runId, notificationId } = await send(porchlight.db));
  await until(async () => {
    if ((await notificationStatus(porchlight.db, notificationId)) !== "Delivered") throw new Error("not yet");
  });
});

let events = 0;
const report = (message: Received, what: EmulatedReport["what"], more: Partial<EmulatedReport> = {}) => {
  events += 1;
  return { message, what, eventId: `event-${events}`, at: new Date(), ...more };
};
const callFor = (reports: readonly EmulatedReport[], at = new Date()) =>
  sendgridCall(url, reports.map(sendgridEvent), at);
const post = ({ headers, body }: Pick<EmulatedCall, "headers" | "body">, to = url) =>
  porchlight.app.inject({ method: "POST", url: to, headers, payload: body });
const tell = async (...reports: EmulatedReport[]) => {
  const reply = await post(callFor(reports));
  expect([reply.statusCode, reply.body]).toEqual([200, ""]);
};
const processed = () =>
  until(async () => {
    const { rows } = await sql<{ open: number }>`
      SELECT count(*)::int AS open FROM receipts WHERE processed_at IS NULL`.execute(porchlight.db);
    expect(rows[0]!.open).toBe(0);
  });
const stored = async () => {
  const { rows } = await sql<{ calls: number; receipts: number }>`
    SELECT (SELECT count(*)::int FROM webhook_calls) AS calls, (SELECT count(*)::int FROM receipts) AS receipts`.execute(
    porchlight.db,
  );
  return rows[0]!;
};
const deliveryOf = async ({ to }: Received) => {
  const row = await porchlight.db
    .selectFrom("deliveries")
    .selectAll()
    .where("run_id", "=", runId)
    .where("address", "=", to)
    .executeTakeFirstOrThrow();
  return row;
};
const timeline = async (message: Received) => {
  const { id } = await deliveryOf(message);
  const reply = await porchlight.call({ method: "GET", url: `/api/deliveries/${id}` }, admin);
  return reply.json<{ events: { sentence: string; detail: string | null }[] }>().events;
};

test("its address is shown to administrators, with when it was last called", async () => {
  const webhook = async (as: Caller) => {
    const reply = await porchlight.call({ method: "GET", url: "/api/integrations" }, as);
    return reply.json<{ accounts: Account[] }>().accounts.find(({ kind }) => kind === "sendgrid")!.webhook;
  };
  await sql`DELETE FROM webhook_calls`.execute(porchlight.db);
  expect(await webhook(admin)).toMatchObject({
    url: `http://127.0.0.1:3000${url}`,
    setUp: expect.stringContaining("Event Webhook"),
    localOnly: true,
    lastEventAt: null,
    reported: false,
    automatic: false,
    missing: null,
  });
  // Whoever waits for the first report hears of it, and of no later one.
  const heard: string[] = [];
  const connected = Promise.withResolvers<void>();
  const listener = listen(porchlight.url, PAGES_CHANNEL, {
    onMessage: (payload) => heard.push(payload),
    onConnected: () => connected.resolve(),
  });
  onTestFinished(() => listener.stop());
  await connected.promise;
  await tell(report(emulator.received[0]!, "delivered"));
  await tell(report(emulator.received[1]!, "delivered"));
  await sql`SELECT pg_notify(${PAGES_CHANNEL}, 'end')`.execute(porchlight.db);
  await until(() => expect(heard).toContain("end"));
  expect(heard.filter((payload) => payload === '{"type":"providers"}')).toHaveLength(1);
  const staff = await porchlight.signedIn("staff", { username: "sam" });
  expect(await webhook(staff)).toMatchObject({ url: null, lastEventAt: expect.any(String), reported: true });
  // A quiet month doesn't look as if reports had never been set up.
  await sql`DELETE FROM webhook_calls`.execute(porchlight.db);
  expect(await webhook(staff)).toMatchObject({ lastEventAt: null, reported: true });
  await porchlight.db.deleteFrom("sessions").where("user_id", "=", staff.userId).execute();
  await porchlight.db
    .updateTable("users")
    .set({ deleted_at: new Date() })
    .where("id", "=", staff.userId)
    .execute();
  await processed();
});

describe("SendGrid's webhook", () => {
  test("delivered and bounced reach the timeline, the counters, the outcome and the suppressions", async () => {
    const [one, two] = emulator.received;
    await tell(report(one!, "delivered"), report(two!, "bounced", { suppress: true }));
    await processed();
    expect(await deliveryOf(one!)).toMatchObject({ status: "delivered", delivered_at: expect.any(Date) });
    expect(await deliveryOf(two!)).toMatchObject({ status: "bounced", reason: "no-such-address" });
    expect((await timeline(one!)).map(({ sentence }) => sentence).slice(-2)).toEqual([
      "Accepted by SendGrid.",
      "Delivered, as the provider confirms.",
    ]);
    expect((await timeline(two!)).at(-1)).toMatchObject({
      sentence: "It bounced.",
      detail: "5.1.1 550 5.1.1 The email account does not exist.",
    });
    expect(await porchlight.db.selectFrom("suppressions").select(["address", "source"]).execute()).toEqual([
      { address: two!.to, source: "sendgrid" },
    ]);
    expect(await notificationStatus(porchlight.db, notificationId)).toBe("Partially Delivered");
    expect(await imbalance(porchlight.db)).toEqual([]);
  });

  test("forged, altered and old calls are refused and leave nothing but a security line", async () => {
    const [one] = emulator.received;
    const good = callFor([report(one!, "bounced", { suppress: true })]);
    const before = await stored();
    const bad = [
      { ...good, body: good.body.replace("bounce", "deferd") },
      { ...good, body: `${good.body} ` },
      { ...good, headers: { "content-type": "application/json" } },
      { ...good, headers: { ...good.headers, "x-twilio-email-event-webhook-signature": "AAAA" } },
      callFor([report(one!, "bounced")], new Date(Date.now() - 26 * 3_600_000)),
      callFor([report(one!, "bounced")], new Date(Date.now() + 3_600_000)),
    ];
    for (const call of bad) expect((await post(call)).statusCode).toBe(403);
    expect((await post(good, `/webhooks/${"0".repeat(64)}`)).statusCode).toBe(404);
    expect((await post(good, "/webhooks/%00")).statusCode).toBe(404);
    expect(await stored()).toEqual(before);
    expect(await deliveryOf(one!)).toMatchObject({ status: "accepted" });
    const audited = await porchlight.db
      .selectFrom("audit")
      .select(["action", "detail"])
      .where("action", "=", "webhook.refuse")
      .execute();
    expect(audited).toEqual([
      { action: "webhook.refuse", detail: { account: "SendGrid", because: "forged" } },
    ]);
  });

  test("a replayed call, and an event that comes again in another one, change nothing", async () => {
    const [one] = emulator.received;
    const opened = report(one!, "opened");
    const call = callFor([opened]);
    expect((await post(call)).statusCode).toBe(200);
    await processed();
    const before = await stored();
    expect((await post(call)).statusCode).toBe(200);
    expect(await stored()).toEqual(before);
    await tell(opened, opened);
    expect(await stored()).toEqual(before);
    await tell(opened, report(one!, "opened"));
    await processed();
    expect(await stored()).toEqual({ calls: before.calls + 1, receipts: before.receipts + 1 });
    expect((await timeline(one!)).filter(({ sentence }) => sentence === "It was opened.")).toHaveLength(1);
    const run = await porchlight.db
      .selectFrom("runs")
      .select(["opened", "clicked"])
      .where("id", "=", runId)
      .executeTakeFirst();
    expect(run).toEqual({ opened: 1, clicked: 0 });
    expect(await imbalance(porchlight.db)).toEqual([]);
  });

  test("the answer does not wait for what the call tells to be applied", async () => {
    const [one] = emulator.received;
    await porchlight.db.transaction().execute(async (tx) => {
      await sql`SELECT FROM deliveries WHERE run_id = ${runId} FOR UPDATE`.execute(tx);
      await tell(report(one!, "delivered"));
      expect(await deliveryOf(one!)).toMatchObject({ status: "accepted" });
    });
    await processed();
    expect(await deliveryOf(one!)).toMatchObject({ status: "delivered" });
  });

  test("a call that is too large is not read", async () => {
    const reply = await post({
      headers: { "content-type": "application/json" },
      body: " ".repeat(2 ** 20 + 1),
    });
    expect(reply.statusCode).toBe(413);
  });

  test("a stranger's events are kept for a while and concern no one", async () => {
    const [one] = emulator.received;
    const [run, id] = [one!.reference!.slice(0, 36), one!.reference!.slice(37)];
    await tell(
      report({ ...one!, reference: `00000000-0000-4000-8000-000000000000-${id}` }, "bounced", {
        suppress: true,
      }),
      report({ ...one!, reference: `${run}-999999999` }, "bounced", { suppress: true }),
    );
    await until(async () => {
      const { rows } = await sql`
        SELECT FROM receipts WHERE processed_at IS NULL AND retry_at > now()`.execute(porchlight.db);
      expect(rows).toHaveLength(2);
    });
    expect(await deliveryOf(one!)).toMatchObject({ status: "accepted" });
    await sql`UPDATE receipts SET received_at = now() - interval '16 minutes', retry_at = now()
      WHERE processed_at IS NULL`.execute(porchlight.db);
    await processed();
    expect(await porchlight.db.selectFrom("suppressions").selectAll().execute()).toEqual([]);
  });
});

test("the token of a Mailgun call that told nothing can't come again with an event, which it doesn't sign", async () => {
  const settings = { ...mailgunEmulator.settings, fromEmail: "notices@maple.example", fromName: "Maple" };
  const body = { channel: "email", kind: "mailgun", enabled: false, settings };
  const account = await porchlight.call({ method: "POST", url: "/api/integrations", body }, admin);
  const to = new URL(account.json<Account>().webhook!.url!).pathname;
  const call = (token: string, event: object) =>
    post(mailgunCall(to, { ...delivered, ...event }, { token }), to);
  const ours = { "user-variables": { reference: "run-1-7" } };
  const before = await stored();
  expect((await call("of-another-system", {})).statusCode).toBe(200);
  // Mailgun itself may try again.
  expect((await call("of-another-system", {})).statusCode).toBe(200);
  expect((await call("not-understood", { timestamp: "then" })).statusCode).toBe(200);
  for (const token of ["of-another-system", "not-understood"]) {
    expect((await call(token, { ...ours, event: "complained" })).statusCode).toBe(403);
  }
  expect(await stored()).toEqual(before);
  expect((await call("its-own", { ...ours, event: "complained" })).statusCode).toBe(200);
  expect(await stored()).toEqual({ calls: before.calls + 1, receipts: before.receipts + 1 });
  await sql`DELETE FROM receipts WHERE event_id = 'its-own'`.execute(porchlight.db);
});
