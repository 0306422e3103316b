import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { answered } from "../testing/answered.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import type { Transport } from "../transport.ts";
import { resend } from "./adapter.ts";
import { EMULATED_KEY, resendEmulator } from "#emulators/resend.ts";

const settings = { apiKey: EMULATED_KEY, fromEmail: "notices@maple.example", fromName: "Maple, Harbor" };
const provider = {
  adapter: resend,
  api: resendEmulator,
  channel: "email",
  settings,
  secret: EMULATED_KEY,
} as const;

transportContract("Resend", () => httpPeer(provider));

describe("Resend", () => {
  let emulator: Emulator;
  let transport: Transport;
  const open = (changes: object) =>
    resend.open({ ...settings, ...changes }, { channel: "email", apiUrl: emulator.url, guard: null });
  const bodies = () => emulator.requests.map(({ body }) => JSON.parse(body));

  beforeEach(async () => {
    emulator = await startEmulator(resendEmulator);
    transport = open({});
  });
  afterEach(async () => {
    await transport.close();
    await emulator.close();
  });

  test("a run goes out a hundred people at a time, each request with its own key", async () => {
    const { outcomes } = await send(
      transport,
      Array.from({ length: 130 }, (_, index) => message(index + 1)),
    );
    expect(outcomes.size).toBe(130);
    // Both requests are under way at once, and the shorter one may arrive first.
    const sizes = bodies().map(({ length }) => length);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 30]);
    const keys = emulator.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });

  test("with attachments, which batches drop, each person gets a separate request", async () => {
    const bytes = Buffer.from("x".repeat(200));
    const content = runContent({}, [{ name: "plan.pdf", type: "application/pdf", bytes }]);
    await send(transport, [message(1, { content }), message(2, { content })]);
    expect(emulator.requests.map(({ path }) => path)).toEqual(["/emails", "/emails"]);
    const [{ content: base64, ...named }] = bodies()[0].attachments;
    expect(Buffer.from(base64, "base64")).toEqual(bytes);
    expect(named).toEqual({ filename: "plan.pdf", content_type: "application/pdf" });
  });

  test("each email has its reference for receipts, and its own unsubscribe link", async () => {
    await send(transport, [message(7), message(8, { name: "Lee, Ann" })]);
    const [[first, second]] = bodies();
    expect(first).toMatchObject({
      from: "Maple Harbor <notices@maple.example>",
      to: ["Tenant 7 <tenant7@example.com>"],
      tags: [{ name: "reference", value: "run-1-7" }],
      headers: {
        "List-Unsubscribe": "<https://maple.example/u/T7>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "X-Auto-Response-Suppress": "OOF, AutoReply",
      },
    });
    expect(second.to).toEqual(["tenant8@example.com"]);
  });

  test("after a lost answer, the request is repeated with the same key, and no one gets the email twice", async () => {
    emulator.faults.dropAnswers = true;
    const sending = send(transport, [message(1), message(2)]);
    await expect.poll(() => emulator.requests.length).toBe(1);
    emulator.faults.dropAnswers = false;
    const { outcomes } = await sending;
    expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
    expect(emulator.received).toHaveLength(2);
    const [first, second] = emulator.requests;
    expect(second!.headers["idempotency-key"]).toBe(first!.headers["idempotency-key"]);
    expect(second!.body).toBe(first!.body);
  });

  test("an automatic attempt has the same key, a retry by a person a new one", async () => {
    const expiresAt = new Date("2026-11-25T14:00:00Z");
    await send(transport, [message(1, { expiresAt })]);
    await send(transport, [message(1, { expiresAt, attempt: 2 })]);
    expect(emulator.received).toHaveLength(1);
    await send(transport, [message(1, { expiresAt: new Date("2026-11-26T14:00:00Z") })]);
    expect(emulator.received).toHaveLength(2);
  });

  test.each([
    [403, "validation_error", "The maple.example domain is not verified.", { kind: "misconfigured" }],
    [401, "missing_api_key", "Missing API key.", { kind: "misconfigured" }],
    [422, "invalid_from_address", "Invalid `from` field.", { kind: "misconfigured" }],
    [422, "validation_error", "Invalid `to` field.", { kind: "refused", of: "recipient" }],
    [422, "invalid_attachment", "Attachment must have content.", { kind: "refused", of: "message" }],
    [451, "security_error", "We may have found a security issue.", { kind: "refused", of: "message" }],
    [
      429,
      "daily_quota_exceeded",
      "You have reached your daily quota.",
      { kind: "throttled", retryAfterMs: 3_600_000 },
    ],
    [409, "concurrent_idempotent_requests", "Same key, still in progress.", { kind: "uncertain" }],
    [500, "internal_server_error", "An unexpected error occurred.", { kind: "uncertain" }],
  ])("status %i %s with “%s” is %j", async (status, name, sentence, outcome) => {
    const body = { statusCode: status, name, message: sentence };
    const expected = { ...outcome, code: name, detail: sentence };
    expect(await answered(provider, { status, body }, sendOne)).toMatchObject(expected);
  });

  test("an incomplete answer accepts no one", async () => {
    const { outcomes } = await answered(provider, { status: 200, body: { data: [{ id: "1" }] } }, (opened) =>
      send(opened, [message(1), message(2)]),
    );
    expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(["uncertain", "uncertain"]);
  });

  test("the connection test recognizes a sending-only key and an unverified domain", async () => {
    const restricted = {
      statusCode: 401,
      name: "restricted_api_key",
      message: "This API key is restricted.",
    };
    expect(await answered(provider, { status: 401, body: restricted }, (opened) => opened.check())).toEqual({
      ok: true,
      detail: "The API key works. It may only send mail.",
    });
    const other = open({ fromEmail: "office@harbor.example" });
    expect(await other.check()).toMatchObject({ ok: false, code: "domain_not_verified" });
    await other.close();
  });
});
