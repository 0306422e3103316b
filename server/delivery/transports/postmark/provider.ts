import * as z from "zod";
import { unbroken } from "#server/delivery/content/encoded-attachment.ts";
import { compiledFor } from "#server/delivery/content/render.ts";
import type { Cause } from "#server/delivery/runs/suppressed.ts";
import { emailBytes, mailbox, writeEmail, type WrittenEmail } from "../email/write-email.ts";
import { statusOutcome, type ApiAnswer, type Ask } from "../http/api-client.ts";
import type { HttpProvider, Verdict } from "../http/transport.ts";
import { perRun } from "../per-run.ts";
import type { Check, Failure, LookUp, Outcome, RunContent } from "../transport.ts";
import type { PostmarkSettings } from "./adapter.ts";

/** A request may have up to 500 complete messages and 50 MB. The response has a result for each. */
const BATCH = 500;
const REQUESTS = 2;

export function postmarkProvider(settings: PostmarkSettings, url: string): HttpProvider<WrittenEmail> {
  const headers = { "x-postmark-server-token": settings.apiKey };
  const sharedOf = perRun((content) => prepare(content, settings));
  return {
    url,
    secrets: [settings.apiKey],
    own: { success: 200, failure: said.required({ ErrorCode: true }) },
    batch: BATCH,
    bytesOf: emailBytes,
    requests: REQUESTS,
    write: (message) => writeEmail(message, settings.fromEmail),
    request: (letters, content) => ({
      method: "POST",
      path: "/email/batch",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(letters.map((letter) => ({ ...sharedOf(content), ...ownOf(letter) }))),
    }),
    read,
    check: (ask) => check(ask, headers),
    lookUp: {
      request: (reference) => {
        const named = { messagestream: settings.stream, metadata_reference: reference };
        const query = new URLSearchParams({ count: "1", offset: "0", ...named }).toString();
        return { method: "GET", path: `/messages/outbound?${query}`, headers };
      },
      read: foundIn,
    },
  };
}

function prepare({ compiled, attachments }: RunContent, settings: PostmarkSettings): object {
  const email = compiledFor(compiled, "email");
  return {
    From: mailbox(settings.fromName || email.fromName, settings.fromEmail),
    ...(email.replyTo && { ReplyTo: email.replyTo }),
    MessageStream: settings.stream,
    // No link rewriting: a one-time link would end up in a third party's logs.
    TrackOpens: false,
    TrackLinks: "None",
    ...(attachments.length > 0 && {
      Attachments: attachments.map(({ name, type, base64 }) => ({
        Name: name,
        Content: unbroken(base64),
        ContentType: type,
      })),
    }),
  };
}

function ownOf({ reference, to, toName, subject, text, html, headers }: WrittenEmail): object {
  return {
    To: mailbox(toName, to),
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    Metadata: { reference },
    // Without X-PM-KeepID, Postmark replaces our Message-ID.
    Headers: Object.entries({ ...headers, "X-PM-KeepID": "true" }).map(([Name, Value]) => ({ Name, Value })),
  };
}

const said = z.object({
  ErrorCode: z.int().default(0),
  Message: z.string(),
  MessageID: z.string().optional(),
});
type Said = z.output<typeof said>;

function read(answer: ApiAnswer, letters: readonly WrittenEmail[]): Verdict {
  const each = z.array(said).safeParse(answer.body);
  if (answer.status === 200 && each.success && each.data.length === letters.length) {
    return each.data.map((one) => (one.ErrorCode === 0 ? accepted(one) : ofCode(one)));
  }
  const whole = wholeOf(answer);
  const failure = notSent(answer, whole);
  if (failure) return failure;
  if (answer.status === 200) {
    return {
      kind: "uncertain",
      code: "200",
      detail: "Postmark's answer doesn't say what became of each message",
    };
  }
  return letters.length > 1 ? "split" : ofCode(whole, answer.status);
}

function accepted({ MessageID }: Said): Outcome {
  return { kind: "accepted", ...(MessageID && { messageId: MessageID }) };
}

/** The request-level error of a response. */
function wholeOf({ status, body }: ApiAnswer): Said {
  const parsed = said.safeParse(body);
  return parsed.success ? parsed.data : { ErrorCode: 0, Message: `Postmark answered with status ${status}` };
}

/** The failure of the whole request, if it isn't about one message. */
function notSent(answer: ApiAnswer, whole: Said): Failure | undefined {
  if (answer.status === 200) return undefined;
  const byCode = ofCode(whole, answer.status);
  // Maintenance comes as a 5xx, but nothing was accepted.
  if (byCode.kind === "unavailable") return byCode;
  const byStatus = statusOutcome(answer, whole.Message);
  return byStatus ?? (byCode.kind === "refused" ? undefined : byCode);
}

/** Account errors: token, sender, approval, credits. */
const ACCOUNT = new Set([10, 400, 401, 405, 412, 413]);

/** The outcome of a Postmark error code (postmarkapp.com/developer/api/overview#error-codes). */
function ofCode({ ErrorCode, Message: detail }: Said, status = 200): Failure {
  const code = String(ErrorCode || status);
  if (ErrorCode === 429) return { kind: "throttled", code, detail };
  // Down for maintenance; nothing was accepted.
  if (ErrorCode === 100) return { kind: "unavailable", account: true, code, detail };
  // 12xx: the message stream is missing, archived or of the wrong kind.
  const account = ACCOUNT.has(ErrorCode) || (ErrorCode >= 1200 && ErrorCode < 1300);
  if (account || (ErrorCode === 300 && /'From'/i.test(detail))) {
    return { kind: "misconfigured", code, detail };
  }
  // Inactive recipient: bounced, complained or unsubscribed before, and Postmark doesn't say which.
  if (ErrorCode === 406) {
    const code = "suppressed" satisfies Cause;
    return { kind: "refused", of: "recipient", code, detail, suppress: true };
  }
  const of = ErrorCode === 300 && /'To'/i.test(detail) ? "recipient" : "message";
  return { kind: "refused", of, code, detail };
}

const search = z.object({ Messages: z.array(z.object({ MessageID: z.string() })) });

/** The result of a search by reference (postmarkapp.com/developer/api/messages-api, "Outbound message search"). */
function foundIn(answer: ApiAnswer): LookUp {
  const parsed = search.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success) return { unanswered: wholeOf(answer).Message };
  const [message] = parsed.data.Messages;
  return message ? { found: true, messageId: message.MessageID } : { found: false };
}

const server = z.object({ Name: z.string(), DeliveryType: z.string().optional() });

/** Checks the token with a read-only call for its server. */
async function check(ask: Ask, headers: Record<string, string>): Promise<Check | Failure> {
  const answer = await ask({ method: "GET", path: "/server", headers });
  if ("kind" in answer) return answer;
  const read = server.safeParse(answer.body);
  if (answer.status === 200 && read.success) {
    const { Name, DeliveryType } = read.data;
    const sandbox =
      DeliveryType === "Sandbox"
        ? " It's a sandbox server: Postmark accepts messages but delivers none."
        : "";
    return { ok: true, detail: `The token works for the server “${Name}”.${sandbox}` };
  }
  const whole = wholeOf(answer);
  return (
    notSent(answer, whole) ?? { kind: "misconfigured", code: String(whole.ErrorCode), detail: whole.Message }
  );
}
