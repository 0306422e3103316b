import * as z from "zod";

/** Every error code and its HTTP status. */
export const errorStatus = {
  "invalid-input": 400,
  "malformed-json": 400,
  "signed-out": 401,
  /** Signed out from another browser, or because the password was changed. */
  "session-ended": 401,
  /** No one used the session for too long, or it is as old as a session may get. */
  "session-expired": 401,
  "wrong-credentials": 401,
  /** The second step of a sign-in came too late: the password is needed again. */
  "sign-in-expired": 401,
  forbidden: 403,
  "cross-site": 403,
  "registration-closed": 403,
  "setup-code": 403,
  /** An administrator has to set up a second factor before anything else. */
  "two-factor-required": 403,
  /** The password had expired at sign-in: it has to be changed before anything else. */
  "password-expired": 403,
  /** The password has to be entered again: `POST /api/profile/confirm-password`, then the same call again. */
  "password-required": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "too-slow": 408,
  conflict: 409,
  "already-taken": 409,
  /** The same message with the same values has been sent; `again` sends it once more. */
  "already-sent": 409,
  "too-large": 413,
  "wrong-content-type": 415,
  "unknown-recipient": 422,
  "ambiguous-recipient": 422,
  "empty-audience": 422,
  "missing-field-values": 422,
  "date-in-the-past": 422,
  "unsupported-file": 422,
  "too-many-requests": 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;
const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** The reply of every failed call. `fields` maps a field's path ("recipients.0") to its sentence. */
export const errorReply = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  /** Of already-sent: the notification that was sent. */
  notificationId: z.number().optional(),
});
export type ErrorReply = z.output<typeof errorReply>;

/** Why something was refused, before it is put into words. */
export type Reason = { code: string; params: object };

/**
 * An error that a person can act on, thrown anywhere on the server and turned into a reply in one place.
 * `message` is a sentence for people. `fields` names the invalid input.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** Seconds after which a retry makes sense, sent as Retry-After. */
  readonly retryAfter: number | undefined;
  readonly reason: Reason | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    {
      cause,
      ...more
    }: {
      fields?: Record<string, string>;
      retryAfter?: number;
      reason?: Reason;
      cause?: unknown;
    } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "AppError";
    this.code = code;
    this.fields = more.fields;
    this.retryAfter = more.retryAfter;
    this.reason = more.reason;
  }
}
