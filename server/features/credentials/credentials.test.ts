import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { NotificationRow } from "#contract/notifications.ts";
import type { RenderedMessage, Delivery } from "#contract/deliveries.ts";
import type { SavedUser } from "#contract/users.ts";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";
import { openChannels } from "#server/delivery/providers.ts";
import { HIDDEN_LINK } from "#server/delivery/rendered.ts";
import { FakeChannel } from "#server/delivery/testing/fake-channel.ts";
import { linksFor, quick, quiet } from "#server/delivery/testing/quick-worker.ts";
import { startWorker, type Worker } from "#server/delivery/worker.ts";
import { passwordLinks } from "#server/features/credentials/password-link.ts";
import { type Caller, insertPerson, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** From the button to the person's own password: the whole way, through a worker. */

let porchlight: TestApp;
let worker: Worker;
let admin: Caller;
const email = new FakeChannel({ kind: "email", provider: "sandbox" });
const sms = new FakeChannel({ kind: "sms", provider: "sandbox" });

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { firstName: "Ann", lastName: "Zeller" });
  worker = startWorker({
    db: porchlight.db,
    listenUrl: porchlight.url,
    channels: openChannels([], (kind) => (kind === "sms" ? sms : email)),
    linksFor,
    mintPasswordLinks: passwordLinks(porchlight.db, new URL("https://maple.example/")),
    log: quiet,
    times: quick,
  });
});
beforeEach(() => {
  email.received.length = 0;
  sms.received.length = 0;
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
});

const call = (method: "GET" | "POST" | "PUT", url: string, body?: unknown, as: Caller | null = admin) =>
  porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
const insert = (person: Partial<NewPerson> = {}) => insertPerson(porchlight.db, person);
const send = (userId: number, channels: string[]) =>
  call("POST", "/api/notifications/send-credentials", { userId, channels });

const LINK = /https:\/\/maple\.example\/set-password\/([\w-]{27})(?![\w-])/;
const tokenIn = (text: string) => LINK.exec(text)?.[1] ?? "";

async function nextMail(channel: FakeChannel = email) {
  return vi.waitFor(() => {
    const message = channel.received.at(-1);
    if (!message) throw new Error("nothing has arrived");
    return message;
  });
}
async function mailedToken(userId: number): Promise<string> {
  expect((await send(userId, ["email"])).statusCode).toBe(200);
  const { content, values, links } = await nextMail();
  return tokenIn(renderEmail(content.compiled, values, links).text);
}
const open = (token: string) => call("GET", `/api/auth/password-link/${token}`, undefined, null);
const use = (token: string, password = "three ripe figs!") =>
  call("POST", `/api/auth/password-link/${token}`, { password }, null);

test("the link comes by email, sets the password once, and signs in", async () => {
  const id = await insert({ username: "maria", firstName: "Maria" });
  const reply = await send(id, ["email"]);
  expect(reply.json()).toMatchObject({
    message: expect.stringMatching(/^A link is on its way to Maria .* by email\.$/),
    channels: ["email"],
  });
  const { content, values, links, address } = await nextMail();
  const mail = renderEmail(content.compiled, values, links);
  expect(mail.text).toContain("Hello Maria. Your user name at Porchlight is maria.");
  expect(mail.html).toContain(`<a href="${links.password}"`);
  const token = tokenIn(mail.text);
  expect(address).toMatch(/@example\.com$/);

  for (const _ of [1, 2]) {
    expect((await open(token)).json()).toMatchObject({ firstName: "Maria", username: "maria" });
  }
  const used = await use(token);
  expect(used.json()).toMatchObject({ user: { id, username: "maria" } });
  const cookie = String(used.headers["set-cookie"]).split(";")[0] ?? "";
  expect((await call("GET", "/api/auth/me", undefined, { cookie, userId: id })).json()).toMatchObject({ id });
  const login = { username: "maria", password: "three ripe figs!" };
  expect((await call("POST", "/api/auth/login", login, null)).statusCode).toBe(200);
  expect((await use(token, "four ripe figs!")).statusCode).toBe(404);
});

test("it comes by text message as well, short enough for two", async () => {
  const id = await insert({ phone: "+14155550123" });
  expect((await send(id, ["email", "sms"])).json()).toMatchObject({ channels: ["email", "sms"] });
  const { content, values, links } = await nextMail(sms);
  const { text } = renderSms(content.compiled, values, links);
  expect(text.length).toBeLessThan(306);
  expect((await open(tokenIn(text))).statusCode).toBe(200);
  expect(tokenIn(text)).not.toBe((await nextMail()).links.password);
});

describe("nobody but the recipient can read the link", () => {
  test("in any table, list, preview, report, record or message", async () => {
    const id = await insert({ firstName: "Secret" });
    const token = await mailedToken(id);
    const deliveries = (await call("GET", `/api/users/${id}/deliveries`)).json<
      (Delivery & { notificationId: number; title: string })[]
    >();
    expect(deliveries).toMatchObject([{ title: "Choose your password", channel: "email" }]);
    const [delivery] = deliveries;
    const urls = [
      `/api/notifications/${delivery?.notificationId}`,
      `/api/notifications/${delivery?.notificationId}/deliveries`,
      `/api/notifications/${delivery?.notificationId}/report.csv`,
      `/api/deliveries/${delivery?.id}`,
      `/api/deliveries/${delivery?.id}/message`,
      `/api/users/${id}`,
      "/api/notifications",
      "/api/notifications/recent/100",
    ];
    for (const url of urls) {
      const reply = await call("GET", url);
      expect([url, reply.statusCode]).toEqual([url, 200]);
      expect(reply.body).not.toContain(token);
    }
    const message = (await call("GET", `/api/deliveries/${delivery?.id}/message`)).json<RenderedMessage>();
    expect(message.text).toContain(HIDDEN_LINK);
    expect(message.html).toContain(HIDDEN_LINK);

    const tables = await sql<{ name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(porchlight.db);
    for (const { name } of tables.rows) {
      const found = await sql`SELECT FROM ${sql.table(name)} t WHERE t::text LIKE ${`%${token}%`}`.execute(
        porchlight.db,
      );
      expect([name, found.rows.length]).toEqual([name, 0]);
    }
  });

  test("nor in the preheader, which stands on locked screens", async () => {
    await mailedToken(await insert());
    const { content, values, links } = await nextMail();
    const { html, subject } = renderEmail(content.compiled, values, links);
    const preheader = /<div style="display:none[^>]*>(.*?)<\/div>/s.exec(html)?.[1];
    expect(preheader).toContain("Hello");
    expect(preheader).not.toMatch(LINK);
    expect(subject).not.toMatch(LINK);
  });

  test("an author who writes the field gets asked for it like any other", async () => {
    const reply = await call("POST", "/api/notifications", {
      title: "Try",
      content: "Follow {{set_password_link}}",
      recipients: [{ type: "user", id: admin.userId }],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: "2099-01-01T09:00:00Z",
    });
    expect(reply.json()).toMatchObject({
      code: "missing-field-values",
      fields: { "fieldValues.set_password_link": "Fill in set password link" },
    });
  });
});

test("it stands among what was sent to the person, and not among the notifications", async () => {
  const before = (await call("GET", "/api/notifications")).headers["x-total-count"];
  const id = await insert();
  await mailedToken(id);
  const list = await call("GET", "/api/notifications");
  expect(list.headers["x-total-count"]).toBe(before);
  expect(list.json<NotificationRow[]>().map(({ title }) => title)).not.toContain("Choose your password");
  await vi.waitFor(async () => {
    const sent = (await call("GET", `/api/users/${id}/deliveries`)).json<Delivery[]>();
    expect(sent).toMatchObject([{ status: "accepted", simulated: true }]);
  });
});

test("a double click sends one link", async () => {
  const id = await insert();
  const replies = await Promise.all([send(id, ["email"]), send(id, ["email"])]);
  expect(replies.map((reply) => reply.json<{ channels: string[] }>().channels)).toEqual([
    ["email"],
    ["email"],
  ]);
  await nextMail();
  const runs = await sql`SELECT FROM notifications n JOIN runs r ON r.notification_id = n.id
    WHERE n.kind = 'credentials' AND n.audience @> ${JSON.stringify([{ type: "user", id }])}::jsonb`.execute(
    porchlight.db,
  );
  expect(runs.rows).toHaveLength(1);
});

describe("a channel that does not reach the person", () => {
  test("is left out, and named when no other is left", async () => {
    const id = await insert({
      firstName: "Vera",
      lastName: "Moss",
      phone: "+14155550123",
      receiveEmail: false,
    });
    expect((await send(id, ["email", "sms"])).json()).toMatchObject({ channels: ["sms"] });
    const reply = await send(id, ["email"]);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({
      code: "empty-audience",
      message: "No link can go to Vera Moss. This channel is turned off in their preferences.",
    });
  });

  test.each([
    ["nobody", 404, { userId: 999_999, channels: ["email"] }],
    ["no channel", 400, { userId: 1, channels: [] }],
    ["push", 400, { userId: 1, channels: ["push"] }],
  ])("%s", async (_what, status, body) => {
    expect((await call("POST", "/api/notifications/send-credentials", body)).statusCode).toBe(status);
  });
});

describe("saving a person with Send credentials", () => {
  const person = { firstName: "New", lastName: "Tenant", sendCredentials: true };

  test("needs no password, and sends", async () => {
    const reply = await call("POST", "/api/users", {
      ...person,
      username: "new.one",
      email: "new.one@example.com",
    });
    expect(reply.json()).toMatchObject({
      hasPassword: false,
      credentials: { sent: true, message: "A link is on its way to New Tenant by email." },
    });
    expect((await nextMail()).address).toBe("new.one@example.com");
  });

  test("keeps the person where nothing can be sent, and says so", async () => {
    const suppressed = {
      channel: "email",
      address: "new.two@example.com",
      reason: "gone",
      source: "smtp",
    } as const;
    await porchlight.db.insertInto("suppressions").values(suppressed).execute();
    const reply = await call("POST", "/api/users", {
      ...person,
      username: "new.two",
      email: "new.two@example.com",
    });
    expect(reply.statusCode).toBe(201);
    const saved = reply.json<SavedUser>();
    expect(saved.credentials).toEqual({
      sent: false,
      message: expect.stringContaining("This address must not be used"),
    });
    const off = { ...person, username: "new.two", email: "new.two@example.com", role: "tenant" };
    const again = await call("PUT", `/api/users/${saved.id}`, {
      ...off,
      receiveEmail: false,
      receiveSms: false,
    });
    expect(again.json()).toMatchObject({
      credentials: {
        sent: false,
        message: "No link was sent: email and text messages are both turned off for this person.",
      },
    });
  });
});

describe("a link is dead", () => {
  const expectDead = async (token: string) => {
    for (const reply of [await open(token), await use(token)]) {
      expect([reply.statusCode, reply.json()]).toEqual([
        404,
        {
          code: "not-found",
          message: "This link is not valid any more. Ask your property manager for a new one.",
        },
      ]);
    }
  };

  beforeEach(() => porchlight.db.deleteFrom("sign_in_throttle").execute());

  test("that nobody ever made", () => expectDead("A".repeat(27)));

  test("after 24 hours", async () => {
    const token = await mailedToken(await insert());
    const { rows } = await sql<{ hours: number }>`
      SELECT max(extract(epoch FROM expires_at - now()) / 3600)::float8 AS hours FROM password_links`.execute(
      porchlight.db,
    );
    expect(rows[0]?.hours).toBeCloseTo(24, 1);
    await sql`UPDATE password_links SET expires_at = now() - interval '1 second'`.execute(porchlight.db);
    await expectDead(token);
  });

  test("once it was used, with every other one of that person", async () => {
    const id = await insert({ phone: "+14155550177" });
    const first = await mailedToken(id);
    await send(id, ["sms"]);
    const { content, values, links } = await nextMail(sms);
    const second = tokenIn(renderSms(content.compiled, values, links).text);
    expect((await use(second)).statusCode).toBe(200);
    await expectDead(first);
    await expectDead(second);
  });

  test("once the password changed another way", async () => {
    const id = await insert({ username: "other.way" });
    const token = await mailedToken(id);
    const body = {
      username: "other.way",
      email: "way@example.com",
      firstName: "O",
      lastName: "W",
      role: "tenant",
    };
    // Same address, so that only the password can be what killed it.
    const { email: address } = await porchlight.db
      .selectFrom("users")
      .select("email")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await call("PUT", `/api/users/${id}`, { ...body, email: address, password: "nine ripe figs!" });
    await expectDead(token);
  });

  test("also one that was being made while the password changed", async () => {
    const id = await insert();
    const token = await mailedToken(id);
    await sql`UPDATE users SET password_changed_at = clock_timestamp() WHERE id = ${id}`.execute(
      porchlight.db,
    );
    await expectDead(token);
  });

  test("once its address is not the person's any more", async () => {
    const id = await insert();
    const token = await mailedToken(id);
    await sql`UPDATE users SET email = 'corrected@example.com' WHERE id = ${id}`.execute(porchlight.db);
    await expectDead(token);
  });

  test("once the person is removed", async () => {
    const id = await insert();
    const token = await mailedToken(id);
    await porchlight.call({ method: "DELETE", url: `/api/users/${id}` }, admin);
    await expectDead(token);
  });
});

test("a password that the policy refuses spends nothing", async () => {
  const token = await mailedToken(await insert());
  const refused = await use(token, "longenough1");
  expect(refused.json()).toMatchObject({
    code: "invalid-input",
    fields: { password: "Password must contain at least one special character, for example ! or -" },
  });
  expect((await use(token)).statusCode).toBe(200);
});

test("of two uses at the same moment one wins, and its password holds", async () => {
  // The dead links above were tries of the same address, which by now would have to wait.
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
  const id = await insert({ username: "racer" });
  const token = await mailedToken(id);
  const passwords = ["three ripe figs!", "four ripe figs!"];
  const replies = await Promise.all(passwords.map((password) => use(token, password)));
  expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const winner = passwords[replies.findIndex((reply) => reply.statusCode === 200)];
  const login = await call("POST", "/api/auth/login", { username: "racer", password: winner }, null);
  expect(login.statusCode).toBe(200);
});

test("using a link ends the person's sessions elsewhere, and is on record without the link", async () => {
  const other = await porchlight.signedIn("tenant");
  const token = await mailedToken(other.userId);
  expect((await use(token)).statusCode).toBe(200);
  expect((await call("GET", "/api/auth/me", undefined, other)).statusCode).toBe(401);
  const audit = await porchlight.db
    .selectFrom("audit")
    .select(["action", "actor_id", "detail"])
    .where("subject_id", "=", other.userId)
    .where("subject_type", "=", "user")
    .orderBy("id")
    .execute();
  expect(audit).toEqual([
    {
      action: "user.send-credentials",
      actor_id: admin.userId,
      detail: { channels: ["email"], notificationId: expect.any(Number) },
    },
    { action: "user.set-password", actor_id: other.userId, detail: { by: "link" } },
  ]);
});

test("who guesses has to wait, and a good link is not counted", async () => {
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
  const token = await mailedToken(await insert());
  for (let n = 0; n < 12; n++) expect((await open(token)).statusCode).toBe(200);
  const codes = [];
  for (let n = 0; n < 12; n++) codes.push((await open(`${n}`.repeat(27))).statusCode);
  expect(codes.at(0)).toBe(404);
  expect(codes.at(-1)).toBe(429);
  await porchlight.db.deleteFrom("sign_in_throttle").execute();
});

test("a link that was sent again is a new one, and both open: the first may have arrived", async () => {
  const id = await insert();
  let tries = 0;
  email.behaviour = () => {
    tries += 1;
    return tries === 1
      ? { kind: "uncertain", code: "no_answer", detail: "The answer never came" }
      : { kind: "accepted" };
  };
  const first = await mailedToken(id);
  const { notificationId } = (await call("GET", `/api/users/${id}/deliveries`)).json<
    { notificationId: number }[]
  >()[0]!;
  await vi.waitFor(async () => {
    const again = await call("POST", `/api/notifications/${notificationId}/send-again`, {
      unconfirmed: true,
    });
    expect(again.json()).toMatchObject({ requeued: 1 });
  });
  await vi.waitFor(() => expect(email.received).toHaveLength(2));
  const { content, values, links } = await nextMail();
  const second = tokenIn(renderEmail(content.compiled, values, links).text);
  expect(second).not.toBe(first);
  expect((await open(first)).statusCode).toBe(200);
  expect((await open(second)).statusCode).toBe(200);
});
