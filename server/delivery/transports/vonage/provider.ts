import * as z from "zod";
import { smsParts } from "#server/delivery/content/sms.ts";
import { entryOf } from "../entry-of.ts";
import { basicAuth, refusedCheck, statusOutcome, type ApiAnswer, type Ask } from "../http/api-client.ts";
import { checkedNumber } from "../sms/checked-number.ts";
import { failureAbout, type Meanings } from "../sms/meanings.ts";
import { digits, E164 } from "../sms/sender-settings.ts";
import { secondsLeft, type SmsApi } from "../sms/sms-transport.ts";
import type { Check, Failure, Outcome } from "../transport.ts";
import type { VonageSettings } from "./adapter.ts";

/**
 * Vonage's SMS API: a form, always answered with 200. The response has a status for each part of a long text. (With
 * basic authentication, the newer Messages API doesn't report back; otherwise it requires a private key.)
 */

/** From developer.vonage.com/api-errors/sms. */
const meanings: Meanings = {
  1: "too-fast",
  2: "message",
  3: "recipient", // an invalid value; only the number differs between recipients
  4: "account", // wrong key
  6: "recipient", // unknown prefix
  7: "recipient", // barred
  8: "account", // suspended
  9: "account", // no credit
  10: "too-fast",
  11: "account",
  12: "message",
  14: "account",
  15: "recipient", // the sender, which some countries don't allow
  22: "recipient",
  23: "account",
  29: "recipient", // a trial account sends only to its test numbers
  32: "account",
  33: "nobody", // out of service
};
const INTERNAL_ERROR = "5";

const answered = z.object({
  messages: z
    .array(
      z.object({
        status: z.string(),
        "message-id": z.string().optional(),
        "error-text": z.string().optional(),
      }),
    )
    .min(1),
});
const problem = z.object({ "error-code-label": z.string() }).or(z.object({ detail: z.string() }));
const numbers = z.object({
  numbers: z.array(z.object({ msisdn: z.string(), features: z.array(z.string()) })).default([]),
});

export function vonageApi({ apiKey, apiSecret, fromNumber }: VonageSettings, url: string): SmsApi {
  const headers = basicAuth(apiKey, apiSecret);
  return {
    name: "Vonage",
    url,
    secrets: [apiSecret],
    own: { success: 200, failure: problem },
    longest: {},
    request: (text) => ({
      method: "POST",
      path: "/sms/json",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        api_key: apiKey,
        api_secret: apiSecret,
        from: digits(fromNumber),
        to: digits(text.to),
        text: text.text,
        ttl: String(secondsLeft(text, 20, 604_800) * 1000),
        type: smsParts(text.text).encoding === "UCS-2" ? "unicode" : "text",
        "client-ref": text.reference,
        ...(text.reportTo && { callback: text.reportTo }),
      }).toString(),
    }),
    read,
    check: (ask) => check(ask, headers, fromNumber),
  };
}

function read(answer: ApiAnswer): Outcome {
  const parts = answered.safeParse(answer.body).data?.messages;
  if (answer.status !== 200 || !parts) {
    const detail = said(answer);
    return statusOutcome(answer, detail) ?? { kind: "uncertain", code: String(answer.status), detail };
  }
  // If any part was accepted, the text must not be resent.
  const sent = parts.find(({ status }) => status === "0");
  if (sent) return { kind: "accepted", ...(sent["message-id"] && { messageId: sent["message-id"] }) };
  const { status, "error-text": detail = `Vonage answered with status ${status}` } = parts[0]!;
  if (status === INTERNAL_ERROR) return { kind: "uncertain", code: status, detail };
  return failureAbout(entryOf(meanings, status) ?? "message", status, detail);
}

/** Two read-only calls: the balance, which checks the credentials, and whether the account has the number with SMS. */
async function check(
  ask: Ask,
  headers: Record<string, string>,
  fromNumber: string,
): Promise<Check | Failure> {
  const found = { provider: "Vonage", works: "The API key and secret work", fromNumber };
  const balance = await ask({ method: "GET", path: "/account/get-balance", headers });
  if ("kind" in balance) return balance;
  if (balance.status !== 200) return refusedCheck(balance, said(balance));
  if (!E164.test(fromNumber)) return checkedNumber({ ...found, is: "not-asked" });
  const path = `/account/numbers?pattern=${digits(fromNumber)}&search_pattern=0`;
  const answer = await ask({ method: "GET", path, headers });
  if ("kind" in answer) return answer;
  const { data } = numbers.safeParse(answer.body);
  if (answer.status !== 200 || !data) return refusedCheck(answer, said(answer));
  const own = data.numbers.find(({ msisdn }) => msisdn === digits(fromNumber));
  if (!own) return checkedNumber({ ...found, is: "not-theirs" });
  return checkedNumber({ ...found, is: own.features.includes("SMS") ? "sending" : "mute" });
}

/** The message of a response that isn't in the API's normal format. */
function said({ status, body }: ApiAnswer): string {
  if (status === 401) return "Vonage doesn't accept this API key and secret.";
  const { data } = problem.safeParse(body);
  const detail = data && ("detail" in data ? data.detail : data["error-code-label"]);
  return detail ?? `Vonage answered with status ${status}`;
}
