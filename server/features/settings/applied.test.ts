import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Settings } from "#contract/calls/settings.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { rent, type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";
import { type Caller, insertPerson } from "#server/testing/app.ts";

let app: ScheduleApp;
let admin: Caller;

beforeAll(async () => {
  app = await scheduleApp();
  admin = await app.porchlight.signedIn("admin");
  await insertPerson(app.porchlight.db, { firstName: "Mei", lastName: "Tanaka", phone: "+14155550123" });
});
afterAll(() => app.porchlight.close());
afterEach(() => app.porchlight.db.deleteFrom("settings").execute());

const call = (method: "GET" | "POST" | "PUT", url: string, body?: object) =>
  app.porchlight.call({ method, url, body }, admin);
const save = (values: Partial<Settings>) => call("PUT", "/api/settings", values);
const message = { title: "Water off", recipients: "Mei Tanaka", channels: ["email", "sms"] };
const send = (more: object = {}) =>
  call("POST", "/api/send-notification", { ...message, message: "No water today.", ...more });
const preview = async (more: object) =>
  (
    await call("POST", "/api/audience/preview", { ...message, recipients: [], message: "No water.", ...more })
  ).json();

/** What each person and channel of a notification came to. */
async function deliveriesOf(id: number) {
  while (await fanOutSome(app.porchlight.db));
  return (await call("GET", `/api/notifications/${id}/deliveries`)).json<
    { id: number; channel: string; status: string; sentence: string }[]
  >();
}

describe("what every message carries", () => {
  const texts = {
    siteName: "Maple & Harbor",
    siteEmail: "office@example.com",
    defaultSmsPrefix: "M&H:",
    emailSignature: "Your team\nat the office",
    emailFooter: "1 Elm Street",
  };

  test("stands in the preview, counts there, and goes out the same", async () => {
    await save(texts);
    const { email, sms } = await preview({});
    expect(sms).toMatchObject({ text: "M&H: No water.", parts: { length: 14 } });
    expect(email.text).toMatch(
      /^No water\.\n\nYour team\nat the office\n\n-- \nYou get this because [^\n]*\n[^\n]*\n[^\n]*\n\n1 Elm Street\n$/,
    );
    expect(email.html).toContain("Maple &amp; Harbor");

    const lines = await deliveriesOf((await send({ message: "No water." })).json().id);
    const sent = Object.fromEntries(
      await Promise.all(
        lines.map(async ({ id, channel }) => [
          channel,
          (await call("GET", `/api/deliveries/${id}/message`)).json(),
        ]),
      ),
    );
    expect(sent.sms.text).toBe(sms.text);
    expect(sent.email.text.split("Change what")[0]).toBe(email.text.split("Change what")[0]);
    const version = await app.porchlight.db
      .selectFrom("content_versions")
      .select("compiled")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(version.compiled).toMatchObject({
      email: { fromName: "Maple & Harbor", replyTo: "office@example.com" },
    });

    // What went out stays as it was.
    await save({ ...texts, defaultSmsPrefix: "Other:" });
    const later = await call(
      "GET",
      `/api/deliveries/${lines.find((one) => one.channel === "sms")?.id}/message`,
    );
    expect(later.json().text).toBe("M&H: No water.");
  });

  test("a costly letter in the prefix is not looked for in the text", async () => {
    await save({ defaultSmsPrefix: "Dom Łódź:" });
    expect((await preview({})).sms).toMatchObject({
      parts: { encoding: "UCS-2" },
      costlyFrom: { field: "message_prefix", person: null },
    });
  });

  test("an email template without a subject gets the default one, and a custom message its title", async () => {
    await save({ defaultEmailSubject: "News from Maple & Harbor" });
    expect((await preview({ formatted: true })).email.subject).toBe("News from Maple & Harbor");
    expect((await preview({ formatted: true, subject: "Leak" })).email.subject).toBe("Leak");
    expect((await preview({})).email.subject).toBe("Water off");
  });

  test("a field in it is refused, because a tenant would read its braces", async () => {
    for (const key of ["defaultEmailSubject", "defaultSmsPrefix", "emailFooter", "emailSignature"] as const) {
      const reply = await save({ [key]: "Dear {{first_name}}" });
      expect([reply.statusCode, reply.json().fields[key]]).toEqual([
        400,
        "Fields like {{first_name}} can't be used here",
      ]);
    }
  });
});

test("dates are written as in the home country, in lists as in letters", async () => {
  const text = "Today is {{today}}.";
  const planned = { ...message, content: text, status: "Scheduled", scheduled_time: "2099-11-05T15:00:00Z" };
  const { id } = (await call("POST", "/api/notifications", planned)).json();
  const dates = async () => [
    (await call("GET", "/api/shell")).json().dates,
    (await call("GET", `/api/notifications/${id}`)).json().sentTime,
    (await preview({ message: text })).sms.text,
  ];
  expect(await dates()).toEqual([
    { order: "mdy", separator: "/" },
    "Thu, Nov 5, 2099, 10:00 AM EST",
    expect.stringMatching(/^Today is [A-Z][a-z]+ \d+, \d{4}\.$/),
  ]);
  await save({ country: "DE" });
  expect(await dates()).toEqual([
    { order: "dmy", separator: "." },
    "Thu 5 Nov 2099, 10:00 AM EST",
    expect.stringMatching(/^Today is \d+ [A-Z][a-z]+ \d{4}\.$/),
  ]);
  await save({ country: "" });
});

describe("the logo", () => {
  const image = (more: string) =>
    `data:image/png;base64,${Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${more}`, "latin1").toString("base64")}`;
  const pathIn = (html: string) => /src="(\/logo\/[0-9a-f]{32})"/.exec(html)?.[1];
  const open = (path = "") => app.porchlight.call({ method: "GET", url: path });

  test("stands above emails, for anyone to load, and what was sent keeps the one it was sent with", async () => {
    await save({ companyLogo: image("first") });
    const { id } = (await send({ channels: ["email"] })).json();
    const [mail] = await deliveriesOf(id);
    const html = async () => (await call("GET", `/api/deliveries/${mail?.id}/message`)).json().html;
    const first = pathIn(await html());
    await save({ companyLogo: image("second") });
    const second = pathIn((await preview({})).email.html);
    expect(second).not.toBe(first);
    expect(pathIn(await html())).toBe(first);
    const replies = [await open(first), await open(second)];
    expect(replies.map((reply) => reply.body.slice(-6))).toEqual(["Rfirst", "second"]);
    expect(replies[0]?.headers).toMatchObject({
      "content-type": "image/png",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": expect.stringContaining("immutable"),
    });
    await save({ companyLogo: image("first") });
    expect(pathIn((await preview({})).email.html)).toBe(first);
    await save({ companyLogo: "" });
    expect(pathIn((await preview({})).email.html)).toBeUndefined();
    expect((await open("/logo/0123456789abcdef0123456789abcdef")).statusCode).toBe(404);
  });
});

describe("a channel that is turned off", () => {
  const off = "Your organization has turned off text messages.";

  test("is not offered, and cannot be chosen for what goes out", async () => {
    await save({ enableSms: false });
    expect((await call("GET", "/api/shell")).json().channels).toEqual(["email", "push"]);
    const planned = { status: "Recurring", content: "Hello.", recurrence: "daily" };
    for (const reply of [
      await send(),
      await call("POST", "/api/notifications", { ...message, ...planned }),
      await call("POST", "/api/schedules", { ...rent, channels: ["sms"] }),
    ]) {
      expect([reply.statusCode, reply.json().fields]).toEqual([
        400,
        { channels: `${off} Choose another channel.` },
      ]);
    }
    const draft = await call("POST", "/api/notifications", { ...message, status: "Draft" });
    expect(draft.statusCode).toBe(201);
    const reach = await call("POST", "/api/audience/reach", { recipients: [], channels: ["sms"] });
    expect(reach.json().byChannel.sms.willGet).toBe(0);
  });

  test("leaves out what was planned on it, with the reason, and a retry sends it once it is on", async () => {
    const { id } = (
      await call("POST", "/api/notifications", { ...message, content: "No water.", status: "Draft" })
    ).json();
    await save({ enableSms: false });
    await call("POST", `/api/notifications/${id}/send`);
    expect(await deliveriesOf(id)).toMatchObject([
      { channel: "email", status: "queued" },
      { channel: "sms", status: "skipped", sentence: off },
    ]);
    await save({ enableSms: true });
    const again = await call("POST", `/api/notifications/${id}/send-again`, { includeReached: true });
    expect(again.json()).toMatchObject({ requeued: 1, stillUnreachable: 0 });
  });

  test("sends nothing at all if there is no other, and says why", async () => {
    const { id } = (
      await call("POST", "/api/notifications", {
        ...message,
        channels: ["sms"],
        content: "No water.",
        status: "Draft",
      })
    ).json();
    await save({ enableSms: false });
    const reply = await call("POST", `/api/notifications/${id}/send`);
    expect([reply.statusCode, reply.json().message]).toEqual([422, expect.stringContaining(off)]);
  });

  test("keeps what was queued before", async () => {
    const { id } = (await send()).json();
    await deliveriesOf(id);
    await save({ enableSms: false });
    expect(await deliveriesOf(id)).toMatchObject([{ status: "queued" }, { status: "queued" }]);
  });

  test("marks the schedules that use it at once, and runs of them say so", async () => {
    const schedule = await app.create({ channels: ["email", "sms"] });
    await save({ enableSms: false });
    const problem = async () => (await app.read(schedule.id)).problem;
    expect(await problem()).toBe(`${off} Runs send nothing on it.`);
    await app.moveClock("2026-11-25T09:00");
    expect(await problem()).toBe(`${off} Runs send nothing on it.`);
    await save({ enableSms: true });
    expect(await problem()).toBeNull();
  });
});

test("what is saved is on record with what it was before", async () => {
  await save({ enableSms: false, emailFooter: "1 Elm Street" });
  const { detail } = await app.porchlight.db
    .selectFrom("audit")
    .select("detail")
    .where("action", "=", "setting.save")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  expect(detail["changes"]).toEqual({
    emailFooter: ["Sent with Porchlight", "1 Elm Street"],
    enableSms: [true, false],
  });
});
