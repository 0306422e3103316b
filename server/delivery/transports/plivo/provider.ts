import * as z from "zod";
import { basicAuth, refusedCheck, statusOutcome, type ApiAnswer, type Ask } from "../http/api-client.ts";
import { checkedNumber } from "../sms/checked-number.ts";
import { failureAbout, type About } from "../sms/meanings.ts";
import { digits, E164 } from "../sms/sender-settings.ts";
import { secondsLeft, type SmsApi } from "../sms/sms-transport.ts";
import type { Check, Failure, Outcome } from "../transport.ts";
import type { PlivoSettings } from "./adapter.ts";

/**
 * Plivo's Message resource: JSON, 202 when queued. A request may have a thousand numbers, but the order of the message IDs
 * in the response is undocumented, so receipts could be attributed to the wrong person: one number per request.
 */

export const POWERPACK = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_GSM = 1600;
const MAX_UNICODE = 737;

const queued = z.object({
  message_uuid: z.array(z.string()).default([]),
  invalid_number: z.array(z.string()).default([]),
});
const problem = z.object({ error: z.string().or(z.object({ error: z.string() })) });
const number = z.object({ sms_enabled: z.boolean() });

export function plivoApi({ authId, authToken, fromNumber }: PlivoSettings, url: string): SmsApi {
  const path = `/v1/Account/${authId}/`;
  const headers = basicAuth(authId, authToken);
  const sender = POWERPACK.test(fromNumber) ? { powerpack_uuid: fromNumber } : { src: digits(fromNumber) };
  return {
    name: "Plivo",
    url,
    secrets: [authToken],
    own: { success: 202, failure: problem },
    longest: { characters: MAX_GSM, unicode: MAX_UNICODE },
    request: (text) => ({
      method: "POST",
      path: `${path}Message/`,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({
        ...sender,
        dst: digits(text.to),
        text: text.text,
        type: "sms",
        message_expiry: secondsLeft(text, 5, 10_799),
        ...(text.reportTo && { url: text.reportTo, method: "POST" }),
      }),
    }),
    read,
    check: (ask) => check(ask, { path, headers, fromNumber }),
  };
}

function read(answer: ApiAnswer): Outcome {
  const detail = said(answer);
  if (answer.status === 400) return failureAbout(aboutWhat(detail), "400", detail);
  if (answer.status !== 202) {
    return (
      statusOutcome(answer, detail) ?? { kind: "refused", of: "message", code: String(answer.status), detail }
    );
  }
  const { data } = queued.safeParse(answer.body);
  const messageId = data?.message_uuid[0];
  if (!messageId && data && data.invalid_number.length > 0) {
    return failureAbout("nobody", "invalid_number", "Plivo says that this is not a valid number.");
  }
  if (!messageId) return { kind: "uncertain", code: "202", detail: "Plivo's answer contains no message ID" };
  return { kind: "accepted", messageId };
}

/** Plivo's errors have no code, but name the invalid parameter. */
function aboutWhat(detail: string): About {
  if (/\bdst\b|destination/i.test(detail)) return "recipient";
  // Not every sender can reach every country.
  if (/\bsrc\b|source|sender/i.test(detail)) return "recipient";
  return /powerpack|credit/i.test(detail) ? "account" : "message";
}

function said({ status, body }: ApiAnswer): string {
  const error = problem.safeParse(body).data?.error;
  if (status === 401) return "Plivo doesn't accept this Auth ID and Auth Token.";
  return (typeof error === "string" ? error : error?.error) ?? `Plivo answered with status ${status}`;
}

type Checked = { path: string; headers: Record<string, string>; fromNumber: string };

/** One read-only call: the number, or the account if the sender isn't a number. */
async function check(ask: Ask, { path, headers, fromNumber }: Checked): Promise<Check | Failure> {
  const found = { provider: "Plivo", works: "The Auth ID and Auth Token work", fromNumber };
  const isNumber = E164.test(fromNumber);
  const read = isNumber ? `${path}Number/${digits(fromNumber)}/` : path;
  const answer = await ask({ method: "GET", path: read, headers });
  if ("kind" in answer) return answer;
  if (isNumber && answer.status === 404) return checkedNumber({ ...found, is: "not-theirs" });
  if (answer.status !== 200) return refusedCheck(answer, said(answer));
  if (!isNumber) return checkedNumber({ ...found, is: "not-asked" });
  const sends = number.safeParse(answer.body).data?.sms_enabled;
  return checkedNumber({ ...found, is: sends ? "sending" : "mute" });
}
