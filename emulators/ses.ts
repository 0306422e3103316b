import PostalMime from "postal-mime";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { jsonOf } from "#server/delivery/transports/http/api-client.ts";
import { EMULATED_IDENTITY, signatureProblem } from "./aws-signature.ts";
import { certificateFor, EMULATED_TOPIC, snsCall } from "./aws-sns.ts";
import type { EmulatedAnswer, EmulatedApi, EmulatedRequest, EmulatorState } from "./emulator.ts";

/** Emulates what we use of Amazon SES v2, as strictly as its API reference (SendEmail, GetAccount). */

const mail = z.strictObject({
  FromEmailAddress: z.string().optional(),
  Destination: z.strictObject({ ToAddresses: z.array(z.string()).min(1).max(50) }),
  Content: z.strictObject({ Raw: z.strictObject({ Data: z.string().regex(/^[\w+/]+={0,2}$/) }) }),
  EmailTags: z
    .array(
      z.strictObject({
        Name: z.string().regex(/^[\w-]{1,256}$/),
        Value: z.string().regex(/^[\w.@-]{1,256}$/),
      }),
    )
    .optional(),
  ConfigurationSetName: z.string().optional(),
});

const MAX_BYTES = 40 * 2 ** 20;
const SETS = ["porchlight"];

export const sesEmulator: EmulatedApi = {
  settings: { ...EMULATED_IDENTITY, topicArn: EMULATED_TOPIC },
  answer(request, emulator): EmulatedAnswer | Promise<EmulatedAnswer> {
    const { method, path } = request;
    const certificate = certificateFor(request);
    if (certificate) return certificate;
    const problem = emulator.faults.refuseKey
      ? {
          type: "UnrecognizedClientException",
          message: "The security token included in the request is invalid.",
        }
      : signatureProblem(request, "ses");
    if (problem) return refusal(403, problem.type, problem.message);
    if (path === "/v2/email/account" && method === "GET") {
      return {
        status: 200,
        body: {
          SendingEnabled: true,
          ProductionAccessEnabled: true,
          EnforcementStatus: "HEALTHY",
          SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 },
        },
      };
    }
    if (path === "/v2/email/outbound-emails" && method === "POST") return send(request, emulator);
    return refusal(404, "UnknownOperationException", "The requested operation does not exist.");
  },
  refusal: (status) => ({
    message: status === 429 ? "Maximum sending rate exceeded." : "An internal error occurred.",
  }),
  report({ to, messageId, reference = "" }, what, url) {
    const timestamp = new Date().toISOString();
    const mail = { timestamp, messageId, destination: [to], tags: { reference: [reference] } };
    const bounced = {
      bounceType: "Permanent",
      bounceSubType: "General",
      bouncedRecipients: [{ emailAddress: to, action: "failed", status: "5.1.1", diagnosticCode: NO_ONE }],
      timestamp,
    };
    const event =
      what === "delivered"
        ? { eventType: "Delivery", mail, delivery: { timestamp, smtpResponse: "250 2.6.0 Message received" } }
        : { eventType: "Bounce", mail, bounce: bounced };
    return snsCall(url, { MessageId: randomUUID(), Message: JSON.stringify(event) });
  },
};

const NO_ONE = "smtp; 550 5.1.1 user unknown";

async function send(
  { headers, body }: EmulatedRequest,
  { received, faults }: EmulatorState,
): Promise<EmulatedAnswer> {
  if (headers["content-type"] !== "application/json") {
    return refusal(415, "UnsupportedMediaTypeException", "The content type must be application/json.");
  }
  const parsed = mail.safeParse(jsonOf(body));
  if (!parsed.success) return refusal(400, "BadRequestException", z.prettifyError(parsed.error));
  const { Destination, Content, EmailTags, ConfigurationSetName } = parsed.data;
  if (ConfigurationSetName !== undefined && !SETS.includes(ConfigurationSetName)) {
    return refusal(404, "NotFoundException", `Configuration set <${ConfigurationSetName}> does not exist.`);
  }
  const raw = Buffer.from(Content.Raw.Data, "base64");
  if (raw.length > MAX_BYTES)
    return refusal(400, "BadRequestException", "Message length exceeds the maximum.");
  const parts = await PostalMime.parse(raw);
  if (!parts.from?.address || parts.headers.every(({ key }) => key !== "to")) {
    return refusal(400, "BadRequestException", "Missing required header.");
  }
  for (const address of Destination.ToAddresses) {
    // oxlint-disable-next-line no-control-regex -- ASCII or not is the question
    if (!/^[\x21-\x7e]+@[^\s@]+\.[^\s@]+$/.test(address) || faults.refused.has(address)) {
      return refusal(400, "BadRequestException", `Illegal address: ${address}`);
    }
  }
  const MessageId = `0100${randomUUID()}-000000`;
  const reference = EmailTags?.find(({ Name }) => Name === "reference")?.Value;
  for (const to of Destination.ToAddresses) {
    received.push({ to, text: parts.text ?? "", messageId: MessageId, ...(reference && { reference }) });
  }
  return { status: 200, body: { MessageId } };
}

const refusal = (status: number, type: string, message: string): EmulatedAnswer => ({
  status,
  headers: { "x-amzn-errortype": type },
  body: { message },
});
