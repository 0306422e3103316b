import * as z from "zod";
import { refusedCheck, type ApiAnswer, type Ask } from "../http/api-client.ts";
import { checkedNumber } from "../sms/checked-number.ts";
import { refusal, type Meanings, type Said } from "../sms/meanings.ts";
import { E164 } from "../sms/sender-settings.ts";
import type { SmsApi } from "../sms/sms-transport.ts";
import type { Check, Failure } from "../transport.ts";
import type { TelnyxSettings } from "./adapter.ts";

/** Telnyx's v2 Messages API: JSON, one recipient, 200 when queued. */

/** Messages with more parts are refused (40302). */
const MAX_PARTS = 10;

/** From developers.telnyx.com/docs/messaging/messages/error-codes. Codes below 40100 mostly come with receipts. */
export const meanings: Meanings = {
  10002: "nobody",
  10009: "account",
  10010: "account",
  10016: "nobody",
  20012: "account", // not active
  20100: "account", // no credit
  40001: "nobody", // a landline, or no route
  40002: "message", // spam
  40003: "message",
  40004: "recipient",
  40005: "recipient",
  40006: "recipient",
  40008: "recipient",
  40009: "message",
  40010: "account", // a number without a campaign
  40011: "too-fast",
  40012: "nobody",
  40013: "account", // the From number
  40014: "recipient",
  40015: "message",
  40016: "too-fast", // a carrier's daily limit
  40018: "too-fast",
  40300: "unsubscribed",
  40302: "message",
  40305: "account",
  40306: "account",
  40309: "recipient", // a region that is not allowed
  40310: "nobody",
  40311: "account", // the messaging profile
  40312: "account",
  40313: "account",
  40314: "account",
  40316: "message",
  40318: "too-fast", // the queue is full
  40319: "recipient",
  40320: "too-fast",
  40321: "account",
  40322: "message",
  40329: "account", // a toll-free number that is not verified
  40330: "account",
  40333: "account", // the profile's spending limit
};

const taken = z.object({ data: z.object({ id: z.string() }) });
const problem = z.object({
  errors: z
    .array(
      z.object({ code: z.coerce.string(), title: z.string().default(""), detail: z.string().default("") }),
    )
    .min(1),
});
const numbers = z.object({ data: z.array(z.object({ messaging_profile_id: z.string().nullish() })) });

export function telnyxApi({ apiKey, fromNumber, messagingProfileId }: TelnyxSettings, url: string): SmsApi {
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    name: "Telnyx",
    url,
    secrets: [apiKey],
    own: { success: 200, failure: problem },
    longest: { parts: MAX_PARTS },
    request: ({ to, text, reportTo }) => ({
      method: "POST",
      path: "/v2/messages",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({
        from: fromNumber,
        to,
        text,
        type: "SMS",
        ...(messagingProfileId !== "" && { messaging_profile_id: messagingProfileId }),
        ...(reportTo && { webhook_url: reportTo }),
      }),
    }),
    read: (answer) => {
      if (answer.status !== 200) return refusal(answer, said(answer), meanings);
      const { data } = taken.safeParse(answer.body);
      if (!data) return { kind: "uncertain", code: "200", detail: "Telnyx's answer contains no message ID" };
      return { kind: "accepted", messageId: data.data.id };
    },
    check: (ask) => check(ask, headers, fromNumber),
  };
}

function said({ status, body }: ApiAnswer): Said {
  const error = problem.safeParse(body).data?.errors[0];
  if (!error) return { detail: `Telnyx answered with status ${status}` };
  const { code, title, detail } = error;
  return { code, detail: detail || title || `Telnyx gave the code ${code}.` };
}

/** One read-only call: the number with its messaging profile, or the balance if the sender isn't a number. */
async function check(
  ask: Ask,
  headers: Record<string, string>,
  fromNumber: string,
): Promise<Check | Failure> {
  const isNumber = E164.test(fromNumber);
  const filter = `filter%5Bphone_number%5D=${encodeURIComponent(fromNumber)}`;
  const answer = await ask({
    method: "GET",
    path: isNumber ? `/v2/phone_numbers?${filter}` : "/v2/balance",
    headers,
  });
  if ("kind" in answer) return answer;
  const found = { provider: "Telnyx", works: "The API key works", fromNumber };
  const { data } = numbers.safeParse(answer.body);
  if (answer.status !== 200 || (isNumber && !data)) return refusedCheck(answer, said(answer).detail);
  if (!isNumber) return checkedNumber({ ...found, is: "not-asked" });
  const [own] = data!.data;
  if (own && !own.messaging_profile_id) {
    const detail = `${fromNumber} has no messaging profile. Give it one in the Telnyx portal.`;
    return { kind: "misconfigured", code: "from_number", detail };
  }
  return checkedNumber({ ...found, is: own ? "sending" : "not-theirs" });
}
