import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestResult } from "#contract/calls/audience.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { sendgridEmulator } from "#emulators/sendgrid.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let emulator: Emulator;
let porchlight: TestApp;
let sam: Caller;

beforeAll(async () => {
  emulator = await startEmulator(sendgridEmulator);
  porchlight = await testApp({ apiUrls: { SENDGRID_API_URL: emulator.url } });
  const admin = await porchlight.signedIn("admin");
  const settings = { ...sendgridEmulator.settings, fromEmail: "notices@maple.example", fromName: "Maple" };
  const body = { channel: "email", kind: "sendgrid", name: "Bulk", settings };
  await porchlight.call({ method: "POST", url: "/api/integrations", body }, admin);
});
beforeEach(async () => {
  emulator.received.length = 0;
  sam = await porchlight.signedIn("staff", { firstName: "Sam", lastName: "Lee", email: "sam@maple.example" });
});
afterAll(async () => {
  await porchlight.close();
  await emulator.close();
});

const send = (body: object, as = sam) =>
  porchlight.call({ method: "POST", url: "/api/audience/send-test", body }, as);
const results = async (body: object) => (await send(body)).json<TestResult[]>();

test("goes to who writes it, as written, marked as a test, and leaves no notification", async () => {
  const message = "Hello {{first_name}}, the water in {{property_unit}} is off on {{day}}.";
  expect(await results({ title: "Water", message, channels: ["email", "sms"] })).toEqual([
    { channel: "email", outcome: "sent", text: "Bulk accepted it for sam@maple.example." },
    { channel: "sms", outcome: "failed", text: "Your profile has no phone number. Add one to get a test." },
  ]);
  const [mail] = emulator.received;
  expect(mail?.text).toContain("Hello Sam, the water in [property unit] is off on [day].");
  const { subject } = JSON.parse(emulator.requests.at(-1)!.body) as { subject?: string };
  expect(JSON.stringify(subject ?? emulator.requests.at(-1)!.body)).toContain("Test: Water");
  const { rows } = await sql`SELECT FROM notifications`.execute(porchlight.db);
  expect(rows).toEqual([]);
  const audit = await porchlight.db
    .selectFrom("audit")
    .select("action")
    .where("actor_id", "=", sam.userId)
    .execute();
  expect(audit).toEqual([{ action: "notification.send-test" }]);
});

test("the Sandbox says that nothing was sent, and a provider's refusal is quoted", async () => {
  await porchlight.db
    .updateTable("users")
    .set({ phone: "+14155550100" })
    .where("id", "=", sam.userId)
    .execute();
  emulator.faults.refuseKey = true;
  const [email, sms] = await results({ title: "", message: "Hi", channels: ["email", "sms"] });
  emulator.faults.refuseKey = false;
  expect(email).toMatchObject({
    outcome: "failed",
    text: expect.stringMatching(/^Bulk didn't send it: .*revoked/),
  });
  expect(sms).toEqual({
    channel: "sms",
    outcome: "sandbox",
    text: "Sent to the Sandbox. No one received it.",
  });
});

test("an address that is turned off gets none, and what is wrong with the text is refused", async () => {
  await sql`UPDATE users SET channels = 0 WHERE id = ${sam.userId}`.execute(porchlight.db);
  expect(await results({ message: "Hi", channels: ["email"] })).toEqual([
    { channel: "email", outcome: "failed", text: "You have email turned off in your profile." },
  ]);
  const refused = await send({ title: "x", message: "Hi {{first name", channels: ["email"] });
  expect([refused.statusCode, Object.keys(refused.json<{ fields: object }>().fields)]).toEqual([
    400,
    ["content"],
  ]);
  expect((await send({ title: "x", message: " ", channels: ["email"] })).statusCode).toBe(400);
  const lost = await send({ message: "Hi", channels: ["email"], attachments: [{ id: 999_999 }] });
  expect(lost.json()).toMatchObject({ fields: { attachments: expect.stringContaining("no longer exists") } });
  expect((await send({ message: "Hi", channels: [] })).statusCode).toBe(400);
  expect(emulator.received).toEqual([]);
});

test("has a limit", async () => {
  const ask = () => send({ message: "Hi", channels: ["email"] });
  for (let n = 0; n < 20; n += 1) expect((await ask()).statusCode).toBe(200);
  expect((await ask()).json()).toMatchObject({ message: expect.stringContaining("too many tests") });
  expect(emulator.received).toHaveLength(20);
});
