import { expect } from "vitest";
import { EMULATED_IDENTITY } from "#emulators/aws-signature.ts";
import { EMULATED_TOPIC, fetchEmulated, snsCall } from "#emulators/aws-sns.ts";
import { SnsVerifier } from "../aws/sns.ts";
import { webhookContract } from "../testing/webhook-contract.ts";
import { ses } from "./adapter.ts";
import { sesWebhook } from "./webhook.ts";

const url = "https://maple.example/webhooks/7";
const settings = {
  ...EMULATED_IDENTITY,
  fromEmail: "notices@maple.example",
  fromName: "Maple",
  topicArn: EMULATED_TOPIC,
};
const adapter = {
  ...ses,
  webhook: sesWebhook(new SnsVerifier(fetchEmulated)) as NonNullable<typeof ses.webhook>,
};
const call = (event: unknown, changes: object = {}) =>
  snsCall(url, { Message: typeof event === "string" ? event : JSON.stringify(event), ...changes });

// From "Contents of event data" in the documentation, with our tag.
const mail = {
  timestamp: "2026-11-25T14:00:00.000Z",
  messageId: "EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000",
  destination: ["recipient@example.com"],
  tags: { "ses:configuration-set": ["porchlight"], reference: ["run-1-7"] },
};
const told = {
  messageId: mail.messageId,
  reference: "run-1-7",
  address: "recipient@example.com",
  eventId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
};
const timestamp = "2026-11-25T14:00:05.000Z";
const of =
  (eventType: string, more: object = {}) =>
  () =>
    call({ eventType, mail, ...more });
const delivered = of("Delivery", { delivery: { timestamp, smtpResponse: "250 2.6.0 Message received" } });
const bounce = (bounceType: string, bounceSubType: string, status: string) => ({
  bounce: {
    feedbackId: "01000157c44f053b",
    bounceType,
    bounceSubType,
    bouncedRecipients: [
      { emailAddress: "recipient@example.com", action: "failed", status, diagnosticCode: "smtp; x" },
    ],
    timestamp,
  },
});
const hour = 3_600_000;

webhookContract("Amazon SES", {
  adapter,
  settings,
  genuine: delivered,
  forged: () => ({
    unsigned: { ...delivered(), body: JSON.stringify({ ...JSON.parse(delivered().body), Signature: "" }) },
    altered: { ...delivered(), body: delivered().body.replace("Delivery", "Bounce") },
    "for another topic": call({ eventType: "Delivery", mail }, { TopicArn: `${EMULATED_TOPIC}-2` }),
    "with someone else's certificate": call(
      { eventType: "Delivery", mail },
      { SigningCertURL: "https://sns.us-east-1.amazonaws.com.evil.example/x.pem" },
    ),
    "with a certificate over http": call(
      { eventType: "Delivery", mail },
      { SigningCertURL: "http://sns.us-east-1.amazonaws.com/x.pem" },
    ),
  }),
  old: () =>
    call({ eventType: "Delivery", mail }, { Timestamp: new Date(Date.now() - 3 * hour).toISOString() }),
  tells: {
    "that it was accepted": [of("Send", { send: {} }), [{ what: "accepted", ...told }]],
    "that it arrived": [
      delivered,
      [{ what: "delivered", at: new Date(timestamp), detail: "250 2.6.0 Message received", ...told }],
    ],
    "the older signature": [
      () => call({ eventType: "Send", mail }, { SignatureVersion: "1" }),
      [{ what: "accepted", ...told }],
    ],
    "a notification of an identity, without tags": [
      () =>
        call({ notificationType: "Delivery", mail: { ...mail, tags: undefined }, delivery: { timestamp } }),
      [{ what: "delivered", messageId: mail.messageId, reference: undefined }],
    ],
    "that the address does not exist": [
      of("Bounce", bounce("Permanent", "General", "5.1.1")),
      [{ what: "bounced", code: "5.1.1", detail: "smtp; x", suppress: true, ...told }],
    ],
    "that the account's own list has the address": [
      of("Bounce", bounce("Permanent", "OnAccountSuppressionList", "5.1.1")),
      [{ what: "bounced", code: "suppressed", suppress: true, ...told }],
    ],
    "that a mailbox is full": [
      of("Bounce", bounce("Transient", "MailboxFull", "4.2.2")),
      [{ what: "bounced", code: "4.2.2", suppress: false, ...told }],
    ],
    "that it is delayed": [
      of("DeliveryDelay", { deliveryDelay: { timestamp, delayType: "TransientCommunicationFailure" } }),
      [{ what: "delayed", code: "TransientCommunicationFailure", ...told }],
    ],
    "that SES refused it": [
      of("Reject", { reject: { reason: "Bad content" } }),
      [{ what: "failed", detail: "Bad content", suppress: false, ...told }],
    ],
    "a complaint": [
      of("Complaint", { complaint: { timestamp } }),
      [{ what: "complained", suppress: true, ...told }],
    ],
    "that nothing was sent, because they complained before": [
      of("Complaint", { complaint: { timestamp, complaintSubType: "OnAccountSuppressionList" } }),
      [
        {
          what: "failed",
          code: "complained",
          detail: expect.stringMatching(/^Amazon didn't send it/),
          suppress: true,
          ...told,
        },
      ],
    ],
    "a complaint without a subtype": [
      of("Complaint", { complaint: { timestamp, complaintSubType: null, complaintFeedbackType: null } }),
      [{ what: "complained", suppress: true, ...told }],
    ],
    "nothing of someone who says that it is no spam": [
      of("Complaint", { complaint: { timestamp, complaintFeedbackType: "not-spam" } }),
      [],
    ],
    "that it was opened": [of("Open", { open: { timestamp } }), [{ what: "opened", ...told }]],
    "a click": [
      of("Click", { click: { timestamp, link: "https://maple.example/" } }),
      [{ what: "clicked", detail: "https://maple.example/", ...told }],
    ],
    "nothing of an event we don't use": [of("Rendering Failure"), []],
    "nothing of SES's first message to a new topic": [() => call("Successfully validated SNS topic."), []],
  },
});
