import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ATTACHMENT_MAX, UPLOADS_A_DAY_MAX } from "#contract/calls/attachments.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  await insertPerson(porchlight.db, { firstName: "Luis", lastName: "Ortega" });
});
afterAll(() => porchlight.close());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const pdf = Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF");

const upload = (name: string, payload: Buffer, type = "application/octet-stream") =>
  porchlight.app.inject({
    method: "POST",
    url: `/api/attachments?name=${encodeURIComponent(name)}`,
    headers: { cookie: staff.cookie, "content-type": type },
    payload,
  });

test("one person uploads no more in a day than a person sends", async () => {
  const keen = await porchlight.signedIn("staff");
  const send = async () =>
    porchlight.app.inject({
      method: "POST",
      url: "/api/attachments?name=plan.png",
      headers: { cookie: keen.cookie, "content-type": "image/png" },
      payload: png,
    });
  const { id } = (await send()).json<{ id: number }>();
  const stored = porchlight.db.updateTable("attachments").where("id", "=", id);
  await stored.set({ size: UPLOADS_A_DAY_MAX - png.length }).execute();
  // Held where they would be written, both have been judged or wait to be.
  const together = await porchlight.db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE attachments IN SHARE MODE`.execute(tx);
    const sent = [send(), send()];
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(porchlight.db);
      expect(waiting.rows.length).toBe(2);
    });
    return sent;
  });
  const codes = (await Promise.all(together)).map(({ statusCode }) => statusCode);
  expect(codes.toSorted((one, other) => one - other)).toEqual([201, 429]);
  const refused = await send();
  expect([refused.statusCode, refused.json().message]).toEqual([
    429,
    "You can upload 500 MB or 1,000 files in 24 hours. Try again later, or send a link.",
  ]);
  expect((await upload("mine.png", png)).statusCode).toBe(201);
  await stored.set({ created_at: new Date(Date.now() - 25 * 60 * 60 * 1000) }).execute();
  expect((await send()).statusCode).toBe(201);
});

describe("upload", () => {
  test.each([
    ["roof.png", png, "image/png"],
    ["Übersicht – עברית.pdf", pdf, "application/pdf"],
  ])("%s is stored and comes back as it was", async (name, bytes, type) => {
    const reply = await upload(name, bytes, type);
    expect(reply.statusCode).toBe(201);
    // spec 378
    expect(reply.json()).toMatchObject({ name, type, size: bytes.length });
    const back = await porchlight.call({ method: "GET", url: reply.json().url }, staff);
    expect(back.rawPayload.equals(bytes)).toBe(true);
    expect(back.headers["content-type"]).toBe(type);
    expect(back.headers["content-disposition"]).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`);
    expect(back.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("the same bytes are stored once", async () => {
    await upload("one.png", png);
    await upload("two.png", png);
    const bytes = await porchlight.db.selectFrom("attachment_bytes").select("sha256").execute();
    expect(bytes.length).toBe(2);
  });

  // Scanners, printers and report servers write something in front.
  test.each(["\ufeff", "\n", "\r\n", "    ", "\u001b%-12345X@PJL JOB\r\n", "\0".repeat(1016)])(
    "a PDF after %j is stored as it is",
    async (lead) => {
      const bytes = Buffer.concat([Buffer.from(lead), pdf]);
      const reply = await upload("lease.pdf", bytes);
      expect([reply.statusCode, reply.json().type]).toEqual([201, "application/pdf"]);
      const back = await porchlight.call({ method: "GET", url: reply.json().url }, staff);
      expect(back.rawPayload.equals(bytes)).toBe(true);
    },
  );

  test.each([
    ["one that begins after 1,024 bytes", Buffer.concat([Buffer.alloc(1024, " "), pdf])],
    ["a page that contains one", Buffer.concat([Buffer.from("<p>"), pdf])],
  ])("%s is no PDF", async (_, bytes) => {
    const reply = await upload("lease.pdf", bytes);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "unsupported-file"]);
  });

  test.each(["IMG_0042.HEIC", "IMG_0042.jpg"])("%s from a phone says how to make it a JPG", async (name) => {
    const heic = Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1");
    const reply = await upload(name, heic);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "unsupported-file"]);
    expect(reply.json().fields.attachments).toContain(`"${name}" is a HEIC photo`);
    expect(reply.json().fields.attachments).toContain("Export it as JPG");
  });

  test.each([
    [
      "page.pdf",
      Buffer.from("<html><script>alert(1)</script></html>"),
      "is not an image or PDF that can be sent",
    ],
    ["invoice.pdf", png, "is actually a PNG, despite its name"],
    ["run.exe", pdf, "is actually a PDF, despite its name"],
    ["noname", png, "is actually a PNG, despite its name"],
    [
      "picture.svg",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      "is not an image or PDF that can be sent",
    ],
    ["empty.pdf", Buffer.alloc(0), "is empty"],
  ])("%s is refused by its content", async (name, bytes, what) => {
    const reply = await upload(name, bytes);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "unsupported-file"]);
    expect(reply.json().fields.attachments).toBe(`"${name}" ${what}. Attach a PNG, JPG, GIF or PDF.`);
  });

  test("more than 10 MB is refused", async () => {
    const reply = await upload("big.pdf", Buffer.concat([pdf, Buffer.alloc(ATTACHMENT_MAX)]));
    const sentence = "This file is larger than 10 MB.";
    expect([reply.statusCode, reply.json()]).toEqual([
      413,
      { code: "too-large", message: sentence, fields: { attachments: sentence } },
    ]);
  });

  test.each([
    ["../../etc/plan.pdf", "plan.pdf"],
    ["C:\\scans\\plan.pdf", "plan.pdf"],
    ["plan\u202egnp.pdf", "plangnp.pdf"],
  ])("%j is stored under its plain name", async (name, plain) => {
    expect((await upload(name, pdf)).json()).toMatchObject({ name: plain });
  });

  test.each(["", "a\r\nb.pdf", "x".repeat(256)])("the name %j is refused", async (name) => {
    const reply = await upload(name, pdf);
    expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([400, ["name"]]);
  });
});

describe("a message names its files", () => {
  const send = (attachments: object[]) =>
    porchlight.call(
      {
        method: "POST",
        url: "/api/send-notification",
        body: { title: "A", message: "x", recipients: "Luis Ortega", channels: ["email"], attachments },
      },
      staff,
    );

  test("by name, type and url, as the specification has them", async () => {
    const file = (await upload("plan.pdf", pdf)).json();
    const { name, type, url } = file;
    expect((await send([{ name, type, url }])).json().attachments).toEqual([file]);
  });

  test.each([{ name: "plan.pdf" }, { url: "https://example.com/api/attachments/1" }, { url: "plan.pdf" }])(
    "%j is none",
    async (file) => {
      const reply = await send([file]);
      expect([reply.statusCode, reply.json().fields]).toEqual([
        400,
        { "attachments.0": "Name a file by the id or url that its upload returned" },
      ]);
    },
  );
});

test("files of more than 20 MB together are refused with what to do", async () => {
  const half = Buffer.concat([pdf, Buffer.alloc(ATTACHMENT_MAX - 1000)]);
  const ids = [];
  for (const n of [1, 2, 3]) {
    const reply = await upload(`half${n}.pdf`, Buffer.concat([half, Buffer.from(String(n))]));
    ids.push({ id: reply.json().id });
  }
  const reply = await porchlight.call(
    {
      method: "POST",
      url: "/api/send-notification",
      body: {
        title: "Big",
        message: "x",
        recipients: ["Luis Ortega"],
        channels: ["email"],
        attachments: ids,
      },
    },
    staff,
  );
  expect(reply.json().fields.attachments).toContain("20 MB");
});
