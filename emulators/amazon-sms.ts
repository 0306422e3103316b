import { randomUUID } from "node:crypto";
import * as z from "zod";
import { EMULATED_IDENTITY, signatureProblem } from "./aws-signature.ts";
import { certificateFor, EMULATED_TOPIC, snsCall } from "./aws-sns.ts";
import type { EmulatedAnswer, EmulatedApi, EmulatedRequest, EmulatorState } from "./emulator.ts";

/** Emulates what we use of AWS End User Messaging SMS, as strictly as its API reference (pinpoint-sms-voice-v2). */

export const EMULATED_NUMBER = "+15551234567";
const INVALID_TOKEN = {
  type: "UnrecognizedClientException",
  message: "The security token included in the request is invalid.",
};
const TARGET = "PinpointSMSVoiceV2.";

const text = z.strictObject({
  DestinationPhoneNumber: z
    .string()
    .max(20)
    .regex(/^\+?[1-9]\d{1,18}$/),
  OriginationIdentity: z
    .string()
    .regex(/^[\w:/+-]{1,256}$/)
    .optional(),
  MessageBody: z.string().min(1).max(1600),
  MessageType: z.enum(["TRANSACTIONAL", "PROMOTIONAL"]).optional(),
  TimeToLive: z.int().min(5).max(259_200).optional(),
  Context: z
    .record(z.string().regex(/^\S{1,100}$/), z.string().regex(/^(?!\s)[\s\S]{1,800}(?<!\s)$/))
    .refine((entries) => Object.keys(entries).length <= 5)
    .optional(),
  ConfigurationSetName: z
    .string()
    .regex(/^[\w:/-]{1,256}$/)
    .optional(),
});

export const amazonSmsEmulator: EmulatedApi = {
  settings: {
    ...EMULATED_IDENTITY,
    fromNumber: EMULATED_NUMBER,
    topicArn: EMULATED_TOPIC,
  },
  answer(request, emulator): EmulatedAnswer {
    const { method, path, headers } = request;
    const certificate = certificateFor(request);
    if (certificate) return certificate;
    const action = String(headers["x-amz-target"] ?? "");
    if (method !== "POST" || path !== "/" || !action.startsWith(TARGET)) {
      return problem("UnknownOperationException", "");
    }
    if (headers["content-type"] !== "application/x-amz-json-1.0")
      return problem("SerializationException", "");
    const wrong = emulator.faults.refuseKey ? INVALID_TOKEN : signatureProblem(request, "sms-voice");
    if (wrong) return problem(wrong.type, wrong.message);
    switch (action.slice(TARGET.length)) {
      case "DescribeAccountAttributes":
        return { status: 200, body: { AccountAttributes: [{ Name: "ACCOUNT_TIER", Value: "PRODUCTION" }] } };
      case "SendTextMessage":
        return send(request, emulator);
      default:
        return problem("UnknownOperationException", "");
    }
  },
  refusal: (status) =>
    status === 429
      ? problemBody("ThrottlingException", "Rate exceeded")
      : problemBody("InternalServerException", "The API encountered an unexpected error."),
  report({ to, messageId = "", reference = "" }, what, url) {
    const event = {
      ...receipt,
      eventTimestamp: Date.now(),
      destinationPhoneNumber: to,
      messageId,
      context: { reference },
      ...(what === "bounced" && {
        eventType: "TEXT_INVALID",
        messageStatus: "INVALID",
        messageStatusDescription: "Destination phone number isn't valid",
      }),
    };
    return snsCall(url, { MessageId: randomUUID(), Message: JSON.stringify(event) });
  },
};

function send({ body }: EmulatedRequest, { received, faults }: EmulatorState): EmulatedAnswer {
  const parsed = text.safeParse(JSON.parse(body));
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: "" }] = parsed.error.issues;
    return invalid(String(path[0]), message);
  }
  const { DestinationPhoneNumber: to, OriginationIdentity: from, MessageBody, Context } = parsed.data;
  if (from !== EMULATED_NUMBER) {
    const resource = { ResourceType: "phone-number", ResourceId: from };
    return problem("ResourceNotFoundException", "The specified phone number does not exist.", resource);
  }
  if (faults.refused.has(to)) return invalid("DestinationPhoneNumber", "Invalid destination phone number");
  const MessageId = randomUUID();
  const reference = Context?.["reference"];
  received.push({ to, text: MessageBody, messageId: MessageId, ...(reference && { reference }) });
  return { status: 200, body: { MessageId } };
}

const problemBody = (type: string, Message: string, more: object = {}) => ({
  __type: `com.amazonaws.pinpointsmsvoicev2#${type}`,
  Message,
  ...more,
});
const problem = (type: string, message: string, more?: object): EmulatedAnswer => ({
  status: 400,
  body: problemBody(type, message, more),
});
const invalid = (Name: string, message: string) =>
  problem("ValidationException", "Field Validation Exception", {
    Reason: "FIELD_VALIDATION_FAILED",
    Fields: [{ Name, Message: message }],
  });

/** A receipt, as in a topic's notification. */
export const receipt = {
  eventType: "TEXT_DELIVERED",
  eventVersion: "1.0",
  eventTimestamp: 1_795_615_203_470,
  isFinal: true,
  originationPhoneNumber: EMULATED_NUMBER,
  destinationPhoneNumber: "+14155551001",
  isoCountryCode: "US",
  mcc: "310",
  mnc: "800",
  messageId: "862a8790-60c0-4430-9b2b-658bdexample",
  messageRequestTimestamp: 1_795_615_203_170,
  messageEncoding: "GSM",
  messageType: "TRANSACTIONAL",
  messageStatus: "DELIVERED",
  messageStatusDescription: "Message has been accepted by phone",
  context: { reference: "run-1-7" },
  totalMessageParts: 1,
  totalMessagePrice: 0.09582,
  totalCarrierFee: 0,
};

/** An incoming text, as in a topic's notification. */
export const incomingText = {
  originationNumber: "+14155551001",
  destinationNumber: EMULATED_NUMBER,
  messageKeyword: "KEYWORD_123456789012",
  messageBody: "Stop",
  previousPublishedMessageId: "862a8790-60c0-4430-9b2b-658bdexample",
  inboundMessageId: "cae173d2-66b9-564c-8309-21f858e9fb84",
};
