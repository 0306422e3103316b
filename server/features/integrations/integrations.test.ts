import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Account, Provider } from "#contract/calls/integrations.ts";
import { linksFor, quick, quiet } from "#server/delivery/testing/quick-worker.ts";
import { notificationStatus, send } from "#server/delivery/testing/scene.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { EMULATED_KEY, sendgridEmulator } from "#emulators/sendgrid.ts";
import {
  scriptedServer,
  type ScriptedServer,
} from "#server/delivery/transports/smtp/testing/scripted-server.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { imapServer, type ImapServer } from "#server/testing/imap-server.ts";
import { until } from "#server/testing/until.ts";

let emulator: Emulator;
let mail: ScriptedServer;
let porchlight: TestApp;
let admin: Caller;
let staff: Caller;
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  emulator = await startEmulator(sendgridEmulator);
  mail = await scriptedServer({}, "AUTH PLAIN");
  porchlight = await testApp({ apiUrls: { SENDGRID_API_URL: emulator.url } });
  admin = await porchlight.signedIn("admin", { email: "ada@maple.example" });
  staff = await porchlight.signedIn("staff");
});
afterAll(async () => {
  await porchlight.close();
  await emulator.close();
  await mail.close();
});
afterEach(async () => {
  await sql`UPDATE accounts SET enabled = false, deleted_at = now() WHERE source <> 'built-in'`.execute(
    porchlight.db,
  );
});

type Refusal = { code: string; message: string; fields?: Record<string, string> };
const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: unknown, as = admin) =>
  porchlight.call({ method, url: `/api/integrations${url}`, ...(body !== undefined && { body }) }, as);
const list = async (as = admin) =>
  (await call("GET", "", undefined, as)).json<{ providers: Provider[]; accounts: Account[] }>();

const sendgrid = {
  channel: "email",
  kind: "sendgrid",
  name: "Main",
  enabled: true,
  weight: 3,
  ratePerSecond: 50,
  settings: { apiKey: EMULATED_KEY, fromEmail: "notices@maple.example", fromName: "Maple & Harbor" },
};
const smtp = () => ({
  channel: "email",
  kind: "smtp",
  settings: {
    host: "127.0.0.1",
    port: mail.port,
    tls: "off",
    user: "ann",
    password: PASSWORD,
    fromEmail: "office@maple.example",
    fromName: "Maple",
  },
});
async function created(body: unknown = sendgrid): Promise<Account> {
  const reply = await call("POST", "", body);
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body]);
  return reply.json<Account>();
}
const put = (id: number, body: unknown) => call("PUT", `/${id}`, body);

describe("an account", () => {
  // spec 468
  test("keeps every field; of a secret only the last four characters come back, and to staff none", async () => {
    const account = await created();
    const { apiKey: _, ...open } = sendgrid.settings;
    const { settings: __, ...fields } = sendgrid;
    // spec 390
    expect(account).toMatchObject({
      ...fields,
      provider: "SendGrid",
      source: "console",
      settings: open,
      secrets: { apiKey: EMULATED_KEY.slice(-4) },
    });
    expect((await list()).accounts).toContainEqual(account);
    expect((await list(staff)).accounts.find(({ id }) => id === account.id)?.secrets).toEqual({ apiKey: "" });

    const change = { name: "Second", enabled: false, weight: 0, ratePerSecond: null };
    expect((await put(account.id, change)).json()).toMatchObject({ ...change, settings: open });
    const renamed = { ...open, fromName: "Harbor" };
    const kept = (await put(account.id, { settings: renamed })).json<Account>();
    expect(kept).toMatchObject({ ...change, settings: renamed, secrets: account.secrets });
  });

  test("no secret is anywhere in the database, the audit or a reply", async () => {
    const account = await created(smtp());
    await put(account.id, { settings: { ...smtp().settings, password: "another horse battery" } });
    const tables = await sql<{ text: string }>`
      SELECT string_agg(a::text, ' ') AS text FROM (SELECT to_jsonb(accounts) AS a FROM accounts
      UNION ALL SELECT to_jsonb(audit) FROM audit) x`.execute(porchlight.db);
    const everything = tables.rows[0]!.text + JSON.stringify(await list());
    expect(everything).toContain("office@maple.example");
    expect(everything).not.toContain("horse");
    expect(everything).toContain('"secretsReplaced": ["password"]');
  });

  test("that is changed during its first test is tested again at once", async () => {
    const { db } = porchlight;
    const { id } = await created();
    // As a worker leaves it that is asking the provider.
    await sql`UPDATE accounts SET retry_at = now() + interval '30 seconds' WHERE id = ${id}`.execute(db);
    await put(id, { name: "Office" });
    const { rows } = await sql`SELECT retry_at <= now() AS due FROM accounts WHERE id = ${id}`.execute(db);
    expect(rows).toEqual([{ due: true }]);
  });

  test("that someone else has changed meanwhile is not replaced unseen", async () => {
    const { id, updatedAt } = await created();
    expect((await put(id, { weight: 5, updatedAt })).statusCode).toBe(200);
    const stale = await put(id, { ...sendgrid, name: "Mine", updatedAt });
    expect(stale.json<Refusal>()).toMatchObject({ code: "conflict" });
    expect((await list()).accounts.find((one) => one.id === id)).toMatchObject({ name: "Main", weight: 5 });
    expect((await put(id, { name: "Mine" })).statusCode).toBe(200);
  });

  test("that is removed takes its secrets along", async () => {
    const { id } = await created();
    expect((await call("DELETE", `/${id}`)).json()).toEqual({ id });
    expect((await list()).accounts.map((account) => account.id)).not.toContain(id);
    expect((await put(id, { name: "x" })).statusCode).toBe(404);
    const { rows } = await sql`SELECT secrets, enabled FROM accounts WHERE id = ${id}`.execute(porchlight.db);
    expect(rows).toEqual([{ secrets: {}, enabled: false }]);
  });

  test.each([
    ["environment", "is set up in the server's environment"],
    ["built-in", "The Sandbox is part of Porchlight"],
  ])("of the %s is shown and cannot be changed", async (source, why) => {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO accounts (channel, kind, name, source, settings)
      VALUES ('email', 'smtp', 'mail.example', ${source}, '{"host": "mail.example"}') RETURNING id`.execute(
      porchlight.db,
    );
    const { id } = rows[0]!;
    for (const reply of [await put(id, { name: "x" }), await call("DELETE", `/${id}`)]) {
      expect(reply.statusCode).toBe(409);
      expect(reply.json<Refusal>().message).toContain(why);
    }
    expect((await list()).accounts).toContainEqual(
      expect.objectContaining({ id, source, name: "mail.example" }),
    );
    await sql`DELETE FROM accounts WHERE id = ${id}`.execute(porchlight.db);
  });

  test.each<[object, Record<string, string>]>([
    // spec 434
    [{ kind: "" }, { kind: "Provider is required" }],
    [
      { kind: "sandbox" },
      {
        kind: "Provider must be smtp, sendgrid, postmark, mailgun, resend, or ses for the channel email",
      },
    ],
    [{ channel: "push" }, { kind: "Provider must be onesignal or web-push for the channel push" }],
    [
      { settings: {} },
      {
        // spec 435
        "settings.apiKey": "API Key is required",
        // spec 436
        "settings.fromEmail": "Invalid email address",
        // spec 437
        "settings.fromName": "From name is required",
      },
    ],
    [
      { settings: { ...sendgrid.settings, fromEmail: "nobody" } },
      { "settings.fromEmail": "Invalid email address" },
    ],
    [
      { settings: { ...sendgrid.settings, fromNmae: "Maple", constructor: null } },
      {
        "settings.fromNmae": 'SendGrid has no setting "fromNmae"',
        "settings.constructor": 'SendGrid has no setting "constructor"',
      },
    ],
    [{ weight: 101 }, { weight: "A share must be a whole number from 0 to 100" }],
  ])("%j is refused in the written sentence", async (wrong, fields) => {
    const reply = await call("POST", "", { ...sendgrid, ...wrong });
    expect([reply.statusCode, reply.json<Refusal>().fields]).toEqual([400, fields]);
  });

  test("refuses a setting that it doesn't have, unless an earlier version stored it", async () => {
    const { id } = await created();
    await sql`UPDATE accounts SET settings = settings || '{"region": "eu"}' WHERE id = ${id}`.execute(
      porchlight.db,
    );
    const { apiKey: _, ...open } = sendgrid.settings;
    const given = (settings: object) => ({ settings: { ...open, ...settings } });
    const fields = { "settings.fromNmae": 'SendGrid has no setting "fromNmae"' };
    const tried = { channel: "email", kind: "sendgrid", id, ...given({ fromNmae: "Maple" }) };
    expect((await call("POST", "/check", tried)).json<Refusal>().fields).toEqual(fields);
    expect((await put(id, given({ fromNmae: "Maple" }))).json<Refusal>().fields).toEqual(fields);
    expect((await put(id, given({ region: "eu" }))).statusCode).toBe(200);
  });

  test("whose server changes needs its password again, so no one sends it to a server of their own", async () => {
    const { id } = await created(smtp());
    const { password: _, ...open } = smtp().settings;
    const moved = { settings: { ...open, host: "192.0.2.7" } };
    const fields = { "settings.password": "Enter the password again, because the server changed" };
    expect((await put(id, moved)).json<Refusal>().fields).toEqual(fields);
    const tried = await call("POST", "/check", { channel: "email", kind: "smtp", id, ...moved });
    expect(tried.json<Refusal>().fields).toEqual(fields);
    expect((await put(id, { settings: { ...open, user: "bob" } })).statusCode).toBe(200);
    expect((await put(id, { settings: { ...open, user: "", password: null } })).json()).toMatchObject({
      secrets: {},
    });
  });
});

describe("the bounce mailbox of an SMTP account", () => {
  let imap: ImapServer;
  beforeAll(async () => {
    imap = await imapServer();
  });
  afterAll(() => imap.close());
  const withMailbox = (changes: object = {}) => ({
    ...smtp(),
    settings: {
      ...smtp().settings,
      imapHost: "127.0.0.1",
      imapPort: imap.port,
      imapSecurity: "off",
      imapUser: imap.user,
      imapPassword: imap.password,
      ...changes,
    },
  });
  const tried = async (changes: object = {}) =>
    (await call("POST", "/check", withMailbox(changes))).json<{ ok: boolean; reason: string } & Refusal>();

  test("is tested with it, and says its own sentence", async () => {
    const connected = `Connected to 127.0.0.1, port ${mail.port}, not encrypted, signed in as ann.`;
    expect(await tried()).toEqual({
      ok: true,
      reason: `${connected} Bounces: signed in to 127.0.0.1 as bounces@maple.example and opened INBOX.`,
    });
    expect(await tried({ imapPassword: "wrong horse" })).toEqual({
      ok: false,
      reason: `${connected} 127.0.0.1 didn't let bounces@maple.example in: Authentication failed.`,
    });
    expect(await tried({ imapMailbox: "Bounces" })).toEqual({
      ok: false,
      reason: `${connected} 127.0.0.1 didn't open Bounces: Mailbox doesn't exist.`,
    });
    expect(await tried({ imapHost: "10.0.0.7" })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("10.0.0.7 is on this computer or a private network."),
    });
    expect((await tried({ imapUser: "", imapPassword: "" })).fields).toEqual({
      "settings.imapUser": "IMAP user is required",
      "settings.imapPassword": "IMAP password is required",
    });
    const { id } = await created(withMailbox());
    expect((await call("POST", `/${id}/check`)).json()).toMatchObject({
      ok: true,
      reason: expect.stringContaining("Bounces: signed in"),
    });
  });

  test("keeps its password secret, which goes to no other server, as the mail server's doesn't", async () => {
    const { id, secrets } = await created(withMailbox());
    expect(secrets).toEqual({ password: "tery", imapPassword: "aple" });
    const { password: _, imapPassword: __, ...open } = withMailbox().settings;
    const to = async (changes: object) =>
      (await put(id, { settings: { ...open, ...changes } })).json<Refusal>();
    expect((await to({ imapHost: "192.0.2.7" })).fields).toEqual({
      "settings.imapPassword": "Enter the IMAP password again, because the server changed",
    });
    expect((await to({ host: "192.0.2.7" })).fields).toEqual({
      "settings.password": "Enter the password again, because the server changed",
    });
    const stored = await sql<{
      text: string;
    }>`SELECT to_jsonb(accounts)::text AS text FROM accounts WHERE id = ${id}`.execute(porchlight.db);
    expect(stored.rows[0]!.text).not.toContain("staple");
  });
});

test("a form asks for exactly what the provider's transport names, and no one can choose the Sandbox", async () => {
  const { providers } = await list();
  expect(providers.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["smtp", "sendgrid"]));
  expect(providers.map(({ kind }) => kind)).not.toContain("sandbox");
  const { fields } = providers.find(({ kind }) => kind === "sendgrid")!;
  // spec 435, 436, 437
  expect(fields.map(({ label, input, requiredError }) => [label, input, requiredError])).toEqual([
    ["API Key", "secret", "API Key is required"],
    ["From email", "email", "Invalid email address"],
    ["From name", "text", "From name is required"],
    ["Verification Key", "text", null],
  ]);
});

describe("a test of the connection", () => {
  // spec 512
  test("of what is typed saves nothing and gives the provider's own reason", async () => {
    const { channel, kind } = sendgrid;
    const before = (await list()).accounts;
    const tryOut = (settings: object) => call("POST", "/check", { channel, kind, settings });
    expect((await tryOut(sendgrid.settings)).json()).toEqual({
      ok: true,
      reason: "The API key works and may send mail.",
    });
    expect((await tryOut({ ...sendgrid.settings, apiKey: "SG.wrong" })).json()).toEqual({
      ok: false,
      reason: "The provided authorization grant is invalid, expired, or revoked",
    });
    expect((await list()).accounts).toEqual(before);
  });

  test("a message to oneself goes out by the account that was asked for", async () => {
    const { id } = await created({ ...sendgrid, enabled: false });
    emulator.received.length = 0;
    expect((await call("POST", `/${id}/send-test`)).json()).toEqual({
      sent: true,
      message: "Main accepted a test to ada@maple.example.",
    });
    expect(emulator.received).toMatchObject([
      { to: "ada@maple.example", text: expect.stringContaining("This is a test of Main.") },
    ]);
    const [link = ""] = /http\S+\/u\/\S+/.exec(emulator.received[0]!.text) ?? [];
    const page = await porchlight.call({ method: "GET", url: new URL(link).pathname });
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining("Stop")]);
    emulator.faults.refuseKey = true;
    expect((await call("POST", `/${id}/send-test`)).json()).toMatchObject({
      sent: false,
      message: expect.stringContaining("revoked"),
    });
    emulator.faults.refuseKey = false;
  });

  test("messages to oneself have a limit, also when they are asked for at once", async () => {
    const { id } = await created({ ...sendgrid, enabled: false });
    await porchlight.db.deleteFrom("audit").execute();
    const ask = () => call("POST", `/${id}/send-test`);
    for (let n = 1; n < 20; n += 1) expect((await ask()).statusCode).toBe(200);
    const asked: ReturnType<typeof ask>[] = [];
    await porchlight.db.transaction().execute(async (lock) => {
      // None is on record before all have been asked for.
      await sql`LOCK TABLE audit IN EXCLUSIVE MODE`.execute(lock);
      for (let n = 0; n < 3; n += 1) asked.push(ask());
      await until(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(porchlight.db);
        expect(rows).toHaveLength(3);
      });
    });
    const replies = await Promise.all(asked);
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(replies.find(({ statusCode }) => statusCode === 429)?.json()).toMatchObject({
      message: "You've sent too many tests. Try again in a few minutes.",
    });
  });
});

test("a running worker takes an account up, pauses it when its key breaks, and sends what waited once it is mended", async () => {
  const { db } = porchlight;
  const worker = startWorker({
    db,
    listenUrl: porchlight.url,
    transports: porchlight.transports,
    linksFor,
    log: quiet,
    times: quick,
  });
  try {
    for (let person = 0; person < 5; person += 1) await insertPerson(db);
    const { id } = await created({ ...sendgrid, ratePerSecond: null });
    const state = async () => (await list()).accounts.find((account) => account.id === id)!;
    await until(async () => expect(await state()).toMatchObject({ state: "Connected" }));
    emulator.received.length = 0;
    const { notificationId: first } = await send(db);
    await until(async () => expect(await notificationStatus(db, first)).toBe("Delivered"));

    emulator.faults.refuseKey = true;
    const before = emulator.received.length;
    const { notificationId: second } = await send(db);
    await until(async () =>
      expect(await state()).toMatchObject({ state: "Error", reason: expect.stringContaining("revoked") }),
    );
    expect(await notificationStatus(db, second)).toBe("Sending");
    emulator.faults.refuseKey = false;
    await put(id, { settings: sendgrid.settings });
    await until(async () => expect(await notificationStatus(db, second)).toBe("Delivered"));
    expect(emulator.received.length).toBe(before * 2);
  } finally {
    await worker.stop();
  }
});
