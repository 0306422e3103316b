import { describe, expect, test } from "vitest";
import { EMULATED_IDENTITY } from "#emulators/aws-signature.ts";
import { fetchEmulated, snsCall } from "#emulators/aws-sns.ts";
import { SnsVerifier } from "../aws/sns.ts";
import { transportContract } from "../testing/contract.ts";
import { httpPeer } from "../testing/http-peer.ts";
import { webhookCall, webhookContract } from "../testing/webhook-contract.ts";
import { withEmulator } from "../testing/with-emulator.ts";
import { amazonSms, amazonSmsSettings } from "./adapter.ts";
import { amazonSmsEmulator, EMULATED_NUMBER, incomingText, receipt } from "#emulators/amazon-sms.ts";
import { amazonSmsWebhook } from "./webhook.ts";

const { settings } = amazonSmsEmulator;

transportContract("Amazon SMS", () =>
  httpPeer({
    adapter: amazonSms,
    api: amazonSmsEmulator,
    channel: "sms",
    settings,
    secret: EMULATED_IDENTITY.secretAccessKey,
  }),
);

describe("Amazon SMS", () => {
  const { open, sendOne, check, answers, requests } = withEmulator({
    adapter: amazonSms,
    api: amazonSmsEmulator,
    channel: "sms",
  });

  test("a text is one signed request, and carries our reference", async () => {
    const expiresAt = new Date(Date.now() + 7 * 86_400_000);
    expect(await sendOne({ expiresAt }, open({ configurationSet: "porchlight" }))).toEqual({
      kind: "accepted",
      messageId: expect.any(String),
    });
    expect(JSON.parse(requests()[0]!.body)).toEqual({
      DestinationPhoneNumber: "+14155551001",
      OriginationIdentity: EMULATED_NUMBER,
      MessageBody: "Hello Ann",
      MessageType: "TRANSACTIONAL",
      TimeToLive: 259_200,
      Context: { reference: "run-1-1" },
      ConfigurationSetName: "porchlight",
    });
  });

  test("a wrong secret gives a wrong signature, and is about the account", async () => {
    expect(await sendOne({}, open({ secretAccessKey: "another" }))).toMatchObject({
      kind: "misconfigured",
      code: "SignatureDoesNotMatch",
    });
  });

  test("the region is in the host's name and in the signature", async () => {
    const { url } = amazonSms.api!;
    expect(url).toContain("{region}");
    expect(await sendOne({}, open({ region: "eu-central-1" }))).toMatchObject({ kind: "misconfigured" });
    expect(requests()[0]!.headers.authorization).toContain("/eu-central-1/sms-voice/aws4_request");
  });

  test.each([
    ["ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT", { code: "unsubscribed", suppress: true }],
    ["ConflictException", "DESTINATION_PHONE_NUMBER_NOT_VERIFIED", { kind: "refused", of: "recipient" }],
    ["ConflictException", "NO_ORIGINATION_IDENTITIES_FOUND", { kind: "refused", of: "recipient" }],
    ["ConflictException", "RESOURCE_NOT_ACTIVE", { kind: "misconfigured", code: "ConflictException" }],
    ["AccessDeniedException", undefined, { kind: "misconfigured" }],
    ["ServiceQuotaExceededException", "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT", { kind: "misconfigured" }],
    ["ThrottlingException", undefined, { kind: "throttled" }],
    ["ValidationException", "INVALID_PARAMETER", { kind: "refused", of: "message" }],
    ["SomethingNewException", undefined, { kind: "refused", of: "message", code: "SomethingNewException" }],
  ])("%s %s", async (type, reason, outcome) => {
    const body = { __type: `com.amazonaws.pinpointsmsvoicev2#${type}`, Message: "Words.", Reason: reason };
    await answers({ status: 400, body: body });
    expect(await sendOne()).toMatchObject({ ...outcome, detail: "Words." });
  });

  test("a sender that can't reach this number is about this number", async () => {
    const Fields = [{ Name: "OriginationIdentity", Message: "It can't send there." }];
    await answers({ status: 400, body: { __type: "ValidationException", Message: "Words.", Fields } });
    expect(await sendOne()).toMatchObject({ kind: "refused", of: "recipient", code: "OriginationIdentity" });
  });

  test("an answer without a message ID leaves it unconfirmed", async () => {
    await answers({ status: 200, body: {} });
    expect(await sendOne()).toMatchObject({ kind: "uncertain", code: "200" });
  });

  test("an error at Amazon may have come after it accepted the text", async () => {
    await answers({ status: 500, body: { __type: "InternalServerException", Message: "Words." } });
    expect(await sendOne()).toMatchObject({ kind: "uncertain", detail: "Words." });
  });

  test("a test of the connection says that the account is in the sandbox", async () => {
    await answers({ status: 200, body: { AccountAttributes: [{ Name: "ACCOUNT_TIER", Value: "SANDBOX" }] } });
    expect(await check()).toEqual({ ok: true, detail: expect.stringContaining("SMS sandbox") });
  });

  test.each([
    ["us-east-1.evil.example/", "This is not a region like eu-central-1"],
    ["", "Region is required"],
  ])("the region %j", (region, sentence) => {
    const { error } = amazonSms.settings.safeParse({ ...settings, region });
    expect(error?.issues[0]?.message).toBe(sentence);
  });
});

const url = "https://maple.example/webhooks/7";
const webhook = amazonSmsWebhook(new SnsVerifier(fetchEmulated));
const said = (message: object) => snsCall(url, { Message: JSON.stringify(message) });
const told = { messageId: receipt.messageId, reference: "run-1-7" };

webhookContract("Amazon SMS", {
  adapter: { ...amazonSms, webhook },
  settings,
  genuine: () => said(receipt),
  forged: () => ({
    unsigned: { ...said(receipt), body: said(receipt).body.replace("Signature", "NoSignature") },
    altered: { ...said(receipt), body: said(receipt).body.replace("TEXT_DELIVERED", "TEXT_INVALID") },
    "of another topic": snsCall(url, { TopicArn: "arn:aws:sns:us-east-1:123456789012:another" }),
  }),
  old: () => snsCall(url, { Timestamp: "2026-01-01T00:00:00.000Z" }),
  tells: {
    "that it arrived": [
      () => said(receipt),
      [
        {
          what: "delivered",
          eventId: `${receipt.messageId}.TEXT_DELIVERED`,
          at: new Date(receipt.eventTimestamp),
          ...told,
        },
      ],
    ],
    "that the carrier has it": [
      () => said({ ...receipt, eventType: "TEXT_SUCCESSFUL" }),
      [{ what: "accepted", ...told }],
    ],
    "that the number is not valid": [
      () => said({ ...receipt, eventType: "TEXT_INVALID", messageStatusDescription: "Not a number" }),
      [{ what: "bounced", code: "TEXT_INVALID", detail: "Not a number", suppress: true, ...told }],
    ],
    "that the phone is off": [
      () => said({ ...receipt, eventType: "TEXT_UNREACHABLE" }),
      [{ what: "failed", code: "TEXT_UNREACHABLE", ...told }],
    ],
    "nothing of an unknown status": [() => said({ ...receipt, eventType: "TEXT_UNKNOWN" }), []],
    "nothing of a subscription": [() => snsCall(url, { Type: "SubscriptionConfirmation", Token: "1" }), []],
    "a text that came in": [
      () => said(incomingText),
      [
        {
          what: "text",
          eventId: incomingText.inboundMessageId,
          from: "+14155551001",
          to: EMULATED_NUMBER,
          text: "Stop",
        },
      ],
    ],
  },
});

test("without a topic, no call verifies", async () => {
  expect(
    await webhook.isGenuine(
      webhookCall(said(receipt)),
      amazonSmsSettings.parse({ ...settings, topicArn: "" }),
    ),
  ).toBe(false);
});
