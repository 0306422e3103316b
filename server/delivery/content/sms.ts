import { graphemes } from "#contract/text/locale.ts";

/**
 * How a text message is split and what it costs. GSM 03.38: 160 septets in one part, 153 in each of several; ten
 * characters take two. One character outside that alphabet makes the whole message UCS-2: 70 units in one part, 67 in
 * each of several. We wrote our own because the published calculator takes quadratic time (four seconds for 50,000
 * characters); a test compares the two.
 */
export type SmsParts = {
  /** Text messages that the provider bills per recipient; 0 for an empty text. */
  parts: number;
  encoding: "GSM-7" | "UCS-2";
  /** Septets or UTF-16 units of the text, without the headers of its parts. */
  length: number;
  /** How much more fits into the last part. */
  left: number;
  /** The first character that forces UCS-2, which makes every part less than half as long. */
  costlyCharacter?: string;
};

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const EXTENSION = new Set("\f^{}\\[~]|€");

export function smsParts(text: string): SmsParts {
  const costlyCharacter = firstOutsideGsm(text);
  if (costlyCharacter === undefined) {
    const sizes = Array.from(text, (character) => (EXTENSION.has(character) ? 2 : 1));
    return { encoding: "GSM-7", ...cut(sizes, 160, 153) };
  }
  const sizes = Array.from(graphemes().segment(text), ({ segment }) => segment.length);
  return { encoding: "UCS-2", ...cut(sizes, 70, 67), costlyCharacter };
}

/** No character is split between two parts, so a part may be partly empty. */
function cut(sizes: readonly number[], single: number, several: number): Omit<SmsParts, "encoding"> {
  const length = sizes.reduce((sum, size) => sum + size, 0);
  if (length === 0) return { parts: 0, length, left: single };
  if (length <= single) return { parts: 1, length, left: single - length };
  let parts = 1;
  let left = several;
  for (const size of sizes) {
    // A cluster longer than a part (dozens of marks on one letter) cannot be kept whole.
    for (let rest = size; rest > 0; rest -= several) {
      const piece = Math.min(rest, several);
      if (piece > left) {
        parts += 1;
        left = several;
      }
      left -= piece;
    }
  }
  return { parts, length, left };
}

function firstOutsideGsm(text: string): string | undefined {
  let index = 0;
  for (const character of text) {
    // The marks around a name from the right are there because of its letters, which are what a person knows.
    const plain = BASIC.has(character) || EXTENSION.has(character) || /[\u2068\u2069]/.test(character);
    if (!plain) {
      return graphemes().segment(text).containing(index)?.segment ?? character;
    }
    index += character.length;
  }
  return undefined;
}
