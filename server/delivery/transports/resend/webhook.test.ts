import { expect, test } from "vitest";
import { webhookContract } from "../testing/webhook-contract.ts";
import { resend } from "./adapter.ts";
import { resendCall, resendEmulator, resendEvent } from "#emulators/resend.ts";
import { svixSignature } from "./webhook.ts";

const url = "https://maple.example/webhooks/7";
const settings = { ...resendEmulator.settings, fromName: "Maple" };

// From "Event types" in the documentation, with our tag.
const email_id = "56761188-7520-42d8-8898-ff6fc54ce618";
const told = { messageId: email_id, reference: "run-1-7", eventId: "msg_1", address: "delivered@resend.dev" };
const of =
  (type: string, data: object = {}) =>
  () =>
    resendCall(url, resendEvent(type, { email_id, tags: { reference: "run-1-7" }, ...data }), {
      id: "msg_1",
    });
const delivered = of("email.delivered");
const bounce = (type: string, subType: string) => ({ bounce: { type, subType, message: "It came back." } });

webhookContract("Resend", {
  adapter: resend,
  settings,
  genuine: delivered,
  forged: () => ({
    altered: { ...delivered(), body: delivered().body.replace("delivered", "bounced") },
    "with another call's id": { ...delivered(), headers: { ...delivered().headers, "svix-id": "msg_2" } },
    "with another secret": resendCall(url, {}, { secret: "whsec_Z3Vlc3NlZA==" }),
  }),
  old: () => resendCall(url, resendEvent("email.delivered", {}), { at: new Date(Date.now() - 6 * 60_000) }),
  tells: {
    "that it was accepted": [of("email.sent"), [{ what: "accepted", ...told }]],
    "that it is delayed": [of("email.delivery_delayed"), [{ what: "delayed", ...told }]],
    "that it arrived": [delivered, [{ what: "delivered", ...told }]],
    "the tag as a list": [
      of("email.delivered", { tags: [{ name: "reference", value: "run-1-7" }] }),
      [{ what: "delivered", ...told }],
    ],
    "that the address does not exist": [
      of("email.bounced", bounce("Permanent", "NoEmail")),
      [{ what: "bounced", code: "Permanent NoEmail", detail: "It came back.", suppress: true, ...told }],
    ],
    "that a mailbox is full": [
      of("email.bounced", bounce("Transient", "MailboxFull")),
      [{ what: "bounced", suppress: false, ...told }],
    ],
    "that Resend suppresses the address": [
      of("email.suppressed", {
        suppressed: { message: "On the suppression list.", type: "OnAccountSuppressionList" },
      }),
      [{ what: "failed", code: "suppressed", detail: "On the suppression list.", suppress: true, ...told }],
    ],
    "a failure": [
      of("email.failed", { failed: { reason: "reached_daily_quota" } }),
      [{ what: "failed", detail: "reached_daily_quota", suppress: false, ...told }],
    ],
    "a complaint": [of("email.complained"), [{ what: "complained", suppress: true, ...told }]],
    "that it was opened": [of("email.opened"), [{ what: "opened", ...told }]],
    "a click": [
      of("email.clicked", { click: { link: "https://maple.example/", ipAddress: "203.0.113.7" } }),
      [{ what: "clicked", detail: "https://maple.example/", ...told }],
    ],
    "nothing of an event we don't use": [of("email.scheduled"), []],
    "nothing of another system's email": [of("email.delivered", { tags: { category: "x" } }), []],
  },
});

test("signs as in Svix's documentation", () => {
  const call = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    time: "1614265330",
    body: '{"test": 2432232314}',
  };
  const documented = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  expect(svixSignature(call, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe(documented);
});
