import { entryOf } from "../entry-of.ts";
import { statusOutcome, type ApiAnswer } from "../http/api-client.ts";
import type { Failure } from "../transport.ts";
import type { Receipt } from "../webhook.ts";

/**
 * What a provider's error code is about.
 * - `nobody`: the number can't receive texts: it doesn't exist, or it is a landline
 * - `unsubscribed`: the recipient replied STOP
 * - `recipient`: the number can't be reached now, or not from this sender
 * - `message`: the content was rejected
 * - `account`: nothing is sent until someone fixes the settings or pays
 * - `too-fast`: rate limit; everyone has to wait
 */
export type About = "nobody" | "unsubscribed" | "recipient" | "message" | "account" | "too-fast";

export type Meanings = Readonly<Record<string, About>>;

/** A provider's reason. `code`: its own, if it gives one. */
export type Said = { code?: string | undefined; detail: string };

/** The outcome of a text that a provider refused. Unknown codes count as about the message. */
export function refusal(answer: ApiAnswer, { code, detail }: Said, meanings: Meanings): Failure {
  const general = statusOutcome(answer, detail);
  // A rate limit or server error applies whatever the body says.
  if (general && general.kind !== "misconfigured") return general;
  const about = entryOf(meanings, code);
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
    default:
      return about satisfies never;
  }
}

/** The receipt for a text that the provider accepted and that was not delivered. */
export function receiptAbout(
  about: About | undefined,
  code: string,
): Pick<Receipt, "what" | "code" | "suppress"> {
  if (about === "nobody") return { what: "bounced", code, suppress: true };
  return about === "unsubscribed"
    ? { what: "failed", code: "unsubscribed", suppress: true }
    : { what: "failed", code };
}
