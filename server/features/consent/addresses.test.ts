import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Channel } from "#contract/delivery.ts";
import type { Account } from "#contract/calls/integrations.ts";
import type { Suppression } from "#contract/calls/suppressions.ts";
import type { SavedUser, UserDetail } from "#contract/calls/users.ts";
import { changeConsent } from "#server/features/consent/queries.ts";
import { send } from "#server/delivery/testing/scene.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { incomingText, twilioCall, twilioEmulator } from "#emulators/twilio.ts";
import { databaseClock, startNextDue } from "#server/delivery/schedules/scheduler.ts";
import type { Worker } from "#server/delivery/worker/worker.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { importCsv, row } from "#server/testing/csv.ts";
import { until } from "#server/testing/until.ts";
import { workerBeside } from "#server/testing/worker.ts";

let emulator: Emulator;
let porchlight: TestApp;
let admin: Caller;
let worker: Worker;
let webhook: string;

beforeAll(async () => {
  emulator = await startEmulator(twilioEmulator);
  porchlight = await testApp({ apiUrls: { TWILIO_API_URL: emulator.url } });
  admin = await porchlight.signedIn("admin", { username: "ada" });
  const body = { channel: "sms", kind: "twilio", settings: twilioEmulator.settings };
  const account = await porchlight.call({ method: "POST", url: "/api/integrations", body }, admin);
  webhook = account.json<Account>().webhook!.url!;
  worker = workerBeside(porchlight);
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
  await emulator.close();
});

let n = 0;
let phone: string;
let email: string;
beforeEach(() => {
  n += 1;
  phone = `+1415555${String(2000 + n)}`;
  email = `one${n}@example.com`;
});

const luis = { firstName: "Luis", lastName: "Ortega", role: "tenant" };
const call = async <Reply>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  body?: object,
  by = admin,
) => {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, by);
  return { status: reply.statusCode, ...reply.json<Reply & { fields?: Record<string, string> }>() };
};
const create = async (more: { phone?: string; email?: string; receiveSms?: boolean }) => {
  const username = `luis${n++}`;
  const id = await insertPerson(porchlight.db, { username, ...more });
  return call<UserDetail>("GET", `/api/users/${id}`);
};
const addByForm = async (more: object) => {
  const body = { username: `luis${n++}`, ...luis, email, password: "three ripe figs!", ...more };
  return call<SavedUser>("POST", "/api/users", body);
};
const update = ({ id, username }: { id: number; username: string }, body: object) =>
  call<SavedUser>("PUT", `/api/users/${id}`, { username, ...luis, email, ...body });
const read = ({ id }: { id: number }) => call<UserDetail>("GET", `/api/users/${id}`);
const blocked = async () =>
  (await call<Suppression[]>("GET", `/api/suppressions?q=${encodeURIComponent(phone)}`)) as unknown;

let texts = 0;
const text = async (words: string, { from = phone, ...more }: Record<string, string> = {}) => {
  texts += 1;
  const sid = `SM${String(texts).padStart(32, "0")}`;
  const { headers, body } = twilioCall(webhook, {
    ...incomingText,
    MessageSid: sid,
    SmsSid: sid,
    From: from,
    Body: words,
    ...more,
  });
  await porchlight.app.inject({ method: "POST", url: new URL(webhook).pathname, headers, payload: body });
  await until(async () => {
    const { rows } = await sql`SELECT FROM receipts WHERE processed_at IS NULL`.execute(porchlight.db);
    expect(rows).toEqual([]);
  });
};
const linkOf = async (id: number) =>
  (
    await porchlight.db
      .selectFrom("users")
      .select("preferences_token")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
  ).preferences_token;
const post = async (id: number, payload: string) =>
  porchlight.app.inject({
    method: "POST",
    url: `/u/${await linkOf(id)}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload,
  });
const unsubscribe = (id: number) => post(id, "List-Unsubscribe=One-Click");

/** The reason why a message doesn't go to someone; null if it does. */
const refusal = async (id: number, channel: Channel) => {
  const { runId } = await send(porchlight.db, {
    channels: [channel],
    audience: [{ type: "user", id, name: "" }],
  });
  const { reason, detail } = await until(async () => firstDelivery(runId));
  return reason === null ? null : { reason, detail };
};
const firstDelivery = (runId: number) =>
  porchlight.db
    .selectFrom("deliveries")
    .select(["reason", "detail"])
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();

describe("an opt-out outlives its person", () => {
  test("texted and clicked, it holds for whoever is imported with the address later", async () => {
    const { id } = await create({ phone, email });
    await text("STOP");
    await unsubscribe(id);
    await call("DELETE", `/api/users/${id}?detach=true`);
    const again = row({ username: `back${n}`, email: email.toUpperCase(), phone });
    const { result } = await importCsv(porchlight, admin, [again, { ...again, username: `twice${n}` }]);
    expect(result.warnings).toContainEqual({
      row: 1,
      value: phone,
      kind: "opted-out",
      reason: "This phone number gets no texts. They texted STOP.",
    });
    expect(result.warnings).toContainEqual(expect.objectContaining({ row: 2, kind: "shared", value: phone }));
    const { rows } = await sql<{ id: number }>`SELECT id FROM users WHERE username = ${`back${n}`}`.execute(
      porchlight.db,
    );
    const back = rows[0]!;
    expect(await read(back)).toMatchObject({ receiveEmail: false, receiveSms: false });
    expect(await refusal(back.id, "sms")).toEqual({ reason: "opted-out", detail: "They texted STOP." });
    expect(await refusal(back.id, "email")).toMatchObject({ reason: "opted-out" });
  });

  test("for a partner with the same number, now and later, also by the form, without their own record changing", async () => {
    const partner = await create({ phone });
    await create({ phone });
    await text("ARRET");
    expect(await read(partner)).toMatchObject({ receiveSms: false });
    expect(await addByForm({ phone })).toMatchObject({ status: 201, receiveSms: false, receiveEmail: true });
    await text("START");
    expect(await read(partner)).toMatchObject({ receiveSms: true });
    expect(await refusal(partner.id, "sms")).toBeNull();
  });

  test("for someone whose number is changed to it, and no longer for who has another number", async () => {
    const stopped = await create({ phone });
    await text("Stop");
    const other = await create({ phone: "+14155559001" });
    expect(await update(other, { email, phone, receiveSms: true })).toMatchObject({
      status: 200,
      receiveSms: false,
    });
    expect(await update(stopped, { phone: "+14155559002" })).toMatchObject({ receiveSms: true });
    expect(await update(stopped, { phone })).toMatchObject({ receiveSms: false });
  });

  test("for the second record of a shared inbox, and the one that only shares it is told so", async () => {
    const first = await create({ email });
    const second = await create({ email });
    await unsubscribe(first.id);
    expect(await read(second)).toMatchObject({
      receiveEmail: false,
      consents: [{ allowed: false, sentence: "By someone with the same address or number" }],
      suppressions: [{ address: email, kind: "unsubscribe", optedOut: true }],
    });
    await post(second.id, "channel=email&allowed=true");
    expect(await read(first)).toMatchObject({ receiveEmail: true });
  });

  test("also beside another cause, which lifting it leaves alone", async () => {
    const person = await create({ phone });
    await call("POST", "/api/suppressions", { channel: "sms", address: phone, reason: "Wrong number" });
    await text("STOP");
    expect(await refusal(person.id, "sms")).toMatchObject({ reason: "opted-out" });
    expect(await call("POST", "/api/suppressions/lift", { channel: "sms", address: phone })).toMatchObject({
      status: 400,
    });
    await text("START");
    expect(await refusal(person.id, "sms")).toEqual({ reason: "suppressed", detail: "Wrong number" });
  });

  test("messages that wait are not sent", async () => {
    const person = await create({ phone });
    await sql`UPDATE accounts SET state = 'paused' WHERE kind = 'twilio'`.execute(porchlight.db);
    const { runId } = await send(porchlight.db, {
      channels: ["sms"],
      audience: [{ type: "user", id: person.id, name: "" }],
    });
    await until(() => firstDelivery(runId));
    await sql`UPDATE users SET phone = NULL WHERE id = ${person.id}`.execute(porchlight.db);
    await text("STOP");
    await sql`UPDATE accounts SET state = 'ok' WHERE kind = 'twilio'`.execute(porchlight.db);
    await until(async () => {
      const { rows } =
        await sql`SELECT reason FROM deliveries WHERE run_id = ${runId} AND status = 'skipped'`.execute(
          porchlight.db,
        );
      expect(rows).toEqual([{ reason: "opted-out" }]);
    });
  });
});

describe("what a person chose for themselves", () => {
  test("goes with them to a new address, and outlives them there", async () => {
    const person = await create({ email });
    await post(person.id, "channel=email&allowed=false");
    expect(await update(person, { email: `new.${email}` })).toMatchObject({ receiveEmail: false });
    await call("DELETE", `/api/users/${person.id}?detach=true`);
    expect(await create({ email: `new.${email}` })).toMatchObject({ receiveEmail: false });
    expect(await create({ email })).toMatchObject({ receiveEmail: false });
  });

  test("doesn't silence someone else who has the new address", async () => {
    const person = await create({ email });
    const ann = await create({ email: `ann.${email}` });
    await post(person.id, "channel=email&allowed=false");
    expect(await update(person, { email: `ann.${email}` })).toMatchObject({ receiveEmail: false });
    expect(await read(ann)).toMatchObject({ receiveEmail: true });
  });

  test("is undone by START if the number is theirs alone, by Yes never", async () => {
    const person = await create({ phone });
    const change = { userId: person.id, source: "profile", actorId: person.id, ip: "127.0.0.1" } as const;
    await changeConsent(porchlight.db, { ...change, channel: "sms", allowed: false });
    await text("yes");
    expect(await read(person)).toMatchObject({ receiveSms: false });
    await text("Start");
    expect(await read(person)).toMatchObject({ receiveSms: true });
  });

  test("is undone in their profile, but not at an address that they entered after someone else had opted out", async () => {
    const passwordHash = await hashPassword("three ripe figs!");
    const own = await porchlight.signedIn("tenant", { username: `own${n}`, email, phone, passwordHash });
    await text("STOP");
    const turnOn = () => call("PUT", "/api/profile/preferences", { receiveSms: true }, own);
    expect(await turnOn()).toMatchObject({ status: 200, receiveSms: true });
    const stranger = "+14155559003";
    await text("STOP", { from: stranger });
    const profile = { firstName: "Luis", lastName: "Ortega", email, currentPassword: "three ripe figs!" };
    expect(await call("PUT", "/api/profile", { ...profile, phone: stranger }, own)).toMatchObject({
      receiveSms: false,
    });
    expect(await turnOn()).toMatchObject({ status: 409 });
    await text("START", { from: stranger });
    expect(await call("GET", "/api/profile", undefined, own)).toMatchObject({ receiveSms: true });
  });
});

describe("an address that may be anyone's", () => {
  const password = "three ripe figs!";
  const signIn = async (more: object) => {
    const passwordHash = await hashPassword(password);
    return porchlight.signedIn("tenant", { username: `own${n++}`, passwordHash, ...more });
  };
  const enter = (contact: { email?: string; phone?: string }, by: Caller) =>
    call(
      "PUT",
      "/api/profile",
      { firstName: "Luis", lastName: "Ortega", currentPassword: password, ...contact },
      by,
    );
  const prefer = (wishes: object, by: Caller) => call("PUT", "/api/profile/preferences", wishes, by);

  test("isn't silenced by whoever enters it: not the inbox", async () => {
    const ann = await create({ email });
    const own = await signIn({ email: `own.${email}` });
    expect(await enter({ email }, own)).toMatchObject({ status: 200 });
    expect(await prefer({ receiveEmail: false }, own)).toMatchObject({ status: 200, receiveEmail: false });
    expect(await read(ann)).toMatchObject({ receiveEmail: true, suppressions: [] });
    expect(await refusal(ann.id, "email")).toBeNull();
    // Nor with a link from an earlier email of theirs.
    await prefer({ receiveEmail: true }, own);
    await post(own.userId, "channel=email&allowed=false");
    await prefer({ receiveEmail: true }, own);
    await unsubscribe(own.userId);
    expect(await read({ id: own.userId })).toMatchObject({ receiveEmail: false });
    expect(await read(ann)).toMatchObject({ receiveEmail: true, suppressions: [] });
  });

  test("nor the number", async () => {
    const ann = await create({ phone });
    const own = await signIn({ email });
    expect(await enter({ email, phone }, own)).toMatchObject({ status: 200 });
    expect(await prefer({ receiveSms: false }, own)).toMatchObject({ receiveSms: false });
    expect(await read(ann)).toMatchObject({ receiveSms: true, suppressions: [] });
  });

  test("isn't turned on again by whoever registers with it, before and after they confirm it", async () => {
    const ann = await create({ email });
    await unsubscribe(ann.id);
    const own = await signIn({ email });
    const since = (confirmed: boolean) =>
      sql`
      UPDATE users SET self_registered = true, address_confirmed_at = CASE WHEN ${confirmed} THEN now() END
      WHERE id = ${own.userId}`.execute(porchlight.db);
    await since(false);
    expect(await prefer({ receiveEmail: true }, own)).toMatchObject({ status: 409 });
    await since(true);
    expect(await prefer({ receiveEmail: true }, own)).toMatchObject({ status: 409 });
    expect(await read(ann)).toMatchObject({ receiveEmail: false });
    // Who has had an account since before it is no newcomer, but has to confirm the address first.
    await sql`UPDATE users SET created_at = created_at - interval '1 year', address_confirmed_at = NULL
      WHERE id = ${own.userId}`.execute(porchlight.db);
    expect(await prefer({ receiveEmail: true }, own)).toMatchObject({ status: 409 });
    await since(true);
    expect(await prefer({ receiveEmail: true }, own)).toMatchObject({ status: 200, receiveEmail: true });
  });
});

describe("staff", () => {
  test("turn on what the recipient turned off only with a recorded request", async () => {
    const person = await create({ phone, email });
    await text("STOP");
    expect(await update(person, { receiveSms: true })).toMatchObject({
      status: 400,
      fields: { consentRequest: "Record who asked to turn it on again, how and when" },
    });
    const asked = { receiveSms: true, consentRequest: "Luis, by phone on May 3" };
    const saved = await update(person, asked);
    expect(saved).toMatchObject({ status: 200, receiveSms: true });
    expect(saved.consents[0]).toMatchObject({
      allowed: true,
      sentence: expect.stringMatching(/^In the console, by Pat .*\. Request: Luis, by phone on May 3$/),
    });
    const log = await call<object[]>("GET", "/api/audit");
    expect(JSON.stringify(log)).toContain("Luis, by phone on May 3");
    await unsubscribe(person.id);
    const lift = { channel: "email", address: email };
    expect(await call("POST", "/api/suppressions/lift", lift)).toMatchObject({
      status: 400,
      fields: { request: "Record who asked to turn it on again, how and when" },
    });
    await call("POST", "/api/suppressions/lift", { ...lift, request: "Luis, at the desk" });
    expect(await read(person)).toMatchObject({ receiveEmail: true });
  });

  test("undo what they turned off themselves without one", async () => {
    const person = await addByForm({ phone, receiveSms: false });
    expect(await update(person, { receiveSms: true })).toMatchObject({ status: 200, receiveSms: true });
  });
});

describe("a text that sounds like STOP", () => {
  const words = "no más, por favor";
  const unconfirmed = async () => {
    const reply = await porchlight.call({ method: "GET", url: "/api/suppressions?unconfirmed=true" }, admin);
    return reply.json<Suppression[]>().filter(({ address }) => address === phone);
  };

  test("silences at once and asks staff, who confirm it", async () => {
    const person = await create({ phone });
    await text(words);
    expect(await read(person)).toMatchObject({ receiveSms: false, suppressions: [{ words }] });
    expect(await unconfirmed()).toMatchObject([{ words, people: [{ id: person.id }] }]);
    await call("POST", "/api/suppressions/confirm", { channel: "sms", address: phone });
    expect(await unconfirmed()).toEqual([]);
    expect(await read(person)).toMatchObject({
      receiveSms: false,
      suppressions: [{ words: null, reason: `They texted: ${words}` }],
    });
    expect(await call("POST", "/api/suppressions/confirm", { channel: "sms", address: phone })).toMatchObject(
      {
        status: 404,
      },
    );
  });

  test("or lift it, without a request", async () => {
    const person = await create({ phone });
    await text(words);
    expect(await call("POST", "/api/suppressions/lift", { channel: "sms", address: phone })).toMatchObject({
      status: 200,
    });
    expect(await read(person)).toMatchObject({ receiveSms: true, suppressions: [] });
  });

  test("and STOP settles it", async () => {
    await create({ phone });
    await text(words);
    await text("STOP");
    expect(await unconfirmed()).toEqual([]);
    expect(await blocked()).toBeTruthy();
  });
});

describe("the provider's own flag", () => {
  test("decides, whatever the text says", async () => {
    const person = await create({ phone });
    await text("Lopeta", { OptOutType: "STOP" });
    expect(await read(person)).toMatchObject({ receiveSms: false });
    await text("Jatka", { OptOutType: "START" });
    expect(await read(person)).toMatchObject({ receiveSms: true });
    await text("stop", { OptOutType: "HELP" });
    expect(await read(person)).toMatchObject({ receiveSms: true });
  });
});

describe("answers in the language of the word", () => {
  const answered = async (words: string, more = {}) => {
    emulator.received.length = 0;
    await text(words, more);
    while (await startNextDue(porchlight.db, { organization: readOrganization }, databaseClock));
  };
  const received = () => emulator.received.filter(({ to }) => to === phone).map(({ text: sent }) => sent);

  test("an opt-out is confirmed once, and the number gets nothing more", async () => {
    const person = await create({ phone });
    await answered("Arrêt");
    await until(() =>
      expect(received()).toEqual([expect.stringContaining("Vous ne recevrez plus de messages texte")]),
    );
    expect(await refusal(person.id, "sms")).toMatchObject({ reason: "opted-out" });
    await answered("ARRET");
    await answered("STOP");
    expect(received()).toEqual([]);
  });

  test("AIDE is answered in French; what the provider flags, it has answered", async () => {
    await create({ phone });
    await answered("Aide", { OptOutType: "HELP" });
    expect(received()).toEqual([]);
    await answered("AIDE");
    await until(() => expect(received()).toEqual([expect.stringContaining("Répondez ARRET")]));
  });
});

test("an unsubscribe counts where staff turned the channel off before", async () => {
  const ann = await create({ email });
  const partner = await create({ email });
  await update(ann, { receiveEmail: false });
  expect(await read(partner)).toMatchObject({ receiveEmail: true });
  await unsubscribe(ann.id);
  await unsubscribe(ann.id);
  expect(await read(partner)).toMatchObject({ receiveEmail: false });
  const saved = await read(ann);
  expect(saved).toMatchObject({ suppressions: [{ address: email, kind: "unsubscribe" }] });
  expect(saved.consents.map(({ source }) => source)).toEqual(["one-click", "console"]);
  expect(await update(ann, { receiveEmail: true })).toMatchObject({ status: 400 });
});

test("a form that was open while the person opted out is refused", async () => {
  const person = await create({ phone });
  const { updatedAt } = await read(person);
  await text("STOP");
  expect(await update(person, { updatedAt, receiveSms: true })).toMatchObject({ status: 409 });
});

test("someone with an unsubscribed inbox registers, and gets nothing there", async () => {
  const id = await insertPerson(porchlight.db, { email });
  await unsubscribe(id);
  expect(await refusal(id, "email")).toMatchObject({ reason: "opted-out" });
});
