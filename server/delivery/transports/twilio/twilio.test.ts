import { describe, expect, test } from "vitest";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { message, send } from "../testing/sending.ts";
import { withEmulator } from "../testing/with-emulator.ts";
import { twilio } from "./adapter.ts";
import { EMULATED_NUMBER, EMULATED_SERVICE, EMULATED_TOKEN, twilioEmulator } from "#emulators/twilio.ts";

const { settings } = twilioEmulator;

transportContract("Twilio", () =>
  httpPeer({ adapter: twilio, api: twilioEmulator, channel: "sms", settings, secret: EMULATED_TOKEN }),
);

describe("Twilio", () => {
  const { open, sendOne, check, answers, received, requests } = withEmulator({
    adapter: twilio,
    api: twilioEmulator,
    channel: "sms",
  });
  const form = () => Object.fromEntries(new URLSearchParams(requests()[0]!.body));

  test("a text is one form from the number, and returns its SID", async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const messageId = expect.stringMatching(/^SM[0-9a-f]{32}$/);
    expect(await sendOne({ expiresAt })).toEqual({ kind: "accepted", messageId });
    // Twilio's maximum validity period is ten hours.
    const text = { To: "+14155551001", Body: "Hello Ann", ValidityPeriod: "36000" };
    expect(form()).toEqual({ ...text, From: EMULATED_NUMBER });
  });

  test("an emergency's text is not delivered once it is too old", async () => {
    await sendOne({ expiresAt: new Date(Date.now() + 1_800_900) });
    expect(form()).toMatchObject({ ValidityPeriod: "1800" });
  });

  test("a messaging service chooses the number itself", async () => {
    expect(await sendOne({}, open({ fromNumber: EMULATED_SERVICE }))).toMatchObject({ kind: "accepted" });
    expect(form()).toMatchObject({ MessagingServiceSid: EMULATED_SERVICE });
    expect(form()).not.toHaveProperty("From");
  });

  test("a text that exceeds Twilio's limit is refused for that person only", async () => {
    const long = message(1, { values: { first_name: "é".repeat(1600) } }, "sms");
    const { outcomes } = await send(open(), [long, message(2, {}, "sms")]);
    expect(outcomes.get(1)).toMatchObject({ kind: "refused", of: "message", code: "too_big" });
    expect(outcomes.get(2)).toMatchObject({ kind: "accepted" });
    expect(received()).toHaveLength(1);
  });

  test.each([
    [400, 21211, { kind: "refused", of: "recipient", code: "21211", suppress: true }],
    [400, 21614, { kind: "refused", of: "recipient", code: "21614", suppress: true }],
    [400, 21610, { kind: "refused", of: "recipient", code: "unsubscribed", suppress: true }],
    [403, 21408, { kind: "refused", of: "recipient", code: "21408" }],
    [400, 21608, { kind: "refused", of: "recipient", code: "21608" }],
    [400, 21617, { kind: "refused", of: "message", code: "21617" }],
    [400, 99999, { kind: "refused", of: "message", code: "99999" }],
    [400, 21606, { kind: "misconfigured", code: "21606" }],
    [401, 20003, { kind: "misconfigured", code: "20003" }],
    [400, 21611, { kind: "throttled", code: "21611" }],
    [429, 20429, { kind: "throttled", code: "429", retryAfterMs: 3000 }],
    [500, 20500, { kind: "uncertain", code: "500" }],
  ])("status %i with code %i", async (status, code, outcome) => {
    const words = "Words of Twilio's own.";
    await answers({ status, headers: { "retry-after": "3" }, body: { code, message: words, status } });
    expect(await sendOne()).toEqual({ detail: words, ...outcome });
  });

  test("an answer without a message ID leaves it unconfirmed", async () => {
    await answers({ status: 201, body: {} });
    expect(await sendOne()).toMatchObject({ kind: "uncertain", code: "201" });
  });

  describe("the connection test", () => {
    test.each([
      [EMULATED_NUMBER, { ok: true, detail: expect.stringContaining(`${EMULATED_NUMBER} can send texts`) }],
      ["+15559999999", { ok: false, detail: "+15559999999 is not one of this Twilio account's numbers." }],
      ["+15551230000", { ok: false, detail: "+15551230000 can't send text messages." }],
      ["72345", { ok: false, detail: "72345 is not one of this Twilio account's numbers." }],
      [EMULATED_SERVICE, { ok: true, detail: expect.stringContaining("Send a test to try the sender") }],
    ])("from %s", async (fromNumber, expected) => {
      expect(await check({ fromNumber })).toMatchObject(expected);
    });

    test.each([
      [{ status: "suspended" }, { ok: false, detail: "Twilio says that this account is suspended." }],
      [
        { status: "active", type: "Trial", incoming_phone_numbers: [{ capabilities: { sms: true } }] },
        { ok: true, detail: expect.stringContaining("This is a trial account.") },
      ],
      [undefined, { ok: false, of: "misconfigured", detail: "Twilio answered with status 200" }],
    ])("of an account %j", async (body, expected) => {
      await answers({ status: 200, body });
      expect(await check()).toMatchObject(expected);
    });
  });

  test.each([
    ["+1 (415) 555-0100", "+14155550100"],
    ["PORCHLIGHT", "PORCHLIGHT"],
    ["72345", "72345"],
    ["4155550100", null],
    ["Maple & Harbor", null],
  ])("From number %s", (typed, kept) => {
    const { data, error } = twilio.settings.safeParse({ ...settings, fromNumber: typed });
    if (kept === null) expect(error?.issues[0]?.message).toMatch(/^Enter the number with \+/);
    else expect(data).toMatchObject({ fromNumber: kept });
  });
});
