import { apiClient, type ApiAnswer } from "../http/api-client.ts";
import { notTheProvider } from "../http/own-format.ts";
import type { ManyHostsProvider, Written } from "../http/transport.ts";
import { secondsLeft, shownText } from "../push/notice.ts";
import type { Browser, PushRecipients } from "../push/recipients.ts";
import type { Check, Failure, Outcome, OutgoingMessage } from "../transport.ts";
import { encrypt } from "./encryption.ts";
import type { PushServices } from "./push-services.ts";
import { authorization, type VapidKeys } from "./vapid.ts";

/**
 * Web Push (RFC 8030): each of a person's browsers has an endpoint at its vendor's service, which accepts an encrypted
 * message and holds it until the browser is online. A second attempt has the same topic and, on screen, the same tag, so
 * it replaces the first.
 */

const REQUESTS = 40;
/** The timeout of a connection test. */
const CHECK_MS = 20_000;

type Letter = {
  address: string;
  browsers: readonly Browser[];
  payload: Buffer;
  headers: Record<string, string>;
  contact: string;
};

/** `gone`: the browser is no longer subscribed, or its keys are invalid. */
type Answered = Outcome | "gone";

export function webPushProvider(
  keys: VapidKeys,
  services: PushServices,
  recipients: PushRecipients | undefined,
): ManyHostsProvider<Letter> {
  return {
    secrets: [keys.privateKey],
    batch: 1,
    requests: REQUESTS,
    write: (message) => write(message, keys, recipients),
    async post([letter]) {
      const answers = await Promise.all(letter.browsers.map((one) => postTo(one, letter, services, keys)));
      const gone = letter.browsers.filter((_, index) => answers[index] === "gone");
      // If this fails, the next message retries it.
      if (gone.length > 0) await recipients?.forget(gone.map(({ id }) => id)).catch(() => undefined);
      return combined(answers);
    },
    check: () => check(services.addresses),
  };
}

async function write(
  message: OutgoingMessage,
  { publicKey }: VapidKeys,
  recipients: PushRecipients | undefined,
): Promise<Written<Letter>> {
  const { deliveryId, address, links, urgent } = message;
  const payload = Buffer.from(JSON.stringify({ ...shownText(message), notice: deliveryId }));
  const browsers = await recipients?.browsersOf(address, publicKey).catch(() => undefined);
  if (!browsers) return { refused: NOT_LOOKED_UP };
  if (browsers.length === 0) return { refused: NO_BROWSER };
  return {
    address,
    browsers,
    payload,
    headers: {
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(secondsLeft(message)),
      urgency: urgent ? "high" : "normal",
      topic: `notice-${deliveryId}`,
    },
    contact: contactOf(links.preferences),
  };
}

/** The VAPID contact: our public URL if it is https, otherwise the postmaster. */
function contactOf(link: string): string {
  const { protocol, origin, hostname } = new URL(link);
  return protocol === "https:" ? origin : `mailto:postmaster@${hostname}`;
}

async function postTo(
  { endpoint, p256dh, auth }: Browser,
  { payload, headers, contact }: Letter,
  services: PushServices,
  keys: VapidKeys,
): Promise<Answered> {
  let body: Buffer;
  try {
    body = encrypt(payload, { p256dh, auth });
  } catch {
    return "gone";
  }
  const authorized = { ...headers, authorization: authorization(keys, new URL(endpoint).origin, contact) };
  const answer = await services.post(endpoint, authorized, body);
  return "kind" in answer ? answer : read(answer);
}

/**
 * Push services have no common format, but none answers with HTML. A refusal or throttling answer says nothing about the account: it may be about one browser, subscribed with another key,
 * and any user can subscribe an endpoint that answers this way. If all refuse, the account is paused.
 */
function read(answer: ApiAnswer): Answered {
  const { status, headers, format } = answer;
  if (format !== "html" && (status === 201 || status === 202)) {
    const messageId = headers.get("location");
    return { kind: "accepted", ...(messageId && { messageId }) };
  }
  if (format !== "html" && (status === 404 || status === 410)) return "gone";
  const [code, detail] = [String(status), `The push service answered with status ${status}`];
  if (status === 429) return { kind: "unavailable", code, detail };
  if (status === 408 || status >= 500) return { kind: "uncertain", code, detail };
  if (format !== "html" && REFUSALS.has(status)) return { kind: "refused", of: "recipient", code, detail };
  const other = notTheProvider(answer);
  return { kind: "unavailable", code: other.code, detail: other.detail };
}

/** What push services refuse with, mostly without a body. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 405, 413]);

/** Precedence of outcomes if no browser accepted the message. */
const WEIGHT: readonly Outcome["kind"][] = ["uncertain", "unavailable", "refused"];

/** A message is accepted if one of the person's browsers gets it. */
function combined(answers: readonly Answered[]): Outcome {
  const outcomes = answers.filter((one) => one !== "gone");
  const accepted = outcomes.filter(({ kind }) => kind === "accepted");
  const [first] = accepted;
  if (first) {
    const detail = `Sent to ${accepted.length} of ${answers.length} browsers.`;
    return answers.length === 1 ? first : { ...first, detail };
  }
  return outcomes.toSorted((a, b) => WEIGHT.indexOf(a.kind) - WEIGHT.indexOf(b.kind))[0] ?? NO_BROWSER;
}

const NO_BROWSER: Outcome = {
  kind: "refused",
  of: "recipient",
  code: "no_browser",
  detail: "This person hasn't turned on notifications in a browser",
  noDevice: true,
};

const NOT_LOOKED_UP: Outcome = {
  kind: "unavailable",
  code: "lookup_failed",
  detail: "We couldn't look up this person's browsers.",
};

/** Tests that the push services are reachable. The key is our own, so there is nothing to verify. */
async function check(services: readonly string[]): Promise<Check | Failure> {
  const asked = services.map((url) => apiClient(url, CHECK_MS)({ method: "GET", path: "/", headers: {} }));
  const answers = await Promise.all(asked);
  const failed = answers.find((answer) => "kind" in answer);
  if (failed) return { ...failed, kind: "unavailable", detail: `${NO_SERVICE} ${failed.detail}` };
  return {
    ok: true,
    detail: "Browsers' push services can be reached. People turn notifications on in their profile.",
  };
}

const NO_SERVICE = "A browser's push service can't be reached from this server.";
