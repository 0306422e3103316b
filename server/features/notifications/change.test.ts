import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  await insertPerson(porchlight.db, { firstName: "Luis", lastName: "Ortega" });
  await insertPerson(porchlight.db, { firstName: "Mei", lastName: "Tanaka" });
});
afterAll(() => porchlight.close());

const call = (method: "GET" | "POST" | "PUT" | "PATCH", url: string, body?: object) =>
  porchlight.call({ method, url, body }, staff);
const draft = async (more: object = {}) => {
  const reply = await call("POST", "/api/notifications", {
    title: "Draft",
    content: "x",
    recipients: ["Luis Ortega"],
    channels: ["email"],
    status: "Draft",
    ...more,
  });
  return reply.json<{ id: number; updatedAt: string }>();
};
const change = {
  title: "Changed",
  content: "New words",
  type: "SMS",
  recipients: ["Mei Tanaka"],
  status: "Draft",
};

describe("what waits can change", () => {
  // spec 178, 447, 448
  test.each(["PUT", "PATCH"] as const)("%s with exactly the written payload", async (method) => {
    const { id } = await draft();
    const reply = await call(method, `/api/notifications/${id}`, change);
    expect(reply.json()).toMatchObject({
      title: "Changed",
      content: "New words",
      channels: ["sms"],
      recipients: "Mei Tanaka",
      status: "Draft",
    });
  });

  test("every field that can be sent is stored and read back", async () => {
    const file = await porchlight.app.inject({
      method: "POST",
      url: "/api/attachments?name=plan.pdf",
      headers: { cookie: staff.cookie, "content-type": "application/pdf" },
      payload: Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF"),
    });
    const { id } = await draft();
    const body = {
      title: "All of it",
      content: "Hello {{first_name}}, {{what}}",
      channels: ["email", "push"],
      recipients: ["All Tenants", "Mei Tanaka"],
      status: "Scheduled",
      scheduled_time: "2099-01-02T03:04:00.000Z",
      fieldValues: { what: "the lift is back" },
      attachments: [{ id: file.json().id }],
    };
    await call("PUT", `/api/notifications/${id}`, body);
    const stored = (await call("GET", `/api/notifications/${id}`)).json();
    expect(stored).toMatchObject({
      ...body,
      recipients: "All Tenants, Mei Tanaka",
      attachments: [{ id: file.json().id, name: "plan.pdf", type: "application/pdf" }],
    });
  });

  test("what was before and after is on record", async () => {
    const { id } = await draft();
    await call("PUT", `/api/notifications/${id}`, { ...change, content: "x" });
    const [row] = await porchlight.db
      .selectFrom("audit")
      .select("detail")
      .where("action", "=", "notification.update")
      .where("subject_id", "=", id)
      .execute();
    expect(row?.detail).toEqual({
      changes: {
        title: ["Draft", "Changed"],
        channels: [["email"], ["sms"]],
        audience: [
          [expect.objectContaining({ name: "Luis Ortega" })],
          [expect.objectContaining({ name: "Mei Tanaka" })],
        ],
        audience_text: ["Luis Ortega", "Mei Tanaka"],
      },
    });
  });

  test("a change that someone else made meanwhile is not written over", async () => {
    const { id, updatedAt } = await draft();
    await call("PUT", `/api/notifications/${id}`, { ...change, title: "Theirs" });
    const reply = await call("PUT", `/api/notifications/${id}`, { ...change, title: "Mine", updatedAt });
    expect([reply.statusCode, reply.json().code]).toEqual([409, "conflict"]);
    expect((await call("GET", `/api/notifications/${id}`)).json().title).toBe("Theirs");
  });

  test.each(["Delivered", "Failed", "Sending", "Cancelled"])("%s cannot be set by hand", async (status) => {
    const { id } = await draft();
    const reply = await call("PUT", `/api/notifications/${id}`, { ...change, status });
    expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ["status"]]);
  });

  test.each([
    ["Draft", {}],
    ["Scheduled", { scheduled_time: "2099-01-02T03:04:00.000Z" }],
    ["Recurring", { recurrence: "weekly", recurringDay: 5 }],
  ])("a change that says nothing of the status leaves it %s", async (status, more) => {
    const { id } = await draft({ status, ...more });
    const { status: _, ...words } = change;
    const reply = await call("PATCH", `/api/notifications/${id}`, words);
    expect(reply.json()).toMatchObject({ title: "Changed", status, ...more });
  });

  // spec 301, 493
  test("a file may have 5 MB, as the dialog says; one that is there already may stay", async () => {
    const large = Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(5 * 1024 * 1024)]);
    const upload = await porchlight.app.inject({
      method: "POST",
      url: "/api/attachments?name=large.pdf",
      headers: { cookie: staff.cookie, "content-type": "application/pdf" },
      payload: large,
    });
    const attachments = [{ id: upload.json().id }];
    const reply = await call("PUT", `/api/notifications/${(await draft()).id}`, { ...change, attachments });
    expect([reply.statusCode, reply.json().fields]).toEqual([
      400,
      { attachments: '"large.pdf" is larger than 5 MB. Attach a smaller file, or send a link.' },
    ]);
    const { id } = await draft({ attachments });
    expect((await call("PUT", `/api/notifications/${id}`, { ...change, attachments })).statusCode).toBe(200);
  });

  test("one that could not even begin is fixed", async () => {
    const { id } = await draft();
    await porchlight.db
      .updateTable("notifications")
      .set({ status: "Failed", status_reason: "No one is in the chosen groups right now." })
      .where("id", "=", id)
      .execute();
    expect((await call("PUT", `/api/notifications/${id}`, change)).json()).toMatchObject({
      status: "Draft",
      statusReason: null,
    });
  });

  test("of its template it keeps what it had, until the template is chosen again", async () => {
    const template = { name: "Fee", type: "Email", subject: "Fee", content: "**Pay** it, {{first_name}}" };
    const made = (await call("POST", "/api/templates", template)).json<{ id: number }>();
    const planned = { templateId: made.id, status: "Scheduled", scheduled_time: "2099-01-01T00:00:00Z" };
    const { id } = await draft({ ...planned, content: undefined });
    const body = { title: "Fee", content: template.content, recipients: ["Mei Tanaka"], ...planned };
    await call("PUT", `/api/templates/${made.id}`, { ...template, type: "SMS", content: "Pay" });
    await call("PUT", `/api/templates/${made.id}`, { ...template, subject: "Late fee {{fee}}" });
    const put = async (more: object = {}) => {
      const reply = await call("PUT", `/api/notifications/${id}`, { ...body, ...more });
      const { code, recipients, subject, formatted, fields } = reply.json();
      return { code, recipients, subject, formatted, fields };
    };
    expect(await put()).toEqual({
      recipients: "Mei Tanaka",
      subject: "Fee",
      formatted: true,
      fields: ["first_name"],
    });
    expect(await put({ templateVersion: 2 })).toMatchObject({ code: "conflict" });
    expect(await put({ templateVersion: 3 })).toMatchObject({ code: "missing-field-values" });
    expect(await put({ templateVersion: 3, fieldValues: { fee: "$5" } })).toMatchObject({
      subject: "Late fee {{fee}}",
      fields: ["fee", "first_name"],
    });
  });

  test("its template may be archived by now; another one may not", async () => {
    const [kept, other] = await Promise.all(
      ["Kept", "Other"].map(async (name) => {
        const body = { name, type: "Email", content: "x" };
        return (await call("POST", "/api/templates", body)).json<{ id: number }>();
      }),
    );
    const { id } = await draft({ templateId: kept?.id });
    for (const template of [kept, other]) {
      await call("POST", `/api/templates/${template?.id}/archive`, { archived: true });
    }
    const put = (templateId?: number) =>
      call("PUT", `/api/notifications/${id}`, { ...change, ...(templateId !== undefined && { templateId }) });
    expect((await put()).statusCode).toBe(200);
    expect((await put(kept?.id)).statusCode).toBe(200);
    const refused = await put(other?.id);
    expect([refused.statusCode, refused.json().fields]).toEqual([
      400,
      { templateId: "This template is archived. Choose another one." },
    ]);
    const fresh = await call("POST", "/api/send-notification", {
      title: "Fresh",
      templateId: kept?.id,
      recipients: ["Luis Ortega"],
      channels: ["email"],
    });
    expect(fresh.statusCode).toBe(400);
  });

  test("a draft may still lack its fields; a scheduled one may not", async () => {
    const { id } = await draft();
    const unfilled = { ...change, content: "Due {{due_date}}" };
    expect((await call("PUT", `/api/notifications/${id}`, unfilled)).statusCode).toBe(200);
    const reply = await call("PUT", `/api/notifications/${id}`, {
      ...unfilled,
      status: "Scheduled",
      scheduled_time: "2099-01-01T00:00:00Z",
    });
    expect(reply.json().code).toBe("missing-field-values");
  });
});

describe("what has gone out stays", () => {
  // spec 291
  test("a sent notification refuses a change", async () => {
    const sent = await call("POST", "/api/send-notification", {
      title: "Gone",
      message: "x",
      recipients: ["Luis Ortega"],
      channels: ["email"],
    });
    const reply = await call("PUT", `/api/notifications/${sent.json().id}`, change);
    expect([reply.statusCode, reply.json().code]).toEqual([409, "conflict"]);
  });

  test("a draft is sent once, however often it is asked for", async () => {
    const { id } = await draft();
    const replies = await Promise.all([1, 2, 3].map(() => call("POST", `/api/notifications/${id}/send`)));
    expect(replies.map((reply) => reply.statusCode).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    const runs = await porchlight.db
      .selectFrom("runs")
      .select("id")
      .where("notification_id", "=", id)
      .execute();
    expect(runs).toHaveLength(1);
  });

  test("a draft without a message is not sent", async () => {
    const { id } = await draft({ content: "" });
    const reply = await call("POST", `/api/notifications/${id}/send`);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields).toEqual({ content: "Either template or custom message is required" });
    expect((await call("GET", `/api/notifications/${id}`)).json().status).toBe("Draft");
  });

  test("a cancelled one is scheduled for its time again, unless that has passed", async () => {
    const scheduled_time = "2099-01-01T00:00:00.000Z";
    const { id } = await draft({ status: "Scheduled", scheduled_time });
    await call("POST", `/api/notifications/${id}/cancel`);
    const back = await call("POST", `/api/notifications/${id}/uncancel`);
    expect(back.json()).toMatchObject({ status: "Scheduled", scheduled_time });
    const refusal = async () => {
      const reply = await call("POST", `/api/notifications/${id}/uncancel`);
      return [reply.statusCode, reply.json().message];
    };
    expect(await refusal()).toEqual([409, "It is no longer cancelled."]);
    await call("POST", `/api/notifications/${id}/cancel`);
    await sql`UPDATE notifications SET scheduled_time = now() - interval '1 hour' WHERE id = ${id}`.execute(
      porchlight.db,
    );
    expect(await refusal()).toEqual([422, expect.stringContaining("has already passed")]);
    await sql`UPDATE notifications SET scheduled_time = NULL WHERE id = ${id}`.execute(porchlight.db);
    expect(await refusal()).toEqual([409, "It has no time of its own. Edit it to schedule it again."]);
    await sql`UPDATE notifications SET sent_time = now() WHERE id = ${id}`.execute(porchlight.db);
    expect(await refusal()).toEqual([409, "It was cancelled while it was going out. Copy it to a new one."]);
  });

  test("a cancelled one is checked as any other before it is scheduled again", async () => {
    const planned = { status: "Scheduled", scheduled_time: "2099-01-01T00:00:00.000Z" };
    const asking = { title: "Fee", content: "Pay {{fee}}", fieldValues: { fee: "$5" }, ...planned };
    const { id } = await draft(asking);
    await call("POST", `/api/notifications/${id}/cancel`);
    const fields = async () => (await call("POST", `/api/notifications/${id}/uncancel`)).json().fields;
    const { status: _, ...same } = { ...asking, recipients: ["Luis Ortega"] };
    await call("PUT", `/api/notifications/${id}`, { ...same, fieldValues: {} });
    expect(await fields()).toEqual({ "fieldValues.fee": "Fill in fee" });
    await call("PUT", `/api/notifications/${id}`, same);
    const admin = await porchlight.signedIn("admin");
    const turnEmail = (on: boolean) =>
      porchlight.call({ method: "PUT", url: "/api/settings", body: { enableEmail: on } }, admin);
    await turnEmail(false);
    expect(await fields()).toEqual({ channels: expect.stringContaining("Choose another channel.") });
    await turnEmail(true);
    const again = await call("POST", `/api/notifications/${id}/uncancel`);
    expect(again.json()).toMatchObject({ status: "Scheduled" });
  });

  test("a scheduled one is cancelled, and then is there to change again", async () => {
    const { id } = await draft({ status: "Scheduled", scheduled_time: "2099-01-01T00:00:00Z" });
    expect((await call("POST", `/api/notifications/${id}/cancel`)).json().status).toBe("Cancelled");
    const again = await call("POST", `/api/notifications/${id}/cancel`);
    expect([again.statusCode, again.json().message]).toEqual([409, "It has already been cancelled."]);
    expect((await call("PUT", `/api/notifications/${id}`, change)).json().status).toBe("Draft");
  });
});

test("what waits is neither stopped nor sent again, and each refusal says why", async () => {
  const { id } = await draft();
  const refusal = async (what: string) =>
    (await call("POST", `/api/notifications/${id}/${what}`, {})).json().message;
  expect(await refusal("cancel")).toBe("This is a draft. Nothing goes out until someone sends it.");
  expect(await refusal("send-again")).toBe("It has not gone out yet, so there is no one to retry.");
});

describe("the list", () => {
  // spec 104-106, 233
  test("searches title, recipients and status, pages by 25 and says how many there are", async () => {
    for (let n = 0; n < 30; n += 1) await draft({ title: `Listed 100% ${n}`, recipients: ["Mei Tanaka"] });
    const search = (q: string, page = 1) =>
      call("GET", `/api/notifications?q=${encodeURIComponent(q)}&page=${page}`);
    const first = await search("listed 100%");
    expect([first.json().length, first.headers["x-total-count"]]).toEqual([25, "30"]);
    expect((await search("listed 100%", 2)).json()).toHaveLength(5);
    // spec 159, 160, 377
    expect(first.json()[0]).toMatchObject({
      id: expect.any(Number),
      title: "Listed 100% 29",
      type: "Email",
      content: "x",
      recipients: "Mei Tanaka",
      channels: ["email"],
      status: "Draft",
      scheduled_time: null,
      sent_time: null,
      sentTime: expect.any(String),
      attachments: [],
    });
    expect((await search("listed 100_")).json()).toHaveLength(0);
    expect(Number((await search("MEI TANAKA")).headers["x-total-count"])).toBeGreaterThanOrEqual(30);
    expect((await search("draft")).json().length).toBeGreaterThan(0);
    // spec 161, 234
    const recent = await call("GET", "/api/notifications/recent/4");
    expect(recent.json()).toHaveLength(4);
    expect(Object.keys(recent.json()[0]).toSorted()).toEqual(
      "channels id progress recipients sentTime status title type".split(" "),
    );
  });

  test("as the dashboard shows it leaves out what is still ahead, also if it was cancelled", async () => {
    const title = "Far off";
    const total = async (query: string) =>
      Number((await call("GET", `/api/notifications?${query}`)).headers["x-total-count"]);
    const before = await total("recent=true");
    for (let n = 0; n < 4; n += 1)
      await draft({ title, status: "Scheduled", scheduled_time: "2199-01-01T09:00:00Z" });
    const { id } = await draft({ title, status: "Scheduled", scheduled_time: "2199-01-02T09:00:00Z" });
    await call("POST", `/api/notifications/${id}/cancel`);
    await draft({ title: "Just edited" });
    for (const url of ["/api/notifications?recent=true&pageSize=4", "/api/notifications/recent/4"]) {
      const { rows, all } = await call("GET", url).then((reply) => ({
        rows: reply.json<{ title: string }[]>(),
        all: reply.headers["x-total-count"],
      }));
      expect([rows.length, rows[0]?.title, all]).toEqual([4, "Just edited", String(before + 1)]);
      expect(rows.map((row) => row.title)).not.toContain(title);
    }
    expect([await total("q=far%20off&recent=true"), await total("q=far%20off")]).toEqual([0, 5]);
    expect(await total("status=Scheduled&recent=true")).toBe(0);
  });
});
