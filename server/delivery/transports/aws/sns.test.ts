import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { startEmulator, type EmulatedCall } from "#emulators/emulator.ts";
import { sesEmulator } from "#emulators/ses.ts";
import { webhookCall } from "../testing/webhook-contract.ts";
import { EMULATED_CERTIFICATE, EMULATED_TOPIC, fetchEmulated, snsCall } from "#emulators/aws-sns.ts";
import { SnsVerifier } from "./sns.ts";

const url = "https://maple.example/webhooks/7";
const host = "https://sns.us-east-1.amazonaws.com";
const opened: string[] = [];
const calls = new SnsVerifier((address) => {
  opened.push(address);
  return address.includes("ConfirmSubscription") ? Promise.resolve("") : fetchEmulated(address);
});
const AMAZON = "https://email.{region}.amazonaws.com";
const isGenuine = (call: EmulatedCall, topic = EMULATED_TOPIC) =>
  calls.isGenuine(webhookCall(call), topic, AMAZON);
const subscription = {
  Type: "SubscriptionConfirmation",
  Token: "2336412f37",
  SubscribeURL: "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37",
} as const;

test.each([
  ["a notification", {}],
  ["one with a subject", { Subject: "Hello" }],
  ["one with the older signature", { SignatureVersion: "1" as const }],
  ["the confirmation of a subscription", subscription],
])("%s is genuine", async (_, changes) => {
  expect(await isGenuine(snsCall(url, changes))).toBe(true);
});

test("the certificate is fetched once", async () => {
  await isGenuine(snsCall(url));
  await isGenuine(snsCall(url));
  expect(opened).toHaveLength(1);
});

test.each<[string, EmulatedCall]>([
  ["altered", { ...snsCall(url), body: snsCall(url).body.replace("Hello", "Hullo") }],
  ["of another topic", snsCall(url, { TopicArn: `${EMULATED_TOPIC}2` })],
  ["too old", snsCall(url, { Timestamp: new Date(Date.now() - 3 * 3_600_000).toISOString() })],
  ["from the future", snsCall(url, { Timestamp: new Date(Date.now() + 3_600_000).toISOString() })],
  ["signed by someone else", snsCall(url, { SigningCertURL: "https://sns.evil.example/a.pem" })],
  [
    "from a lookalike host",
    snsCall(url, { SigningCertURL: "https://sns.us-east-1.amazonaws.com.evil.example/a.pem" }),
  ],
  [
    "signed in another region",
    snsCall(url, { SigningCertURL: EMULATED_CERTIFICATE.replace("us-east-1", "eu-west-1") }),
  ],
  // That action returns what its caller sent, which may be a key of their own.
  ["signed with what a request to SNS returns", snsCall(url, { SigningCertURL: `${host}/?Action=Publish` })],
  ["signed with another file", snsCall(url, { SigningCertURL: `${host}/a.pem` })],
  ["signed with a certificate and a query", snsCall(url, { SigningCertURL: `${EMULATED_CERTIFICATE}?a` })],
  [
    "signed at another port",
    snsCall(url, { SigningCertURL: EMULATED_CERTIFICATE.replace(".com", ".com:8443") }),
  ],
  [
    "signed at a URL with a user",
    snsCall(url, { SigningCertURL: EMULATED_CERTIFICATE.replace("sns", "me@sns") }),
  ],
  ["not an SNS message", { ...snsCall(url), body: "{}" }],
])("one that is %s is not", async (_, call) => {
  expect(await isGenuine(call)).toBe(false);
});

test("without a topic, no call verifies", async () => {
  expect(await isGenuine(snsCall(url), "")).toBe(false);
});

test("an emulator's certificate is only trusted if Amazon's API URL is a loopback address", async () => {
  const emulator = await startEmulator(sesEmulator);
  const call = webhookCall(sesEmulator.report!({ to: "ann@example.com", text: "" }, "delivered", url));
  const network = new SnsVerifier();
  expect(await network.isGenuine(call, EMULATED_TOPIC, emulator.url)).toBe(true);
  const altered = { ...call, body: Buffer.from(call.body.toString().replace("Delivery", "Bounce")) };
  expect(await network.isGenuine(altered, EMULATED_TOPIC, emulator.url)).toBe(false);
  opened.length = 0;
  for (const apiUrl of [AMAZON, "https://vpce-1.email.us-east-1.vpce.amazonaws.com", ""]) {
    await new SnsVerifier((address) => {
      opened.push(address);
      return fetchEmulated(address);
    }).isGenuine(call, EMULATED_TOPIC, apiUrl);
  }
  expect(new Set(opened)).toEqual(new Set([EMULATED_CERTIFICATE]));
  await emulator.close();
});

test("if the certificate can't be fetched, Amazon has to retry", async () => {
  const call = snsCall(url, { SigningCertURL: EMULATED_CERTIFICATE.replace("-0", "-a") });
  await expect(isGenuine(call)).rejects.toMatchObject({
    code: "unavailable",
    cause: expect.objectContaining({ message: expect.stringContaining("There is nothing at") }),
  });
});

test("if a subscription can't be confirmed, Amazon has to retry", async () => {
  const unreachable = new SnsVerifier(() => Promise.reject(new Error("fetch failed")));
  const confirming = unreachable.confirm(webhookCall(snsCall(url, subscription)));
  await expect(confirming).rejects.toMatchObject({ code: "unavailable" });
});

test("a bare key without a certificate is not trusted", async () => {
  const { publicKey } = new X509Certificate(await fetchEmulated(EMULATED_CERTIFICATE));
  const key = publicKey.export({ format: "pem", type: "spki" });
  const other = new SnsVerifier(() => Promise.resolve(key));
  await expect(other.isGenuine(webhookCall(snsCall(url)), EMULATED_TOPIC)).rejects.toMatchObject({
    code: "unavailable",
  });
});

test("a subscription is only confirmed at Amazon", async () => {
  opened.length = 0;
  await calls.confirm(webhookCall(snsCall(url, subscription)));
  await calls.confirm(webhookCall(snsCall(url, { ...subscription, SubscribeURL: "https://evil.example/" })));
  for (const query of ["", "?Action=Unsubscribe", "a?Action=ConfirmSubscription"]) {
    await calls.confirm(webhookCall(snsCall(url, { ...subscription, SubscribeURL: `${host}/${query}` })));
  }
  await calls.confirm(webhookCall(snsCall(url)));
  expect(opened).toEqual([subscription.SubscribeURL]);
});
