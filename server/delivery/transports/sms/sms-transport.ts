import { numberText } from "#contract/text/locale.ts";
import { renderSms } from "#server/delivery/content/render.ts";
import { smsParts } from "#server/delivery/content/sms.ts";
import type { OpenContext } from "../adapter.ts";
import type { ApiAnswer, ApiRequest } from "../http/api-client.ts";
import { HttpTransport, type HttpProvider } from "../http/transport.ts";
import type { Outcome, OutgoingMessage } from "../transport.ts";
import { referenceOf, type WebhookCall } from "../webhook.ts";
import { E164 } from "./sender-settings.ts";

/**
 * One recipient's text. `expiresAt`: it must not be delivered after that. `reference`: ours (`referenceOf`), which comes
 * back in receipts. `reportTo`: the webhook URL for its receipts, with the reference in the query; undefined if the
 * provider can't reach us.
 */
type Text = {
  to: string;
  text: string;
  expiresAt: Date;
  reference: string;
  reportTo: string | undefined;
};

/** The validity period in seconds, clamped to what the provider allows. */
export function secondsLeft({ expiresAt }: Text, least: number, most: number): number {
  const left = Math.floor((expiresAt.getTime() - Date.now()) / 1000);
  return Math.min(most, Math.max(least, left));
}

/** What differs from one SMS API to the next. */
export type SmsApi = Pick<HttpProvider<Text>, "url" | "secrets" | "own" | "check"> & {
  name: string;
  longest: Longest;
  request: (text: Text) => ApiRequest;
  read: (answer: ApiAnswer, text: Text) => Outcome;
};

/** The maximum length: in characters, in characters if the text is not GSM-7, or in parts. */
type Longest = { characters?: number; unicode?: number; parts?: number };

const REFERENCE = "reference";

/** The reference from `reportTo`'s query. */
export function referenceIn({ url }: Pick<WebhookCall, "url">): string | undefined {
  return new URL(url).searchParams.get(REFERENCE) ?? undefined;
}

/** Concurrent requests, each for one recipient: a lost answer or a crash leaves no other message in doubt. */
const REQUESTS = 20;

export function smsTransport(
  { name, longest, request, read, ...api }: SmsApi,
  { webhookUrl }: Pick<OpenContext, "webhookUrl">,
): HttpTransport<Text> {
  return new HttpTransport({
    ...api,
    batch: 1,
    requests: REQUESTS,
    write: (message) => {
      const text = written(message, name, longest);
      if ("refused" in text) return text;
      const reference = referenceOf(message);
      const { expiresAt } = message;
      return {
        ...text,
        expiresAt,
        reference,
        reportTo: webhookUrl && `${webhookUrl}?${REFERENCE}=${reference}`,
      };
    },
    request: ([text]) => request(text),
    read: (answer, [text]) => read(answer, text!),
  });
}

function written(
  { address, values, links, content: { compiled } }: OutgoingMessage,
  name: string,
  longest: Longest,
): Pick<Text, "to" | "text"> | { refused: Outcome } {
  if (!E164.test(address)) {
    const detail = `“${address}” is not a phone number with its country code`;
    return { refused: { kind: "refused", of: "recipient", code: "invalid_address", detail } };
  }
  const { text } = renderSms(compiled, values, links);
  const limit = exceeded(text, longest);
  if (limit) {
    const detail = `This person's text is longer than ${name} accepts (${limit})`;
    return { refused: { kind: "refused", of: "message", code: "too_big", detail } };
  }
  return { to: address, text };
}

/** Describes the limit that a text exceeds. */
function exceeded(text: string, { characters, unicode, parts }: Longest): string | undefined {
  const is = smsParts(text);
  const most = is.encoding === "UCS-2" ? (unicode ?? characters) : characters;
  if (most !== undefined && text.length > most) {
    const why = most === characters ? "" : " with characters like those in it";
    return `${numberText(most)} characters${why}`;
  }
  return parts !== undefined && is.parts > parts ? `${parts} messages in a row` : undefined;
}
