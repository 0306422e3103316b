import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readTrackingKey, trackerFor } from "#server/delivery/receipts/tracking-address.ts";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import type { Worker } from "#server/delivery/worker/worker.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";
import { workerBeside } from "#server/testing/worker.ts";

const SITE = "http://notices.example.com";
const PAY = "https://pay.example/?unit=Maple%20Court%204B&lang=en";

/** Mails through a real SMTP server, and what their readers' programs then load from us. */
let server: SMTPServer;
let porchlight: TestApp;
let admin: Caller;
let worker: Worker;
let key: string;
const mails: Buffer[] = [];

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  porchlight = await testApp({ publicUrl: SITE });
  admin = await porchlight.signedIn("admin", { username: "ada" });
  await insertPerson(porchlight.db, { firstName: "Mei", lastName: "Tanaka", propertyUnit: "Maple Court 4B" });
  const settings = { host: "127.0.0.1", port, tls: "off", fromEmail: "o@maple.example", fromName: "Maple" };
  await call("POST", "/api/integrations", { channel: "email", kind: "smtp", settings });
  worker = workerBeside(porchlight);
  key = await readTrackingKey(porchlight.db);
});
afterAll(async () => {
  await worker.stop();
  await porchlight.close();
  await new Promise<void>((resolve) => server.close(resolve));
});
beforeEach(() => call("PUT", "/api/settings", { trackOpens: true, trackClicks: true }));

const call = (method: "GET" | "POST" | "PUT", url: string, body?: object) =>
  porchlight.call({ method, url, body }, admin);

/** A mail that was sent, with the addresses in it that lead to us. */
async function sent() {
  mails.length = 0;
  const message = `Hello {{first_name}}, pay at https://pay.example/?unit={{property_unit}}&lang=en or ${SITE}/notices.`;
  const body = { title: "Rent", message, recipients: "Mei Tanaka", channels: ["email"] };
  const { id } = (await call("POST", "/api/send-notification", body)).json<{ id: number }>();
  const delivery = await until(async () => {
    const row = await porchlight.db
      .selectFrom("deliveries")
      .select("id")
      .where("status", "=", "accepted")
      .where("run_id", "in", porchlight.db.selectFrom("runs").select("id").where("notification_id", "=", id))
      .executeTakeFirstOrThrow();
    return row.id;
  });
  const { html = "", text = "" } = await PostalMime.parse(mails[0]!);
  const found = /http:\/\/notices\.example\.com(\/m\/[\w-]+)\/open\.gif/.exec(html)?.[1] ?? "";
  return { id, delivery, html, text, path: found };
}

const tracker = () => trackerFor(key, new URL(SITE))!;
const open = (url: string, method: "GET" | "HEAD" = "GET") => porchlight.app.inject({ method, url });
const stored = async () => {
  const { rows } = await sql<{ event: string }>`SELECT event_id AS event FROM receipts ORDER BY id`.execute(
    porchlight.db,
  );
  return rows.map(({ event }) => event);
};
const processed = () =>
  until(async () => {
    const { rows } = await sql`SELECT FROM receipts WHERE processed_at IS NULL`.execute(porchlight.db);
    expect(rows).toEqual([]);
  });
const timeline = async (delivery: number) =>
  (await call("GET", `/api/deliveries/${delivery}`))
    .json<{ events: { sentence: string; detail: string | null }[] }>()
    .events.slice(2)
    .map(({ sentence, detail }) => [sentence, detail]);
const figures = async (id: number) => {
  const { opened_count, clicked_count } = (await call("GET", `/api/notifications/${id}`)).json();
  return [opened_count, clicked_count];
};

describe("a tracked email", () => {
  test("tells once that it was opened, and the open rate counts it", async () => {
    const { id, delivery, path } = await sent();
    const image = await open(`${path}/open.gif`);
    expect([image.statusCode, image.rawPayload.subarray(0, 6).toString()]).toEqual([200, "GIF89a"]);
    expect(image.headers).toMatchObject({
      "content-type": "image/gif",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(image.headers).not.toHaveProperty("set-cookie");
    expect(await stored()).toEqual([`opened-${delivery}`]);
    await Promise.all([open(`${path}/open.gif`), open(`${path}/open.gif`)]);
    await processed();
    await open(`${path}/open.gif`);
    expect(await stored()).toHaveLength(1);
    expect(await timeline(delivery)).toEqual([["It was opened.", null]]);
    expect(await figures(id)).toEqual([1, null]);
    expect((await call("GET", "/api/dashboard")).json().openRate.now).toBe(100);
    expect(await imbalance(porchlight.db)).toEqual([]);
  });

  test("has links that lead on to where they led, and a click says that it was opened, too", async () => {
    const { id, delivery, html, text, path } = await sent();
    expect(html).toContain(`<a href="${SITE}${path}/0"`);
    expect(html).toContain(`<a href="${SITE}/notices"`);
    expect(text).toContain(PAY);
    expect(text).not.toContain("/m/");
    const reply = await open(`${path}/0`);
    expect([reply.statusCode, reply.headers.location]).toEqual([302, PAY]);
    expect(reply.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect(reply.headers).not.toHaveProperty("set-cookie");
    await open(`${path}/0`);
    await processed();
    expect(await timeline(delivery)).toEqual([
      ["It was opened.", null],
      ["A link in it was clicked.", PAY],
    ]);
    expect(await figures(id)).toEqual([1, 1]);
    expect(await imbalance(porchlight.db)).toEqual([]);
  });

  test("counts nothing and leads nowhere by any other address, and all of those look alike", async () => {
    const { delivery, path } = await sent();
    const before = await stored();
    const signature = path.slice(-22);
    const wrong = [
      `/m/${delivery - 1}-${signature}`,
      `/m/${delivery}r1-${signature}`,
      `/m/999999999-${signature}`,
      `/m/${delivery}-${"A".repeat(22)}`,
      `/m/${delivery}`,
      "/m/%00",
    ];
    const right = await open(`${path}/open.gif`, "HEAD");
    for (const token of wrong) {
      const image = await open(`${token}/open.gif`);
      expect([image.statusCode, image.rawPayload.length]).toEqual([200, 42]);
      expect(Number(right.headers["content-length"])).toBe(image.rawPayload.length);
      expect((await open(`${token}/0`)).statusCode).toBe(404);
    }
    const pages = [`${wrong[0]}/0`, `${path}/99`, `${path}/x`, `${path}/0%2f`].map((url) => open(url));
    const replies = await Promise.all(pages);
    expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect((await open(`${path}/0`, "HEAD")).statusCode).toBe(302);
    expect(await stored()).toEqual(before);
  });

  test("refuses any number of forged links without a query", async () => {
    const forged = () => open(`/m/1-${"A".repeat(22)}/1`);
    const codes = await porchlight.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE settings, deliveries`.execute(tx);
      const replies = await Promise.all(Array.from({ length: 1100 }, forged));
      return new Set(replies.map(({ statusCode }) => statusCode));
    });
    expect([...codes]).toEqual([404]);
  });

  test("from before someone retried it says so, and counts for nothing else", async () => {
    const { id, delivery, path } = await sent();
    await porchlight.db.updateTable("deliveries").set({ round: 1 }).where("id", "=", delivery).execute();
    await open(`${path}/open.gif`);
    await processed();
    expect(await timeline(delivery)).toEqual([["It was opened.", null]]);
    expect(await figures(id)).toEqual([null, null]);
    const again = tracker().addressOf({ deliveryId: delivery, round: 1 });
    await open(`${again.slice(SITE.length)}/open.gif`);
    await processed();
    expect(await figures(id)).toEqual([1, null]);
  });
});

test("a setting that is off leaves its part alone, and one's own mails are never tracked", async () => {
  await call("PUT", "/api/settings", { trackOpens: false, trackClicks: false });
  expect((await sent()).html).not.toContain("/m/");
  await call("PUT", "/api/settings", { trackClicks: true });
  const clicks = (await sent()).html;
  expect(clicks).toContain("/m/");
  expect(clicks).not.toContain("open.gif");
  const person = await insertPerson(porchlight.db, { firstName: "Lee", email: "lee@example.com" });
  await call("POST", "/api/notifications/send-credentials", { userId: person, channels: ["email"] });
  const { compiled } = await porchlight.db
    .selectFrom("content_versions")
    .select("compiled")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  expect(compiled).toMatchObject({ passwordLink: true });
  expect((compiled as { email: object }).email).not.toHaveProperty("track");
});

test("without an address that people can reach nothing is tracked, and the settings say so", async () => {
  for (const address of ["http://127.0.0.1:3000", "http://localhost:3000", "http://[::1]:3000"]) {
    expect(trackerFor(key, new URL(address))).toBeUndefined();
  }
  expect((await call("GET", "/api/settings")).json()).toMatchObject({
    publicAddress: true,
    trackOpens: true,
  });
});
