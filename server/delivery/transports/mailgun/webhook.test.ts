import { webhookContract } from "../testing/webhook-contract.ts";
import { mailgun } from "./adapter.ts";
import { delivered, failed, mailgunCall, mailgunEmulator } from "#emulators/mailgun.ts";

const url = "https://maple.example/webhooks/7";
const settings = { ...mailgunEmulator.settings, fromEmail: "notices@maple.example", fromName: "Maple" };

// From "Webhook payloads" in the documentation, with our variable.
const messageId = "d7.0123456789abcdef@maple.example";
const ours = {
  message: { headers: { "message-id": messageId, to: "alice@example.com" } },
  "user-variables": { reference: "run-1-7" },
};
const told = { messageId, reference: "run-1-7", eventId: "token-1", address: "alice@example.com" };
const of = (event: object) => () => mailgunCall(url, { ...event, ...ours }, { token: "token-1" });
const arrived = of(delivered);
const status = (code: number, enhanced: string) => ({
  "delivery-status": { code, "enhanced-code": enhanced, message: "It came back.", description: "" },
});
const activity = { timestamp: 1_521_243_339.873676, recipient: "alice@example.com" };
const hour = 3_600_000;

webhookContract("Mailgun", {
  adapter: mailgun,
  settings,
  genuine: arrived,
  forged: () => ({
    "with another key": mailgunCall(url, { ...delivered, ...ours }, { key: "guessed" }),
    "with another token": { ...arrived(), body: arrived().body.replace("token-1", "token-2") },
    unsigned: { ...arrived(), body: JSON.stringify({ "event-data": { ...delivered, ...ours } }) },
  }),
  old: () => mailgunCall(url, { ...delivered, ...ours }, { at: new Date(Date.now() - 10 * hour) }),
  tells: {
    "that it was accepted": [of({ ...activity, event: "accepted" }), [{ what: "accepted", ...told }]],
    "that it arrived": [
      arrived,
      [{ what: "delivered", at: new Date(1_521_472_262_908), code: "2.0.0", detail: "OK", ...told }],
    ],
    "that it is delayed": [
      of({ ...failed, severity: "temporary", reason: "generic", ...status(452, "4.2.2") }),
      [{ what: "delayed", code: "4.2.2", suppress: false, ...told }],
    ],
    "that the address does not exist": [
      of(failed),
      [{ what: "bounced", code: "5.1.1", suppress: true, ...told }],
    ],
    "that it was blocked": [
      of({ ...failed, ...status(550, "5.7.1") }),
      [{ what: "bounced", code: "5.7.1", detail: "It came back.", suppress: false, ...told }],
    ],
    "that Mailgun suppresses the address": [
      of({ ...failed, reason: "suppress-bounce", ...status(605, "") }),
      [{ what: "failed", code: "605", suppress: true, ...told }],
    ],
    "that they unsubscribed at Mailgun earlier": [
      of({ ...failed, reason: "suppress-unsubscribe", ...status(606, "") }),
      [{ what: "failed", code: "unsubscribed", suppress: true, ...told }],
    ],
    "that they complained to Mailgun earlier": [
      of({ ...failed, reason: "suppress-complaint", ...status(607, "") }),
      [{ what: "failed", code: "complained", suppress: true, ...told }],
    ],
    "that Mailgun refused it": [
      of({
        ...activity,
        event: "rejected",
        reject: { reason: "Sandbox subdomains are for test purposes only." },
      }),
      [
        {
          what: "failed",
          detail: "Sandbox subdomains are for test purposes only.",
          suppress: false,
          ...told,
        },
      ],
    ],
    "a complaint": [
      of({ ...activity, event: "complained" }),
      [{ what: "complained", suppress: true, ...told }],
    ],
    "that they unsubscribed": [
      of({ ...activity, event: "unsubscribed" }),
      [{ what: "unsubscribed", suppress: true, ...told }],
    ],
    "that it was opened": [of({ ...activity, event: "opened" }), [{ what: "opened", ...told }]],
    "a click": [
      of({ ...activity, event: "clicked", url: "https://maple.example/" }),
      [{ what: "clicked", detail: "https://maple.example/", ...told }],
    ],
    "nothing of another system's email": [() => mailgunCall(url, delivered), []],
  },
});
