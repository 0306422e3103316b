import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Account, Provider } from "#contract/calls/integrations.ts";
import { linksFor, quick, quiet } from "#server/delivery/testing/quick-worker.ts";
import { addPeople, notificationStatus, send } from "#server/delivery/testing/scene.ts";
import { amazonSmsEmulator } from "#emulators/amazon-sms.ts";
import { startEmulator, type EmulatedApi, type Emulator } from "#emulators/emulator.ts";
import { plivoEmulator } from "#emulators/plivo.ts";
import { telnyxEmulator } from "#emulators/telnyx.ts";
import { statusCallback, twilioCall, twilioEmulator } from "#emulators/twilio.ts";
import { vonageEmulator } from "#emulators/vonage.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

/** Accounts for texts through the front door. */

const apis: [kind: string, variable: string, api: EmulatedApi][] = [
  ["twilio", "TWILIO_API_URL", twilioEmulator],
  ["vonage", "VONAGE_API_URL", vonageEmulator],
  ["telnyx", "TELNYX_API_URL", telnyxEmulator],
  ["plivo", "PLIVO_API_URL", plivoEmulator],
  ["amazon-sms", "AWS_SMS_API_URL", amazonSmsEmulator],
];

const emulators = new Map<string, Emulator>();
let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  const apiUrls: Record<string, string> = {};
  for (const [kind, variable, api] of apis) {
    const emulator = await startEmulator(api);
    emulators.set(kind, emulator);
    apiUrls[variable] = emulator.url;
  }
  porchlight = await testApp({ apiUrls });
  admin = await porchlight.signedIn("admin", { username: "ada", phone: "+14155550100" });
});
afterAll(async () => {
  await porchlight.close();
  for (const emulator of emulators.values()) await emulator.close();
});

const post = (url: string, body: unknown = {}) =>
  porchlight.call({ method: "POST", url: `/api/integrations${url}`, body }, admin);
const offered = async () => {
  const reply = await porchlight.call({ method: "GET", url: "/api/integrations" }, admin);
  const { providers } = reply.json<{ providers: Provider[] }>();
  return providers.filter(({ channels }) => channels.includes("sms"));
};

// spec 391, 502
test("five providers are offered, Twilio first, with the written fields and a number as an example", async () => {
  const providers = await offered();
  expect(providers.map(({ kind }) => kind)).toEqual(apis.map(([kind]) => kind));
  expect(providers[0]!.fields).toMatchObject([
    { label: "Account SID", requiredError: "Account SID is required" },
    { label: "Auth Token", input: "secret", requiredError: "Auth Token is required" },
    { label: "From number", placeholder: "+15551234567", requiredError: "From number is required" },
  ]);
});

test("what is missing is asked for in the written sentences", async () => {
  expect((await post("", { channel: "sms", kind: "", settings: {} })).json().fields).toEqual({
    // spec 438
    kind: "Provider is required",
  });
  expect((await post("", { channel: "sms", kind: "twilio", settings: {} })).json().fields).toEqual({
    // spec 439
    "settings.accountSid": "Account SID is required",
    // spec 440
    "settings.authToken": "Auth Token is required",
    // spec 441
    "settings.fromNumber": "From number is required",
  });
});

test.each(apis)("%s is connected, tested, and sends a text to me", async (kind, _, api) => {
  const account = { channel: "sms", kind, settings: api.settings };
  expect((await post("/check", account)).json()).toMatchObject({ ok: true });
  const { id, name, secrets } = (await post("", { ...account, enabled: false })).json<Account>();
  const secret = Object.keys(secrets)[0]!;
  expect(secrets[secret]).toBe(String(api.settings[secret]).slice(-4));
  expect((await post(`/${id}/send-test`)).json()).toEqual({
    sent: true,
    message: `${name} accepted a test to +14155550100.`,
  });
  const { received, faults } = emulators.get(kind)!;
  expect(received).toMatchObject([{ to: "+14155550100" }]);
  faults.refused.add("+14155550100");
  expect((await post(`/${id}/send-test`)).json()).toMatchObject({
    sent: false,
    message: expect.stringMatching(/\S \S/),
  });
});

test("a run goes out by Twilio, and its receipts tell who got it", async () => {
  await addPeople(porchlight.db, 3);
  const reply = await post("", { channel: "sms", kind: "twilio", settings: twilioEmulator.settings });
  const { id } = reply.json<Account>();
  const emulator = emulators.get("twilio")!;
  emulator.received.length = 0;
  emulator.faults.refused.clear();
  const { db, url: listenUrl, transports } = porchlight;
  const worker = startWorker({ db, listenUrl, transports, linksFor, log: quiet, times: quick });
  const { runId, notificationId } = await send(db, { channels: ["sms"] });
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"));
  const { rows } = await sql<{ address: string; provider_message_id: string }>`
    SELECT address, provider_message_id FROM deliveries WHERE run_id = ${runId} AND status = 'accepted'
    ORDER BY id`.execute(db);
  expect(emulator.received.map(({ to }) => to).toSorted()).toEqual(
    rows.map(({ address }) => address).toSorted(),
  );

  const { rows: keys } = await sql<{ key: string }>`
    SELECT webhook_key AS key FROM accounts WHERE id = ${id}`.execute(db);
  const path = `/webhooks/${keys[0]!.key}`;
  const tell = async (fields: Record<string, string>) => {
    const call = twilioCall(`http://127.0.0.1:3000${path}`, fields);
    const said = await porchlight.app.inject({
      method: "POST",
      url: path,
      headers: call.headers,
      payload: call.body,
    });
    expect([said.statusCode, said.body]).toEqual([200, ""]);
  };
  const receipt = (index: number, fields: object) =>
    tell({ ...statusCallback, MessageSid: rows[index]!.provider_message_id, ...fields });
  await receipt(0, { MessageStatus: "delivered" });
  await receipt(1, { MessageStatus: "undelivered", ErrorCode: "30006" });
  await receipt(2, { MessageStatus: "failed", ErrorCode: "21610" });
  await until(async () => {
    const { rows: now } = await sql`
      SELECT status, reason FROM deliveries WHERE run_id = ${runId} AND provider_message_id IS NOT NULL
      ORDER BY id`.execute(db);
    expect(now).toEqual([
      { status: "delivered", reason: null },
      { status: "bounced", reason: "no-such-address" },
      { status: "failed", reason: "unsubscribed" },
      { status: "accepted", reason: null },
    ]);
  });
  const { rows: barred } = await sql<{ address: string }>`
    SELECT address FROM suppressions WHERE channel = 'sms' ORDER BY address`.execute(db);
  expect(barred.map(({ address }) => address)).toEqual([rows[1]!.address, rows[2]!.address].toSorted());
  await worker.stop();
});
