import { verify, X509Certificate } from "node:crypto";
import type { KeyObject } from "node:crypto";
import * as z from "zod";
import { isLoopback } from "../loopback.ts";
import type { WebhookCall } from "../webhook.ts";

/**
 * What Amazon SNS posts to an address that is subscribed to a topic (SNS developer guide, "Parsing Amazon SNS message
 * formats"). `Message` is what the service behind it says.
 */
const message = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: z.string().min(1),
  TopicArn: z.string(),
  Subject: z.string().optional(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: z.string(),
  SigningCertURL: z.string(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
});
export type SnsMessage = z.output<typeof message>;

/** SNS tries a call again for an hour, unless the subscription says otherwise. */
const MAX_AGE_MS = 2 * 3_600_000;
const CLOCK_SKEW_MS = 10 * 60_000;
const TOPIC = /^arn:aws[\w-]*:sns:([a-z0-9-]{3,30}):\d{12}:/;
const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;
const FETCH_MS = 5000;

/** Opens an address of Amazon's; the text that is there. */
export type Open = (url: string) => Promise<string>;

const open: Open = async (url) => {
  const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_MS) });
  if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}`);
  return answer.text();
};

/** Throws where the call is none of SNS. */
export function snsMessage({ body }: Pick<WebhookCall, "body">): SnsMessage {
  return message.parse(JSON.parse(body.toString("utf8")));
}

function readable(call: WebhookCall): SnsMessage | undefined {
  try {
    return snsMessage(call);
  } catch {
    return undefined;
  }
}

/** An address that a call names, if it is one of SNS itself in the topic's region, on the usual port. */
function ofAmazon(address: string, topicArn: string): URL | undefined {
  const region = TOPIC.exec(topicArn)?.[1];
  const url = URL.parse(address);
  if (region === undefined || url?.protocol !== "https:" || url.username || url.password) return undefined;
  const hosts = [`sns.${region}.amazonaws.com`, `sns.${region}.amazonaws.com.cn`];
  return hosts.includes(url.host) ? url : undefined;
}

/** That host answers anyone's requests too, with what they ask for: only its certificates count. */
function isCertificate(address: string, topicArn: string): boolean {
  const url = ofAmazon(address, topicArn);
  return url !== undefined && CERTIFICATE.test(url.pathname + url.search + url.hash);
}

function isConfirmation(address: string, topicArn: string): boolean {
  const url = ofAmazon(address, topicArn);
  return url?.pathname === "/" && url.searchParams.getAll("Action").join() === "ConfirmSubscription";
}

function emulated(address: string, apiUrl: string): string | undefined {
  const api = URL.parse(apiUrl);
  return api && isLoopback(api.hostname) ? new URL(new URL(address).pathname, api).href : undefined;
}

/** How calls of one topic are told from forged ones. `openUrl`: in tests another one than the network. */
export class SnsCalls {
  readonly #open: Open;
  /** Amazon replaces its certificates rarely, and keeps the address of each. */
  readonly #keys = new Map<string, Promise<KeyObject>>();

  constructor(openUrl: Open = open) {
    this.#open = openUrl;
  }

  /**
   * Whether SNS made this call for the topic, not too long ago. Only Amazon's own host is asked for a certificate, or
   * this computer, if the environment says that Amazon's API (`apiUrl`) is an emulator's on it. Rejects where that can't be had, so that SNS makes the call again.
   */
  async isGenuine(call: WebhookCall, topicArn: string, apiUrl = ""): Promise<boolean> {
    const said = readable(call);
    if (!said || said.TopicArn !== topicArn || !isCertificate(said.SigningCertURL, topicArn)) return false;
    const age = call.receivedAt.getTime() - Date.parse(said.Timestamp);
    if (!(age > -CLOCK_SKEW_MS && age < MAX_AGE_MS)) return false;
    const key = await this.#key(emulated(said.SigningCertURL, apiUrl) ?? said.SigningCertURL);
    const digest = said.SignatureVersion === "1" ? "sha1" : "sha256";
    return verify(digest, Buffer.from(signedText(said)), key, Buffer.from(said.Signature, "base64"));
  }

  /** Opens the address that a new subscription is confirmed by. */
  async confirm(call: WebhookCall): Promise<void> {
    const { Type, TopicArn, SubscribeURL } = snsMessage(call);
    if (Type === "SubscriptionConfirmation" && SubscribeURL && isConfirmation(SubscribeURL, TopicArn)) {
      await this.#open(SubscribeURL);
    }
  }

  /** Of the certificate at this address. */
  #key(url: string): Promise<KeyObject> {
    const known = this.#keys.get(url);
    if (known) return known;
    const key = this.#open(url).then((pem) => new X509Certificate(pem).publicKey);
    this.#keys.set(url, key);
    key.catch(() => this.#keys.delete(url));
    return key;
  }
}

/** What the signature covers: names and values, each on a line. */
export function signedText(said: Omit<SnsMessage, "Signature">): string {
  const names =
    said.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : (["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const);
  return names.map((name) => (said[name] === undefined ? "" : `${name}\n${said[name]}\n`)).join("");
}
