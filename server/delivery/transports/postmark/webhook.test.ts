import { webhookContract } from "../testing/webhook-contract.ts";
import { postmark } from "./adapter.ts";
import { bounce, delivery, postmarkCall, postmarkEmulator } from "#emulators/postmark.ts";

const url = "https://maple.example/webhooks/7";
const settings = { ...postmarkEmulator.settings, fromEmail: "notices@maple.example", fromName: "Maple" };

// From "Webhooks" in the documentation, by record type, with our metadata.
const MessageID = "883953f4-6105-42a2-a16a-77a8eac79483";
const ours = { MessageID, Metadata: { reference: "run-1-7" } };
const told = { messageId: MessageID, reference: "run-1-7", address: "john@example.com" };
const of = (event: object) => () => postmarkCall(url, { ...event, ...ours });
const delivered = of(delivery);
const activity = {
  MessageStream: "outbound",
  ReceivedAt: "2026-11-25T14:00:00Z",
  Recipient: "john@example.com",
};
const change = {
  RecordType: "SubscriptionChange",
  ChangedAt: "2026-11-25T14:00:00Z",
  Recipient: "john@example.com",
  Origin: "Recipient",
  SuppressSending: true,
  SuppressionReason: "ManualSuppression",
};

webhookContract("Postmark", {
  adapter: postmark,
  settings,
  genuine: delivered,
  forged: () => ({
    "with another password": postmarkCall(url, { ...delivery, ...ours }, "guessed"),
    "with no password": postmarkCall(url, { ...delivery, ...ours }, ""),
    "with no login": { ...delivered(), headers: { authorization: "Basic x" } },
  }),
  tells: {
    "that it arrived": [
      delivered,
      [{ what: "delivered", ...told, at: new Date("2026-11-25T14:00:00Z"), detail: "smtp;250 2.0.0 OK" }],
    ],
    "that the address does not exist": [
      of(bounce),
      [{ what: "bounced", eventId: "Bounce 42", code: "5.1.1", suppress: true, ...told }],
    ],
    "that a mailbox is full": [
      of({ ...bounce, Type: "SoftBounce", Details: "smtp;452 4.2.2 Over quota" }),
      [{ what: "bounced", code: "4.2.2", ...told }],
    ],
    "that it is delayed": [of({ ...bounce, Type: "Transient" }), [{ what: "delayed", ...told }]],
    "nothing of an automatic reply": [of({ ...bounce, Type: "AutoResponder" }), []],
    "a complaint": [
      of({ ...bounce, RecordType: "SpamComplaint", Type: "SpamComplaint" }),
      [{ what: "complained", suppress: true, ...told }],
    ],
    "that it was opened": [
      of({ RecordType: "Open", FirstOpen: true, ...activity }),
      [{ what: "opened", ...told }],
    ],
    "a click": [
      of({ RecordType: "Click", OriginalLink: "https://maple.example/", ...activity }),
      [{ what: "clicked", detail: "https://maple.example/", ...told }],
    ],
    "that they unsubscribed": [of(change), [{ what: "unsubscribed", suppress: true, ...told }]],
    "nothing of a change that follows a bounce": [of({ ...change, SuppressionReason: "HardBounce" }), []],
    "an unsubscribe that someone entered, with the address alone": [
      () => postmarkCall(url, { ...change, MessageID: null, Metadata: {} }),
      [{ what: "unsubscribed", suppress: true, messageId: undefined, address: "john@example.com" }],
    ],
    "a bounce that someone entered": [
      () => postmarkCall(url, { ...change, MessageID: null, SuppressionReason: "HardBounce" }),
      [{ what: "bounced", suppress: true, messageId: undefined, address: "john@example.com" }],
    ],
    "nothing of an address that may be used again": [
      () =>
        postmarkCall(url, { ...change, MessageID: null, SuppressSending: false, SuppressionReason: null }),
      [],
    ],
    "nothing of another system's email": [() => postmarkCall(url, { ...delivery, MessageID }), []],
  },
});
