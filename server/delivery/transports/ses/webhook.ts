import * as z from "zod";
import type { Cause } from "#server/delivery/suppressed.ts";
import { SnsVerifier, snsMessage } from "../aws/sns.ts";
import { jsonOf } from "../http/api-client.ts";
import type { ProviderEvent, Receipt, Webhook, WebhookCall } from "../webhook.ts";

/**
 * Amazon SES reports through an SNS topic, one event per call: from a configuration set's event destination (`eventType`,
 * with our tag) or as an identity's feedback notification (`notificationType`, without tags).
 */

const moment = z.looseObject({ timestamp: z.coerce.date() });
const recipient = z.looseObject({ status: z.string().optional(), diagnosticCode: z.string().optional() });

const sesEvent = z.looseObject({
  eventType: z.string().optional(),
  notificationType: z.string().optional(),
  mail: z.looseObject({
    timestamp: z.coerce.date(),
    messageId: z.string().min(1),
    destination: z.array(z.string()).optional(),
    tags: z.looseObject({ reference: z.array(z.string()).optional() }).default({}),
  }),
  bounce: moment
    .extend({
      bounceType: z.string(),
      bounceSubType: z.string().default(""),
      bouncedRecipients: z.array(recipient).default([]),
    })
    .optional(),
  deliveryDelay: moment
    .extend({ delayType: z.string().default(""), delayedRecipients: z.array(recipient).default([]) })
    .optional(),
  delivery: moment.extend({ smtpResponse: z.string().optional() }).optional(),
  complaint: moment.extend({ complaintFeedbackType: z.string().nullish() }).optional(),
  reject: z.looseObject({ reason: z.string().optional() }).optional(),
  open: moment.optional(),
  click: moment.extend({ link: z.string().optional() }).optional(),
});
type SesEvent = z.output<typeof sesEvent>;

const kinds: Record<string, Receipt["what"] | undefined> = {
  Send: "accepted",
  DeliveryDelay: "delayed",
  Delivery: "delivered",
  Bounce: "bounced",
  Reject: "failed",
  Open: "opened",
  Click: "clicked",
  Complaint: "complained",
};

export function sesWebhook(calls = new SnsVerifier()): Webhook<{ topicArn: string }> {
  return {
    setUp:
      "In Amazon SNS, create an HTTPS subscription with this address for the topic that you entered. In Amazon SES, make " +
      "the topic an event destination of your configuration set.",
    isGenuine: (call, { topicArn }, apiUrl) => calls.isGenuine(call, topicArn, apiUrl),
    confirm: (call) => calls.confirm(call),
    read,
  };
}

function read(call: WebhookCall): ProviderEvent[] {
  const { Type, MessageId, Message } = snsMessage(call);
  if (Type !== "Notification") return [];
  const event = sesEvent.safeParse(jsonOf(Message)).data;
  const what = event && kinds[event.eventType ?? event.notificationType ?? ""];
  // SES sends a plain sentence to a new topic.
  if (!what) return [];
  const { mail, bounce, deliveryDelay, delivery, complaint, reject, open, click } = event;
  // The opposite of a complaint, which SES passes on as one.
  if (complaint?.complaintFeedbackType === "not-spam") return [];
  const [first] = bounce?.bouncedRecipients ?? deliveryDelay?.delayedRecipients ?? [];
  const dated = bounce ?? deliveryDelay ?? delivery ?? complaint ?? open ?? click;
  return [
    {
      what,
      eventId: MessageId,
      messageId: mail.messageId,
      reference: mail.tags.reference?.[0],
      address: mail.destination?.[0],
      at: dated?.timestamp ?? mail.timestamp,
      code: listed(event) ?? first?.status ?? bounce?.bounceSubType ?? deliveryDelay?.delayType,
      detail: click?.link ?? first?.diagnosticCode ?? delivery?.smtpResponse ?? reject?.reason,
      suppress: isGone(event),
    },
  ];
}

/** The account's own list has bounces and complaints. */
function listed({ bounce }: SesEvent): Cause | undefined {
  return bounce?.bounceSubType.startsWith("OnAccount") ? "suppressed" : undefined;
}

/** Whether to suppress the address. A permanent bounce because of the content says nothing about the address. */
function isGone({ bounce, complaint }: SesEvent): boolean {
  if (!bounce) return complaint !== undefined;
  return (
    bounce.bounceType === "Permanent" &&
    /^(?:General|NoEmail|Suppressed|OnAccount\w+)$/.test(bounce.bounceSubType)
  );
}
