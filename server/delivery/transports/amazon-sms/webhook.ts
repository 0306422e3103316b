import * as z from "zod";
import { SnsVerifier, snsMessage } from "../aws/sns.ts";
import { entryOf } from "../entry-of.ts";
import { jsonOf } from "../http/api-client.ts";
import { providerKeyword } from "../sms/opt-out-words.ts";
import { receiptAbout, type About } from "../sms/meanings.ts";
import { said, type ProviderEvent, type Webhook } from "../webhook.ts";
import type { AmazonSmsSettings } from "./adapter.ts";

/** The event types of texts that were not delivered (AWS End User Messaging SMS, "Event types"). */
const failures: Readonly<Record<string, About>> = {
  TEXT_BLOCKED: "recipient",
  TEXT_CARRIER_BLOCKED: "message",
  TEXT_CARRIER_UNREACHABLE: "recipient",
  TEXT_INVALID: "nobody",
  TEXT_INVALID_MESSAGE: "message",
  TEXT_PROTECT_BLOCKED: "recipient",
  TEXT_SPAM: "message",
  TEXT_TTL_EXPIRED: "recipient",
  TEXT_UNREACHABLE: "recipient",
};

/** Other services may use the topic. */
const ours = z.object({ eventType: z.string().startsWith("TEXT_") });
const report = z.object({
  eventType: z.string(),
  eventTimestamp: z.number(),
  messageId: z.string(),
  messageStatusDescription: said,
  context: z.object({ reference: said }).optional().catch(undefined),
});
const incoming = z.object({
  originationNumber: z.string(),
  destinationNumber: z.string(),
  messageBody: said,
  /** The registered keyword that the text begins with, on which Amazon acted; one of its own if there is none. */
  messageKeyword: z.unknown().optional(),
  inboundMessageId: z.string(),
});

/** Amazon sends receipts and incoming texts through an SNS topic. */
export function amazonSmsWebhook(calls = new SnsVerifier()): Webhook<AmazonSmsSettings> {
  return {
    key: "topicArn",
    setUp:
      "In Amazon SNS, create an HTTPS subscription with this address for the topic that you entered. Send the events of " +
      "a configuration set and the replies to your number to the same topic.",
    isGenuine: (call, { topicArn }, apiUrl) => calls.isGenuine(call, topicArn, apiUrl),
    confirm: (call) => calls.confirm(call),
    read(call) {
      const sns = snsMessage(call);
      return sns?.Type === "Notification" ? eventsOf(jsonOf(sns.Message), new Date(sns.Timestamp)) : [];
    },
  };
}

function eventsOf(told: unknown, at: Date): ProviderEvent[] {
  const text = incoming.safeParse(told).data;
  if (text) {
    const { inboundMessageId: eventId, originationNumber: from, destinationNumber: to, messageBody } = text;
    const keyword = providerKeyword(text.messageKeyword);
    return [{ what: "text", eventId, from, to, text: messageBody ?? "", keyword, at }];
  }
  if (!ours.safeParse(told).success) return [];
  const { eventType, eventTimestamp, messageId, messageStatusDescription, context } = report.parse(told);
  const event = {
    eventId: `${messageId}.${eventType}`,
    messageId,
    reference: context?.reference,
    at: new Date(eventTimestamp),
  };
  const detail = messageStatusDescription ?? `Amazon reports ${eventType}.`;
  const about = entryOf(failures, eventType);
  if (about) return [{ ...event, ...receiptAbout(about, eventType), detail }];
  switch (eventType) {
    case "TEXT_DELIVERED":
      return [{ ...event, what: "delivered" }];
    // The carrier has it. Not all carriers report delivery.
    case "TEXT_SUCCESSFUL":
    case "TEXT_SENT":
    case "TEXT_QUEUED":
    case "TEXT_PENDING":
      return [{ ...event, what: "accepted" }];
    default:
      return [];
  }
}
