import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import type { Upload } from "#contract/endpoint.ts";
import { AppError, type ErrorReply, errorStatus } from "#contract/errors.ts";
import { type PlainCode, refusal } from "#contract/refusals/refusal.ts";

/** Fastify's code for a body larger than its route accepts. */
export const TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

// Fastify's own refusals as ours. Its other ones are in `byStatus`.
const fastifyErrors = new Map<string, PlainCode>([
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", "not-sent-as-json"],
  [TOO_LARGE, "request-too-large"],
  ["FST_ERR_CTP_EMPTY_JSON_BODY", "body-empty"],
  ["FST_ERR_CTP_INVALID_JSON_BODY", "body-not-json"],
  ["FST_ERR_CTP_INVALID_CONTENT_LENGTH", "body-of-other-length"],
  ["FST_ERR_BAD_URL", "url-not-valid"],
]);

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
  return refusal("input-not-valid", { sentences, fields });
}

/** Refuses a file that is larger than its call accepts. */
export const fileTooLarge = ({ limit, field }: Upload): AppError =>
  refusal("file-larger-than", { bytes: limit }, { field });

/** Refuses a body that is larger than `limit`, which is what its call accepts. */
export const bodyTooLarge = (limit: number): AppError => refusal("request-larger-than", { bytes: limit });

/** What a library refuses with a status of its own is the caller's to fix. */
const byStatus = new Map<number, PlainCode>([
  [404, "nothing-at-address"],
  [408, "request-too-slow"],
  [413, "request-too-large"],
  [414, "url-too-long"],
  [415, "not-sent-as-json"],
]);

/** PostgreSQL's codes for values outside of what its types hold: half a character, year 0, more digits than fit. */
const unstorable = new Set("22003 22007 22008 22021 22P02 22P05 54000".split(" "));

function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  const { code, statusCode = 500 } = error as FastifyError;
  const known = fastifyErrors.get(code);
  if (known) return refusal(known);
  if (error instanceof SyntaxError && statusCode === 400) {
    return refusal("body-not-json");
  }
  if (statusCode >= 400 && statusCode < 500) {
    return refusal(byStatus.get(statusCode) ?? "request-not-valid");
  }
  if (unstorable.has(code)) {
    return refusal("value-not-storable");
  }
  if (code === DISK_FULL) {
    return refusal("disk-full");
  }
  if (connectionErrors.has(code) || poolErrors.test(error.message)) {
    return refusal("database-not-answering");
  }
  if (serializationFailures.has(code)) {
    return refusal("changed-at-once");
  }
  return null;
}

/** No one is there anymore to read the reply. */
export const callerHasLeft = (request: FastifyRequest): boolean => request.raw.socket.destroyed;

/** The one place where anything thrown becomes a reply. Details of our own faults go only to the log. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = toAppError(error) ?? refusal("server-fault", { reference: request.id });
  if (errorStatus[refused.code] >= 500) {
    // An error because the caller hung up is not our failure.
    if (callerHasLeft(request)) request.log.debug({ err: error }, "client disconnected");
    else request.log.error({ err: error }, "request failed");
  }
  if (refused.retryAfter !== undefined)
    void reply.header("Retry-After", String(Math.ceil(refused.retryAfter)));
  const body: ErrorReply = {
    code: refused.code,
    message: refused.message,
    ...(refused.fields && { fields: refused.fields }),
    ...(refused.code === "already-sent" && (refused.reason?.params as Pick<ErrorReply, "notificationId">)),
  };
  return reply.status(errorStatus[refused.code]).type("application/json; charset=utf-8").send(body);
}
