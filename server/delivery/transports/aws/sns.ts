import { verify, X509Certificate, type KeyObject } from "node:crypto";
import * as z from "zod";
import { refusal } from "#contract/refusals/refusal.ts";
import { isLoopback } from "../loopback.ts";
import { unverifiedJsonIn, type WebhookCall } from "../webhook.ts";

/**
 * What Amazon SNS posts to a topic's HTTPS subscriptions (SNS developer guide, "Parsing Amazon SNS message formats").
 * `Message` is the payload from the publishing service.
 */
const message = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: z.string().min(1),
  TopicArn: z.string(),
  Subject: z.string().nullish(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: z.string(),
  SigningCertURL: z.string(),
  Token: z.string().nullish(),
  SubscribeURL: z.string().nullish(),
});
export type SnsMessage = z.output<typeof message>;

/** SNS retries for an hour, unless the subscription says otherwise. */
const MAX_AGE_MS = 2 * 3_600_000;
const CLOCK_SKEW_MS = 10 * 60_000;
const TOPIC = /^arn:aws[\w-]*:sns:([a-z0-9-]{3,30}):\d{12}:/;
const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;
const FETCH_TIMEOUT_MS = 5000;

/** Fetches the text at a URL. */
type FetchText = (url: string) => Promise<string>;

const fetchText: FetchText = async (url) => {
  const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}`);
  return answer.text();
};

/** Parses a call from SNS; undefined if it isn't one. */
export function snsMessage(call: Pick<WebhookCall, "body">): SnsMessage | undefined {
  return message.safeParse(unverifiedJsonIn(call)).data;
}

/** Parses a URL from a call; undefined unless it is on SNS's own host in the topic's region, on the default port. */
function snsUrl(address: string, topicArn: string): URL | undefined {
  const region = TOPIC.exec(topicArn)?.[1];
  const url = URL.parse(address);
  if (region === undefined || url?.protocol !== "https:" || url.username || url.password) return undefined;
  const hosts = [`sns.${region}.amazonaws.com`, `sns.${region}.amazonaws.com.cn`];
  return hosts.includes(url.host) ? url : undefined;
}

/** SNS's host also answers API requests with content that callers control, so only certificate paths are trusted. */
function isCertificate(address: string, topicArn: string): boolean {
  const url = snsUrl(address, topicArn);
  return url !== undefined && CERTIFICATE.test(url.pathname + url.search + url.hash);
}

function isConfirmation(address: string, topicArn: string): boolean {
  const url = snsUrl(address, topicArn);
  return url?.pathname === "/" && url.searchParams.getAll("Action").join() === "ConfirmSubscription";
}

function onEmulator(address: string, apiUrl: string): string | undefined {
  const api = URL.parse(apiUrl);
  return api && isLoopback(api.hostname) ? new URL(new URL(address).pathname, api).href : undefined;
}

/** Verifies the signatures of SNS calls and confirms subscriptions. `fetchUrl`: replaced in tests. */
export class SnsVerifier {
  readonly #fetch: FetchText;
  /** Public keys by certificate URL. Amazon rarely rotates its certificates, and a new one has a new URL. */
  readonly #keys = new Map<string, Promise<KeyObject>>();

  constructor(fetchUrl: FetchText = fetchText) {
    this.#fetch = fetchUrl;
  }

  /**
   * Whether SNS made this call recently and for this topic. The certificate is only fetched from Amazon's own host, or from
   * an emulator, if `apiUrl` is a loopback address.
   * @throws {AppError} unavailable: it can't be fetched now, so SNS has to retry the call
   */
  async isGenuine(call: WebhookCall, topicArn: string, apiUrl = ""): Promise<boolean> {
    const said = snsMessage(call);
    if (!said || said.TopicArn !== topicArn || !isCertificate(said.SigningCertURL, topicArn)) return false;
    const age = call.receivedAt.getTime() - Date.parse(said.Timestamp);
    if (!(age > -CLOCK_SKEW_MS && age < MAX_AGE_MS)) return false;
    const key = await this.#key(onEmulator(said.SigningCertURL, apiUrl) ?? said.SigningCertURL);
    const digest = said.SignatureVersion === "1" ? "sha1" : "sha256";
    return verify(digest, Buffer.from(signedText(said)), key, Buffer.from(said.Signature, "base64"));
  }

  /**
   * Confirms a new subscription by fetching its confirmation URL.
   * @throws {AppError} unavailable: Amazon can't be reached, so SNS has to retry the call
   */
  async confirm(call: WebhookCall): Promise<void> {
    const { Type, TopicArn = "", SubscribeURL } = snsMessage(call) ?? {};
    if (Type === "SubscriptionConfirmation" && SubscribeURL && isConfirmation(SubscribeURL, TopicArn)) {
      await this.#fetch(SubscribeURL).catch((cause: unknown) => {
        throw refusal("subscription-not-confirmable", {}, { cause });
      });
    }
  }

  /** The public key of the certificate at this URL. */
  #key(url: string): Promise<KeyObject> {
    const known = this.#keys.get(url);
    if (known) return known;
    const key = this.#fetch(url)
      .then((pem) => new X509Certificate(pem).publicKey)
      .catch((cause: unknown) => {
        throw refusal("certificate-not-readable", {}, { cause });
      });
    this.#keys.set(url, key);
    key.catch(() => this.#keys.delete(url));
    return key;
  }
}

/** The string to sign: names and values, each on a line. */
export function signedText(said: Omit<SnsMessage, "Signature">): string {
  const names =
    said.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : (["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const);
  return names.map((name) => (typeof said[name] === "string" ? `${name}\n${said[name]}\n` : "")).join("");
}
