import type { ApiAnswer } from "../http/api-client.ts";
import { statusOutcome } from "../http/api-client.ts";
import type { Failure } from "../transport.ts";
import type { Receipt } from "../webhook.ts";

/**
 * What one of a provider's error codes is about.
 * - `nobody`: no one reads texts at that number: it does not exist, or it is a landline
 * - `unsubscribed`: they wrote STOP
 * - `recipient`: that number, for now
 * - `message`: what it says
 * - `account`: nothing is sent until someone fixes the settings or pays
 * - `too-fast`: later, for everyone
 * - `later`: certainly not sent, and it may work next time
 */
export type About = "nobody" | "unsubscribed" | "recipient" | "message" | "account" | "too-fast" | "later";

export type Meanings = Readonly<Record<string, About>>;

/** What a provider gives as its reason. `code`: its own, if it gives one. */
export type Said = { code?: string | undefined; detail: string };

/** The outcome of a text that a provider did not take. What no table knows is about the message. */
export function refusal(answer: ApiAnswer, { code, detail }: Said, meanings: Meanings): Failure {
  const general = statusOutcome(answer, detail);
  // Those hold whatever the body says: "slow down", and "something broke".
  if (general && general.kind !== "misconfigured") return general;
  const about = code === undefined ? undefined : meanings[code];
  if (about) return failureAbout(about, code!, detail);
  return general ?? { kind: "refused", of: "message", code: code ?? String(answer.status), detail };
}

export function failureAbout(about: About, code: string, detail: string): Failure {
  switch (about) {
    case "nobody":
      return { kind: "refused", of: "recipient", code, detail, suppress: true };
    case "unsubscribed":
      return { kind: "refused", of: "recipient", code: "unsubscribed", detail, suppress: true };
    case "recipient":
    case "message":
      return { kind: "refused", of: about, code, detail };
    case "account":
      return { kind: "misconfigured", code, detail };
    case "too-fast":
      return { kind: "throttled", code, detail };
    case "later":
      return { kind: "unavailable", code, detail };
    default:
      return about satisfies never;
  }
}

/** What a receipt says of a text that the provider took and that did not arrive. */
export function receiptAbout(
  about: About | undefined,
  code: string,
): Pick<Receipt, "what" | "code" | "suppress"> {
  if (about === "nobody") return { what: "bounced", code, suppress: true };
  return about === "unsubscribed"
    ? { what: "failed", code: "unsubscribed", suppress: true }
    : { what: "failed", code };
}
