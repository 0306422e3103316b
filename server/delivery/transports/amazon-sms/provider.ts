import * as z from "zod";
import { awsSigned } from "../aws/signature.ts";
import { entryOf } from "../entry-of.ts";
import type { ApiAnswer, ApiRequest, Ask } from "../http/api-client.ts";
import { refusal, type Meanings, type Said } from "../sms/meanings.ts";
import { secondsLeft, type SmsApi } from "../sms/sms-transport.ts";
import type { Check, Failure } from "../transport.ts";
import type { AmazonSmsSettings } from "./adapter.ts";

/** AWS End User Messaging SMS (pinpoint-sms-voice-v2): JSON to one URL, the action in a header, one recipient each. */

export const POOL = /^(?:pool-[0-9a-f]{32}|phone-[0-9a-f]{32}|arn:aws[\w:/+-]{1,240})$/i;
const MAX_CHARACTERS = 1600;

/** By an error's reason, the invalid field's name, or its type: the first of these that is listed. */
const meanings: Meanings = {
  DESTINATION_PHONE_NUMBER_OPTED_OUT: "unsubscribed",
  DESTINATION_PHONE_NUMBER_NOT_VERIFIED: "recipient", // the sandbox sends only to verified numbers
  DESTINATION_COUNTRY_BLOCKED: "recipient",
  DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION: "recipient",
  DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE: "recipient",
  DestinationPhoneNumber: "nobody", // the invalid field of a ValidationException
  MessageBody: "message",
  NO_ORIGINATION_IDENTITIES_FOUND: "recipient",
  OriginationIdentity: "recipient", // not every sender reaches every country
  AccessDeniedException: "account",
  ConflictException: "account",
  ExpiredTokenException: "account",
  IncompleteSignatureException: "account",
  InvalidSignatureException: "account",
  MissingAuthenticationTokenException: "account",
  ResourceNotFoundException: "account",
  ServiceQuotaExceededException: "account", // the month's spending limit
  SignatureDoesNotMatch: "account",
  SubscriptionRequiredException: "account",
  ThrottlingException: "too-fast",
  UnrecognizedClientException: "account",
  ValidationException: "message",
};

const taken = z.object({ MessageId: z.string() });
const problem = z.object({
  __type: z.string(),
  Message: z.string().optional(),
  message: z.string().optional(),
  Reason: z.string().optional(),
  Fields: z.array(z.object({ Name: z.string(), Message: z.string() })).optional(),
});
const attributes = z.object({
  AccountAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })),
});

export function amazonSmsApi(settings: AmazonSmsSettings, url: string): SmsApi {
  const { secretAccessKey, fromNumber, configurationSet, region } = settings;
  const identity = { ...settings, service: "sms-voice" };
  const action = (name: string, body: object): ApiRequest => {
    const request = {
      method: "POST" as const,
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `PinpointSMSVoiceV2.${name}` },
      body: JSON.stringify(body),
    };
    return {
      ...request,
      path: "/",
      headers: awsSigned({ ...request, url: `${url}/` }, identity, new Date()),
    };
  };
  return {
    name: "Amazon",
    url,
    secrets: [secretAccessKey],
    own: { success: 200, failure: problem },
    longest: { characters: MAX_CHARACTERS },
    request: (text) =>
      action("SendTextMessage", {
        DestinationPhoneNumber: text.to,
        OriginationIdentity: fromNumber,
        MessageBody: text.text,
        MessageType: "TRANSACTIONAL",
        TimeToLive: secondsLeft(text, 5, 259_200),
        Context: { reference: text.reference },
        ...(configurationSet !== "" && { ConfigurationSetName: configurationSet }),
      }),
    read: (answer) => {
      if (answer.status !== 200) return refusal(answer, said(answer), meanings);
      const { data } = taken.safeParse(answer.body);
      if (!data) return { kind: "uncertain", code: "200", detail: "Amazon's answer contains no message ID" };
      return { kind: "accepted", messageId: data.MessageId };
    },
    check: (ask) => check(ask, action("DescribeAccountAttributes", {}), region),
  };
}

function said({ status, body }: ApiAnswer): Said {
  const { data } = problem.safeParse(body);
  if (!data) return { detail: `Amazon answered with status ${status}` };
  const { __type: shape } = data;
  const type = shape.replace(/^.*#/, "");
  const field = data.Fields?.[0];
  const code = [data.Reason, field?.Name, type].find((name) => entryOf(meanings, name));
  const detail = [data.Message ?? data.message, field?.Message].filter(Boolean).join(" ");
  return { code: code ?? type, detail: detail || `Amazon answered with ${type}.` };
}

/** Reads the account's tier, a read-only call that checks the credentials. The sender is only checked when sending. */
async function check(ask: Ask, request: ApiRequest, region: string): Promise<Check | Failure> {
  const answer = await ask(request);
  if ("kind" in answer) return answer;
  const { data } = attributes.safeParse(answer.body);
  if (answer.status !== 200 || !data) {
    const failure = refusal(answer, said(answer), meanings);
    const { code, detail } = failure;
    return failure.kind === "refused" ? { kind: "misconfigured", code, detail } : failure;
  }
  const tier = data.AccountAttributes.find(({ Name }) => Name === "ACCOUNT_TIER")?.Value;
  const sandbox =
    tier === "SANDBOX"
      ? " The account is in Amazon's SMS sandbox. It sends only to numbers that you verified there."
      : "";
  return { ok: true, detail: `The access key works in ${region}. Send a test to try the sender.${sandbox}` };
}
