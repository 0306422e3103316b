import type { NodemailerError } from "nodemailer/lib/errors";
import { isDeadMailbox } from "../email/dead-mailbox.ts";
import { readable } from "../readable.ts";
import { tlsProblem } from "../tls-problem.ts";
import type { Failure, Outcome } from "../transport.ts";
import type { RedactLogin } from "./redact-login.ts";
import type { Reply } from "./replies.ts";

/**
 * How far a message got. `opening`: no connection yet. `envelope`: the server has not asked for the content. `content`:
 * sent in part; no server accepts it without its end. `complete`: sent in full, so only the server knows.
 */
export type Stage = "opening" | "envelope" | "content" | "complete";

/** Why no connection could be opened. `clean` redacts the server's reply; `fromStart`: TLS was to come before SMTP. */
export function notOpened(error: NodemailerError, clean: RedactLogin, fromStart: boolean): Failure {
  const refusal = typeof error.response === "string" ? refusalIn(error.response, clean) : undefined;
  if (refusal && error.command === "STARTTLS" && refusal.status >= 500) {
    return {
      kind: "misconfigured",
      code: "no_starttls",
      detail: `This server doesn't offer STARTTLS. ${TRY_TLS}`,
    };
  }
  return refusal ? withReply(refusal, error.command ?? "", "opening") : withoutReply(error, clean, fromStart);
}

/** The connection ended or timed out. Once the end of the content has been sent, the outcome is unknown. */
export function lost(stage: Stage, code: string, detail: string): Failure {
  return { kind: stage === "complete" ? "uncertain" : "unavailable", code, detail };
}

/** The commands that announce a message. */
export type Command = "MAIL FROM" | "RCPT TO" | "DATA";

/** What a reply to a message means for the delivery, if it is not the one wanted (RFC 5321 §4.2, RFC 3463). */
export function replied(
  { text }: Reply,
  { command, stage, clean }: { command: Command | "content"; stage: Stage; clean: RedactLogin },
): Failure {
  const refusal = refusalIn(text, clean);
  return refusal ? withReply(refusal, command, stage) : lost(stage, "bad_reply", readable(clean(text)));
}

type Refusal = { status: number; enhanced: string; code: string; detail: string };

function withReply({ status, enhanced, code, detail }: Refusal, command: string, stage: Stage): Failure {
  if (SLOW_DOWN.has(status) && (stage === "opening" ? status !== 432 : command === "MAIL FROM")) {
    return { kind: "throttled", code, detail };
  }
  // 503 (bad sequence of commands) says nothing about the message.
  if (status < 500 || status === 503) return { kind: "unavailable", code, detail };
  if (stage === "opening" || LOGIN_NEEDED.has(status) || SENDER_BAD.has(enhanced)) {
    return { kind: "misconfigured", code, detail };
  }
  if (command === "MAIL FROM") {
    // MAIL FROM declares the size, so the server may reject the message as too big here.
    if (status === 552 || enhanced === "5.3.4") return { kind: "refused", of: "message", code, detail };
    return { kind: "misconfigured", code, detail };
  }
  // Some servers check the mailbox only once they have the whole message.
  const suppress = isDeadMailbox(enhanced, detail);
  if (command === "RCPT TO" || suppress || /^5\.[12]\./.test(enhanced)) {
    return { kind: "refused", of: "recipient", code, detail, ...(suppress ? { suppress } : {}) };
  }
  return { kind: "refused", of: "message", code, detail };
}

/** 432 is not standard for messages; Microsoft sends it for too many connections. */
const SLOW_DOWN: ReadonlySet<number> = new Set([421, 432, 454]);

/** A throttling reply to one message, which may be about its recipient or about the whole account. */
function asksToWait(outcome: Outcome): outcome is Failure & { kind: "unavailable" } {
  return outcome.kind === "unavailable" && SLOW_DOWN.has(Number.parseInt(outcome.code, 10));
}

/** A throttling reply may also come from one recipient's server, or from a blocklist for one address. */
const RECIPIENTS = 3;

/**
 * Tells a rate limit on the account from a deferral of one recipient. A throttling reply counts as a rate limit once this
 * many different recipients have received it with nothing accepted in between.
 */
export class SlowDowns {
  readonly #since = new Set<string>();

  judge(outcome: Outcome, address: string): Outcome {
    if (outcome.kind === "accepted") this.#since.clear();
    if (!asksToWait(outcome)) return outcome;
    this.#since.add(address);
    return this.#since.size < RECIPIENTS ? outcome : { ...outcome, kind: "throttled" };
  }
}

const LOGIN_NEEDED: ReadonlySet<number> = new Set([530, 534, 535, 538]);
const SENDER_BAD: ReadonlySet<string> = new Set(["5.1.7", "5.1.8"]);

function withoutReply(error: NodemailerError, clean: RedactLogin, fromStart: boolean): Failure {
  const detail = readable(clean(error.message));
  const system = error.originalCode ?? "";
  if (error.code === "EAUTH" || error.code === "ENOAUTH") {
    return { kind: "misconfigured", code: "login_failed", detail };
  }
  const problem = tlsProblem(error, "The mail server", fromStart ? TRY_STARTTLS : TRY_TLS);
  if (problem) return { kind: "misconfigured", ...problem };
  if (error.code === "EPROTOCOL") return { kind: "misconfigured", code: "not_smtp", detail };
  const code = CODES[system] ?? CODES[error.code ?? ""] ?? "connection_lost";
  return lost("opening", code, NOT_CONNECTED[code] ?? (detail === NO_GREETING ? SILENT : detail));
}

/** nodemailer's text. A server that expects TLS waits for us to begin. */
const NO_GREETING = "Greeting never received";
const SILENT =
  "The mail server didn't greet us. Check the port and the encryption: port 465 is TLS from the start.";
const TRY_TLS = "Try TLS from the start (port 465).";
const TRY_STARTTLS = "Try STARTTLS (port 587).";

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection_refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EDNS: "unknown_host",
  ETIMEDOUT: "timeout",
  ETLS: "tls_failed",
};

/** Replaces system errors that mean nothing to people. */
const NOT_CONNECTED: Readonly<Record<string, string | undefined>> = {
  connection_refused: "The mail server refused the connection. Check the host and port.",
  unreachable: "We couldn't reach the mail server.",
  unknown_host: "We couldn't find the mail server by its name.",
};

/** Parses the server's refusal, if it is one: `550-5.1.1 No such\n550 5.1.1 user` gives 550, 5.1.1, "No such user". */
function refusalIn(reply: string, clean: RedactLogin): Refusal | undefined {
  const match = /^([45]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(reply);
  if (match === null) return undefined;
  const status = Number(match[1]);
  const enhanced = match[2] ?? "";
  const code = enhanced === "" ? String(status) : `${status} ${enhanced}`;
  return { status, enhanced, code, detail: replyText(clean(reply)) || code };
}

/** A reply's text, without the codes at the start of its lines. */
export function replyText(reply: string): string {
  return readable(reply.replace(/^\d{3}(?:[ -](?:[245]\.\d{1,3}\.\d{1,3}\b\s*)?|$)/gm, ""));
}
