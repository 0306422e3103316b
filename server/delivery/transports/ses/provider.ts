import * as z from "zod";
import { numberText } from "#contract/text/locale.ts";
import { awsSigned } from "../aws/signature.ts";
import { mimeLetters, type MimeLetter } from "../email/mime-letter.ts";
import { emailBytes } from "../email/write-email.ts";
import { statusOutcome, type ApiAnswer, type ApiRequest, type Ask } from "../http/api-client.ts";
import type { HttpProvider, Verdict } from "../http/transport.ts";
import type { Check, Failure } from "../transport.ts";
import type { SesSettings } from "./adapter.ts";

/**
 * Amazon SES v2, with one MIME message per request. Its rate limit counts recipients, not requests, so sending fifty per
 * request with one of its templates would not be faster, and could not set a Message-ID.
 */
const REQUESTS = 10;
/** The daily quota is a sliding window of 24 hours, so some of it is soon available again. */
const QUOTA_MS = 3_600_000;

export function sesProvider(settings: SesSettings, url: string): HttpProvider<MimeLetter> {
  const { accessKeyId, secretAccessKey, region, fromName, fromEmail, configurationSet } = settings;
  const identity = { accessKeyId, secretAccessKey, region, service: "ses" };
  const signed = ({ method, path, headers, body }: ApiRequest & { body?: string }): ApiRequest => ({
    method,
    path,
    headers: awsSigned({ method, url: url + path, headers, body }, identity, new Date()),
    ...(body !== undefined && { body }),
  });
  return {
    url,
    secrets: [secretAccessKey],
    own: { success: 200, failure: problem, mark: "x-amzn-errortype" },
    batch: 1,
    bytesOf: emailBytes,
    requests: REQUESTS,
    write: mimeLetters({ name: fromName, address: fromEmail }),
    request: ([{ to, own, shared, reference }]) =>
      signed({
        method: "POST",
        path: "/v2/email/outbound-emails",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          FromEmailAddress: fromEmail,
          Destination: { ToAddresses: [to] },
          Content: { Raw: { Data: Buffer.concat([own, ...shared]).toString("base64") } },
          EmailTags: [{ Name: "reference", Value: reference }],
          ...(configurationSet && { ConfigurationSetName: configurationSet }),
        }),
      }),
    read: (answer, [letter]) => read(answer, { from: fromEmail, to: letter!.to }),
    check: (ask) => check(ask, signed({ method: "GET", path: "/v2/email/account", headers: {} }), region),
  };
}

const problem = z.object({ message: z.string() }).or(z.object({ Message: z.string() }));

type Mail = { from: string; to: string };

function read(answer: ApiAnswer, mail: Mail): Verdict {
  if (answer.status !== 200) return failureOf(answer, mail);
  const parsed = z.object({ MessageId: z.string() }).safeParse(answer.body);
  if (!parsed.success)
    return { kind: "uncertain", code: "200", detail: "Amazon's answer contains no message ID" };
  return { kind: "accepted", messageId: parsed.data.MessageId };
}

/** Errors about the account, its sender or its configuration set. */
const ACCOUNT =
  /^(?:AccountSuspended|SendingPaused|MailFromDomainNotVerified|NotFound|ConfigurationSet\w+)(?:Exception)?$/;

function failureOf(answer: ApiAnswer, mail?: Mail): Failure {
  const { status, headers, body } = answer;
  // `MessageRejected`, sometimes followed by a URL.
  const code = /^\w+/.exec(headers.get("x-amzn-errortype") ?? "")?.[0] ?? String(status);
  const said = problem.safeParse(body);
  const sentence = said.success ? Object.values(said.data)[0] : undefined;
  const detail = sentence ?? `Amazon SES answered with status ${status}`;
  if (/Throttl|TooManyRequests|LimitExceeded/.test(code)) {
    const daily = /daily|24.hour/i.test(detail);
    const general = statusOutcome({ ...answer, status: 429 }, detail)!;
    return { ...general, code, ...(daily && { retryAfterMs: QUOTA_MS }) };
  }
  const general = statusOutcome(answer, detail);
  if (general) return { ...general, code };
  // The unverified address is the sender's, or, while the account is in the SES sandbox, the recipient's.
  const names = (address: string) => detail.toLowerCase().includes(address.toLowerCase());
  if (mail && /not verified/i.test(detail) && names(mail.to) && !names(mail.from)) {
    return { kind: "refused", of: "recipient", code, detail };
  }
  if (ACCOUNT.test(code) || /not verified/i.test(detail)) return { kind: "misconfigured", code, detail };
  const of =
    /\b(?:address|domain)\b.*\b(?:contains|missing|illegal|invalid)\b|\b(?:missing|illegal|invalid)\b.*\b(?:address|domain|@)/i;
  return { kind: "refused", of: of.test(detail) ? "recipient" : "message", code, detail };
}

const account = z.object({
  SendingEnabled: z.boolean(),
  ProductionAccessEnabled: z.boolean(),
  EnforcementStatus: z.string().optional(),
  SendQuota: z.object({ Max24HourSend: z.number(), MaxSendRate: z.number() }).optional(),
});

/** Checks the credentials with a read-only call, and reads what the account may send. */
async function check(ask: Ask, request: ApiRequest, region: string): Promise<Check | Failure> {
  const answer = await ask(request);
  if ("kind" in answer) return answer;
  const parsed = account.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success) {
    const failure = failureOf(answer);
    // A read-only call has no message to refuse.
    return failure.kind === "refused"
      ? { kind: "misconfigured", code: failure.code, detail: failure.detail }
      : failure;
  }
  const { SendingEnabled, ProductionAccessEnabled, EnforcementStatus, SendQuota } = parsed.data;
  if (!SendingEnabled || EnforcementStatus === "SHUTDOWN") {
    const detail = `The key works, but Amazon has paused sending for this account in ${region}.`;
    return { kind: "misconfigured", code: "sending_paused", detail };
  }
  const { MaxSendRate = 0, Max24HourSend = 0 } = SendQuota ?? {};
  const rate = SendQuota
    ? ` It may send ${numberText(MaxSendRate)} a second` +
      (Max24HourSend < 0 ? "." : ` and ${numberText(Max24HourSend)} a day.`)
    : "";
  const sandbox = ProductionAccessEnabled
    ? ""
    : " It's in the SES sandbox, so mail only reaches verified addresses.";
  return { ok: true, detail: `The key works in ${region}.${rate}${sandbox}` };
}
