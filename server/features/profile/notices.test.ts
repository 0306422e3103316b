import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { RenderedMessage } from "#contract/calls/deliveries.ts";
import type { profileCalls } from "#contract/calls/profile.ts";
import { HIDDEN_LINK } from "#server/activity/rendered.ts";
import type { Caller, TestApp } from "#server/testing/app.ts";
import { testAppWithWorker, type WorkingApp } from "#server/testing/worker.ts";
import { until } from "#server/testing/until.ts";

/** What residents see of what was sent to them, and that they see nothing else. */

type Notice = z.output<(typeof profileCalls.notices)["reply"]>[number];

let porchlight: TestApp;
let working: WorkingApp;
let admin: Caller;
let maria: Caller;
let luis: Caller;

beforeAll(async () => {
  working = await testAppWithWorker();
  porchlight = working.porchlight;
  admin = await porchlight.signedIn("admin");
  maria = await porchlight.signedIn("tenant", {
    firstName: "Maria",
    lastName: "Lopez",
    email: "m@example.com",
  });
  luis = await porchlight.signedIn("tenant", {
    firstName: "Luis",
    lastName: "Lopez",
    email: "l@example.com",
  });
});
afterAll(() => working.close());

const call = (method: "GET" | "POST", url: string, body: unknown, as: Caller) =>
  porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
const notices = async (as: Caller, query = "") => {
  const reply = await call("GET", `/api/profile/notices${query}`, undefined, as);
  return { total: Number(reply.headers["x-total-count"]), rows: reply.json<Notice[]>() };
};

async function send(to: Caller[], fields: Record<string, unknown> = {}): Promise<number> {
  const reply = await call(
    "POST",
    "/api/send-notification",
    {
      title: "Water off",
      message: "Hello {{first_name}}, no water today.",
      recipients: to.map(({ userId }) => ({ type: "user", id: userId })),
      channels: ["email"],
      ...fields,
    },
    admin,
  );
  expect(reply.statusCode).toBe(200);
  const { id } = reply.json<{ id: number }>();
  await until(async () => {
    const { state } = await porchlight.db
      .selectFrom("runs")
      .select("state")
      .where("notification_id", "=", id)
      .executeTakeFirstOrThrow();
    expect(state).toBe("finished");
  });
  return id;
}
const file = async (): Promise<number> => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  const reply = await porchlight.app.inject({
    method: "POST",
    url: "/api/attachments?name=plan.png",
    headers: { cookie: admin.cookie, host: "127.0.0.1:3000", "content-type": "image/png" },
    payload: png,
  });
  return reply.json<{ id: number }>().id;
};

test("a tenant reads their own notices, as they got them, with their files", async () => {
  const attachmentId = await file();
  await send([maria, luis], {
    title: "Water off, {{first_name}}: {{today}}",
    attachments: [{ id: attachmentId }],
  });
  const { rows, total } = await notices(maria);
  expect(total).toBe(1);
  expect(rows).toMatchObject([
    {
      title: expect.stringMatching(/^Water off, Maria: \w+ \d+, \d{4}$/),
      ways: [{ channel: "email", sentence: "Sent (simulated)" }],
      begins: "Hello Maria, no water today.",
      files: 1,
    },
  ]);
  const id = rows[0]?.id;
  const reply = await call("GET", `/api/profile/notices/${id}`, undefined, maria);
  expect(reply.json()).toMatchObject({
    title: rows[0]?.title,
    to: "m@example.com",
    text: expect.stringContaining("Hello Maria, no water today."),
    attachments: [{ id: attachmentId, name: "plan.png" }],
  });
  const download = await call("GET", `/api/profile/attachments/${attachmentId}`, undefined, maria);
  expect([download.statusCode, download.headers["content-type"]]).toEqual([200, "image/png"]);
});

test("a push notice is addressed to its reader by name", async () => {
  const eva = await porchlight.signedIn("tenant", { firstName: "Eva", lastName: "Stone", receivePush: true });
  await send([eva], { channels: ["push"] });
  const { rows } = await notices(eva);
  const reply = await call("GET", `/api/profile/notices/${rows[0]?.id}`, undefined, eva);
  expect(reply.json()).toMatchObject({ channel: "push", to: "Eva Stone" });
});

describe("someone else's", () => {
  test("notice, file, list and page are closed to a tenant", async () => {
    const attachmentId = await file();
    const notificationId = await send([luis], { title: "Only Luis", attachments: [{ id: attachmentId }] });
    const { rows } = await notices(luis, "?q=only");
    expect((await notices(maria, "?q=only")).rows).toEqual([]);
    for (const url of [`/api/profile/notices/${rows[0]?.id}`, `/api/profile/attachments/${attachmentId}`]) {
      expect((await call("GET", url, undefined, luis)).statusCode).toBe(200);
      expect((await call("GET", url, undefined, maria)).statusCode).toBe(404);
      // Nor through this door for an administrator, who has one of their own.
      expect((await call("GET", url, undefined, admin)).statusCode).toBe(404);
    }
    for (const url of [
      `/api/notifications/${notificationId}`,
      `/api/deliveries/${rows[0]?.id}/message`,
      `/api/attachments/${attachmentId}`,
      `/api/users/${luis.userId}`,
      `/api/users/${maria.userId}`,
      "/api/users",
      "/api/usergroups",
      "/api/csv/export",
    ]) {
      expect([url, (await call("GET", url, undefined, maria)).statusCode]).toEqual([url, 403]);
    }
    const downloads = await sql<{ by: number }>`SELECT actor_id AS by FROM audit
      WHERE action = 'attachment.download' AND subject_id = ${attachmentId}`.execute(porchlight.db);
    expect(downloads.rows).toEqual([{ by: luis.userId }]);
  });

  test("file is not theirs because a text message, which carries none, went to them", async () => {
    const texted = await porchlight.signedIn("tenant", { phone: "+14155550177" });
    const attachmentId = await file();
    await send([texted], {
      channels: ["email", "sms"],
      attachments: [{ id: attachmentId }],
      title: "Texted",
    });
    const url = `/api/profile/attachments/${attachmentId}`;
    expect((await call("GET", url, undefined, texted)).statusCode).toBe(200);
    await sql`UPDATE deliveries SET status = 'skipped' WHERE user_id = ${texted.userId} AND channel = 'email'`.execute(
      porchlight.db,
    );
    expect((await notices(texted)).rows).toMatchObject([{ ways: [{ channel: "sms" }], files: 0 }]);
    expect((await call("GET", url, undefined, texted)).statusCode).toBe(404);
  });

  test("name is not told by a sentence", async () => {
    const neighbour = await porchlight.signedIn("tenant", { firstName: "Nosy", email: "m@example.com" });
    await send([maria, neighbour], { title: "Shared mailbox" });
    expect((await notices(neighbour)).rows).toEqual([]);
    expect((await notices(maria, "?q=shared")).total).toBe(1);
  });
});

test("what was cancelled, is planned or was left out is not theirs; what failed says why", async () => {
  const id = await send([maria], { title: "In every state" });
  const { id: deliveryId } = await sql<{ id: number }>`
    SELECT d.id FROM deliveries d JOIN runs r ON r.id = d.run_id WHERE r.notification_id = ${id}`
    .execute(porchlight.db)
    .then(({ rows }) => rows[0]!);
  const shown = async (status: string, reason: string | null) => {
    await sql`UPDATE deliveries SET status = ${status}, reason = ${reason},
      due_at = now() + interval '1 hour' WHERE id = ${deliveryId}`.execute(porchlight.db);
    const one = await call("GET", `/api/profile/notices/${deliveryId}`, undefined, maria);
    const [row] = (await notices(maria, "?q=every state")).rows;
    expect(one.statusCode).toBe(row ? 200 : 404);
    return row?.ways[0]?.sentence;
  };
  expect(await shown("queued", null)).toBeUndefined();
  expect(await shown("sending", null)).toBeUndefined();
  expect(await shown("cancelled", "cancelled")).toBeUndefined();
  expect(await shown("expired", "expired")).toBeUndefined();
  expect(await shown("skipped", "opted-out")).toBeUndefined();
  expect(await shown("accepted", null)).toBe("Sent (simulated)");
  expect(await shown("delivered", null)).toBe("Delivered (simulated)");
  expect(await shown("uncertain", "unconfirmed")).toBe("Sent. We don't know whether it arrived (simulated)");
  expect(await shown("bounced", "mailbox-full")).toBe("It bounced. The mailbox is full. (simulated)");
  expect(await shown("failed", "no-such-address")).toBe(
    "It wasn't delivered. The email address doesn't exist. (simulated)",
  );
  await sql`UPDATE deliveries SET status = 'accepted', reason = NULL WHERE id = ${deliveryId}`.execute(
    porchlight.db,
  );
});

test("a notice on several channels is one entry, opened by the id of any of its messages", async () => {
  const reader = await porchlight.signedIn("tenant", {
    email: "three@example.com",
    phone: "+14155550178",
    receivePush: true,
  });
  const notificationId = await send([reader], {
    title: "Three ways",
    message: "Hello {{first_name}},\n\nThe roof is being fixed.\nPlease wait.",
    channels: ["sms", "push", "email"],
    attachments: [{ id: await file() }],
  });
  const { rows, total } = await notices(reader);
  expect([rows.length, total]).toEqual([1, 1]);
  expect(rows[0]).toMatchObject({
    title: "Three ways",
    begins: "The roof is being fixed. Please wait.",
    files: 1,
    ways: ["email", "sms", "push"].map((channel) => ({ channel, sentence: "Sent (simulated)" })),
  });
  const { rows: ids } = await sql<{ id: number }>`
    SELECT d.id FROM deliveries d JOIN runs r ON r.id = d.run_id WHERE r.notification_id = ${notificationId}`.execute(
    porchlight.db,
  );
  expect(ids).toHaveLength(3);
  for (const { id } of ids) {
    const reply = await call("GET", `/api/profile/notices/${id}`, undefined, reader);
    expect(reply.json()).toMatchObject({ id: rows[0]?.id, channel: "email", to: "three@example.com" });
  }
});

test("a notice is unread until its reader opens it, and those come first", async () => {
  const reader = await porchlight.signedIn("tenant", { email: "unread@example.com" });
  for (const title of ["First", "Second", "Third"]) await send([reader, luis], { title });
  const listed = async (query = "") =>
    (await notices(reader, query)).rows.map(({ title, read }) => [title, read]);
  const open = (id: number | undefined, as = reader) =>
    call("POST", `/api/profile/notices/${id}/read`, undefined, as);
  const [third] = (await notices(reader)).rows;
  await call("GET", `/api/profile/notices/${third?.id}`, undefined, reader);
  expect(await listed("?read=yes")).toEqual([]);
  for (const _ of [1, 2]) expect((await open(third?.id)).statusCode).toBe(200);
  expect(await listed()).toEqual([
    ["Second", false],
    ["First", false],
    ["Third", true],
  ]);
  expect(await notices(reader, "?read=no")).toMatchObject({ total: 2 });
  expect(await listed("?read=yes")).toEqual([["Third", true]]);
  // Luis has not opened his, and can't open hers.
  expect((await notices(luis, "?q=third&read=no")).total).toBe(1);
  expect((await open((await notices(reader, "?q=first")).rows[0]?.id, luis)).statusCode).toBe(404);
  // What was sent before this was stored counts as read.
  await sql`UPDATE users SET notices_read_through = (SELECT max(id) FROM runs) WHERE id = ${reader.userId}`.execute(
    porchlight.db,
  );
  expect((await notices(reader, "?read=no")).total).toBe(0);
});

test("a link to choose a password is never unread", async () => {
  const newcomer = await porchlight.signedIn("tenant", { email: "newcomer@example.com" });
  const body = { userId: newcomer.userId, channels: ["email"] };
  expect((await call("POST", "/api/notifications/send-credentials", body, admin)).statusCode).toBe(200);
  await until(async () => {
    expect((await notices(newcomer)).rows).toMatchObject([{ title: "Choose your password", read: true }]);
  });
  expect((await notices(newcomer, "?read=no")).total).toBe(0);
});

test("pages and searches by title", async () => {
  const reader = await porchlight.signedIn("tenant", { email: "reader@example.com" });
  for (const title of ["Rent 100%", "Pool party", "Rent again"]) await send([reader], { title });
  expect((await notices(reader)).rows.map(({ title }) => title)).toEqual([
    "Rent again",
    "Pool party",
    "Rent 100%",
  ]);
  expect((await notices(reader, "?q=RENT&pageSize=1&page=2")).rows.map(({ title }) => title)).toEqual([
    "Rent 100%",
  ]);
  expect((await notices(reader, "?q=0%25")).total).toBe(1);
  expect((await notices(reader, "?q=_")).total).toBe(0);
});

test("a one-time link is hidden in the person's own notices too", async () => {
  const reader = await porchlight.signedIn("tenant", { email: "linked@example.com" });
  await call(
    "POST",
    "/api/notifications/send-credentials",
    { userId: reader.userId, channels: ["email"] },
    admin,
  );
  const rows = await until(async () => {
    const found = (await notices(reader)).rows;
    expect(found).toMatchObject([
      { title: "Choose your password", ways: [{ sentence: "Sent (simulated)" }] },
    ]);
    return found;
  });
  const message = (
    await call("GET", `/api/profile/notices/${rows[0]?.id}`, undefined, reader)
  ).json<RenderedMessage>();
  expect(message.text).toContain(HIDDEN_LINK);
  expect(message.text).not.toMatch(/set-password\//);
  expect(message.html).toContain(HIDDEN_LINK);
  expect(message.html).not.toContain('href="•');
});

test("staff have notices of their own as everyone has", async () => {
  await send([admin], { title: "To staff" });
  expect((await notices(admin)).rows).toMatchObject([{ title: "To staff" }]);
});
