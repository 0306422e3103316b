import * as z from "zod";
import { basicAuth, refusedCheck, type ApiAnswer, type Ask } from "../http/api-client.ts";
import { checkedNumber } from "../sms/checked-number.ts";
import { refusal, type Meanings, type Said } from "../sms/meanings.ts";
import { E164, SHORT_CODE } from "../sms/sender-settings.ts";
import { secondsLeft, type SmsApi } from "../sms/sms-transport.ts";
import type { Check, Failure } from "../transport.ts";
import type { TwilioSettings } from "./adapter.ts";

/** Twilio's Messages resource (2010-04-01): a form, one recipient, 201 when queued. */

export const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;
const MAX_CHARACTERS = 1600;

/** From twilio.com/docs/api/errors. The 30000s come with receipts. */
export const meanings: Meanings = {
  20003: "account", // wrong token
  20005: "account", // not active
  21211: "nobody",
  21212: "account", // the From number
  21217: "nobody",
  21408: "recipient", // a region that is not allowed
  21602: "message",
  21603: "account",
  21606: "account", // the From number isn't the account's
  21608: "recipient", // a trial account sends only to verified numbers
  21610: "unsubscribed",
  21611: "too-fast", // the From number's queue is full
  21612: "recipient", // not reachable from this number
  21614: "nobody", // not a mobile number
  21617: "message",
  21659: "account",
  21660: "account",
  21661: "account",
  21701: "account", // the messaging service
  21703: "account",
  21704: "account",
  21705: "account",
  30001: "too-fast",
  30002: "account",
  30003: "recipient", // unreachable, perhaps temporarily
  30004: "recipient",
  30005: "nobody",
  30006: "nobody", // a landline
  30007: "message", // filtered
  30008: "recipient",
  30032: "account", // a toll-free number that is not verified
  30034: "account", // a number without a campaign
};

const created = z.object({ sid: z.string() });
const problem = z.object({ code: z.number(), message: z.string() });
const account = z.object({ status: z.string(), type: z.string().optional() });
const owned = z.object({
  incoming_phone_numbers: z.array(z.object({ capabilities: z.object({ sms: z.boolean() }) })).default([]),
  short_codes: z.array(z.object({})).default([]),
});

export function twilioApi({ accountSid, authToken, fromNumber }: TwilioSettings, url: string): SmsApi {
  const path = `/2010-04-01/Accounts/${accountSid}`;
  const headers = basicAuth(accountSid, authToken);
  const sender: Record<string, string> = MESSAGING_SERVICE.test(fromNumber)
    ? { MessagingServiceSid: fromNumber }
    : { From: fromNumber };
  return {
    name: "Twilio",
    url,
    secrets: [authToken],
    own: { success: 201, failure: problem },
    longest: { characters: MAX_CHARACTERS },
    request: (text) => ({
      method: "POST",
      path: `${path}/Messages.json`,
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        To: text.to,
        ...sender,
        Body: text.text,
        ValidityPeriod: String(secondsLeft(text, 1, 36_000)),
        ...(text.reportTo && { StatusCallback: text.reportTo }),
      }).toString(),
    }),
    read: (answer) => {
      if (answer.status !== 201) return refusal(answer, said(answer), meanings);
      const { data } = created.safeParse(answer.body);
      if (!data) return { kind: "uncertain", code: "201", detail: "Twilio's answer contains no message ID" };
      return { kind: "accepted", messageId: data.sid };
    },
    check: (ask) => check(ask, { path, headers, fromNumber }),
  };
}

function said({ status, body }: ApiAnswer): Said {
  const { data } = problem.safeParse(body);
  if (!data) return { detail: `Twilio answered with status ${status}` };
  // Twilio's message for a wrong token is just this word.
  const detail =
    data.message === "Authenticate" ? "Twilio doesn't accept this Account SID and Auth Token." : data.message;
  return { code: String(data.code), detail };
}

type Checked = { path: string; headers: Record<string, string>; fromNumber: string };

/** Two read-only calls: whether the account is active, and whether it owns the number and the number has SMS. */
async function check(ask: Ask, { path, headers, fromNumber }: Checked): Promise<Check | Failure> {
  const get = (what: string) => ask({ method: "GET", path: path + what, headers });
  const answer = await get(".json");
  if ("kind" in answer) return answer;
  const { data } = account.safeParse(answer.body);
  if (answer.status !== 200 || !data) return refusedCheck(answer, said(answer).detail);
  if (data.status !== "active") {
    const detail = `Twilio says that this account is ${data.status}.`;
    return { kind: "misconfigured", code: "not_active", detail };
  }
  const is = await ownNumber(get, fromNumber);
  if (typeof is !== "string") return is;
  const works = "The Account SID and Auth Token work";
  const checked = checkedNumber({ provider: "Twilio", works, fromNumber, is });
  if ("kind" in checked || data.type !== "Trial") return checked;
  const trial = "This is a trial account. It sends only to numbers that you verified at Twilio.";
  return { ok: true, detail: `${checked.detail} ${trial}` };
}

/** Looks up the number. This API can't look up a messaging service or sender ID. */
async function ownNumber(
  get: (what: string) => ReturnType<Ask>,
  fromNumber: string,
): Promise<Parameters<typeof checkedNumber>[0]["is"] | Failure> {
  const isNumber = E164.test(fromNumber);
  if (!isNumber && !SHORT_CODE.test(fromNumber)) return "not-asked";
  const number = encodeURIComponent(fromNumber);
  const answer = await get(
    isNumber
      ? `/IncomingPhoneNumbers.json?PhoneNumber=${number}`
      : `/SMS/ShortCodes.json?ShortCode=${number}`,
  );
  if ("kind" in answer) return answer;
  const { data } = owned.safeParse(answer.body);
  if (answer.status !== 200 || !data) return refusedCheck(answer, said(answer).detail);
  const numbers = data.incoming_phone_numbers;
  if (data.short_codes.length > 0 || numbers.some(({ capabilities }) => capabilities.sms)) return "sending";
  return numbers.length === 0 ? "not-theirs" : "mute";
}
