import * as z from "zod";
import { mimeLetters, type MimeLetter } from "../email/mime-letter.ts";
import { emailBytes } from "../email/write-email.ts";
import { basicAuth, statusOutcome, type ApiAnswer, type Ask } from "../http/api-client.ts";
import type { HttpProvider, Verdict } from "../http/transport.ts";
import type { Check, Failure } from "../transport.ts";
import type { MailgunSettings } from "./adapter.ts";

/**
 * One MIME message per request. Mailgun's batches of up to a thousand recipients look up their values by address: if a
 * route forwards two recipients to one mailbox, each gets the other's values (mailgun.js issue 236).
 */
const REQUESTS = 20;

export function mailgunProvider(settings: MailgunSettings, url: string): HttpProvider<MimeLetter> {
  const { apiKey, domain, fromName, fromEmail } = settings;
  const headers = basicAuth("api", apiKey);
  return {
    url,
    secrets: [apiKey],
    own: { success: 200, failure: problem },
    batch: 1,
    bytesOf: emailBytes,
    requests: REQUESTS,
    write: mimeLetters({ name: fromName, address: fromEmail }),
    request: ([letter]) => ({
      method: "POST",
      path: `/v3/${domain}/messages.mime`,
      headers,
      body: formOf(letter),
    }),
    read: (answer) => read(answer, domain),
    check: (ask) => check(ask, headers, domain),
  };
}

function formOf({ to, own, shared, reference }: MimeLetter): FormData {
  const form = new FormData();
  form.set("to", to);
  form.set("message", new Blob([Buffer.concat([own, ...shared])]), "message.mime");
  form.set("v:reference", reference);
  // No link rewriting: a one-time link would end up in a third party's logs.
  for (const option of ["o:tracking", "o:tracking-clicks", "o:tracking-opens"]) form.set(option, "no");
  return form;
}

const problem = z.object({ message: z.string() });
const queued = z.object({ id: z.string(), message: z.string() });

function read(answer: ApiAnswer, domain: string): Verdict {
  const { status, body } = answer;
  if (status === 200) {
    const parsed = queued.safeParse(body);
    if (parsed.success) return { kind: "accepted", messageId: parsed.data.id.replaceAll(/^<|>$/g, "") };
    const detail = "This address isn't Mailgun's API for messages. Check MAILGUN_API_URL.";
    return { kind: "misconfigured", code: "200", detail };
  }
  return failureOf(answer, domain);
}

function failureOf(answer: ApiAnswer, domain: string): Failure {
  const code = String(answer.status);
  const detail = sentence(answer, domain);
  const general = statusOutcome(answer, detail);
  if (general) return general;
  // 402 is the plan's limit. An invalid sender affects every message, too.
  if (answer.status === 402 || /\bfrom\b.*not a valid address/i.test(detail)) {
    return { kind: "misconfigured", code, detail };
  }
  const of = /\bto\b.*not a valid address/i.test(detail) ? "recipient" : "message";
  return { kind: "refused", of, code, detail };
}

const EU_HINT =
  "For a domain in the EU, set MAILGUN_API_URL=https://api.eu.mailgun.net and restart Porchlight.";

/** Mailgun's own message. Some refusals only have a status. */
function sentence({ status, body }: ApiAnswer, domain: string): string {
  const parsed = problem.safeParse(body);
  if (parsed.success)
    return status === 404 ? `${parsed.data.message.replace(/\.?$/, ".")} ${EU_HINT}` : parsed.data.message;
  if (status === 401) return `Mailgun doesn't accept this API key for ${domain}.`;
  return `Mailgun answered with status ${status}`;
}

const domainAnswer = z.object({ domain: z.object({ state: z.string() }) });

/** Reads the domain. A sending key can't, so it is tested with an empty message, which Mailgun rejects as invalid. */
async function check(ask: Ask, headers: Record<string, string>, domain: string): Promise<Check | Failure> {
  const answer = await ask({ method: "GET", path: `/v4/domains/${domain}`, headers });
  if ("kind" in answer) return answer;
  const read = domainAnswer.safeParse(answer.body);
  if (answer.status === 200 && read.success) {
    const { state } = read.data.domain;
    if (state === "active") return { ok: true, detail: `The API key works, and ${domain} is active.` };
    const detail = `The API key works, but Mailgun says that ${domain} is ${state}.`;
    return { kind: "misconfigured", code: state, detail };
  }
  if (answer.status === 401 || answer.status === 403) {
    const body = new FormData();
    const empty = await ask({ method: "POST", path: `/v3/${domain}/messages`, headers, body });
    if ("kind" in empty) return empty;
    if (empty.status === 400) return { ok: true, detail: `The API key may send from ${domain}.` };
    return failureOf(empty, domain);
  }
  return failureOf(answer, domain);
}
