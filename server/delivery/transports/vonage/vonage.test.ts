import { describe, expect, test } from "vitest";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { webhookCall, webhookContract } from "../testing/webhook-contract.ts";
import { withEmulator } from "../testing/with-emulator.ts";
import { vonage } from "./adapter.ts";
import {
  EMULATED_NUMBER,
  EMULATED_SECRET,
  incomingText,
  receipt,
  vonageCall,
  vonageEmulator,
} from "#emulators/vonage.ts";

const { settings } = vonageEmulator;

transportContract("Vonage", () =>
  httpPeer({ adapter: vonage, api: vonageEmulator, channel: "sms", settings, secret: EMULATED_SECRET }),
);

describe("Vonage", () => {
  const { sendOne, check, answers, requests } = withEmulator({
    adapter: vonage,
    api: vonageEmulator,
    channel: "sms",
  });

  test("a text is one form without plus signs; a character beyond GSM-7 makes it Unicode", async () => {
    expect(await sendOne()).toEqual({ kind: "accepted", messageId: expect.any(String) });
    expect(await sendOne({ values: { first_name: "Łukasz" } })).toMatchObject({ kind: "accepted" });
    const forms = requests().map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(forms[0]).toMatchObject({
      from: "15551234567",
      to: "14155551001",
      text: "Hello Ann",
      type: "text",
    });
    expect(forms[0]).toMatchObject({ "client-ref": "run-1-1", ttl: expect.stringMatching(/^3[56]\d\d000$/) });
    expect(forms[1]).toMatchObject({ text: "Hello Łukasz", type: "unicode" });
  });

  test.each([
    ["1", { kind: "throttled", code: "1" }],
    ["3", { kind: "refused", of: "recipient", code: "3" }],
    ["4", { kind: "misconfigured", code: "4" }],
    ["5", { kind: "uncertain", code: "5" }],
    ["9", { kind: "misconfigured", code: "9" }],
    ["12", { kind: "refused", of: "message", code: "12" }],
    ["15", { kind: "refused", of: "recipient", code: "15" }],
    ["33", { kind: "refused", of: "recipient", code: "33", suppress: true }],
    ["99", { kind: "refused", of: "message", code: "99" }],
  ])("its 200 with the status %s is no acceptance", async (status, outcome) => {
    await answers({
      status: 200,
      body: { "message-count": "1", messages: [{ status, "error-text": "Words of Vonage's own." }] },
    });
    expect(await sendOne()).toEqual({ ...outcome, detail: "Words of Vonage's own." });
  });

  test("a long text with one part accepted is not resent", async () => {
    const messages = [
      { status: "1", "error-text": "Throttled" },
      { status: "0", "message-id": "B" },
    ];
    await answers({ status: 200, body: { "message-count": "2", messages } });
    expect(await sendOne()).toEqual({ kind: "accepted", messageId: "B" });
  });

  test("an unreadable answer leaves it unconfirmed", async () => {
    await answers({ status: 200, body: "<html>" });
    expect(await sendOne()).toMatchObject({ kind: "uncertain", code: "200" });
  });

  test.each([
    [EMULATED_NUMBER, { ok: true, detail: expect.stringContaining("can send texts") }],
    ["+15559999999", { ok: false, detail: "+15559999999 is not one of this Vonage account's numbers." }],
    ["+15551230000", { ok: false, detail: "+15551230000 can't send text messages." }],
    ["PORCHLIGHT", { ok: true, detail: expect.stringContaining("Send a test") }],
  ])("a test of the connection from %s", async (fromNumber, expected) => {
    expect(await check({ fromNumber })).toMatchObject(expected);
  });
});

const url = "https://maple.example/hooks/7";
const delivered = () => vonageCall(url, { ...receipt, "client-ref": "run-1-7" });
const failed = (code: string) => () => vonageCall(url, { ...receipt, status: "failed", "err-code": code });

webhookContract("Vonage", {
  adapter: vonage,
  settings,
  genuine: delivered,
  forged: () => ({
    "with another secret": vonageCall(url, receipt, { secret: "another" }),
    altered: { ...delivered(), body: delivered().body.replace("delivered", "failed") },
    "not JSON": { ...delivered(), body: "x" },
  }),
  old: () => vonageCall(url, receipt, { at: new Date(Date.now() - 26 * 3_600_000) }),
  tells: {
    "that it arrived": [
      delivered,
      [{ what: "delivered", eventId: `${receipt.messageId}.delivered`, reference: "run-1-7" }],
    ],
    "that the phone is off": [
      failed("2"),
      [
        {
          what: "failed",
          code: "2",
          messageId: receipt.messageId,
          detail: "The phone is off or out of reach.",
        },
      ],
    ],
    "that the number does not exist": [failed("3"), [{ what: "bounced", code: "3", suppress: true }]],
    "that it expired": [
      () => vonageCall(url, { ...receipt, status: "expired", "err-code": "3" }),
      [{ what: "failed", detail: "It could not be delivered in time." }],
    ],
    "nothing of an unknown state": [() => vonageCall(url, { ...receipt, status: "unknown" }), []],
    "a text that came in": [
      () => vonageCall(url, incomingText),
      [{ what: "text", from: "+14155551001", to: EMULATED_NUMBER, text: "Thanks & see you = soon" }],
    ],
  },
});

test("without a signature secret, no call verifies", async () => {
  const without = { ...settings, signatureSecret: "" };
  const call = webhookCall(vonageCall(url, receipt, { secret: "" }));
  expect(await vonage.webhook!.isGenuine(call, without)).toBe(false);
});
