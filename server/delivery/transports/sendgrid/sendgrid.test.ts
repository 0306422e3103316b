import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import type { Transport } from "../transport.ts";
import { sendgrid } from "./adapter.ts";
import { EMULATED_KEY, sendgridEmulator } from "#emulators/sendgrid.ts";

const settings = { apiKey: EMULATED_KEY, fromEmail: "notices@maple.example", fromName: "Maple & Harbor" };

transportContract("SendGrid", () =>
  httpPeer({ adapter: sendgrid, api: sendgridEmulator, channel: "email", settings, secret: EMULATED_KEY }),
);

describe("SendGrid", () => {
  let emulator: Emulator;
  let transport: Transport;
  const open = (changes: object = {}) =>
    sendgrid.open({ ...settings, ...changes }, { channel: "email", apiUrl: emulator.url, guard: null });
  const bodies = () => emulator.requests.map(({ body }) => JSON.parse(body));

  beforeEach(async () => {
    emulator = await startEmulator(sendgridEmulator);
    transport = open();
  });
  afterEach(async () => {
    await transport.close();
    await emulator.close();
  });

  test("a run goes out a hundred people at a time, its text once in each request", async () => {
    const messages = Array.from({ length: 250 }, (_, index) => message(index + 1));
    const { outcomes } = await send(transport, messages);
    expect(outcomes.size).toBe(250);
    const sizes = bodies().map(({ personalizations }) => personalizations.length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
  });

  test("messages of two runs never share a request", async () => {
    const other = runContent({ title: "Roof", content: "Dear {{first_name}}" });
    await send(transport, [message(1), message(2, { content: other }), message(3)]);
    const texts = emulator.received.map(({ to, text }) => [to, /Hello|Dear/.exec(text)?.[0]]);
    expect(Object.fromEntries(texts)).toEqual({
      "tenant1@example.com": "Hello",
      "tenant2@example.com": "Dear",
      "tenant3@example.com": "Hello",
    });
  });

  test("each email has its reference for receipts and its own unsubscribe link; nothing is tracked", async () => {
    await send(transport, [message(7, { round: 2 })]);
    const [body] = bodies();
    expect(body.personalizations[0]).toMatchObject({
      to: [{ email: "tenant7@example.com", name: "Tenant 7" }],
      custom_args: { delivery: "7r2", run: "run-1" },
      headers: {
        "List-Unsubscribe": "<https://maple.example/u/T7>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "X-Auto-Response-Suppress": "OOF, AutoReply",
      },
    });
    expect(body.from).toEqual({ email: "notices@maple.example", name: "Maple & Harbor" });
    expect(body.tracking_settings.click_tracking).toEqual({ enable: false, enable_text: false });
  });

  test("attachments are included in plain Base64", async () => {
    const bytes = Buffer.from("x".repeat(200));
    const content = runContent({}, [{ name: "plan.pdf", type: "application/pdf", bytes }]);
    expect(await sendOne(transport, { content })).toMatchObject({ kind: "accepted" });
    const [{ content: base64, ...named }] = bodies()[0].attachments;
    expect(Buffer.from(base64, "base64")).toEqual(bytes);
    expect(named).toEqual({ type: "application/pdf", filename: "plan.pdf", disposition: "attachment" });
  });

  test("if several recipients are refused, each is reported, and the rest arrive", async () => {
    for (const id of [2, 60, 99]) emulator.faults.refused.add(`tenant${id}@example.com`);
    const { outcomes } = await send(
      transport,
      Array.from({ length: 100 }, (_, index) => message(index + 1)),
    );
    expect([...outcomes].filter(([, { kind }]) => kind === "refused").map(([id]) => id)).toEqual([2, 60, 99]);
    expect(emulator.received).toHaveLength(97);
  });

  test("details that are too long for SendGrid only affect that person", async () => {
    const long = message(1, { values: { first_name: "x".repeat(11_000) } });
    const { outcomes } = await send(transport, [long, message(2)]);
    expect(outcomes.get(1)).toMatchObject({ kind: "refused", of: "message", code: "too_big" });
    expect(outcomes.get(2)).toMatchObject({ kind: "accepted" });
  });

  test("an error at SendGrid may have come after it accepted the email", async () => {
    emulator.faults.broken = true;
    expect(await sendOne(transport)).toMatchObject({ kind: "uncertain", code: "500" });
  });

  test("a key without Mail Send fails the connection test", async () => {
    const readOnly = {
      ...sendgridEmulator,
      answer: () => ({ status: 200, body: { scopes: ["stats.read"] } }),
    };
    const other = await startEmulator(readOnly);
    const opened = sendgrid.open(settings, { channel: "email", apiUrl: other.url, guard: null });
    expect(await opened.check()).toEqual({
      ok: false,
      of: "misconfigured",
      code: "no_mail_send",
      detail: "The API key lacks the Mail Send permission.",
    });
    await opened.close();
    await other.close();
  });
});
