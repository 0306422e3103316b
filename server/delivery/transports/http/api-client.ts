import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { tlsProblem } from "../tls-problem.ts";
import type { Failure } from "../transport.ts";

export type ApiRequest = {
  method: "GET" | "POST";
  /** Relative to the API's base URL: "/v3/mail/send". */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | FormData;
};

/**
 * `body`: the parsed JSON, in which a null is an absent value; undefined if the response isn't JSON. `format`: `data` is
 * JSON, or at least begins like it.
 */
export type ApiAnswer = {
  status: number;
  headers: Headers;
  body: unknown;
  format: "data" | "html" | "text" | "empty";
};

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
  CONNECT_TIMEOUT: { code: "timeout", detail: "The provider's API didn't answer in time." },
};

const CONNECT_MS = 10_000;
/** Far more than any provider answers. */
const MAX_ANSWER_CHARACTERS = 2 ** 20;

/**
 * Makes requests to a web API, without redirects or retries. A request that may have arrived but got no response is
 * `uncertain`. `keyed`: each carries an idempotency key, so it may be repeated. Never rejects.
 */
export function apiClient(url: string, timeoutMs: number, { keyed = false } = {}): Ask {
  return async ({ body, ...request }) => {
    try {
      if (!keyed && request.method !== "GET") await closeIdle(new URL(url + request.path));
      const sent = body instanceof FormData ? await encoded(body) : { headers: {}, body };
      const headers = { ...OURS, ...sent.headers, ...request.headers };
      return await exchange(url, timeoutMs, { ...request, headers, body: sent.body });
    } catch (error) {
      return withoutAnswer(error);
    }
  };
}

/** Some APIs refuse requests that don't name their program. */
const OURS = { accept: "application/json", "user-agent": "Porchlight" };

async function encoded(form: FormData): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const whole = new Response(form);
  const type = whole.headers.get("content-type")!;
  return { headers: { "content-type": type }, body: Buffer.from(await whole.arrayBuffer()) };
}

/**
 * How long a connection may have been idle for a request that can't be repeated. A balancer may close one without notice,
 * and then no one knows whether the request arrived. Within a burst there's no time for that.
 */
const BURST_MS = 5;
/** For how long no connection is used again after one that was has ended without an answer. */
const DISTRUST_MS = 3_600_000;
const distrusted = new Map<string, number>();

/** Where each connection leads, and when it carried its last answer. */
const lastAnswers = new WeakMap<Duplex, { origin: string; at: number }>();

/** Closes the idle connections to this place, so that a request gets a new one. */
async function closeIdle({ protocol, origin }: URL): Promise<void> {
  // What the system knows by now about their ends is read first.
  await new Promise((resolve) => setImmediate(resolve));
  const { freeSockets } = protocol === "https:" ? https.globalAgent : http.globalAgent;
  const trusted = performance.now() - (distrusted.get(origin) ?? -Infinity) > DISTRUST_MS;
  for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) {
    const last = lastAnswers.get(socket);
    if (last?.origin === origin && (!trusted || performance.now() - last.at > BURST_MS)) socket.destroy();
  }
}

type Exchange = ApiRequest & { body: string | Buffer | undefined };

/** Through Node's own client, because `fetch` takes three times as long for each request. */
function exchange(url: string, timeoutMs: number, { path, body, ...options }: Exchange): Promise<ApiAnswer> {
  const place = new URL(url + path);
  const isSecure = place.protocol === "https:";
  return new Promise((resolve, reject) => {
    let answered = false;
    let over: Duplex;
    const request = (isSecure ? https : http).request(place, options, (answer) => {
      answered = true;
      if (answer.statusCode === 101) return giveUp(new Error("The answer is another protocol"));
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        text += part;
        if (text.length > MAX_ANSWER_CHARACTERS) request.destroy(new Error("The answer is too long"));
      });
      answer.on("error", reject);
      answer.on("close", () => reject(new Error("The answer ended in the middle")));
      answer.on("end", () => {
        lastAnswers.set(over, { origin: place.origin, at: performance.now() });
        const headers = new Headers();
        for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
        resolve({ status: answer.statusCode ?? 0, headers, body: jsonOf(text), format: formatOf(text) });
      });
    });
    // A request without a socket ends without an event.
    const giveUp = (error: Error) => {
      reject(error);
      request.destroy(error);
    };
    const started = performance.now();
    let timer = setTimeout(
      () => giveUp(Object.assign(new Error("No connection"), { code: "CONNECT_TIMEOUT" })),
      Math.min(CONNECT_MS, timeoutMs),
    );
    const connected = () => {
      clearTimeout(timer);
      const left = timeoutMs - (performance.now() - started);
      timer = setTimeout(() => giveUp(new Error("No answer")), left);
    };
    request.on("socket", (socket) => {
      over = socket;
      // One that is used again, or comes through a proxy, is open already.
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", connected);
      else connected();
    });
    request.on("error", (error) => {
      if (request.reusedSocket && !answered) distrusted.set(place.origin, performance.now());
      reject(error);
    });
    request.on("close", () => {
      clearTimeout(timer);
      // Also after a 101, which is neither an answer nor an error. An answer that has begun may still be read.
      if (!answered) reject(new Error("The connection ended without an answer"));
    });
    request.end(body);
  });
}

/** Classifies a request's error by whether it may have arrived. */
export function withoutAnswer(error: unknown): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = NOT_CONNECTED[code] ?? (neverConnected(error) ? UNREACHABLE : undefined);
  if (known) return { kind: "unavailable", account: true, ...known };
  const problem = tlsProblem(error, "The provider's API", "Check the address in the server's environment.");
  if (problem) return { kind: "unavailable", account: true, ...problem };
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

/** Parses what a provider says, in an answer or a call. A null is an absent value. Undefined if the text is not JSON. */
export const jsonOf = (text: string): unknown => withoutNulls(jsonAsWritten(text));

/** The same with its nulls: for what no one vouches for yet, because leaving them out costs more than parsing. */
export function jsonAsWritten(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Changes the value. Not recursive, because what strangers write may be deeper than the stack. */
function withoutNulls(whole: unknown): unknown {
  if (typeof whole !== "object" || whole === null) return whole ?? undefined;
  const left: object[] = [whole];
  for (let part = left.pop(); part; part = left.pop()) {
    const values = part as Record<string, unknown>;
    for (const name of Object.keys(values)) {
      const value = values[name];
      if (value === null) delete values[name];
      else if (typeof value === "object") left.push(value);
    }
  }
  return whole;
}

function formatOf(text: string): ApiAnswer["format"] {
  const start = text.trimStart();
  if (start === "") return "empty";
  if (start.startsWith("<")) return "html";
  return /^[[{"]/.test(start) || jsonOf(text) !== undefined ? "data" : "text";
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
  // The error or timeout may have come after the message was accepted. A portal sends 511 before anything else (RFC 6585).
  if (status === 408 || (status >= 500 && status !== 511)) return { kind: "uncertain", code, detail };
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
