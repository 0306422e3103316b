import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { sql } from "kysely";
import Document from "pdfkit";
import { getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { openLogo } from "#server/features/reports/pdf/logo.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { addValues } from "#server/testing/values.ts";

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff", { firstName: "Ada", lastName: "Owner" });
  await sql`INSERT INTO settings (key, value, data_type) VALUES
    ('siteName', 'Maple & Harbor', 'string'), ('timezone', 'Asia/Kolkata', 'string'),
    ('companyLogo', ${dataUrl(png(1, fine))}, 'base64')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(porchlight.db);
});
afterAll(() => porchlight.close());

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
/** With an alpha channel, which is taken out of the pixels. */
const png = (size: number, pixels: Buffer, end = chunk("IEND", Buffer.alloc(0))) => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), end]);
};
const fine = deflateSync(Buffer.from([0, 200, 30, 10, 255]));
const IMAGE = "/Subtype /Image";
const dataUrl = (image: Buffer) => `data:image/png;base64,${image.toString("base64")}`;

type Sent = {
  recipients: unknown;
  title?: string;
  message?: string;
  channels?: string[];
  valuesId?: number;
};

async function send({
  title = "Water off",
  message = "Hello {{first_name}}",
  channels = ["email", "sms"],
  ...body
}: Sent) {
  const call = { method: "POST" as const, url: "/api/send-notification" };
  const reply = await porchlight.call({ ...call, body: { title, message, channels, ...body } }, staff);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
  while ((await fanOutSome(porchlight.db))?.done === false);
  return reply.json<{ id: number }>().id;
}

const ask = (id: number, as: Caller = staff) =>
  porchlight.call({ method: "GET", url: `/api/notifications/${id}/report.pdf` }, as);

/** The report as PDF.js reads it: the text of each page, and the attached files. */
async function read(id: number) {
  const reply = await ask(id);
  expect(reply.statusCode).toBe(200);
  // Of the logo.
  expect(reply.rawPayload.includes(IMAGE)).toBe(true);
  const pdf = await getDocumentProxy(new Uint8Array(reply.rawPayload));
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(
      items
        .map((item) => ("str" in item ? item.str : ""))
        .filter((text) => text.trim() !== "")
        .join(" "),
    );
  }
  const files = await Promise.all(
    [...((await pdf.getAttachments()) ?? [])].map(async ([key, { filename }]) => ({
      filename,
      content: (await pdf.getAttachmentContent(key))!,
    })),
  );
  const { info } = await pdf.getMetadata();
  return {
    pages,
    text: pages.join("\n"),
    files,
    info: info as Record<string, unknown>,
  };
}

const person = (firstName: string, lastName: string, more: object = {}) =>
  insertPerson(porchlight.db, { firstName, lastName, ...more });
const named = (...ids: number[]) => ids.map((id) => ({ type: "user", id }));

describe("the printable report", () => {
  // spec 295
  test("says who sent what to whom, every attempt and answer, and who was skipped, unreached people first", async () => {
    const { db } = porchlight;
    const reached = await person("Anna", "Able", { email: "anna@example.com" });
    const failed = await person("Zoë", "Müller", {
      email: "zoe@example.com",
      propertyUnit: "Maple Court 1F",
    });
    const id = await send({ recipients: named(reached, failed), title: "Water off on Tuesday" });
    await sql`
      UPDATE deliveries SET status = 'delivered', accepted_at = now(), delivered_at = now() WHERE user_id = ${reached} AND channel = 'email'`.execute(
      db,
    );
    await sql`UPDATE run_people SET tally = 16 ^ 8 WHERE user_id = ${reached}`.execute(db);
    await sql`UPDATE run_people SET tally = 16 ^ 2 WHERE user_id = ${failed}`.execute(db);
    await sql`UPDATE deliveries SET status = 'failed', reason = 'gave-up', simulated = false
      WHERE user_id = ${failed} AND channel = 'email'`.execute(db);
    await sql`
      INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, ended_at, outcome, code, detail)
      SELECT d.id, n, (SELECT min(id) FROM accounts), 1, '2026-11-20T15:00:00Z', timestamptz '2026-11-20T15:00:00Z' + n * interval '1 second',
        'refused', '452', 'Mailbox full'
      FROM deliveries d, generate_series(1, 2) n WHERE d.user_id = ${failed} AND d.channel = 'email'`.execute(
      db,
    );
    const { text, info } = await read(id);
    expect(text).toContain("Water off on Tuesday");
    expect(text).toContain("All times are Kolkata time (Asia/Kolkata).");
    expect(text).toContain("Ada Owner");
    expect(text).toContain("zoe@example.com");
    expect(text).toContain("Maple Court 1F");
    expect(text).toMatch(
      /Nov 20.*8:30:01 PM GMT\+5:30.*refused it\..*Attempt 1.*452 Mailbox full.*8:30:02 PM GMT\+5:30.*Attempt 2/s,
    );
    expect(text).toContain("No phone number on file.");
    expect(text).toContain("Nothing was sent to anyone, and this is not proof of a notice.");
    expect(text).toContain("SMS · SIMULATED");
    expect(text).toContain("Hello {{first_name}}");
    expect(text).toContain("first_name: Zoë");
    expect(text).toMatch(/3 Not reached 1 person\..*Zoë Müller.*4 Reached 1 person\..*Anna Able/s);
    expect(info).toMatchObject({ Title: "Delivery Report: Water off on Tuesday", Author: "Maple & Harbor" });
  });

  test("names the file that the values come from, and prints each person's own", async () => {
    const ana = await person("Ana", "Silva", { email: "ana@example.com" });
    const rui = await person("Rui", "Costa", { email: "rui@example.com" });
    const valuesId = await addValues(
      porchlight.db,
      { [ana]: { amount: "$1,685.00" }, [rui]: { amount: "$980.50" } },
      "December.xlsx",
    );
    const sent = { message: "Your rent is {{amount}}", channels: ["email"], valuesId };
    const { text } = await read(await send({ recipients: [{ type: "file", id: valuesId }], ...sent }));
    expect(text).toMatch(/Values\s+From .?December\.xlsx.? \(2 people\)/);
    expect(text).toContain("amount: $1,685.00");
    expect(text).toContain("amount: $980.50");
  });

  test("the SHA-256 on every page is that of the attached content, which is what was sent", async () => {
    const id = await send({
      recipients: named(await person("Bo", "Chen")),
      message: "Stand back, {{first_name}}",
    });
    const { pages, files } = await read(id);
    const { content, filename } = files[0]!;
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(filename).toBe("content.json");
    for (const page of pages) expect(page).toContain(`SHA-256 ${sha256}`);
    const record = JSON.parse(Buffer.from(content).toString()) as Record<
      string,
      { text: string; subject: string }
    >;
    expect(record["email"]).toMatchObject({
      subject: "Water off",
      text: expect.stringContaining("Stand back, {{first_name}}"),
    });
    expect(record["sms"]?.text).toContain("Stand back, {{first_name}}");
    // A later report has the same hash, whatever has happened since.
    await sql`UPDATE users SET first_name = 'Bob' WHERE first_name = 'Bo'`.execute(porchlight.db);
    expect((await read(id)).pages.join(" ")).toContain(sha256);
  });

  test("sets names in any script, and their parts in the right order", async () => {
    const names = [
      ["דנה", "כהן-לוי (ועד)"],
      ["محمد", "عبد الله"],
      ["王小明", "李"],
      ["김민준", "이"],
      ["Đặng", "Ångström-Łódź"],
      ["Юлія", "Щербак"],
    ] as const;
    const ids: number[] = [];
    for (const [firstName, lastName] of names) ids.push(await person(firstName, lastName));
    const { text } = await read(await send({ recipients: named(...ids), channels: ["email"] }));
    // PDF.js gives the words of a line from left to right, and the letters of each in the order they are read.
    const printed = text.replaceAll(/[\s\u034f]/g, "");
    expect(printed).toContain("(ועד)לוי-כהןדנה");
    expect(printed).toContain("اللهعبدمحمد");
    for (const name of names.slice(2)) expect(printed).toContain(name.join("").replaceAll(" ", ""));
    expect(printed).not.toContain("U+");
  });

  test("keeps a name from the right from turning the English around it", async () => {
    const { db } = porchlight;
    const dana = await person("דנה", "כהן", { email: "dana@example.com" });
    const omar = await person("عمر", "حسن", { email: "omar@example.com" });
    const id = await send({ recipients: named(dana, omar), channels: ["email"] });
    await sql`
      WITH named AS (UPDATE accounts SET name = 'דואר' WHERE id = (SELECT min(id) FROM accounts) RETURNING id)
      INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, ended_at, outcome)
      SELECT d.id, 1, named.id, 1, now(), now(), 'refused' FROM deliveries d, named WHERE d.user_id = ${dana}`.execute(
      db,
    );
    const printed = (await read(id)).text.replaceAll(/[\s\u034f]/g, "");
    // From left to right.
    expect(printed).toContain("כהןדנה,حسنعمر(2people)");
    expect(printed).toContain("דוארrefusedit.");
  });

  // spec 295
  test("counts its pages, repeats the table's head, and has everyone once", async () => {
    await sql`INSERT INTO users (username, email, first_name, last_name, role)
      SELECT 'many' || i, 'many' || i || '@example.com', 'Many' || i, 'Person', 'tenant'
      FROM generate_series(1, 60) i`.execute(porchlight.db);
    const id = await send({ recipients: "All Tenants" });
    const { pages, text } = await read(id);
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((page, place) => {
      expect(page).toContain(`Page ${place + 1} of`);
      expect(page).toMatch(new RegExp(`\\b${pages.length}\\b`));
      if (place > 1) expect(page).toContain("Channel and address");
    });
    expect(new Set(text.match(/Many\d+ Person/g)).size).toBe(60);
  });
});

describe("a logo", () => {
  test.each([
    ["damaged", png(1, Buffer.from(fine).fill(0, 4))],
    ["too large", png(30_000, fine)],
    ["cut off", png(1, fine, Buffer.alloc(0))],
    ["with a chunk that leads backward", png(1, fine, Buffer.from("fffffff4aaaaaaaa", "hex"))],
  ])("that is %s is left out", async (_what, logo) => {
    expect(await openLogo(new Document(), logo)).toBeNull();
  });

  test("that can't be decoded is left out, and the server goes on", async () => {
    const id = await send({ recipients: named(await person("Lo", "Go")) });
    const unknownFilter = deflateSync(Buffer.from([9, 200, 30, 10, 255]));
    await sql`UPDATE settings SET value = ${dataUrl(png(1, unknownFilter))} WHERE key = 'companyLogo'`.execute(
      porchlight.db,
    );
    const { rawPayload } = await ask(id);
    expect(rawPayload.includes(IMAGE)).toBe(false);
    expect(rawPayload.subarray(-6).toString().trim()).toBe("%%EOF");
  });
});

test("only staff and administrators, and only of what was sent", async () => {
  const id = await send({ recipients: named(await person("Dee", "Fox")) });
  const tenant = await porchlight.signedIn("tenant");
  expect((await ask(id, tenant)).statusCode).toBe(403);
  expect((await ask(987_654)).statusCode).toBe(404);
  const draft = await porchlight.call(
    { method: "POST", url: "/api/notifications", body: { title: "Later", status: "Draft" } },
    staff,
  );
  const refused = await ask(draft.json<{ id: number }>().id);
  expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
    409,
    "Nothing has been sent yet, so there is nothing to report.",
  ]);
});
