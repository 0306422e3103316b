import { hash } from "node:crypto";
import * as z from "zod";
import { unbroken } from "#server/delivery/content/encoded-attachment.ts";
import { compiledFor } from "#server/delivery/content/render.ts";
import { oneLine } from "#server/delivery/content/writing.ts";
import { emailBytes, mailbox, writeEmail, type WrittenEmail } from "../email/write-email.ts";
import { statusOutcome, type ApiAnswer, type Ask } from "../http/api-client.ts";
import type { HttpProvider, Verdict } from "../http/transport.ts";
import { perRun } from "../per-run.ts";
import type { Check, Failure, Outcome, RunContent } from "../transport.ts";
import type { ResendSettings } from "./adapter.ts";

/** A request may have up to 100 complete messages. The limit is five requests a second. */
const BATCH = 100;
const REQUESTS = 1;
/** Quotas are daily or monthly, so retrying sooner is pointless. */
const QUOTA_MS = 3_600_000;

export function resendProvider(settings: ResendSettings, url: string): HttpProvider<WrittenEmail> {
  const headers = { authorization: `Bearer ${settings.apiKey}` };
  const sharedOf = perRun((content) => prepare(content, settings));
  return {
    url,
    secrets: [settings.apiKey],
    own: { success: 200, failure: problem },
    batch: BATCH,
    bytesOf: emailBytes,
    alone: hasAttachments,
    requests: REQUESTS,
    keyed: true,
    write: (message) => writeEmail(message, settings.fromEmail),
    request: (letters, content) => {
      const mails = letters.map((letter) => ({ ...sharedOf(content), ...ownOf(letter) }));
      // Batch requests silently drop attachments.
      const alone = hasAttachments(content);
      const body = JSON.stringify(alone ? mails[0] : mails);
      return {
        method: "POST",
        path: alone ? "/emails" : "/emails/batch",
        headers: {
          ...headers,
          "content-type": "application/json",
          "idempotency-key": keyOf(body, letters),
          ...(!alone && { "x-batch-validation": "permissive" }),
        },
        body,
      };
    },
    read,
    check: (ask) => check(ask, headers, settings),
  };
}

const hasAttachments = ({ attachments }: RunContent) => attachments.length > 0;

/** The same for the same emails. A retry by a person has a new `expiresAt`, and so a new key. */
function keyOf(body: string, letters: readonly WrittenEmail[]): string {
  return hash("sha256", JSON.stringify([body, letters.map(({ expiresAt }) => expiresAt)]), "hex");
}

function prepare({ compiled, attachments }: RunContent, { fromName, fromEmail }: ResendSettings): object {
  const email = compiledFor(compiled, "email");
  // Resend accepts only plain names, without quoting or encoding, and refuses these characters.
  const name = oneLine((fromName || email.fromName).replaceAll(/[<>",;:@()[\]\\]/g, " ")).replaceAll(
    / +/g,
    " ",
  );
  return {
    from: name ? `${name} <${fromEmail}>` : fromEmail,
    ...(email.replyTo && { reply_to: email.replyTo }),
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name: filename, type, base64 }) => ({
        filename,
        content: unbroken(base64),
        content_type: type,
      })),
    }),
  };
}

function ownOf({ to, toName, subject, text, html, headers, reference }: WrittenEmail): object {
  // Resend sets its own Message-ID.
  const { "Message-ID": _, ...others } = headers;
  return {
    to: [/^[A-Za-z0-9 ]*$/.test(toName) ? mailbox(toName, to) : to],
    subject,
    text,
    html,
    headers: others,
    tags: [{ name: "reference", value: reference }],
  };
}

const id = z.object({ id: z.string() });
const batch = z.object({
  data: z.array(id),
  errors: z.array(z.object({ index: z.int(), message: z.string() })).default([]),
});
const problem = z.object({ name: z.string(), message: z.string() });

function read(answer: ApiAnswer, letters: readonly WrittenEmail[]): Verdict {
  if (answer.status === 200) return accepted(answer, letters);
  const { name, message: detail } = problemOf(answer);
  const code = name;
  if (/^(?:daily|monthly)_quota_exceeded$/.test(name)) {
    return { kind: "throttled", code, detail, retryAfterMs: QUOTA_MS };
  }
  const general = statusOutcome(answer, detail);
  if (general) return { ...general, code };
  // A request with this key is in progress, or had a different body.
  if (answer.status === 409) return { kind: "uncertain", code, detail };
  return letters.length > 1 && name !== "invalid_from_address" ? "split" : ofMessage(name, detail);
}

function accepted({ body }: ApiAnswer, letters: readonly WrittenEmail[]): Verdict {
  const single = id.safeParse(body);
  if (single.success) return { kind: "accepted", messageId: single.data.id };
  const each = batch.safeParse(body);
  const unclear = {
    kind: "uncertain",
    code: "200",
    detail: "Resend's answer doesn't say what became of each message",
  } as const;
  if (!each.success || each.data.data.length + each.data.errors.length !== letters.length) return unclear;
  const refused = new Map(each.data.errors.map(({ index, message }) => [index, message]));
  const ids = each.data.data.values();
  return letters.map((_, index): Outcome => {
    const message = refused.get(index);
    if (message !== undefined) return ofMessage("validation_error", message);
    const next = ids.next();
    return next.done ? unclear : { kind: "accepted", messageId: next.value.id };
  });
}

function problemOf({ status, body }: ApiAnswer): z.output<typeof problem> {
  const parsed = problem.safeParse(body);
  return parsed.success
    ? parsed.data
    : { name: String(status), message: `Resend answered with status ${status}` };
}

/** The outcome of a refused email. The error names the field: "Invalid `to` field. …". */
function ofMessage(code: string, detail: string): Failure {
  if (code === "invalid_from_address" || /`from`/.test(detail))
    return { kind: "misconfigured", code, detail };
  return { kind: "refused", of: /`to`/.test(detail) ? "recipient" : "message", code, detail };
}

const domains = z.object({
  data: z.array(z.object({ name: z.string(), status: z.string() })),
  has_more: z.boolean().default(false),
});

/** Checks the key and the sender's domain with a read-only call. */
async function check(
  ask: Ask,
  headers: Record<string, string>,
  { fromEmail }: ResendSettings,
): Promise<Check | Failure> {
  const answer = await ask({ method: "GET", path: "/domains", headers });
  if ("kind" in answer) return answer;
  const { name: code, message: detail } = problemOf(answer);
  if (code === "restricted_api_key") return { ok: true, detail: "The API key works. It may only send mail." };
  const read = domains.safeParse(answer.body);
  if (answer.status !== 200 || !read.success) {
    const general = statusOutcome(answer, detail);
    return general ? { ...general, code } : { kind: "misconfigured", code, detail };
  }
  const host = fromEmail.slice(fromEmail.lastIndexOf("@") + 1);
  // resend.dev is for testing, and only reaches the account's own address.
  const verified = read.data.data.some(({ name, status }) => status === "verified" && name === host);
  if (verified || read.data.has_more || host === "resend.dev") {
    return {
      ok: true,
      detail: verified ? `The API key works, and ${host} is verified.` : "The API key works.",
    };
  }
  return {
    kind: "misconfigured",
    code: "domain_not_verified",
    detail: `The API key works, but ${host} isn't a verified domain of this Resend account.`,
  };
}
