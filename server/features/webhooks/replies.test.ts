import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Delivery } from "#contract/calls/deliveries.ts";
import type { Account } from "#contract/calls/integrations.ts";
import type { UnseenFailures } from "#contract/calls/shell.ts";
import { wants } from "#server/audience/person.ts";
import { addPerson, notificationStatus, send } from "#server/delivery/testing/scene.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { incomingText, twilioCall, twilioEmulator } from "#emulators/twilio.ts";
import { incomingText as vonageText, vonageCall, vonageEmulator } from "#emulators/vonage.ts";
import { databaseClock, startNextDue } from "#server/delivery/schedules/scheduler.ts";
import type { Worker } from "#server/delivery/worker/worker.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { writeSettings } from "#server/features/settings/queries.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { workerBeside } from "#server/testing/worker.ts";

const NUMBER = "+14155550100";
let emulator: Emulator;
let porchlight: TestApp;
let admin: Caller;
let worker: Worker;
let url: string;
let people: number[];

beforeAll(async () => {
  emulator = await startEmulator(twilioEmulator);
  porchlight = await testApp({ apiUrls: { TWILIO_API_URL: emulator.url } });
  admin = await porchlight.signedIn("admin", { username: "ada" });
  const body = { channel: "sms", kind: "twilio", settings: twilioEmulator.settings };
  const account = await porchlight.call({ method: "POST", url: "/api/integrations", body }, admin);
  url = account.json<Account>().webhook!.url!;
  worker = workerBeside(porchlight);
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
  await emulator.close();
});
/** Two people who share a number, and someone who has another one. */
beforeEach(async () => {
  await sql`DELETE FROM suppressions`.execute(porchlight.db);
  await sql`UPDATE users SET deleted_at = now(), phone = NULL WHERE id <> ${admin.userId}`.execute(
    porchlight.db,
  );
  people = [];
  for (const phone of [NUMBER, NUMBER, "+14155550199"])
    people.push(await addPerson(porchlight.db, { phone }));
});

let texts = 0;
const text = async (words: string, from = NUMBER) => {
  texts += 1;
  const sid = `SM${String(texts).padStart(32, "0")}`;
  const call = twilioCall(url, { ...incomingText, MessageSid: sid, SmsSid: sid, From: from, Body: words });
  const reply = await porchlight.app.inject({
    method: "POST",
    url: new URL(url).pathname,
    headers: call.headers,
    payload: call.body,
  });
  expect([reply.statusCode, reply.body]).toEqual([200, ""]);
  await allActedOn();
};
const allActedOn = () =>
  until(async () => {
    const { rows } = await sql`SELECT FROM receipts WHERE processed_at IS NULL`.execute(porchlight.db);
    expect(rows).toEqual([]);
  });
const on = async () => {
  const { rows } = await sql<{ sms: boolean }>`
    SELECT ${wants.sms} AS sms FROM users u WHERE id = ANY(${people}::bigint[]) ORDER BY id`.execute(
    porchlight.db,
  );
  return rows.map(({ sms }) => sms);
};
const consents = async () => {
  const { rows } = await sql`
    SELECT user_id - ${people[0]!} AS who, allowed, source FROM consents WHERE channel = 'sms'
      AND user_id = ANY(${people}::bigint[]) ORDER BY id`.execute(porchlight.db);
  return rows;
};
const unseen = async () => {
  const reply = await porchlight.call({ method: "GET", url: "/api/shell" }, admin);
  return reply.json<{ unseenFailures: UnseenFailures }>().unseenFailures;
};

test("STOP turns texts off for everyone with that number, on record; START turns them on again and unblocks it", async () => {
  await text("Stop.");
  expect(await on()).toEqual([false, false, true]);
  await text("STOP");
  const off = [
    { who: 0, allowed: false, source: "texted-stop" },
    { who: 1, allowed: false, source: "texted-stop" },
  ];
  expect(await consents()).toEqual(off);
  await text("yes");
  expect(await on()).toEqual([true, true, true]);
  expect(await consents()).toEqual([
    ...off,
    { who: 0, allowed: true, source: "texted-start" },
    { who: 1, allowed: true, source: "texted-start" },
  ]);
  expect(await porchlight.db.selectFrom("suppressions").selectAll().execute()).toEqual([]);
});

test("START undoes what STOP did, and nothing that others decided", async () => {
  const { db } = porchlight;
  await sql`INSERT INTO suppressions (channel, address, reason, source, kind)
    VALUES ('sms', ${NUMBER}, 'Wrong number', 'manual', 'manual')`.execute(db);
  await text("STOP");
  await sql`UPDATE users SET channels = channels & ~2 WHERE id = ${people[0]!}`.execute(db);
  await sql`INSERT INTO consents (user_id, channel, allowed, source)
    VALUES (${people[0]!}, 'sms', false, 'profile')`.execute(db);
  await text("START");
  expect(await on()).toEqual([false, true, true]);
  expect(await db.selectFrom("suppressions").select("kind").execute()).toEqual([{ kind: "manual" }]);
  await sql`DELETE FROM suppressions`.execute(db);
});

test("STOP from a number that no one has blocks it until START", async () => {
  await text("stop", "+14155550177");
  expect(
    await porchlight.db.selectFrom("suppressions").select(["address", "kind", "source"]).execute(),
  ).toEqual([{ address: "+14155550177", kind: "unsubscribe", source: "twilio" }]);
  await text("stop", "MAPLEBANK");
  expect(await porchlight.db.selectFrom("suppressions").selectAll().execute()).toHaveLength(1);
  await text("start", "+14155550177");
  expect(await porchlight.db.selectFrom("suppressions").selectAll().execute()).toEqual([]);
});

test("any other reply, HELP among them, lands on the person's timeline and rings the bell until it is looked at, and stays listed", async () => {
  const audience = [people[0]!, people[2]!].map((id) => ({ type: "user" as const, id, name: "" }));
  const { notificationId, runId } = await send(porchlight.db, { channels: ["sms"], audience });
  await until(async () => expect(await notificationStatus(porchlight.db, notificationId)).toBe("Delivered"));
  const { id } = await porchlight.db
    .selectFrom("deliveries")
    .select("id")
    .where("run_id", "=", runId)
    .where("user_id", "=", people[0]!)
    .executeTakeFirstOrThrow();
  for (const words of ["Please stop by", "HELP", "yes"]) await text(words);
  expect(await on()).toEqual([true, true, true]);
  const timeline = await porchlight.call({ method: "GET", url: `/api/deliveries/${id}` }, admin);
  expect(timeline.json<{ events: object[] }>().events.slice(-3)).toMatchObject([
    { sentence: "They replied by text message.", detail: "Please stop by" },
    { sentence: "They replied by text message.", detail: "HELP" },
    { sentence: "They replied by text message.", detail: "yes" },
  ]);
  for (const left of [3, 2, 1]) {
    const { replies, firstReply } = await unseen();
    expect({ replies, firstReply }).toEqual({
      replies: left,
      firstReply: { notificationId, deliveryId: id, at: expect.any(String) },
    });
    const body = { what: "replies", until: firstReply!.at };
    await porchlight.call({ method: "POST", url: "/api/shell/seen", body }, admin);
  }
  expect(await unseen()).toMatchObject({ replies: 0, firstReply: null });
  const listed = async (query: string) => {
    const list = `/api/notifications/${notificationId}/deliveries?${query}`;
    const { headers, ...reply } = await porchlight.call({ method: "GET", url: list }, admin);
    return [headers["x-total-count"], reply.json<Delivery[]>().map((one) => [one.id, one.reply])];
  };
  expect(await listed("show=replied")).toEqual(["1", [[id, "yes"]]]);
  expect(await listed("show=replied&q=nobody")).toEqual(["0", []]);
  expect((await listed("show=all"))[1]).toHaveLength(2);
  await text("Stop");
  expect(await unseen()).toMatchObject({ replies: 0 });
  const after = await porchlight.call({ method: "GET", url: `/api/deliveries/${id}` }, admin);
  expect(after.json<{ events: object[] }>().events.at(-1)).toMatchObject({
    sentence: "The person unsubscribed.",
    detail: "Stop",
  });
  await text("Yes");
  expect(await on()).toEqual([true, true, true]);
  // Whoever has the number today.
  await sql`UPDATE users SET phone = NULL WHERE phone = ${NUMBER}`.execute(porchlight.db);
  await text("It is still me");
  const last = await porchlight.call({ method: "GET", url: `/api/deliveries/${id}` }, admin);
  expect(last.json<{ events: object[] }>().events.slice(-2)).toMatchObject([
    { sentence: "They replied by text message.", detail: "Yes" },
    { sentence: "They replied by text message.", detail: "It is still me" },
  ]);
});

test("a reply from a number to which nothing was sent rings no bell", async () => {
  const { replies } = await unseen();
  await text("Who is this?", "+14155550188");
  expect(await unseen()).toMatchObject({ replies });
});

test("HELP is answered where the provider doesn't, once a day, with who writes and how to stop", async () => {
  const { db } = porchlight;
  await writeSettings(db, { siteName: "Maple & Harbor", siteEmail: "office@maple.example" }, admin.userId);
  const body = { channel: "sms", kind: "vonage", enabled: false, settings: vonageEmulator.settings };
  const account = await porchlight.call({ method: "POST", url: "/api/integrations", body }, admin);
  const to = account.json<Account>().webhook!.url!;
  const ask = async (words: string, messageId: string) => {
    const fields = { ...vonageText, msisdn: NUMBER.slice(1), messageId, text: words };
    const call = vonageCall(to, fields);
    const { statusCode } = await porchlight.app.inject({
      method: "POST",
      url: new URL(to).pathname,
      headers: call.headers,
      payload: call.body,
    });
    expect(statusCode).toBe(200);
    await allActedOn();
    while (await startNextDue(db, { organization: readOrganization }, databaseClock));
  };
  emulator.received.length = 0;
  await ask("Help", "help-1");
  await until(() => expect(emulator.received).toHaveLength(1));
  expect(emulator.received[0]).toMatchObject({
    to: NUMBER,
    text: "Maple & Harbor: You get texts about your home from us. Reply STOP to turn them off, START to turn them on again. Questions? Write to office@maple.example. Message and data rates may apply.",
  });
  await ask("INFO", "help-2");
  // Twilio answers by itself.
  await sql`UPDATE notifications SET created_at = now() - interval '2 days'`.execute(db);
  await text("HELP");
  const answers = await sql`SELECT FROM notifications WHERE kind = 'notice'`.execute(db);
  expect(answers.rows).toHaveLength(1);
});
