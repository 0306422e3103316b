import { describe, expect, test } from "vitest";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { webhookCall, webhookContract } from "../testing/webhook-contract.ts";
import { withEmulator } from "../testing/with-emulator.ts";
import { plivo } from "./adapter.ts";
import {
  EMULATED_NUMBER,
  EMULATED_POWERPACK,
  EMULATED_TOKEN,
  incomingText,
  plivoCall,
  plivoEmulator,
  receipt,
} from "#emulators/plivo.ts";

const { settings } = plivoEmulator;
const url = "https://maple.example/hooks/7?reference=run-1-7";

transportContract("Plivo", () =>
  httpPeer({ adapter: plivo, api: plivoEmulator, channel: "sms", settings, secret: EMULATED_TOKEN }),
);

describe("Plivo", () => {
  const { open, sendOne, check, answers, received, requests } = withEmulator({
    adapter: plivo,
    api: plivoEmulator,
    channel: "sms",
  });

  test("a text is one request from the number, with the webhook URL for its receipts", async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    expect(await sendOne({ expiresAt }, open({}, "http://127.0.0.1:1/hooks/7"))).toEqual({
      kind: "accepted",
      messageId: expect.any(String),
    });
    expect(JSON.parse(requests()[0]!.body)).toEqual({
      src: "15551234567",
      dst: "14155551001",
      text: "Hello Ann",
      type: "sms",
      message_expiry: 10_799,
      url: "http://127.0.0.1:1/hooks/7?reference=run-1-1",
      method: "POST",
    });
  });

  test("without a webhook URL, texts are still sent", async () => {
    const transport = open({}, "http://127.0.0.1:1/hooks/7");
    for (let count = 0; count < 5; count += 1) {
      expect(await sendOne({}, transport)).toMatchObject({ kind: "accepted" });
    }
  });

  test("a Powerpack chooses the number itself", async () => {
    expect(await sendOne({}, open({ fromNumber: EMULATED_POWERPACK }))).toMatchObject({ kind: "accepted" });
    expect(JSON.parse(requests()[0]!.body)).toMatchObject({ powerpack_uuid: EMULATED_POWERPACK });
  });

  test("a text that is too long for its encoding is refused for that person only", async () => {
    expect(await sendOne({ values: { first_name: "x".repeat(900) } })).toMatchObject({ kind: "accepted" });
    const long = await sendOne({ values: { first_name: "Ł".repeat(900) } });
    expect(long).toMatchObject({
      kind: "refused",
      code: "too_big",
      detail: expect.stringContaining("737 characters"),
    });
    expect(received()).toHaveLength(1);
  });

  test.each([
    [400, { error: "dst parameter is not valid" }, { kind: "refused", of: "recipient" }],
    [400, { error: { error: "src parameter is not valid" } }, { kind: "refused", of: "recipient" }],
    [400, { error: "powerpack not found" }, { kind: "misconfigured" }],
    [400, { error: "insufficient credit" }, { kind: "misconfigured" }],
    [400, { error: "text parameter not present" }, { kind: "refused", of: "message" }],
    [404, { error: "not found" }, { kind: "misconfigured" }],
    [500, { error: "server error" }, { kind: "uncertain" }],
    [202, { message: "queued" }, { kind: "uncertain", code: "202" }],
    [202, { message_uuid: [], invalid_number: ["1"] }, { kind: "refused", of: "recipient", suppress: true }],
  ])("status %i with %j", async (status, body, outcome) => {
    await answers({ status, body });
    expect(await sendOne()).toMatchObject(outcome);
  });

  test.each([
    [EMULATED_NUMBER, { ok: true, detail: expect.stringContaining("can send texts") }],
    ["+15559999999", { ok: false, detail: "+15559999999 is not one of this Plivo account's numbers." }],
    ["+15551230000", { ok: false, detail: "+15551230000 can't send text messages." }],
    [EMULATED_POWERPACK, { ok: true, detail: expect.stringContaining("Send a test") }],
  ])("a test of the connection from %s", async (fromNumber, expected) => {
    expect(await check({ fromNumber })).toMatchObject(expected);
  });
});

const said = (fields: object) => plivoCall(url, { ...receipt, ...fields });
const told = { messageId: receipt.MessageUUID, reference: "run-1-7" };

webhookContract("Plivo", {
  adapter: plivo,
  settings,
  genuine: () => said({}),
  forged: () => ({
    "with another token": plivoCall(url, receipt, { token: "another" }),
    "for another message": { ...said({}), url: `${url}1` },
    "at another address": { ...said({}), url: "https://maple.example/hooks/8?reference=run-1-7" },
    altered: { ...said({}), body: said({ Status: "failed" }).body },
  }),
  tells: {
    "that it is in transit": [() => said({ Status: "sent" }), [{ what: "accepted", ...told }]],
    "that it arrived": [
      () => said({}),
      [{ what: "delivered", eventId: `${told.messageId}.delivered`, ...told }],
    ],
    "that a later part of it arrived": [
      () => said({ MessageUUID: "0a1b2c3d-0000-1111-2222-333344445555", PartInfo: "2 of 2" }),
      [{ what: "delivered", eventId: `${told.messageId}.delivered`, ...told }],
    ],
    "a call that only has the older signature": [
      () => plivoCall(url, receipt, { versions: ["v2"] }),
      [{ what: "delivered", ...told }],
    ],
    "that the number is not valid": [
      () => said({ Status: "undelivered", ErrorCode: "50" }),
      [{ what: "bounced", code: "50", detail: "The number is not valid.", suppress: true, ...told }],
    ],
    "that they replied STOP before": [
      () => said({ Status: "failed", ErrorCode: "200" }),
      [{ what: "failed", code: "unsubscribed", suppress: true, ...told }],
    ],
    "an unknown code": [
      () => said({ Status: "failed", ErrorCode: "777" }),
      [{ what: "failed", code: "777", detail: "Plivo gave the code 777." }],
    ],
    "nothing of other states": [() => said({ Status: "read" }), []],
    "a text that came in": [
      () => plivoCall("https://maple.example/hooks/7", incomingText),
      [{ what: "text", from: "+14155551001", to: EMULATED_NUMBER, text: "Stop" }],
    ],
  },
});

test("a valid v2 signature is not accepted next to an invalid v3 one", async () => {
  const call = said({});
  const headers = { ...call.headers, "x-plivo-signature-v3": "wrong" };
  expect(await plivo.webhook!.isGenuine(webhookCall({ ...call, headers }), settings)).toBe(false);
});
