import type { BodyIn, Endpoint, ParamsOf, QueryIn, QueryOf, ReplyOf } from "#contract/endpoint.ts";
import type { ErrorCode, ErrorReply } from "#contract/errors.ts";
import { isUserActive } from "#web/api/user-activity.ts";

/** The server answered, and said no. The text is "{status}: {message}"; `reason` is the message alone. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** A field's path ("recipients.0") and its sentence. */
  readonly fields: Record<string, string>;
  readonly reason: string;
  /** HTTP's own words for the status; empty over HTTP/2. */
  readonly statusText: string;

  constructor(
    status: number,
    reason: string,
    code?: ErrorCode,
    fields: Record<string, string> = {},
    statusText = "",
  ) {
    super(`${status}: ${reason}`);
    this.status = status;
    this.reason = reason;
    this.code = code;
    this.fields = fields;
    this.statusText = statusText;
  }
}

/** No one answered: no network, or the server is down. Whether the call arrived is unknown. */
export class OfflineError extends Error {
  override name = "OfflineError";
  constructor(options?: ErrorOptions) {
    super("The server cannot be reached. Check the connection and try again.", options);
  }
}

// Optional stays optional as the sender writes it, but the values have the types that the server reads.
type Written<In, Out> = { [Key in keyof In]: Key extends keyof Out ? Out[Key] : In[Key] };
type Part<Name extends string, In, Out> = [In] extends [undefined]
  ? { [K in Name]?: undefined }
  : object extends In
    ? { [K in Name]?: Written<In, Out> }
    : { [K in Name]: Written<In, Out> };

/** What a call takes: `params`, `query` and `body` where the endpoint has them. */
export type Input<E extends Endpoint> = Part<"params", ParamsOf<E>, ParamsOf<E>> &
  Part<"query", QueryIn<E>, QueryOf<E>> &
  Part<"body", BodyIn<E>, BodyIn<E>>;

/** The argument may be left out altogether when nothing in it is required. */
export type Arguments<E extends Endpoint> =
  object extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

type CallOptions = {
  signal?: AbortSignal;
  /** Id of the person for whom it is done, where that is not who is signed in here now. */
  as?: number;
};

/** One page of a list and how many rows there are in all; `about`: the total is an estimate. */
export type Page<Row> = { rows: Row[]; total: number; about?: boolean };
export type RowOf<E extends Endpoint> = ReplyOf<E> extends (infer Row)[] ? Row : never;

type Loose = { params?: unknown; query?: unknown; body?: unknown };

/**
 * Calls an endpoint and answers its reply. Throws ApiError, OfflineError, or the AbortError of `signal`.
 * Replies are checked against the contract while developing.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: Arguments<E>
): Promise<ReplyOf<E>> {
  const { body } = await exchange(endpoint, input ?? {}, options);
  return body as ReplyOf<E>;
}

/** Calls an endpoint that answers a list, and reads the total beside it. */
export async function callList<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: Arguments<E>
): Promise<Page<RowOf<E>>> {
  const { body, response } = await exchange(endpoint, input ?? {}, options);
  const rows = body as RowOf<E>[];
  const total = Number(response.headers.get("X-Total-Count") ?? rows.length);
  return { rows, total, ...(response.headers.has("X-Total-Estimated") && { about: true }) };
}

async function exchange(endpoint: Endpoint, input: Loose, options: CallOptions = {}) {
  const response = await send(endpoint, address(endpoint.path, input), {
    ...options,
    ...(input.body === undefined ? {} : { json: input.body }),
  });
  const body: unknown = response.status === 204 ? undefined : await response.json();
  // Coercions and defaults are the server's; a reply is only looked at, never rewritten.
  if (import.meta.env.DEV) endpoint.reply.parse(body);
  return { body, response };
}

type Payload = CallOptions & { json?: unknown };

/** The bare exchange, for calls that must not carry the contract's schemas with them. */
export async function send(
  to: Pick<Endpoint, "method" | "path">,
  url: string,
  payload: Payload = {},
): Promise<Response> {
  const asksWho = answers401Itself.has(to.path);
  const headers = pageHeaders(asksWho ? null : (payload.as ?? callerId));
  if (!isUserActive()) headers["X-Porchlight-Unattended"] = "1";
  if (payload.json !== undefined) headers["Content-Type"] = "application/json";
  let response: Response | undefined;
  let cause: unknown;
  try {
    response = await fetch(url, {
      method: to.method,
      credentials: "same-origin",
      headers,
      body: payload.json === undefined ? null : JSON.stringify(payload.json),
      signal: payload.signal ?? null,
    });
  } catch (error) {
    if (payload.signal?.aborted) throw error;
    cause = error;
  }
  return settle(response, { asksWho, cause });
}

type Exchanged = {
  /** A 401 is the answer to what was asked, not the end of a session. */
  asksWho?: boolean;
  cause?: unknown;
};

/**
 * What an exchange comes to, however it was made: its response, or undefined where none came. Answers one that is ok,
 * else throws ApiError or OfflineError; either way the page knows of server and session what this one tells of them.
 */
export async function settle(
  response: Response | undefined,
  { asksWho = false, cause }: Exchanged = {},
): Promise<Response> {
  if (!response) {
    setReachable(false);
    throw new OfflineError({ cause });
  }
  if (response.ok) {
    setReachable(true);
    return response;
  }
  const error = await readError(response);
  // A gateway answers for a server that does not; the server itself says in its own words what it refuses.
  setReachable(error.code !== undefined || !gatewayFailures.includes(error.status));
  if (error.status === 401 && !asksWho) onSignedOut();
  throw error;
}

/** What a gateway answers in place of a server that is down. */
export const gatewayFailures: readonly number[] = [502, 503, 504];

/** Fills `{name}` from params and appends the query; undefined and empty values are left out. */
export function address(path: string, { params, query }: Pick<Loose, "params" | "query">): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(name, String(one));
    }
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

async function readError(response: Response): Promise<ApiError> {
  const { status, statusText } = response;
  const text = await response.text().catch(() => "");
  try {
    const { message, code, fields } = JSON.parse(text) as ErrorReply;
    if (typeof message === "string") return new ApiError(status, message, code, fields, statusText);
  } catch {
    // Not ours: a proxy's page, or nothing at all.
  }
  return new ApiError(status, text.trim() || statusText, undefined, {}, statusText);
}

// Here a 401 is an answer (no one is signed in, the password is wrong), not the end of a session.
const answers401Itself = new Set(["/api/auth/me", "/api/auth/login"]);

let callerId: number | null = null;
/** From now on calls say that they are this person's: of all tabs, the last sign-in decides whose session it is. */
export function callAs(userId: number | null) {
  callerId = userId;
}

/** What the server is told with every call of a page, anyone who makes it. */
export function pageHeaders(userId: number | null = callerId): Record<string, string> {
  return {
    Accept: "application/json",
    ...(userId !== null && { "X-Porchlight-User": String(userId) }),
  };
}

let onSignedOut = () => {};
/** The session registers here, so that the client need not know it. */
export function whenSignedOut(handler: () => void) {
  onSignedOut = handler;
}

let reachable = true;
const watchers = new Set<() => void>();
function setReachable(next: boolean) {
  if (next === reachable) return;
  reachable = next;
  for (const watch of watchers) watch();
}

/** Whether the last call reached the server; for useSyncExternalStore. */
export const reachability = {
  get: () => reachable,
  set: setReachable,
  subscribe: (watch: () => void) => {
    watchers.add(watch);
    return () => void watchers.delete(watch);
  },
};
