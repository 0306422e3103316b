/**
 * Why we set an account back after a series of answers, as it is stored: `detail` is what the provider said. A stored code
 * or parameter is never renamed.
 */
type Params = { count: number | string; detail: string };

const words = {
  "refused-in-a-row": ({ count, detail }: Params) => `Refused ${count} recipients in a row: ${detail}`,
  "deferred-in-a-row": ({ count, detail }: Params) => `Deferred ${count} recipients in a row: ${detail}`,
  "unanswered-in-a-row": ({ count, detail }: Params) =>
    `No answer for ${count} recipients in a row: ${detail}`,
  "unconfirmed-in-a-row": ({ count }: Params) =>
    `Accepted ${count} messages in a row without confirming any.`,
  "refuses-content": ({ detail }: Params) => detail,
};

export type AccountReason = { code: keyof typeof words; params: Params };

export const accountReasonText = ({ code, params }: AccountReason): string => words[code](params);

/** A stored reason in words. `text`: the provider's own, what an older build stored, or what a newer one did. */
export function storedAccountReason(because: AccountReason | null, text: string | null): string | null {
  return because && Object.hasOwn(words, because.code) ? accountReasonText(because) : text;
}
