import * as z from "zod";

/** Every error code and the HTTP status it travels with. */
export const errorStatus = {
  "invalid-input": 400,
  "malformed-json": 400,
  "signed-out": 401,
  "wrong-credentials": 401,
  forbidden: 403,
  "cross-site": 403,
  "registration-closed": 403,
  "setup-code": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  conflict: 409,
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
export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** What every failed call answers. `fields` maps a field's path ("recipients.0") to its sentence. */
export const errorReply = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});
export type ErrorReply = z.output<typeof errorReply>;
