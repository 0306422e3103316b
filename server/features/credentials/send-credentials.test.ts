import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import type { RenderedMessage, Delivery } from "#contract/calls/deliveries.ts";
import type { SavedUser } from "#contract/calls/users.ts";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";
import { HIDDEN_LINK } from "#server/activity/rendered.ts";
import { ACCEPTED } from "#server/delivery/testing/fake-transport.ts";
import { credentialsScene } from "#server/testing/credentials.ts";
import { newestMessage, passwordTokenIn } from "#server/testing/worker.ts";
import { until } from "#server/testing/until.ts";

/** From the button to the person's own password: the whole way, through a worker. */

const scene = await credentialsScene();
const { porchlight, email, sms, admin, call, insert, send, open, use, mailedToken } = scene;

beforeEach(scene.forgetMessages);
afterAll(scene.close);

// spec 453
test("the link comes by email, sets the password once, and signs in", async () => {
  const id = await insert({ username: "maria", firstName: "Maria" });
  const reply = await send(id, ["email"]);
  expect(reply.json()).toMatchObject({
    sent: false,
    waits: false,
    message:
      "No link was sent: no mail account is connected. Connect one in Integrations, then send it from the person's page.",
    channels: ["email"],
  });
  const { content, values, links, address } = await newestMessage(email);
  const mail = renderEmail(content.compiled, values, links);
  expect(mail.subject).toBe("Your notices from Porchlight");
  expect(mail.text).toMatch(
    /^Hello Maria,\n\nPorchlight posts building notices here\. Choose a password to read them\.\n\nhttps:/,
  );
  expect(mail.text).toMatch(/Sign in as maria\. The link works once, until \w{3}\b.*\d:\d\d [AP]M E[SD]T\./);
  expect(mail.html).toContain(`<a href="${links.password}"`);
  const token = passwordTokenIn(mail.text);
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

// spec 453
test("it comes by text message as well, short enough for two", async () => {
  const id = await insert({ phone: "+14155550123" });
  expect((await send(id, ["email", "sms"])).json()).toMatchObject({
    message: expect.stringMatching(
      /^No link was sent: no mail account or text message account is connected\./,
    ),
    channels: ["email", "sms"],
  });
  const { content, values, links } = await newestMessage(sms);
  const { text } = renderSms(content.compiled, values, links);
  expect(text.length).toBeLessThan(306);
  expect((await open(passwordTokenIn(text))).statusCode).toBe(200);
  expect(passwordTokenIn(text)).not.toBe((await newestMessage(email)).links.password);
});

describe("no one but the recipient can read the link", () => {
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

  test("nor in the words of a provider that quotes what it refuses", async () => {
    let link = "";
    email.behavior = ({ links }) => {
      link = links.password ?? "";
      return { kind: "refused", of: "message", code: "554 5.7.1", detail: `Blocked: ${link} is in it` };
    };
    onTestFinished(() => void (email.behavior = () => ACCEPTED));
    const id = await insert();
    expect((await send(id, ["email"])).statusCode).toBe(200);
    const words = await until(async () => {
      const found = await sql<{ words: string; detail: string }>`
        SELECT a.detail AS words, d.detail FROM attempts a JOIN deliveries d ON d.id = a.delivery_id
        WHERE d.user_id = ${id} AND a.outcome = 'refused'`.execute(porchlight.db);
      expect(found.rows).toHaveLength(1);
      return JSON.stringify(found.rows);
    });
    expect(passwordTokenIn(link)).not.toBe("");
    expect(words).toContain("Blocked: https://maple.example/set-password/");
    expect(words).not.toContain(passwordTokenIn(link));
  });

  test("nor in the preheader, which locked screens show", async () => {
    await mailedToken(await insert());
    const { content, values, links } = await newestMessage(email);
    const { html, subject } = renderEmail(content.compiled, values, links);
    const preheader = /<div style="display:none[^>]*>(.*?)<\/div>/s.exec(html)?.[1];
    expect(preheader).toContain("Hello");
    expect(passwordTokenIn(preheader ?? "")).toBe("");
    expect(passwordTokenIn(subject)).toBe("");
  });

  test("a field of that name in someone's own text is asked for like any other", async () => {
    const reply = await call("POST", "/api/notifications", {
      title: "Try",
      content: "Follow {{one_time_link}}",
      recipients: [{ type: "user", id: admin.userId }],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: "2099-01-01T09:00:00Z",
    });
    expect(reply.json()).toMatchObject({
      code: "missing-field-values",
      fields: { "fieldValues.one_time_link": "Fill in one time link" },
    });
  });
});

test("it is listed with what was sent to the person, and not with the notifications", async () => {
  const before = (await call("GET", "/api/notifications")).headers["x-total-count"];
  const id = await insert();
  await mailedToken(id);
  const list = await call("GET", "/api/notifications");
  expect(list.headers["x-total-count"]).toBe(before);
  expect(list.json<NotificationRow[]>().map(({ title }) => title)).not.toContain("Choose your password");
  await until(async () => {
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
  await newestMessage(email);
  const runs = await sql`SELECT FROM notifications n JOIN runs r ON r.notification_id = n.id
    WHERE n.kind = 'credentials' AND n.audience @> ${JSON.stringify([{ type: "user", id }])}::jsonb`.execute(
    porchlight.db,
  );
  expect(runs.rows).toHaveLength(1);
});

test("asked for a second channel at once, only that one is sent", async () => {
  const id = await insert({ phone: "+14155550123" });
  await send(id, ["email"]);
  expect((await send(id, ["email", "sms"])).json()).toMatchObject({
    message: expect.stringMatching(
      /^No link was sent: no mail account or text message account is connected\./,
    ),
    channels: ["email", "sms"],
  });
  await newestMessage(email);
  await newestMessage(sms);
  const sent = (await call("GET", `/api/users/${id}/deliveries`)).json<Delivery[]>();
  // Which of two runs is spread first is left to chance.
  expect(sent.map(({ channel }) => channel).toSorted()).toEqual(["email", "sms"]);
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
      message: "We can't send Vera Moss a link. They have turned off email.",
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

  // spec 454
  test("needs no password, and sends", async () => {
    const reply = await call("POST", "/api/users", {
      ...person,
      username: "new.one",
      email: "new.one@example.com",
    });
    expect(reply.json()).toMatchObject({
      hasPassword: false,
      credentials: {
        sent: false,
        waits: false,
        message: expect.stringContaining("no mail account is connected"),
      },
    });
    expect((await newestMessage(email)).address).toBe("new.one@example.com");
  });

  test("says that it waits for an account that isn't working", async () => {
    const { rows } = await sql<{ id: number }>`INSERT INTO accounts (channel, kind, name, source, state)
      VALUES ('email', 'smtp', 'Office mail', 'console', 'paused') RETURNING id`.execute(porchlight.db);
    const body = { ...person, username: "new.wait", email: "wait@example.com", phone: "(415) 555-0123" };
    const reply = await call("POST", "/api/users", { ...body, receiveSms: true });
    await sql`DELETE FROM accounts WHERE id = ${rows[0]?.id}`.execute(porchlight.db);
    expect(reply.json<SavedUser>().credentials).toEqual({
      sent: false,
      waits: true,
      message:
        "Not sent by email yet: Office mail isn't accepting messages. We'll send it once that's fixed. Not sent by text message: no text message account is connected.",
    });
  });

  // spec 383, 455
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
      waits: false,
      message: expect.stringContaining("This email address is blocked"),
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
        waits: false,
        message: "No link was sent: email and text messages are both turned off for this person.",
      },
    });
  });
});
