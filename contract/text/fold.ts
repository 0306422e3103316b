import { decomposed } from "#contract/text/composed.ts";

/**
 * Texts as people compare them, for browser and server. PostgreSQL has the same functions (migration 0080), and
 * server/db/fold.test.ts keeps the two equal.
 */

/** Apostrophes and quotation marks, which keyboards write differently or not at all, and what no one sees. */
const LEFT_OUT = new RegExp(
  String.raw`["'\u0060\u00ab\u00b4\u00bb\u02b9-\u02bf\u02c8\u055a\u05f3\u05f4\u2018-\u201f\u2032\u2033\u2035\u2036\ua78c\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]`,
  "g",
);

/** Accents and vowel points. In scripts that aren't listed, such marks are letters of their own. */
const MARKS = new RegExp(
  String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]`,
  "g",
);

/** Letters that don't decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ı: "i",
  ə: "e",
  ɛ: "e",
  ɔ: "o",
  ɓ: "b",
  ɗ: "d",
  ƙ: "k",
  ƴ: "y",
  ς: "σ",
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

const GAPS = /[-\t\n\v\f\r \u0085\u05be\u1680\u2010-\u2015\u2028\u2029\u2043\u2212]+/g;

/**
 * A text in the form in which all of its spellings are one: without case, accents, apostrophes and invisible characters,
 * with each dash as a space. "O’Shea" is "oshea", "Łoś-Müller" is "los muller", and "ＩＳＴＡＮＢＵＬ" is "istanbul".
 */
export function fold(text: string): string {
  // Most texts.
  if (/^[ -~]*$/.test(text)) {
    return text.toLowerCase().replaceAll(/["'`]/g, "").replaceAll(/[- ]+/g, " ").trim();
  }
  const plain = decomposed(text.replaceAll(LEFT_OUT, "")).replaceAll(MARKS, "").replaceAll(LEFT_OUT, "");
  return plain
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC")
    .replaceAll(GAPS, " ")
    .replaceAll(/^ | $/g, "");
}

const DIGITS = 10;
const COMPARED = 100;

/** What lists are sorted by, compared by `<`: folded, with numbers by their value. "Unit 2" comes before "Unit 10". */
export function sortKey(text: string): string {
  const key = fold(text).replaceAll(/[0-9]+/g, (digits) => digits.replace(/^0+/, "").padStart(DIGITS, "0"));
  return Array.from(key).slice(0, COMPARED).join("");
}

/** Compares two texts as lists sort them. */
export function compareNames(one: string, other: string): number {
  const [a, b] = [sortKey(one), sortKey(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
