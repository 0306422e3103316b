import type { Check, Failure } from "../transport.ts";

type Found = {
  provider: string;
  /** What works so far: "The API key works". */
  works: string;
  fromNumber: string;
  /** `not-asked`: a sender name or a pool, which the provider can't look up. */
  is: "sending" | "mute" | "not-theirs" | "not-asked";
};

/** The connection test's result for the From number. */
export function checkedNumber({
  provider,
  works,
  fromNumber,
  is,
}: Found): Extract<Check, { ok: true }> | Failure {
  switch (is) {
    case "sending":
      return { ok: true, detail: `${works}, and ${fromNumber} can send texts.` };
    case "not-asked":
      return { ok: true, detail: `${works}. Send a test to try the sender.` };
    case "mute":
      return misconfigured(`${fromNumber} can't send text messages.`);
    case "not-theirs":
      return misconfigured(`${fromNumber} is not one of this ${provider} account's numbers.`);
    default:
      return is satisfies never;
  }
}

const misconfigured = (detail: string): Failure => ({ kind: "misconfigured", code: "from_number", detail });
