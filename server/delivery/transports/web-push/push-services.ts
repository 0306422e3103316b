import { Agent, request as httpsRequest } from "node:https";
import { request as httpRequest } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import type { ApiAnswer } from "../http/api-client.ts";
import { withoutAnswer } from "../http/api-client.ts";
import { NetworkGuard } from "../network-guard.ts";
import type { Failure } from "../transport.ts";

/** The services of browsers, as their vendors run them. */
const BROWSERS_OWN = ["https://fcm.googleapis.com", "https://updates.push.services.mozilla.com"];
const KNOWN =
  /(?:^|\.)(?:googleapis\.com|google\.com|push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)$/;

const MOST_ANSWER_BYTES = 4096;
const TIMEOUT_MS = 20_000;

export type PushServices = {
  /** Where they are, of the most common ones. */
  addresses: readonly string[];
  /** Never rejects. No redirects, no second try. */
  post(endpoint: string, headers: Record<string, string>, body: Buffer): Promise<ApiAnswer | Failure>;
  /** Whether what this endpoint answers may be about us. Of another, which anyone may have made up, it is about itself. */
  areTrusted(endpoint: string): boolean;
};

/**
 * Where a browser says that its messages go, which may be anything: only https on its usual port, and only to public
 * addresses, whatever the deployment allows mail servers.
 *
 * @param own a service at this address is one too, wherever it is: an emulator, say. Null: none
 */
export function pushServices(own: string | null): PushServices {
  const guard = new NetworkGuard();
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const isOwn = (endpoint: string) => own !== null && endpoint.startsWith(`${own}/`);
  return {
    addresses: own === null ? BROWSERS_OWN : [own],
    async post(endpoint, headers, body) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const options = { method: "POST", headers: { ...headers, "content-length": body.length }, signal };
      const url = new URL(endpoint);
      try {
        if (isOwn(endpoint)) return await exchange(url, options, body);
        if (url.protocol !== "https:" || url.port !== "" || url.username !== "") return refused("not_https");
        const host = url.hostname.replace(/^\[|\]$/g, "");
        const address = await guard.addressOf(host);
        if (typeof address !== "string") {
          return address.refused === "private" ? refused("private_address") : unknownHost(address.detail);
        }
        return await exchange(url, { ...options, agent, host: address, ...serverName(host) }, body);
      } catch (error) {
        return withoutAnswer(error);
      }
    },
    areTrusted: (endpoint) => isOwn(endpoint) || KNOWN.test(new URL(endpoint).hostname),
  };
}

const serverName = (host: string) => (isIP(host) ? {} : { servername: host });

const refused = (code: string): Failure => ({
  kind: "refused",
  of: "recipient",
  code,
  detail: "This browser’s address for notifications is not a public https address",
});

const unknownHost = (detail: string): Failure => ({
  kind: "unavailable",
  account: true,
  code: "unknown_host",
  detail,
});

/** `options.host` is where it connects to; the URL's stays in the Host header and, over TLS, in the certificate. */
function exchange(url: URL, options: RequestOptions, body: Buffer): Promise<ApiAnswer> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = send(
      {
        host: url.hostname,
        port: url.port || undefined,
        path: url.pathname + url.search,
        ...options,
        headers: { ...(options.headers as Record<string, string>), host: url.host },
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

/** As much of it as anyone wants to read. */
async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString("utf8");
}
