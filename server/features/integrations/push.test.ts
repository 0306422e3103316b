import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import type { Account } from "#contract/calls/integrations.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { EMULATED_APP, EMULATED_KEY, onesignalEmulator } from "#emulators/onesignal.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** Push accounts through the front door. */

let emulator: Emulator;
let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  emulator = await startEmulator(onesignalEmulator());
  porchlight = await testApp({ apiUrls: { ONESIGNAL_API_URL: emulator.url } });
  admin = await porchlight.signedIn("admin", { username: "ada" });
});
afterAll(async () => {
  await porchlight.close();
  await emulator.close();
});
afterEach(async () => {
  await sql`UPDATE accounts SET enabled = false, deleted_at = now() WHERE source <> 'built-in'`.execute(
    porchlight.db,
  );
});

const post = (url: string, body: unknown = {}) =>
  porchlight.call({ method: "POST", url: `/api/integrations${url}`, body }, admin);
const onesignal = {
  channel: "push",
  kind: "onesignal",
  settings: { appId: EMULATED_APP, apiKey: EMULATED_KEY, userIdAttribute: "username" },
};

test("OneSignal asks for its App ID and API Key in the written sentences", async () => {
  const reply = await post("", { ...onesignal, settings: { appId: " " } });
  expect([reply.statusCode, reply.json().fields]).toEqual([
    400,
    // spec 432, 433
    { "settings.appId": "App ID is required", "settings.apiKey": "API Key is required" },
  ]);
});

test("OneSignal is connected, tested, and finds a person by their username", async () => {
  expect((await post("/check", onesignal)).json()).toEqual({
    ok: true,
    reason: "The API key works for this app.",
  });
  const account = (await post("", onesignal)).json<Account>();
  // spec 389
  expect(account).toMatchObject({
    settings: { appId: EMULATED_APP, userIdAttribute: "username", safariWebId: "" },
    secrets: { apiKey: EMULATED_KEY.slice(-4) },
  });
  expect((await post(`/${account.id}/send-test`)).json()).toEqual({
    sent: true,
    message: "OneSignal accepted a test to your devices.",
  });
  expect(emulator.received).toMatchObject([{ to: "ada" }]);
  emulator.faults.refused.add("ada");
  expect((await post(`/${account.id}/send-test`)).json()).toEqual({
    sent: false,
    message: "This person has no subscribed device in OneSignal",
  });
});
