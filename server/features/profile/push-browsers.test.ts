import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reach } from "#contract/calls/audience.ts";
import type { Account, Provider } from "#contract/calls/integrations.ts";
import type { Profile, PushBrowser } from "#contract/calls/profile.ts";
import { progressOf } from "#server/activity/progress.ts";
import { notificationStatus, send } from "#server/delivery/testing/scene.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { pushServiceEmulator, type PushServiceEmulator } from "#emulators/web-push.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { workerBeside } from "#server/testing/worker.ts";

/** Web Push from the account to the browser, through the front door. */

let service: PushServiceEmulator;
let emulator: Emulator;
let porchlight: TestApp;
let admin: Caller;
let maria: Caller;
let tom: Caller;
let account: Account;
let worker: ReturnType<typeof workerBeside>;

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

beforeAll(async () => {
  service = pushServiceEmulator();
  emulator = await startEmulator(service);
  porchlight = await testApp({ apiUrls: { WEB_PUSH_API_URL: emulator.url } });
  admin = await porchlight.signedIn("admin");
  maria = await porchlight.signedIn("tenant", { receivePush: false });
  tom = await porchlight.signedIn("tenant", { receivePush: true });
  worker = workerBeside(porchlight);
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
  await emulator.close();
});

const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, as: Caller, body?: unknown) =>
  porchlight.call(
    { method, url, headers: { "user-agent": FIREFOX }, ...(body !== undefined && { body }) },
    as,
  );
const browsers = async (as: Caller) =>
  (await call("GET", "/api/profile/browsers", as)).json<{
    publicKey: string | null;
    browsers: PushBrowser[];
  }>();
/** What a browser that is signed up with the account's key says of itself. */
async function subscription(id: string) {
  const { path, ...keys } = service.browser(id, String(account.settings["publicKey"]));
  return { endpoint: `${emulator.url}${path}`, ...keys };
}
const turnOn = async (as: Caller, id: string) =>
  call("POST", "/api/profile/browsers", as, await subscription(id));
const reach = async () => {
  const body = {
    recipients: [maria, tom].map(({ userId: id }) => ({ type: "user", id })),
    channels: ["push"],
  };
  return (await call("POST", "/api/audience/reach", admin, body)).json<Reach>();
};
async function push() {
  const recipients = [maria, tom].map(({ userId: id }) => ({ type: "user" as const, id, name: "" }));
  const { notificationId } = await send(porchlight.db, { channels: ["push"], audience: recipients });
  return notificationId;
}

test("without Web Push no one is asked, and the Sandbox takes push messages as before", async () => {
  expect(await browsers(maria)).toEqual({ publicKey: null, browsers: [] });
  const typed = {
    endpoint: "https://fcm.googleapis.com/1",
    p256dh: `B${"A".repeat(86)}`,
    auth: "A".repeat(22),
  };
  const refused = await call("POST", "/api/profile/browsers", maria, typed);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    "Notifications in browsers are turned off.",
  ]);
  expect((await reach()).byChannel.push).toMatchObject({ willGet: 1, simulated: true });
});

test("Web Push is set up with keys of its own, which no form asks for and no call changes", async () => {
  const { providers } = (await call("GET", "/api/integrations", admin)).json<{ providers: Provider[] }>();
  expect(providers.find(({ kind }) => kind === "web-push")).toMatchObject({
    about: expect.stringContaining("No account needed"),
    fields: [],
  });
  const typed = { channel: "push", kind: "web-push", settings: { publicKey: "mine", privateKey: "mine" } };
  const made = await call("POST", "/api/integrations", admin, typed);
  account = made.json<Account>();
  expect(account.settings).toEqual({ publicKey: expect.stringMatching(/^B[\w-]{86}$/) });
  expect(Object.keys(account.secrets)).toEqual(["privateKey"]);
  const changed = await call("PUT", `/api/integrations/${account.id}`, admin, {
    name: "Our push",
    settings: { publicKey: "other", privateKey: null },
  });
  expect(changed.json()).toMatchObject({ settings: account.settings, secrets: account.secrets });
  const second = await call("POST", "/api/integrations", admin, typed);
  expect([second.statusCode, second.json().message]).toEqual([
    409,
    expect.stringMatching(/^Turn off Our push first\. Only one account can be on here/),
  ]);
});

test("only addresses at push services are signed up, and no one else's", async () => {
  for (const endpoint of [
    "https://www.google.com/x",
    "https://push.example/1",
    "http://127.0.0.1:9/push/1",
  ]) {
    const refused = await call("POST", "/api/profile/browsers", tom, {
      ...(await subscription("x")),
      endpoint,
    });
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      "We can't send notifications to this browser's push service.",
    ]);
  }
  expect((await browsers(tom)).browsers).toEqual([]);
});

test("people without a browser are told apart before anything is sent", async () => {
  expect(await reach()).toMatchObject({
    byChannel: { push: { willGet: 0, simulated: false } },
    unreachable: {
      first: [
        { reasons: [{ reason: "not-turned-on", sentence: "They haven't turned on web push." }] },
        {
          reasons: [{ reason: "no-device", sentence: "They haven't turned on notifications on any device." }],
        },
      ],
    },
  });
});

test("turning it on in a browser turns the channel on, and each of the browsers gets what is sent", async () => {
  expect((await turnOn(maria, "laptop")).json()).toMatchObject({ name: "Firefox on Windows" });
  await turnOn(maria, "phone");
  expect((await call("GET", "/api/profile", maria)).json<Profile>()).toMatchObject({
    receivePush: true,
    consents: [{ channel: "push", allowed: true, source: "profile" }],
  });
  expect(await browsers(maria)).toMatchObject({
    publicKey: account.settings["publicKey"],
    browsers: [{ name: "Firefox on Windows" }, {}],
  });
  expect((await reach()).byChannel.push).toMatchObject({ willGet: 1 });
  const notificationId = await push();
  await until(async () =>
    expect(await notificationStatus(porchlight.db, notificationId)).toBe("Partially Delivered"),
  );
  expect(emulator.received.map(({ to }) => to).toSorted()).toEqual(["laptop", "phone"]);
});

test("a browser that is gone is forgotten; without any left the message fails with that reason", async () => {
  for (const id of ["laptop", "phone"]) emulator.faults.refused.add(id);
  const notificationId = await push();
  await until(async () => expect(await notificationStatus(porchlight.db, notificationId)).toBe("Failed"));
  expect((await progressOf(porchlight.db, [notificationId])).get(notificationId)?.reasons).toMatchObject([
    { reason: "no-device", status: "failed" },
    { reason: "no-device", status: "skipped" },
  ]);
  expect((await browsers(maria)).browsers).toEqual([]);
  expect((await reach()).byChannel.push).toMatchObject({ willGet: 0 });
});

test("a test to oneself needs a browser", async () => {
  const test = () => call("POST", `/api/integrations/${account.id}/send-test`, admin);
  expect((await test()).json().message).toBe(
    "Turn on notifications in this browser on your profile, then send the test.",
  );
  await turnOn(admin, "desk");
  expect((await test()).json()).toEqual({ sent: true, message: "Our push accepted a test to your devices." });
});

test("a browser is one person's: who turns it on there last; it is removed by them alone, and with them", async () => {
  const { id } = (await turnOn(maria, "lobby")).json<PushBrowser>();
  await turnOn(tom, "lobby");
  expect((await browsers(maria)).browsers).toEqual([]);
  expect((await call("DELETE", `/api/profile/browsers/${id}`, maria)).statusCode).toBe(404);
  expect((await call("DELETE", `/api/profile/browsers/${id}`, tom)).json()).toEqual({ id });
  expect((await browsers(tom)).browsers).toEqual([]);
  await turnOn(tom, "lobby");
  await call("DELETE", `/api/users/${tom.userId}`, admin);
  const left = await sql`SELECT user_id AS "userId" FROM push_browsers`.execute(porchlight.db);
  expect(left.rows).toEqual([{ userId: admin.userId }]);
});

test("no one has more browsers than anyone uses", async () => {
  for (let one = 1; one <= 20; one += 1) expect((await turnOn(maria, `b${one}`)).statusCode).toBe(201);
  const reply = await turnOn(maria, "b21");
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    "Notifications are on in 20 browsers. Remove one first.",
  ]);
  expect((await browsers(maria)).browsers).toHaveLength(20);
});
