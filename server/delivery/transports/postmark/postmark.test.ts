import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { answered } from "../testing/answered.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import type { Transport } from "../transport.ts";
import { postmark } from "./adapter.ts";
import { EMULATED_TOKEN, postmarkEmulator } from "#emulators/postmark.ts";

const settings = { apiKey: EMULATED_TOKEN, fromEmail: "notices@maple.example", fromName: "Maple & Harbor" };
const provider = {
  adapter: postmark,
  api: postmarkEmulator,
  channel: "email",
  settings,
  secret: EMULATED_TOKEN,
} as const;

transportContract("Postmark", () => httpPeer(provider));

describe("Postmark", () => {
  let emulator: Emulator;
  let transport: Transport;
  const bodies = () => emulator.requests.map(({ body }) => JSON.parse(body));

  beforeEach(async () => {
    emulator = await startEmulator(postmarkEmulator);
    transport = postmark.open(settings, { channel: "email", apiUrl: emulator.url, guard: null });
  });
  afterEach(async () => {
    await transport.close();
    await emulator.close();
  });

  test("a run goes out five hundred people at a time", async () => {
    // A request of whole letters would reach its limit in bytes first.
    const content = runContent({});
    const email = content.compiled.email && { ...content.compiled.email, html: ["Hello."] };
    const short = { ...content, compiled: { ...content.compiled, email } };
    const messages = Array.from({ length: 620 }, (_, index) => message(index + 1, { content: short }));
    const { outcomes } = await send(transport, messages);
    expect(outcomes.size).toBe(620);
    // Both requests are under way at once, and the shorter one may arrive first.
    const sizes = bodies().map(({ length }) => length);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([500, 120]);
  });

  test("large attachments go to a few people per request, which limits its size", async () => {
    const bytes = Buffer.alloc(1_400_000, 7);
    const content = runContent({}, [{ name: "plan.pdf", type: "application/pdf", bytes }]);
    await send(
      transport,
      [1, 2, 3, 4].map((id) => message(id, { content })),
    );
    const [first] = bodies();
    expect(bodies().map(({ length }) => length)).toEqual([2, 2]);
    const [{ Content, ...named }] = first[0].Attachments;
    expect(Buffer.from(Content, "base64")).toEqual(bytes);
    expect(named).toEqual({ Name: "plan.pdf", ContentType: "application/pdf" });
  });

  test("each email has our Message-ID, its own unsubscribe link and no tracking", async () => {
    await send(transport, [message(7, { name: "Łukasz, Jr." })]);
    const [[mail]] = bodies();
    expect(mail).toMatchObject({
      From: '"Maple & Harbor" <notices@maple.example>',
      To: "=?utf-8?B?xYF1a2FzeiwgSnIu?= <tenant7@example.com>",
      MessageStream: "outbound",
      TrackOpens: false,
      TrackLinks: "None",
      Metadata: { reference: "run-1-7" },
    });
    const headers = Object.fromEntries(
      mail.Headers.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]),
    );
    expect(headers).toEqual({
      "Message-ID": expect.stringMatching(/^<d7\.[0-9a-f]{32}@maple\.example>$/),
      "X-PM-KeepID": "true",
      "X-Auto-Response-Suppress": "OOF, AutoReply",
      "List-Unsubscribe": "<https://maple.example/u/T7>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  test("an inactive address is suppressed, and Postmark doesn't say why", async () => {
    emulator.faults.refused.add("tenant1@example.com");
    expect(await sendOne(transport)).toMatchObject({ kind: "refused", code: "suppressed", suppress: true });
  });

  test.each([
    [300, "Invalid 'To' address: 'x'.", { kind: "refused", of: "recipient" }],
    [300, "Invalid 'From' address: 'x'.", { kind: "misconfigured" }],
    [300, "Invalid metadata content.", { kind: "refused", of: "message" }],
    [411, "Forbidden attachment type.", { kind: "refused", of: "message" }],
    [400, "The 'From' address is no sender signature.", { kind: "misconfigured" }],
    [405, "You are out of credits.", { kind: "misconfigured" }],
    [412, "Your account is pending approval.", { kind: "misconfigured" }],
    [1235, "The message stream does not exist.", { kind: "misconfigured" }],
    [429, "Rate limit exceeded.", { kind: "throttled" }],
    [100, "Maintenance.", { kind: "unavailable", account: true }],
  ])("of a message, code %i with “%s” is %j", async (ErrorCode, Message, outcome) => {
    const expected = { ...outcome, code: String(ErrorCode), detail: Message };
    expect(await answered(provider, { status: 200, body: [{ ErrorCode, Message }] }, sendOne)).toMatchObject(
      expected,
    );
  });

  test.each([
    [422, { ErrorCode: 405, Message: "Not allowed." }, { kind: "misconfigured", code: "405" }],
    [503, { ErrorCode: 100, Message: "Maintenance." }, { kind: "unavailable", account: true }],
    [500, { ErrorCode: 0, Message: "Something broke." }, { kind: "uncertain", code: "500" }],
    [413, undefined, { kind: "unavailable", code: "413" }],
    [200, [], { kind: "uncertain" }],
  ])("of a request, status %i with %j is %j", async (status, body, outcome) => {
    expect(await answered(provider, { status, body }, sendOne)).toMatchObject(outcome);
  });

  test("a sandbox server's token works, and the test says that nothing is delivered", async () => {
    const body = { Name: "Trial", DeliveryType: "Sandbox" };
    const check = await answered(provider, { status: 200, body }, (opened) => opened.check());
    expect(check).toEqual({
      ok: true,
      detail:
        "The token works for the server “Trial”. It's a sandbox server: Postmark accepts messages but delivers none.",
    });
  });
});
