import type { ErrorCode } from "#contract/errors.ts";

/** What a call may end with instead of a reply. */

/**
 * The answer was an error. The text is "{status}: {message}"; `reason` is the message alone. Only our server's errors have
 * a `code`: without one, something in front of it answered, such as a proxy.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** A field's path ("recipients.0") and its sentence. */
  readonly fields: Record<string, string>;
  readonly reason: string;
  /** Whether `reason` is a sentence for people. An answer without a message has only HTTP's text, or its own. */
  readonly isSentence: boolean;
  /** HTTP's own text for the status; empty over HTTP/2. */
  readonly statusText: string;
  /** Of already-sent: the notification that was sent. */
  readonly notificationId: number | undefined;

  constructor(
    status: number,
    reason: string,
    code?: ErrorCode,
    fields: Record<string, string> = {},
    statusText = "",
    isSentence = true,
    notificationId?: number,
  ) {
    super(`${status}: ${reason}`);
    this.status = status;
    this.reason = reason;
    this.code = code;
    this.fields = fields;
    this.statusText = statusText;
    this.isSentence = isSentence;
    this.notificationId = notificationId;
  }
}

/** The server did not answer: no network, it is down, or a page came instead. Whether the call arrived is unknown. */
export class OfflineError extends Error {
  override name = "OfflineError";
  constructor(
    options?: ErrorOptions,
    message = "The server cannot be reached. Check the connection and try again.",
  ) {
    super(message, options);
  }
}

/**
 * Something in front of the server wants people to sign in there, such as a company's single sign-on or a Wi-Fi network.
 * A page's calls can't follow it there. Only loading a page can.
 */
export class SignInInFrontError extends OfflineError {
  override name = "SignInInFrontError";
  constructor() {
    super({}, SIGN_IN_IN_FRONT);
  }
}

const SIGN_IN_IN_FRONT =
  "Your company's sign-in or the network wants you to sign in again. Do that in a new tab, then try again here.";

/** The person did not want to enter their password again. Nothing was changed, and there is nothing to say about it. */
export class CancelledError extends Error {
  override name = "CancelledError";
}
