import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { webhookCall, webhookContract } from "../testing/webhook-contract.ts";
import { withEmulator } from "../testing/with-emulator.ts";
import { telnyx } from "./adapter.ts";
import {
  EMULATED_KEY,
  EMULATED_NUMBER,
  inbound,
  outbound,
  telnyxCall,
  telnyxEmulator,
} from "#emulators/telnyx.ts";

const { settings } = telnyxEmulator;
const url = "https://maple.example/hooks/7?reference=run-1-7";

transportContract("Telnyx", () =>
  httpPeer({ adapter: telnyx, api: telnyxEmulator, channel: "sms", settings, secret: EMULATED_KEY }),
);

describe("Telnyx", () => {
  const { open, sendOne, check, answers, requests } = withEmulator({
    adapter: telnyx,
    api: telnyxEmulator,
    channel: "sms",
  });

  test("a text is one request from the number, with the webhook URL for its receipts", async () => {
    expect(await sendOne({}, open({}, "http://127.0.0.1:1/hooks/7"))).toEqual({
      kind: "accepted",
      messageId: expect.any(String),
    });
    expect(JSON.parse(requests()[0]!.body)).toEqual({
      from: EMULATED_NUMBER,
      to: "+14155551001",
      text: "Hello Ann",
      type: "SMS",
      webhook_url: "http://127.0.0.1:1/hooks/7?reference=run-1-1",
    });
  });

  test("a text of more than ten parts is refused for that person only", async () => {
    const long = await sendOne({ values: { first_name: "x".repeat(1530) } });
    expect(long).toMatchObject({ kind: "refused", of: "message", code: "too_big" });
    expect(requests()).toEqual([]);
  });

  test.each([
    [400, "40300", { kind: "refused", of: "recipient", code: "unsubscribed", suppress: true }],
    [400, "40310", { kind: "refused", of: "recipient", code: "40310", suppress: true }],
    [400, "40309", { kind: "refused", of: "recipient", code: "40309" }],
    [422, "40316", { kind: "refused", of: "message", code: "40316" }],
    [400, "40305", { kind: "misconfigured", code: "40305" }],
    [403, "20100", { kind: "misconfigured", code: "20100" }],
    [400, "40318", { kind: "throttled", code: "40318" }],
    [500, "10007", { kind: "uncertain", code: "500" }],
  ])("status %i with code %s", async (status, code, outcome) => {
    const body = { errors: [{ code, title: "Title", detail: "Words of Telnyx’ own." }] };
    await answers({ status, body });
    expect(await sendOne()).toEqual({ ...outcome, detail: "Words of Telnyx’ own." });
  });

  test("an answer without a message ID leaves it unconfirmed", async () => {
    await answers({ status: 200, body: {} });
    expect(await sendOne()).toMatchObject({ kind: "uncertain", code: "200" });
  });

  test.each([
    [EMULATED_NUMBER, { ok: true, detail: expect.stringContaining("can send texts") }],
    ["+15559999999", { ok: false, detail: "+15559999999 is not one of this Telnyx account's numbers." }],
    ["+15551230000", { ok: false, detail: expect.stringContaining("has no messaging profile") }],
    ["PORCHLIGHT", { ok: true, detail: expect.stringContaining("Send a test") }],
  ])("a test of the connection from %s", async (fromNumber, expected) => {
    expect(await check({ fromNumber })).toMatchObject(expected);
  });
});

const finalized = (status: string, errors: object[] = []) =>
  telnyxCall(url, "message.finalized", { ...outbound, errors, to: [{ ...outbound.to[0], status }] });
const told = { messageId: outbound.id, reference: "run-1-7" };

webhookContract("Telnyx", {
  adapter: telnyx,
  settings,
  genuine: () => finalized("delivered"),
  forged: () => ({
    "with another key": telnyxCall(url, "message.finalized", outbound, {
      key: generateKeyPairSync("ed25519").privateKey,
    }),
    altered: { ...finalized("delivered"), body: finalized("delivery_failed").body },
    "at another time": {
      ...finalized("delivered"),
      headers: { ...finalized("delivered").headers, "telnyx-timestamp": "1" },
    },
  }),
  old: () => telnyxCall(url, "message.finalized", outbound, { at: new Date(Date.now() - 600_000) }),
  tells: {
    "that it is in transit": [
      () => telnyxCall(url, "message.sent", outbound),
      [{ what: "accepted", eventId: "4ee8c3a6-4995-4309-a3c6-38e3db9ea4be", ...told }],
    ],
    "that it arrived": [() => finalized("delivered"), [{ what: "delivered", ...told }]],
    "that the number is a landline": [
      () => finalized("delivery_failed", [{ code: "40001", title: "Not routable", detail: "A landline." }]),
      [{ what: "bounced", code: "40001", detail: "A landline.", suppress: true, ...told }],
    ],
    "that they replied STOP before": [
      () => finalized("sending_failed", [{ code: 40300, title: "Blocked due to STOP message" }]),
      [{ what: "failed", code: "unsubscribed", detail: "Blocked due to STOP message", suppress: true }],
    ],
    "a failure without a reason": [
      () => finalized("delivery_failed"),
      [{ what: "failed", code: "delivery_failed", detail: "Telnyx reports it as delivery failed." }],
    ],
    "that the carrier sent no receipt": [() => finalized("delivery_unconfirmed"), [{ what: "accepted" }]],
    "nothing of other events": [() => telnyxCall(url, "10dlc.brand.update", outbound), []],
    "a text that came in": [
      () => telnyxCall(url, "message.received", inbound),
      [{ what: "text", from: "+14155551001", to: EMULATED_NUMBER, text: "Stop" }],
    ],
  },
});

test("without a public key, no call verifies", async () => {
  const without = { ...settings, publicKey: "" };
  expect(await telnyx.webhook!.isGenuine(webhookCall(finalized("delivered")), without)).toBe(false);
});
