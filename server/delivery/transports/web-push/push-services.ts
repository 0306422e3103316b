import { Agent, request as httpsRequest } from "node:https";
import { request as httpRequest } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import type { ApiAnswer } from "../http/api-client.ts";
import { withoutAnswer } from "../http/api-client.ts";
import type { Failure } from "../transport.ts";

/** The most common push services, for the connection test. */
const COMMON_SERVICES = ["https://fcm.googleapis.com", "https://updates.push.services.mozilla.com"];
/** Push services with a single host. */
const HOSTS = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];
const WINDOWS = /^[\w.-]+\.notify\.windows\.com$/;

const MAX_ANSWER_BYTES = 4096;
const TIMEOUT_MS = 20_000;

export type PushServices = {
  /** The base URLs of the most common ones. */
  addresses: readonly string[];
  /**
   * Never rejects, follows no redirects and doesn't retry. If a host can't be reached, that only counts against the account
   * for fixed hosts, not for subdomains that anyone can make up.
   */
  post(endpoint: string, headers: Record<string, string>, body: Buffer): Promise<ApiAnswer | Failure>;
};

/**
 * Whether an endpoint belongs to a known push service or to the deployment's own. Any signed-in user can submit any
 * endpoint, so all others are refused.
 */
export function isPushEndpoint(endpoint: string, own: string | null): boolean {
  if (isOwn(endpoint, own)) return true;
  const url = URL.parse(endpoint);
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "")
    return false;
  return HOSTS.includes(url.hostname) || WINDOWS.test(url.hostname);
}

const isOwn = (endpoint: string, own: string | null) => own !== null && endpoint.startsWith(`${own}/`);

/**
 * @param own the base URL of an additional service, on any network, such as an emulator. Null: none
 */
export function pushServices(own: string | null): PushServices {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  return {
    addresses: own === null ? COMMON_SERVICES : [own],
    async post(endpoint, headers, body) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const options = { method: "POST", headers: { ...headers, "content-length": body.length }, signal };
      if (!isPushEndpoint(endpoint, own)) return NOT_A_SERVICE;
      const url = new URL(endpoint);
      try {
        return await exchange(url, isOwn(endpoint, own) ? options : { ...options, agent }, body);
      } catch (error) {
        const failure = withoutAnswer(error);
        if (failure.kind !== "unavailable" || !WINDOWS.test(url.hostname)) return failure;
        return { kind: "unavailable", code: failure.code, detail: failure.detail };
      }
    },
  };
}

const NOT_A_SERVICE: Failure = {
  kind: "refused",
  of: "recipient",
  code: "not_a_push_service",
  detail: "This browser's address for notifications is not at a push service that we know",
  noDevice: true,
};

function exchange(url: URL, options: RequestOptions, body: Buffer): Promise<ApiAnswer> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = send(
      {
        host: url.hostname,
        port: url.port || undefined,
        path: url.pathname + url.search,
        ...options,
      },
      (answer) => {
        read(answer).then((text) => {
          const headers = new Headers();
          for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
          resolve({ status: answer.statusCode ?? 0, headers, body: text });
        }, reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Reads the response's text up to a limit. */
async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString("utf8");
}
