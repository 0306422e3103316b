import * as z from "zod";
import type { Cause } from "#server/delivery/runs/suppressed.ts";
import { SnsVerifier, snsMessage } from "../aws/sns.ts";
import { jsonOf } from "../http/api-client.ts";
import { entryOf } from "../entry-of.ts";
import { said, type ProviderEvent, type Receipt, type Webhook, type WebhookCall } from "../webhook.ts";

/**
 * Amazon SES reports through an SNS topic, one event per call: from a configuration set's event destination (`eventType`,
 * with our tag) or as an identity's feedback notification (`notificationType`, without tags).
 */

const moment = z.object({ timestamp: z.coerce.date().optional().catch(undefined) });
const recipient = z.object({ status: said, diagnosticCode: said });
const recipients = z.array(recipient).default([]).catch([]);

/** SES sends a plain sentence to a new topic, and other services may use it. */
const named = z.object({ eventType: said, notificationType: said });

const sesEvent = z.object({
  mail: z.object({
    timestamp: z.coerce.date().optional().catch(undefined),
    messageId: z.string().min(1),
    destination: z.array(z.string()).optional().catch(undefined),
    tags: z
      .object({ reference: z.array(z.string()).optional() })
      .default({})
      .catch({}),
  }),
  bounce: moment
    .extend({ bounceType: z.string(), bounceSubType: said, bouncedRecipients: recipients })
    .optional(),
  deliveryDelay: moment
    .extend({ delayType: said, delayedRecipients: recipients })
    .optional()
    .catch(undefined),
  delivery: moment.extend({ smtpResponse: said }).optional().catch(undefined),
  complaint: moment.extend({ complaintFeedbackType: said, complaintSubType: said }).optional(),
  reject: z.object({ reason: said }).optional().catch(undefined),
  open: moment.optional().catch(undefined),
  click: moment.extend({ link: said }).optional().catch(undefined),
});
type SesEvent = z.output<typeof sesEvent>;

const kinds: Record<string, Receipt["what"]> = {
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
    key: "topicArn",
    setUp:
      "In Amazon SNS, create an HTTPS subscription with this address for the topic that you entered. In Amazon SES, make " +
      "the topic an event destination of your configuration set.",
    isGenuine: (call, { topicArn }, apiUrl) => calls.isGenuine(call, topicArn, apiUrl),
    confirm: (call) => calls.confirm(call),
    read,
  };
}

function read(call: WebhookCall): ProviderEvent[] {
  const sns = snsMessage(call);
  if (sns?.Type !== "Notification") return [];
  const told = jsonOf(sns.Message);
  const { eventType, notificationType } = named.safeParse(told).data ?? {};
  const what = entryOf(kinds, eventType ?? notificationType);
  if (!what) return [];
  const event = sesEvent.parse(told);
  const { mail, bounce, deliveryDelay, delivery, complaint, reject, open, click } = event;
  // The opposite of a complaint, which SES passes on as one.
  if (complaint?.complaintFeedbackType === "not-spam") return [];
  const [first] = bounce?.bouncedRecipients ?? deliveryDelay?.delayedRecipients ?? [];
  const dated = bounce ?? deliveryDelay ?? delivery ?? complaint ?? open ?? click;
  return [
    {
      what: wasNotSent(event) ? "failed" : what,
      eventId: sns.MessageId,
      messageId: mail.messageId,
      reference: mail.tags.reference?.[0],
      address: mail.destination?.[0],
      at: dated?.timestamp ?? mail.timestamp ?? call.receivedAt,
      code: listed(event) ?? first?.status ?? bounce?.bounceSubType ?? deliveryDelay?.delayType,
      detail:
        click?.link ?? first?.diagnosticCode ?? delivery?.smtpResponse ?? reject?.reason ?? whyNot(event),
      suppress: isGone(event),
    },
  ];
}

const onAccountList = (subType: string | undefined) => subType?.startsWith("OnAccount") === true;

/** They complained about an earlier message, so Amazon sent them nothing this time. */
function wasNotSent({ complaint }: SesEvent): boolean {
  return onAccountList(complaint?.complaintSubType);
}

function whyNot(event: SesEvent): string | undefined {
  return wasNotSent(event)
    ? "Amazon didn't send it: they marked an earlier message as spam, so the address is on the account's suppression list."
    : undefined;
}

/** The account's own list has bounces and complaints. */
function listed(event: SesEvent): Cause | undefined {
  if (wasNotSent(event)) return "complained";
  return onAccountList(event.bounce?.bounceSubType) ? "suppressed" : undefined;
}

/** Whether to suppress the address. A permanent bounce because of the content says nothing about the address. */
function isGone({ bounce, complaint }: SesEvent): boolean {
  if (!bounce) return complaint !== undefined;
  return (
    bounce.bounceType === "Permanent" &&
    /^(?:General|NoEmail|Suppressed|OnAccount\w+)$/.test(bounce.bounceSubType ?? "")
  );
}
