import type * as z from "zod";
import { statusOutcome, type ApiAnswer } from "./api-client.ts";
import type { Failure } from "../transport.ts";
import type { Verdict } from "./transport.ts";

/**
 * How a provider answers. `success`: the only status with which it accepts. `failure`: the body of its errors; `mark`: a
 * header that they have.
 */
export type OwnFormat = { success: number; failure: z.ZodType; mark?: string };

/**
 * What an answer means. A portal, proxy or firewall in between may answer in the provider's place, with any status. What is
 * not in the provider's own format is no verdict about a message: it neither accepts nor refuses one. `letters`: how many
 * messages the request had.
 */
export function verdictOf(answer: ApiAnswer, own: OwnFormat, letters: number, read: () => Verdict): Verdict {
  const { status } = answer;
  if (status === own.success ? isDataOrEmpty(answer) : isFailure(answer, own)) return read();
  const general = statusOutcome(answer, `The provider answered with status ${status}`);
  if (!general) return status === 413 ? tooLarge(letters) : notTheProvider(answer);
  // Providers say some of these without a body, and the adapter has the better sentence.
  const said = read();
  return typeof said === "object" && "kind" in said && said.kind === general.kind ? said : general;
}

const isDataOrEmpty = ({ format }: ApiAnswer) => format === "data" || format === "empty";

function isFailure({ headers, body }: ApiAnswer, { failure, mark }: OwnFormat): boolean {
  return failure.safeParse(body).success && (mark === undefined || headers.has(mark));
}

/** The failure of a connection test that something else answered. */
export function foreignCheck(answer: ApiAnswer): Failure | undefined {
  return !isDataOrEmpty(answer) && !statusOutcome(answer, "") ? notTheProvider(answer) : undefined;
}

/** It says nothing about smaller messages. `letters`: how many the request had. */
function tooLarge(letters: number): Verdict {
  const detail = "The request was too large for something on the way to the provider.";
  return letters > 1 ? "split" : { kind: "unavailable", code: "413", detail };
}

/** Data of some other kind may still mean that the message was accepted. A page certainly didn't come from the provider. */
export function notTheProvider({ status, format }: ApiAnswer): Failure {
  const code = "not_the_provider";
  if (status < 300 && format === "data") {
    const detail = `The provider answered with status ${status} and doesn't say what became of the message.`;
    return { kind: "uncertain", code, detail };
  }
  const what = format === "html" ? `a web page with status ${status}` : `status ${status}`;
  const detail = `Something else answered in the provider's place (${what}). Check the network for a sign-in page, a proxy or a firewall.`;
  // A firewall may dislike the words of one message and let the next one pass.
  const ofOneMessage = status >= 400 && status < 500 && status !== 407;
  return { kind: "unavailable", ...(!ofOneMessage && { account: true }), code, detail };
}
