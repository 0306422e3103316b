import type { BodyIn, Endpoint, ParamsOf, QueryIn, QueryOf, ReplyOf } from "#contract/endpoint.ts";
import type { ErrorCode, ErrorReply } from "#contract/errors.ts";
import { ApiError, CancelledError, OfflineError, SignInInFrontError } from "#web/api/call-errors.ts";
import { reachability } from "#web/api/reachability.ts";
import { noteCall } from "#web/api/user-activity.ts";

// Optional fields stay optional for the sender, but the values have the types that the server reads.
type Written<In, Out> = { [Key in keyof In]: Key extends keyof Out ? Out[Key] : In[Key] };
type Part<Name extends string, In, Out> = [In] extends [undefined]
  ? { [K in Name]?: undefined }
  : object extends In
    ? { [K in Name]?: Written<In, Out> }
    : { [K in Name]: Written<In, Out> };

/** The input of a call: `params`, `query` and `body` if the endpoint has them. */
export type Input<E extends Endpoint> = Part<"params", ParamsOf<E>, ParamsOf<E>> &
  Part<"query", QueryIn<E>, QueryOf<E>> &
  Part<"body", BodyIn<E>, BodyIn<E>>;

/** The argument may be omitted if nothing in it is required. */
export type Arguments<E extends Endpoint> =
  object extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions];

type CallOptions = {
  signal?: AbortSignal;
  /** Id of the person it is done for, whoever is signed in. It doesn't wait for them to sign in again. */
  as?: number;
  /** Milliseconds after which an attempt fails with a TimeoutError. */
  patience?: number;
};

/** One page of a list and the total; `about`: the total is an estimate. */
export type Page<Row> = { rows: Row[]; total: number; about?: boolean };
export type RowOf<E extends Endpoint> = ReplyOf<E> extends (infer Row)[] ? Row : never;

type Loose = { params?: unknown; query?: unknown; body?: unknown };

/**
 * Calls an endpoint and returns its reply. Throws ApiError, OfflineError, CancelledError, or the AbortError of
 * `signal`. Replies are checked against the contract during development.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: Arguments<E>
): Promise<ReplyOf<E>> {
  const { body } = await exchange(endpoint, input ?? {}, options);
  return body as ReplyOf<E>;
}

/** Calls an endpoint that returns a list, and reads the total with it. */
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
  const ask = () =>
    send(endpoint, address(endpoint.path, input), {
      ...options,
      ...(input.body === undefined ? {} : { json: input.body }),
    });
  const response = await ask().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "password-required") throw error;
    if (!askForPassword) throw error;
    if (!(await askForPassword()))
      throw new CancelledError("The password was not entered.", { cause: error });
    return ask();
  });
  const body: unknown = response.status === 204 ? undefined : await response.json();
  // Coercions and defaults are the server's; a reply is only checked, never rewritten.
  if (import.meta.env.DEV) endpoint.reply.parse(body);
  return { body, response };
}

type Payload = CallOptions & { json?: unknown };

/**
 * The plain request, for calls that must not load the contract's schemas. If the person's session has ended, it waits
 * until they have signed in again. The server refused it before doing anything, so it is then made once more.
 */
export async function send(
  to: Pick<Endpoint, "method" | "path">,
  url: string,
  payload: Payload = {},
): Promise<Response> {
  if (needsNoSession.has(to.path) || payload.as !== undefined) return attempt(to, url, payload);
  return whileSignedIn(() => attempt(to, url, payload));
}

/** Makes a call as `send` does, for requests of another kind. */
export async function whileSignedIn<Reply>(make: () => Promise<Reply>): Promise<Reply> {
  if (gate.closed()) await gate.opened();
  try {
    return await make();
  } catch (error) {
    if (!isSessionOver(error) || !(await gate.opened())) throw error;
    return make();
  }
}

/** The session that a call was made in is over. */
const isSessionOver = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && sessionCodes.includes(error.code);
const sessionCodes: readonly (ErrorCode | undefined)[] = ["signed-out", "session-ended", "session-expired"];

type SessionGate = {
  /** The session has ended, and its person has not signed in again. */
  closed: () => boolean;
  /** Resolves once they can go on: with false if that isn't known. Never if the page becomes someone else's. */
  opened: () => Promise<boolean>;
};
let gate: SessionGate = { closed: () => false, opened: async () => false };
/** The session registers here, so that the client does not depend on it. */
export function guardCalls(by: SessionGate) {
  gate = by;
}
/** Whether calls wait for the person to sign in again. */
export const callsWait = (): boolean => gate.closed();

async function attempt(
  to: Pick<Endpoint, "method" | "path">,
  url: string,
  { json, as, signal, patience }: Payload,
): Promise<Response> {
  const asksWho = answers401Itself.has(to.path);
  const headers = pageHeaders(asksWho ? null : (as ?? callerId));
  if (!noteCall()) headers["X-Porchlight-Unattended"] = "1";
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const signals = [signal ?? [], patience === undefined ? [] : AbortSignal.timeout(patience)].flat();
  let response: Response | undefined;
  let cause: unknown;
  try {
    response = await fetch(url, {
      method: to.method,
      credentials: "same-origin",
      headers,
      body: json === undefined ? null : JSON.stringify(json),
      signal: signals.length > 0 ? AbortSignal.any(signals) : null,
      // Our server never redirects a call. What does is a sign-in page in front of it, mostly on another site.
      redirect: "manual",
    });
  } catch (error) {
    if (signals.some(({ aborted }) => aborted)) throw error;
    cause = error;
  }
  return settle(response, { asksWho, cause });
}

type Exchanged = {
  /** Here a 401 answers the question and does not end a session. */
  asksWho?: boolean;
  cause?: unknown;
};

/**
 * Handles the result of a request: its response, or undefined if there was none. Returns a successful one, otherwise
 * throws ApiError or OfflineError. Either way, it updates what the page knows about the server and the session.
 */
export async function settle(
  response: Response | undefined,
  { asksWho = false, cause }: Exchanged = {},
): Promise<Response> {
  if (!response) {
    reachability.set(false);
    throw new OfflineError({ cause });
  }
  if (response.ok && !isPage(response)) {
    reachability.set(true);
    return response;
  }
  const error = await troubleOf(response);
  const { status, code }: Partial<ApiError> = error instanceof ApiError ? error : {};
  if (code !== undefined && !isAway(status)) reachability.set(true);
  // A proxy may refuse this call alone. Only if it answers for the session, too, the server is out of reach.
  const inDoubt = status === 401 || code === undefined;
  if ((inDoubt && !asksWho) || stepCodes.includes(code)) onDoubt();
  throw error;
}

/** Our server answers calls with JSON and files. A page is a proxy's, or a network's that wants people to sign in. */
const isPage = (response: Response) => response.headers.get("Content-Type")?.startsWith("text/html") === true;

/** Our server never redirects a call, and answers with JSON, a 401, too. */
async function troubleOf(response: Response): Promise<ApiError | OfflineError> {
  if (response.type === "opaqueredirect" || response.ok) return new SignInInFrontError();
  if (isPage(response) && asksToSignIn.has(response.status)) return new SignInInFrontError();
  return readError(response);
}
/** Not signed in; not at the proxy; not at the network. */
const asksToSignIn = new Set([401, 407, 511]);

/** Something has to be done before anything else works: the session says what. */
const stepCodes: readonly (string | undefined)[] = ["two-factor-required", "password-expired"];

/** Whether a gateway says that the server is down, or the server says so of its database or of a provider. */
export const isAway = (status = 0): boolean => status >= 502 && status <= 504;

/** Fills `{name}` from params and appends the query; undefined and empty values are omitted. */
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
    const { message, code, fields, notificationId } = JSON.parse(text) as ErrorReply;
    // A gateway's JSON may have a message, or a number as its code.
    const known = typeof code === "string" ? code : undefined;
    if (typeof message === "string")
      return new ApiError(status, message, known, fields, statusText, true, notificationId);
  } catch {
    // Not ours: a proxy's page, or nothing at all.
  }
  const sentence = foreignSentence(response);
  const reason = sentence ?? (text.trim() || statusText || IN_BETWEEN);
  return new ApiError(status, reason, undefined, {}, statusText, sentence !== undefined);
}

/** What to tell a person about an answer that is not our server's. They can't read a page's HTML. */
function foreignSentence(response: Response): string | undefined {
  const { status, statusText } = response;
  if (status === 413) return TOO_LARGE;
  if (isPage(response)) return [statusText, IN_BETWEEN].filter(Boolean).join(". ");
  return undefined;
}

const TOO_LARGE =
  "A proxy in front of Porchlight doesn't accept this much at once. Ask your administrator to raise its limit.";
const IN_BETWEEN = "A proxy or Wi-Fi sign-in page answered instead of Porchlight.";

// Here a 401 is an answer (no one is signed in, the password is wrong) and does not end a session.
const answers401Itself = new Set([
  "/api/auth/me",
  "/api/auth/login",
  "/api/auth/second-step",
  "/api/auth/passkey/options",
  "/api/auth/passkey",
]);

// These are for signing in, so they don't wait for it.
const needsNoSession = new Set([...answers401Itself, "/api/auth/state"]);

let callerId: number | null = null;
/** From now on calls say that they are this person's: across tabs, the last sign-in decides whose session it is. */
export function callAs(userId: number | null) {
  callerId = userId;
}

/** Sent with every call of a page. */
export function pageHeaders(userId: number | null = callerId): Record<string, string> {
  return {
    Accept: "application/json",
    ...(userId !== null && { "X-Porchlight-User": String(userId) }),
  };
}

let onDoubt = () => {};
/**
 * The session registers here, so that the client does not depend on it. It asks who is signed in: no one, someone who
 * has something to do first, or there is no answer, because the server cannot be reached.
 */
export function whenInDoubt(handler: () => void) {
  onDoubt = handler;
}

let askForPassword: (() => Promise<boolean>) | undefined;
/**
 * Who asks for the password where a call needs it again: resolves with whether it was right, and the call is then
 * repeated. Returns how to stop.
 */
export function whenPasswordRequired(ask: () => Promise<boolean>): () => void {
  askForPassword = ask;
  return () => {
    askForPassword = undefined;
  };
}
