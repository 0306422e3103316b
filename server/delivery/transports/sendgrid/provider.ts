import { hash } from "node:crypto";
import * as z from "zod";
import type { FieldValues, RecipientLinks, Template } from "#server/delivery/content/compiled.ts";
import { unbroken } from "#server/delivery/content/encoded-attachment.ts";
import { compiledFor, slotText } from "#server/delivery/content/render.ts";
import { mailAddress, notAnAddress } from "../email/address.ts";
import { letterHeaders } from "../email/message-headers.ts";
import {
  refusedCheck,
  statusOutcome,
  type ApiAnswer,
  type ApiRequest,
  type Ask,
} from "../http/api-client.ts";
import type { HttpProvider, Verdict } from "../http/transport.ts";
import { perRun } from "../per-run.ts";
import type { Check, Failure, OutgoingMessage, RunContent } from "../transport.ts";
import { placeOf } from "../webhook.ts";
import type { SendGridSettings } from "./adapter.ts";

/**
 * SendGrid v3. Each request has the run's text once, and each recipient's values in the substitutions of a personalization
 * (at most 1000 per request, 10,000 bytes each, 30 MB in total).
 */

/** SendGrid allows 1000, but a crash or a lost answer leaves this many unconfirmed. */
const BATCH = 100;
const REQUESTS = 4;
const MAX_SUBSTITUTION_BYTES = 10_000;

type Personalization = {
  to: [{ email: string; name?: string }];
  headers: Record<string, string>;
  substitutions: Record<string, string>;
  custom_args: Record<string, string>;
};

/** The shared part of a run's requests, and the tags for each recipient's values. */
type Shared = { body: object; tags: ReadonlyMap<string, Parameters<typeof slotText>[0]> };

const errors = z.object({
  errors: z.array(z.object({ message: z.string(), field: z.string().nullish() })).min(1),
});

export function sendgridProvider(settings: SendGridSettings, url: string): HttpProvider<Personalization> {
  const headers = { authorization: `Bearer ${settings.apiKey}` };
  const sharedOf = perRun((content) => prepare(content, settings));
  return {
    url,
    secrets: [settings.apiKey],
    own: { success: 202, failure: errors },
    batch: BATCH,
    requests: REQUESTS,
    write: (message) => write(message, sharedOf(message.content).tags),
    request: (personalizations, content): ApiRequest => ({
      method: "POST",
      path: "/v3/mail/send",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ personalizations, ...sharedOf(content).body }),
    }),
    read,
    check: (ask) => check(ask, headers),
  };
}

function prepare({ compiled, attachments }: RunContent, { fromEmail, fromName }: SendGridSettings): Shared {
  const email = compiledFor(compiled, "email");
  const tags = new Map<string, Parameters<typeof slotText>[0]>();
  // Tags are unguessable, so no person's value can contain one and be substituted again.
  const run = hash("sha256", compiled.key, "hex").slice(0, 12);
  const tagged = (template: Template) =>
    template
      .map((piece) => {
        if (typeof piece === "string") return piece;
        const tag = `-${run}.${piece.as}.${piece.field}-`;
        tags.set(tag, piece);
        return tag;
      })
      .join("");
  const body = {
    from: { email: fromEmail, name: fromName || email.fromName },
    ...(email.replyTo && { reply_to: { email: email.replyTo } }),
    subject: tagged(email.subject),
    content: [
      { type: "text/plain", value: tagged(email.text) },
      { type: "text/html", value: tagged(email.html) },
    ],
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name, type, base64 }) => ({
        content: unbroken(base64),
        type,
        filename: name,
        disposition: "attachment",
      })),
    }),
    // No link rewriting: a one-time link would end up in a third party's logs.
    tracking_settings: {
      click_tracking: { enable: false, enable_text: false },
      open_tracking: { enable: false },
      subscription_tracking: { enable: false },
    },
  };
  return { body, tags };
}

function write(
  message: OutgoingMessage,
  tags: Shared["tags"],
): ReturnType<HttpProvider<Personalization>["write"]> {
  const { address, name, values, links, content } = message;
  const to = mailAddress(address);
  if (!to) return { refused: notAnAddress(address) };
  const substitutions = substitutionsOf(tags, values, links);
  if (bytesOf(substitutions) > MAX_SUBSTITUTION_BYTES) {
    const detail = "This person's details in the message are longer than SendGrid accepts (10,000 bytes)";
    return { refused: { kind: "refused", of: "message", code: "too_big", detail } };
  }
  return {
    to: [{ email: to.address, ...(name && { name }) }],
    headers: letterHeaders(content.compiled, links),
    substitutions,
    custom_args: { delivery: placeOf(message), run: content.compiled.key },
  };
}

function substitutionsOf(
  tags: Shared["tags"],
  values: FieldValues,
  links: RecipientLinks,
): Record<string, string> {
  return Object.fromEntries([...tags].map(([tag, slot]) => [tag, slotText(slot, values, links)]));
}

function bytesOf(substitutions: Record<string, string>): number {
  return Object.entries(substitutions).reduce((sum, pair) => sum + Buffer.byteLength(pair.join("")), 0);
}

/** Only a 202 accepts the messages, and it accepts all of them. */
function read(answer: ApiAnswer, letters: readonly Personalization[]): Verdict {
  const { status, headers } = answer;
  if (status === 202) {
    const messageId = headers.get("x-message-id");
    if (messageId) return { kind: "accepted", messageId };
    return { kind: "uncertain", code: "202", detail: "SendGrid's answer contains no message ID" };
  }
  const said = sayings(answer);
  const detail = said.map(({ message }) => message).join(" ");
  const general = statusOutcome(answer, detail);
  if (general) return general.kind === "throttled" ? { ...general, ...resetOf(general, headers) } : general;
  const code = String(status);
  if (status === 400) {
    if (said.some(({ field }) => /^from\b/.test(field ?? ""))) return { kind: "misconfigured", code, detail };
    const faults = faultsOf(said);
    if (faults.size > 0) {
      return letters.map((_, index) => {
        const message = faults.get(index);
        return message === undefined ? "again" : { kind: "refused", of: "recipient", code, detail: message };
      });
    }
  }
  return letters.length > 1 ? "split" : { kind: "refused", of: "message", code, detail };
}

type Saying = { message: string; field?: string | null | undefined };

function sayings({ status, body }: ApiAnswer): Saying[] {
  const parsed = errors.safeParse(body);
  return parsed.success ? parsed.data.errors : [{ message: `SendGrid answered with status ${status}` }];
}

/** The recipients that an error names by index, such as "personalizations.3.to.0.email". */
function faultsOf(said: readonly Saying[]): Map<number, string> {
  const faults = new Map<number, string>();
  for (const { field, message } of said) {
    const index = /^personalizations\.(\d+)\b/.exec(field ?? "")?.[1];
    if (index !== undefined) faults.set(Number(index), message);
  }
  return faults;
}

/** SendGrid's X-RateLimit-Reset is the Unix time at which it accepts requests again. */
function resetOf(outcome: Failure, headers: Headers): { retryAfterMs?: number } {
  const reset = Number(headers.get("x-ratelimit-reset"));
  if ("retryAfterMs" in outcome || !Number.isFinite(reset) || reset <= 0) return {};
  return { retryAfterMs: Math.max(0, reset * 1000 - Date.now()) };
}

/** Checks the key's permissions with a read-only call. */
async function check(ask: Ask, headers: Record<string, string>): Promise<Check | Failure> {
  const answer = await ask({ method: "GET", path: "/v3/scopes", headers });
  if ("kind" in answer) return answer;
  const detail = sayings(answer)
    .map(({ message }) => message)
    .join(" ");
  if (answer.status !== 200) return refusedCheck(answer, detail);
  const scopes = z.object({ scopes: z.array(z.string()) }).safeParse(answer.body);
  if (scopes.success && scopes.data.scopes.includes("mail.send")) {
    return { ok: true, detail: "The API key works and may send mail." };
  }
  return {
    kind: "misconfigured",
    code: "no_mail_send",
    detail: "The API key lacks the Mail Send permission.",
  };
}
