import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EMULATED_IDENTITY } from "#emulators/aws-signature.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { answered } from "../testing/answered.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import type { Transport } from "../transport.ts";
import { ses } from "./adapter.ts";
import { sesEmulator } from "#emulators/ses.ts";

const settings = { ...EMULATED_IDENTITY, fromEmail: "notices@maple.example", fromName: "Maple & Harbor" };
const provider = {
  adapter: ses,
  api: sesEmulator,
  channel: "email",
  settings,
  secret: EMULATED_IDENTITY.secretAccessKey,
} as const;

const UNVERIFIED =
  "Email address is not verified. The following identities failed the check in region US-EAST-1:";

transportContract("Amazon SES", () => httpPeer(provider));

describe("Amazon SES", () => {
  let emulator: Emulator;
  let transport: Transport;
  const open = (changes: object) =>
    ses.open({ ...settings, ...changes }, { channel: "email", apiUrl: emulator.url, guard: null });
  const sent = () => JSON.parse(emulator.requests[0]!.body);

  beforeEach(async () => {
    emulator = await startEmulator(sesEmulator);
    transport = open({});
  });
  afterEach(async () => {
    await transport.close();
    await emulator.close();
  });

  test("each email is complete, with its own unsubscribe link and a tag for receipts", async () => {
    await send(transport, [message(7, { name: "Łukasz, Jr." })]);
    const { Content, ...envelope } = sent();
    expect(envelope).toEqual({
      FromEmailAddress: "notices@maple.example",
      Destination: { ToAddresses: ["tenant7@example.com"] },
      EmailTags: [{ Name: "reference", Value: "run-1-7" }],
    });
    const mail = await PostalMime.parse(Buffer.from(Content.Raw.Data, "base64"));
    expect(mail.to).toEqual([{ name: "Łukasz, Jr.", address: "tenant7@example.com" }]);
    const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
    expect(header("list-unsubscribe")).toBe("<https://maple.example/u/T7>");
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  });

  test("attachments are included", async () => {
    const bytes = Buffer.from("x".repeat(200));
    const content = runContent({}, [{ name: "plan.pdf", type: "application/pdf", bytes }]);
    expect(await sendOne(transport, { content })).toMatchObject({ kind: "accepted" });
    const [attachment] = (await PostalMime.parse(Buffer.from(sent().Content.Raw.Data, "base64"))).attachments;
    expect(attachment).toMatchObject({ filename: "plan.pdf", mimeType: "application/pdf" });
    expect(Buffer.from(attachment!.content as ArrayBuffer)).toEqual(bytes);
  });

  test("an address that SES doesn't support is refused without a request", async () => {
    expect(await sendOne(transport, { address: "łukasz@example.com" })).toMatchObject({
      kind: "refused",
      of: "recipient",
    });
    expect(emulator.requests).toEqual([]);
  });

  test("a request goes to the region's host, and no region can be another host", () => {
    expect(ses.api?.url).toContain("{region}");
    for (const region of ["evil.example/", "us-east-1.evil.example", "us-east-1@evil", ""]) {
      expect(ses.settings.safeParse({ ...settings, region }).success).toBe(false);
    }
    for (const region of ["us-gov-west-1", "ap-southeast-2", "eu-central-1"]) {
      expect(ses.settings.safeParse({ ...settings, region }).success).toBe(true);
    }
  });

  test("a configuration set that doesn't exist is the account's fault", async () => {
    const other = open({ configurationSet: "missing" });
    expect(await sendOne(other)).toMatchObject({ kind: "misconfigured", code: "NotFoundException" });
    await other.close();
  });

  test("a wrong secret is refused", async () => {
    const other = open({ secretAccessKey: "another" });
    const failed = { ok: false, of: "misconfigured", code: "SignatureDoesNotMatch" };
    expect(await other.check()).toMatchObject(failed);
    await other.close();
  });

  test.each([
    [400, "MessageRejected", "Email address is not verified.", { kind: "misconfigured" }],
    [400, "MessageRejected", `${UNVERIFIED} notices@maple.example`, { kind: "misconfigured" }],
    [400, "MessageRejected", `${UNVERIFIED} tenant1@example.com`, { kind: "refused", of: "recipient" }],
    [400, "MessageRejected", "The message contains a virus.", { kind: "refused", of: "message" }],
    [400, "BadRequestException", "Illegal address: x", { kind: "refused", of: "recipient" }],
    [
      400,
      "BadRequestException",
      "Local address contains control or whitespace",
      { kind: "refused", of: "recipient" },
    ],
    [400, "SendingPausedException", "Email sending is disabled.", { kind: "misconfigured" }],
    [
      400,
      "MailFromDomainNotVerifiedException",
      "The MAIL FROM domain isn't set up.",
      { kind: "misconfigured" },
    ],
    [400, "ThrottlingException", "Maximum sending rate exceeded.", { kind: "throttled" }],
    [
      429,
      "TooManyRequestsException",
      "Daily message quota exceeded.",
      { kind: "throttled", retryAfterMs: 3_600_000 },
    ],
    [403, "AccessDeniedException", "Not authorized to perform ses:SendEmail.", { kind: "misconfigured" }],
    [503, "ServiceUnavailable", "Please try again.", { kind: "uncertain" }],
  ])("status %i %s with “%s” is %j", async (status, type, sentence, outcome) => {
    const answer = {
      status,
      body: { message: sentence },
      headers: { "x-amzn-errortype": `${type}:http://x/` },
    };
    const expected = { ...outcome, code: type, detail: sentence };
    expect(await answered(provider, answer, sendOne)).toMatchObject(expected);
  });

  test("an answer without a message ID leaves it unconfirmed", async () => {
    const answer = { status: 200, body: {} };
    expect(await answered(provider, answer, sendOne)).toMatchObject({ kind: "uncertain", code: "200" });
  });

  test.each([
    [{}, { ok: true, detail: "The key works in us-east-1. It may send 14 a second and 50,000 a day." }],
    [
      { ProductionAccessEnabled: false, SendQuota: { Max24HourSend: 200, MaxSendRate: 1 } },
      {
        ok: true,
        detail:
          "The key works in us-east-1. It may send 1 a second and 200 a day. " +
          "It's in the SES sandbox, so mail only reaches verified addresses.",
      },
    ],
    [{ SendingEnabled: false }, { ok: false, of: "misconfigured", code: "sending_paused" }],
  ])("a test of the connection says of an account with %j: %j", async (changes, check) => {
    const usual = {
      SendingEnabled: true,
      ProductionAccessEnabled: true,
      SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14 },
    };
    const answer = { status: 200, body: { ...usual, ...changes } };
    expect(await answered(provider, answer, (opened) => opened.check())).toMatchObject(check);
  });
});
