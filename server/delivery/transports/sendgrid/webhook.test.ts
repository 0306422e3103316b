import { expect, test } from "vitest";
import { webhookCall, webhookContract } from "../testing/webhook-contract.ts";
import { sendgrid } from "./adapter.ts";
import {
  EMULATED_KEY,
  EMULATED_VERIFICATION_KEY,
  sendgridCall,
  sendgridEmulator,
} from "#emulators/sendgrid.ts";

const settings = {
  ...sendgridEmulator.settings,
  fromEmail: "notices@maple.example",
  fromName: "Maple & Harbor",
};
const url = "https://maple.example/webhooks/7";

// From "Event Webhook Reference" in the documentation, with our custom arguments.
const common = {
  email: "example@test.com",
  timestamp: 1_513_299_569,
  "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
  category: ["cat facts"],
  sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
  run: "6f1c1b1e-6d3c-4d52-9a3e-0c6f0c1d2e3f",
  delivery: "7",
};
const event = (name: string, more: object = {}) => ({
  ...common,
  event: name,
  sg_event_id: `${name}-sg_event_id`,
  ...more,
});
const told = {
  reference: "6f1c1b1e-6d3c-4d52-9a3e-0c6f0c1d2e3f-7",
  messageId: "14c5d75ce93.dfd.64b469",
  address: "example@test.com",
  at: new Date("2017-12-15T00:59:29Z"),
};
const call = (...events: object[]) => sendgridCall(url, events);
const delivered = () => call(event("delivered", { response: "250 OK" }));
const bounce = {
  type: "bounce",
  status: "5.0.0",
  reason: "500 unknown recipient",
  bounce_classification: "Invalid Address",
};
const hour = 3_600_000;

webhookContract("SendGrid", {
  adapter: sendgrid,
  settings,
  genuine: delivered,
  forged: () => ({
    altered: { ...delivered(), body: delivered().body.replace("delivered", "bounce") },
    "at another time": {
      ...delivered(),
      headers: { ...delivered().headers, "x-twilio-email-event-webhook-timestamp": "1513299569" },
    },
    "with another call's signature": { ...delivered(), headers: call(event("open")).headers },
  }),
  old: () => sendgridCall(url, [event("delivered")], new Date(Date.now() - 26 * hour)),
  tells: {
    "that it was accepted": [() => call(event("processed")), [{ what: "accepted", ...told }]],
    "a message ID without dots": [
      () => call(event("delivered", { sg_message_id: "w7QcLIpSQ5yvy2WFp-fXlA.recvd-7c5b5f6b4-1-6241.0" })),
      [{ what: "delivered", messageId: "w7QcLIpSQ5yvy2WFp-fXlA" }],
    ],
    "that it is delayed": [
      () => call(event("deferred", { response: "400 try again later", attempt: "5" })),
      [{ what: "delayed", detail: "400 try again later", ...told }],
    ],
    "that it arrived": [
      delivered,
      [{ what: "delivered", eventId: "delivered-sg_event_id", detail: "250 OK", suppress: false, ...told }],
    ],
    "that the address does not exist": [
      () => call(event("bounce", bounce)),
      [{ what: "bounced", code: "5.0.0", detail: "500 unknown recipient", suppress: true, ...told }],
    ],
    "that it was blocked for now": [
      () => call(event("bounce", { ...bounce, type: "blocked" })),
      [{ what: "bounced", suppress: false }],
    ],
    "a block because of our reputation": [
      () => call(event("bounce", { ...bounce, status: "5.7.1", bounce_classification: "Reputation" })),
      [{ what: "bounced", code: "5.7.1", suppress: false }],
    ],
    "that SendGrid suppresses the address": [
      () => call(event("dropped", { reason: "Bounced Address", status: "5.0.0" })),
      [{ what: "failed", detail: "Bounced Address", suppress: true }],
    ],
    "that they unsubscribed at SendGrid earlier": [
      () => call(event("dropped", { reason: "Unsubscribed Address", status: "5.0.0" })),
      [{ what: "failed", code: "unsubscribed", detail: "Unsubscribed Address", suppress: true }],
    ],
    "that they complained to SendGrid earlier": [
      () => call(event("dropped", { reason: "Spam Reporting Address" })),
      [{ what: "failed", code: "complained", suppress: true }],
    ],
    "that SendGrid refused the content": [
      () => call(event("dropped", { reason: "Spam Content (if Spam Checker app enabled)" })),
      [{ what: "failed", suppress: false }],
    ],
    "opens, clicks, complaints and unsubscribes in one call, in order": [
      () =>
        call(
          event("open", { useragent: "Mozilla/4.0", ip: "255.255.255.255" }),
          event("click", { url: "http://www.sendgrid.com/" }),
          event("spamreport"),
          event("unsubscribe"),
          event("group_unsubscribe", { asm_group_id: 10 }),
        ),
      [
        { what: "opened", ...told },
        { what: "clicked", detail: "http://www.sendgrid.com/", ...told },
        { what: "complained", ...told },
        { what: "unsubscribed", ...told },
        { what: "unsubscribed", ...told },
      ],
    ],
    "nothing of another system's or an unused event": [
      () => {
        const { run: _, delivery: __, ...others } = event("delivered");
        return call(others, event("group_resubscribe"), event("account_status_change"), { event: 7 }, []);
      },
      [],
    ],
  },
});

test("without a verification key, no call verifies, and an invalid key can't be saved", async () => {
  for (const verificationKey of ["", "AAAA"]) {
    expect(
      await sendgrid.webhook!.isGenuine(webhookCall(delivered()), { ...settings, verificationKey: "" }),
    ).toBe(false);
    const parsed = sendgrid.settings.safeParse({ ...settings, verificationKey });
    expect(parsed.error?.issues.map(({ message }) => message) ?? []).toEqual(
      verificationKey === "" ? [] : ["This is not the key that SendGrid shows"],
    );
  }
  expect(sendgrid.settings.safeParse({ ...settings, verificationKey: EMULATED_KEY }).success).toBe(false);
  expect(
    sendgrid.settings.safeParse({ ...settings, verificationKey: EMULATED_VERIFICATION_KEY }).success,
  ).toBe(true);
});
