import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { AppError, type ErrorCode, type ErrorReply, errorStatus } from "#contract/errors.ts";

// Fastify's own refusals, in our words. Anything else that it throws is a fault of ours.
const fastifyErrors: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "wrong-content-type",
    message: "Send JSON, with the header Content-Type: application/json",
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: "too-large",
    message: "This is more than the server takes in one call",
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: "malformed-json",
    message: "The body is empty, but JSON was announced",
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: "malformed-json", message: "The body is not valid JSON" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "malformed-json",
    message: "The body is not as long as announced",
  },
  FST_ERR_BAD_URL: { code: "invalid-input", message: "The address of this call is not valid" },
};

/** Restarts, failovers and too many visitors: of the network, and of PostgreSQL (25006: it is a standby by now). */
const databaseAway = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH 57P01 57P02 57P03 53300 25006".split(
    " ",
  ),
);
// What the driver itself has to say of a connection comes without a code.
const poolsOwnWords = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** The sentences of a failed parse, the first one of each field, keyed by the field's path. */
export function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    fields[issue.path.map(String).join(".")] ??= issue.message;
  }
  return fields;
}

/** Refuses input that does not fit its schema, with all its sentences at once. */
export function invalidInput(error: z.ZodError): AppError {
  const fields = fieldsOf(error);
  const sentences = [...new Set(Object.values(fields))].slice(0, 5);
  return new AppError("invalid-input", sentences.join(". "), { fields });
}

function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  const code = (error as FastifyError).code;
  const known = fastifyErrors[code];
  if (known) return new AppError(known.code, known.message);
  if (error instanceof SyntaxError && (error as FastifyError).statusCode === 400) {
    return new AppError("malformed-json", "The body is not valid JSON");
  }
  if (databaseAway.has(code) || poolsOwnWords.test(error.message)) {
    return new AppError("unavailable", "The database does not answer. Try again in a moment.");
  }
  return null;
}

/** The one place where anything thrown becomes a reply. A fault of ours keeps its words to the log. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal =
    toAppError(error) ??
    new AppError(
      "internal",
      `Something went wrong on the server. Look whether it was done before you try again. Reference: ${request.id}`,
    );
  if (errorStatus[refusal.code] >= 500) request.log.error({ err: error }, "request failed");
  if (refusal.retryAfter !== undefined)
    void reply.header("Retry-After", String(Math.ceil(refusal.retryAfter)));
  const body: ErrorReply = {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.fields && { fields: refusal.fields }),
  };
  return reply.status(errorStatus[refusal.code]).type("application/json; charset=utf-8").send(body);
}
