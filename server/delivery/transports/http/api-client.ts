import { readable } from "../readable.ts";
import type { Failure } from "../transport.ts";

export type ApiRequest = {
  method: "GET" | "POST";
  /** Relative to the API's base URL: "/v3/mail/send". */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
};

/** `body`: the parsed JSON; undefined if the response isn't JSON. */
export type ApiAnswer = { status: number; headers: Headers; body: unknown };

/** Makes a request. Resolves with the API's response, or why there is none. */
export type Ask = (request: ApiRequest) => Promise<ApiAnswer | Failure>;

/** Errors from before the connection was open, so no request was sent. */
const UNREACHABLE = { code: "unreachable", detail: "We couldn't reach the provider's API." };
const UNKNOWN_HOST = { code: "unknown_host", detail: "We couldn't find the provider's API by its name." };
const NOT_CONNECTED: Readonly<Record<string, { code: string; detail: string } | undefined>> = {
  ECONNREFUSED: { code: "connection_refused", detail: "The provider's API refused the connection." },
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  UND_ERR_CONNECT_TIMEOUT: { code: "timeout", detail: "The provider's API didn't answer in time." },
};
const BAD_CERTIFICATE = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL_|EPROTO$)/;

/**
 * Makes requests to a web API, without redirects or retries. A request that may have arrived but got no response is
 * `uncertain`. Never rejects.
 */
export function apiClient(url: string, timeoutMs: number): Ask {
  return async ({ method, path, headers, body }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(url + path, {
        method,
        headers: { accept: "application/json", ...headers },
        ...(body !== undefined && { body }),
        redirect: "manual",
        signal,
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: jsonOf(text) };
    } catch (error) {
      return withoutAnswer(error);
    }
  };
}

/** Classifies an error of `fetch` or a Node request by whether the request may have arrived. */
export function withoutAnswer(error: unknown): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const known = NOT_CONNECTED[code] ?? (neverConnected(cause) ? UNREACHABLE : undefined);
  if (known) return { kind: "unavailable", account: true, ...known };
  if (BAD_CERTIFICATE.test(code)) {
    const reason = readable(cause instanceof Error ? cause.message : code);
    const detail = `We couldn't connect securely: ${reason}`;
    return { kind: "unavailable", account: true, code: "bad_certificate", detail };
  }
  return { kind: "uncertain", code: "no_answer", detail: "The answer never came" };
}

/** Whether connecting failed. For a host with several addresses, on each of them. */
function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverConnected);
  if (!(error instanceof Error)) return false;
  return (
    ("syscall" in error && error.syscall === "connect") ||
    error.message.includes("before secure TLS connection was established")
  );
}

/** Undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The outcome of an HTTP status that means the same for every provider. Undefined: it is about the message, and only the
 * provider's own codes say more.
 */
export function statusOutcome({ status, headers }: ApiAnswer, detail: string): Failure | undefined {
  const code = String(status);
  if (status === 429) {
    const retryAfterMs = retryAfter(headers.get("retry-after"));
    return { kind: "throttled", code, detail, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  // The error or timeout may have come after the message was accepted.
  if (status === 408 || status >= 500) return { kind: "uncertain", code, detail };
  if (
    status === 401 ||
    status === 403 ||
    status === 404 ||
    status === 405 ||
    (status >= 300 && status < 400)
  ) {
    return { kind: "misconfigured", code, detail };
  }
  return undefined;
}

/** Why a connection test failed. */
export function refusedCheck(answer: ApiAnswer, detail: string): Failure {
  return statusOutcome(answer, detail) ?? { kind: "misconfigured", code: String(answer.status), detail };
}

/** HTTP Basic authentication (RFC 7617). */
export function basicAuth(user: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

/** Milliseconds, from seconds or a date (RFC 9110 §10.2.3). */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
