import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startEmulator } from "#emulators/emulator.ts";
import { message, send } from "../testing/sending.ts";
import { webhookCall, webhookContract } from "../testing/webhook-contract.ts";
import { twilio } from "./adapter.ts";
import {
  EMULATED_NUMBER,
  incomingText,
  statusCallback,
  twilioCall,
  twilioEmulator,
} from "#emulators/twilio.ts";
import { twilioSignature } from "./webhook.ts";

const { settings } = twilioEmulator;
const sid = "SM0123456789abcdef0123456789abcdef";
const url = "https://maple.example/hooks/7?reference=run-1-7";
const receipt = (fields: object) =>
  twilioCall(url, { ...statusCallback, MessageSid: sid, SmsSid: sid, ...fields });
const delivered = () => receipt({ MessageStatus: "delivered", SmsStatus: "delivered" });
const told = { messageId: sid, reference: "run-1-7" };

webhookContract("Twilio", {
  adapter: twilio,
  settings,
  genuine: delivered,
  forged: () => ({
    "with another token": twilioCall(url, { MessageSid: sid, MessageStatus: "delivered" }, "0".repeat(32)),
    "for another message": { ...delivered(), url: `${url}1` },
    altered: { ...delivered(), body: delivered().body.replaceAll("delivered", "failed") },
  }),
  tells: {
    "that it is in transit": [
      () => receipt({ MessageStatus: "sent" }),
      [{ what: "accepted", eventId: `${sid}.sent`, ...told }],
    ],
    "that it arrived": [delivered, [{ what: "delivered", eventId: `${sid}.delivered`, ...told }]],
    "that the phone is off": [
      () => receipt({ MessageStatus: "undelivered", ErrorCode: "30003" }),
      [{ what: "failed", code: "30003", detail: "The phone is off or out of reach.", ...told }],
    ],
    "that the number is a landline": [
      () => receipt({ MessageStatus: "undelivered", ErrorCode: "30006" }),
      [{ what: "bounced", code: "30006", suppress: true, ...told }],
    ],
    "that they replied STOP before": [
      () => receipt({ MessageStatus: "failed", ErrorCode: "21610", ErrorMessage: "Unsubscribed recipient" }),
      [{ what: "failed", code: "unsubscribed", detail: "Unsubscribed recipient", suppress: true, ...told }],
    ],
    "an unknown code": [
      () => receipt({ MessageStatus: "failed", ErrorCode: "39999" }),
      [{ what: "failed", code: "39999", detail: "Twilio gave the code 39999.", ...told }],
    ],
    "nothing of an event we don't use": [() => receipt({ MessageStatus: "sending" }), []],
    "a text that came in": [
      () => twilioCall("https://maple.example/hooks/7", incomingText),
      [
        {
          what: "text",
          eventId: `${incomingText.MessageSid}.received`,
          from: "+14155551001",
          to: EMULATED_NUMBER,
          text: "Stop",
        },
      ],
    ],
  },
});

test("signs as in Twilio's documentation", () => {
  const fields = new URLSearchParams({
    To: "+18005551212",
    From: "+14158675309",
    Digits: "1234",
    Caller: "+14158675309",
    CallSid: "CA1234567890ABCDE",
  });
  const documented = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
  expect(twilioSignature("https://mycompany.com/myapp.php?foo=1&bar=2", fields, "12345")).toBe(documented);
});

test("a signature is valid for the URL with or without its port", async () => {
  for (const address of ["https://maple.example:443/hooks/7", "https://maple.example/hooks/7"]) {
    const call = twilioCall(address, incomingText);
    for (const at of ["https://maple.example:443/hooks/7", "https://maple.example/hooks/7"]) {
      expect(await twilio.webhook!.isGenuine(webhookCall({ ...call, url: at }), settings)).toBe(true);
    }
  }
});

test("receipts go to the webhook URL that the text was sent with", async () => {
  const emulator = await startEmulator(twilioEmulator);
  const bodies: Promise<{ url: string; body: string; signature: unknown }>[] = [];
  const hook = createServer((request, reply) => {
    const signature = request.headers["x-twilio-signature"];
    bodies.push(textOf(request).then((body) => ({ url: request.url!, body, signature })));
    reply.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  const context = {
    channel: "sms",
    apiUrl: emulator.url,
    guard: null,
    webhookUrl: `${address}/hooks/7`,
  } as const;
  const transport = twilio.open(settings, context);
  const { outcomes } = await send(transport, [message(7, {}, "sms")]);
  await expect.poll(() => bodies.length).toBe(2);
  const events = (await Promise.all(bodies)).flatMap(({ url: path, body, signature }) => {
    const call = webhookCall({
      url: address + path,
      headers: { "x-twilio-signature": String(signature) },
      body,
    });
    expect(twilio.webhook!.isGenuine(call, settings)).toBe(true);
    return twilio.webhook!.read(call);
  });
  const { messageId } = outcomes.get(7) as { messageId: string };
  expect(events).toEqual([
    expect.objectContaining({ what: "accepted", messageId, reference: "run-1-7" }),
    expect.objectContaining({ what: "delivered", messageId, reference: "run-1-7" }),
  ]);
  await transport.close();
  await emulator.close();
  await new Promise((resolve) => hook.close(resolve));
});
