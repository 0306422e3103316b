import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import type { Upload } from "#contract/endpoint.ts";
import { AppError, fieldError, type ErrorCode, type ErrorReply, errorStatus } from "#contract/errors.ts";

/** Fastify's code for a body larger than its route accepts. */
export const TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

// Fastify's own refusals in our words. Its other ones are in `byStatus`.
const fastifyErrors: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "wrong-content-type",
    message: "Send JSON, with the header Content-Type: application/json",
  },
  [TOO_LARGE]: { code: "too-large", message: "This request is larger than the server accepts" },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: "malformed-json",
    message: "The body is empty, but its Content-Type is JSON",
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: "malformed-json", message: "The body is not valid JSON" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "malformed-json",
    message: "The body is shorter or longer than its Content-Length",
  },
  FST_ERR_BAD_URL: { code: "invalid-input", message: "The URL of this request is not valid" },
};

/**
 * Restarts, failovers, too many connections and no answer in time: of the network, and of PostgreSQL (25006: it is now a
 * standby; 57014, 55P03 and 25P03: a statement or a lock took too long).
 */
const connectionErrors = new Set(
  (
    "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN " +
    "08000 08001 08003 08004 08006 57P01 57P02 57P03 57P04 57P05 57014 55P03 25P03 53300 25006"
  ).split(" "),
);
// PostgreSQL's disk_full.
const DISK_FULL = "53100";
// The driver's own connection errors have no code.
const poolErrors =
  /^(Connection terminated|timeout exceeded when trying to connect|The database has not answered|Client (was closed|has encountered a connection error)|Cannot use a pool after)/;
/** PostgreSQL resolved a deadlock, or found two transactions that could not both be right. */
const serializationFailures = new Set(["40P01", "40001"]);

/** The field an issue is about; nothing if it is about the whole input. */
function pathsOf(issue: z.core.$ZodIssue): string[] {
  const keys = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [key]) : [[]];
  return keys
    .map((key) => shortened([...issue.path, ...key].map(String).join(".")))
    .filter((path) => path !== "");
}

const LONGEST_NAME = 200;

/** A name that a caller made up, as an error repeats it. */
export const shortened = (name: string) =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;

const MAX_SENTENCES = 5;
/** More are not shown anywhere. */
const MAX_FIELDS = 100;

/** Refuses input that does not match its schema: the first sentence of each field, by the field's path. */
export function invalidInput(error: z.ZodError): AppError {
  const byPath = new Map<string, string>();
  const issues = error.issues.slice(0, MAX_FIELDS);
  for (const issue of issues) {
    for (const path of pathsOf(issue).slice(0, MAX_FIELDS)) {
      if (!byPath.has(path)) byPath.set(path, issue.message);
    }
  }
  const fields = Object.fromEntries(byPath);
  const whole = issues.filter((issue) => pathsOf(issue).length === 0).map(({ message }) => message);
  const sentences = [...new Set([...whole, ...Object.values(fields)])].slice(0, MAX_SENTENCES);
  return new AppError(
    "invalid-input",
    inOneLine(sentences),
    Object.keys(fields).length > 0 ? { fields } : {},
  );
}

/** A single sentence stays as written; several each get a full stop. */
function inOneLine(sentences: readonly string[]): string {
  if (sentences.length === 1) return sentences.join("");
  return sentences.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}

/** Refuses a file that is larger than its call accepts. */
export function fileTooLarge({ limit, field }: Upload): AppError {
  return fieldError("too-large", field, `This file is larger than ${sizeText(limit)}.`);
}

/** Refuses a body that is larger than `limit`, which is what its call accepts. */
export function bodyTooLarge(limit: number): AppError {
  return new AppError(
    "too-large",
    `This request is larger than ${sizeText(limit)}, the most this call accepts`,
  );
}

const sizeText = (bytes: number) => (bytes < MEGABYTE ? `${bytes / 1024} KB` : `${bytes / MEGABYTE} MB`);

/** What a library refuses with a status of its own is the caller's to fix. */
const byStatus: Record<number, { code: ErrorCode; message: string }> = {
  404: { code: "not-found", message: "Nothing was found at this address" },
  408: { code: "too-slow", message: "This request took too long to arrive" },
  413: { code: "too-large", message: "This request is larger than the server accepts" },
  414: { code: "too-large", message: "The URL of this request is too long" },
  415: fastifyErrors["FST_ERR_CTP_INVALID_MEDIA_TYPE"]!,
};

/** PostgreSQL's codes for values outside of what its types hold: half a character, year 0, more digits than fit. */
const unstorable = new Set("22003 22007 22008 22021 22P02 22P05 54000".split(" "));

function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  const { code, statusCode = 500 } = error as FastifyError;
  const known = Object.hasOwn(fastifyErrors, code) ? fastifyErrors[code] : undefined;
  if (known) return new AppError(known.code, known.message);
  if (error instanceof SyntaxError && statusCode === 400) {
    return new AppError("malformed-json", "The body is not valid JSON");
  }
  if (statusCode >= 400 && statusCode < 500) {
    const { code: like, message } = byStatus[statusCode] ?? {
      code: "invalid-input",
      message: "This request is not valid",
    };
    return new AppError(like, message);
  }
  if (unstorable.has(code)) {
    return new AppError("invalid-input", "This request contains a value that can't be stored");
  }
  if (code === DISK_FULL) {
    return new AppError(
      "unavailable",
      "The database disk is full, so nothing was saved. Free up some space, then try again.",
    );
  }
  if (connectionErrors.has(code) || poolErrors.test(error.message)) {
    return new AppError("unavailable", "The database is not answering. Try again in a moment.");
  }
  if (serializationFailures.has(code)) {
    return new AppError("conflict", "Someone else changed the same thing at the same moment. Try again.");
  }
  return null;
}

/** No one is there anymore to read the reply. */
export const callerHasLeft = (request: FastifyRequest): boolean => request.raw.socket.destroyed;

/** The one place where anything thrown becomes a reply. Details of our own faults go only to the log. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal =
    toAppError(error) ??
    new AppError(
      "internal",
      `Something went wrong on the server. Check whether it worked before you try again. Reference: ${request.id}`,
    );
  if (errorStatus[refusal.code] >= 500) {
    // An error because the caller hung up is not our failure.
    if (callerHasLeft(request)) request.log.debug({ err: error }, "client disconnected");
    else request.log.error({ err: error }, "request failed");
  }
  if (refusal.retryAfter !== undefined)
    void reply.header("Retry-After", String(Math.ceil(refusal.retryAfter)));
  const body: ErrorReply = {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.fields && { fields: refusal.fields }),
  };
  return reply.status(errorStatus[refusal.code]).type("application/json; charset=utf-8").send(body);
}
