import { refusal } from "#contract/refusals/refusal.ts";

/** How many values a call's JSON may have if the call says nothing else: no form sends a tenth of it. */
export const MOST_VALUES = 5000;
const DEEPEST = 32;

const [QUOTE, COMMA, OPEN_LIST, ESCAPE, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from(
  `",[\\]{}`,
  (sign) => sign.codePointAt(0),
);

/**
 * Refuses JSON with more values than its call has use for, or nested deeper, before it is parsed: half a million zeros
 * in a megabyte would each be checked, and each get a sentence. Throws too-large and invalid-input.
 */
export function refuseComplexJson(text: string, most: number): void {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === COMMA) values += 1;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth += 1;
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1;
    if (depth > DEEPEST) throw refusal("nested-too-deeply");
    if (values > most) throw refusal("too-many-values", { most });
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === ESCAPE ? 2 : 1;
  return at;
}
