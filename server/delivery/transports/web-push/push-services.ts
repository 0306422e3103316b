import { apiClient, type ApiAnswer } from "../http/api-client.ts";
import type { Failure } from "../transport.ts";

/** The most common push services, for the connection test. */
const COMMON_SERVICES = ["https://fcm.googleapis.com", "https://updates.push.services.mozilla.com"];
/** Push services with a single host. */
const HOSTS = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];
const WINDOWS = /^[\w.-]+\.notify\.windows\.com$/;

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
  return {
    addresses: own === null ? COMMON_SERVICES : [own],
    async post(endpoint, headers, body) {
      if (!isPushEndpoint(endpoint, own)) return NOT_A_SERVICE;
      const answer = await apiClient("", TIMEOUT_MS)({ method: "POST", path: endpoint, headers, body });
      const ofAnyone =
        "kind" in answer && answer.kind === "unavailable" && WINDOWS.test(new URL(endpoint).hostname);
      return ofAnyone ? { kind: "unavailable", code: answer.code, detail: answer.detail } : answer;
    },
  };
}

const NOT_A_SERVICE: Failure = {
  kind: "refused",
  of: "recipient",
  code: "not_a_push_service",
  detail: "This browser's address for notifications doesn't belong to a known push service",
  noDevice: true,
};
