/**
 * The letters beyond a to z of the languages that files of the guessed encodings hold, by encoding, the likeliest
 * encoding first. It decides when two fit a file equally well.
 */
const western = [
  "áéíóúüñ", // Spanish
  "äöüß", // German
  "àâæçéèêëîïôœùûüÿ", // French
  "áàâãçéêíóôõúü", // Portuguese
  "àèéìíîòóùú", // Italian
  "åäöéæøáàóòôü", // Danish, Norwegian, Swedish
  "áéíóúýðþæö", // Icelandic
  "áéíóúàèìòùëïöüéçŵŷ", // Irish, Dutch, Catalan, Welsh
] as const;
const central = [
  "áčďéěíňóřšťúůýž", // Czech
  "áäčďéíľĺňóôŕšťúýž", // Slovak
  "ąćęłńóśźż", // Polish
  "áéíóöőúüű", // Hungarian
  "čćđšž", // Croatian, Slovenian
  "ăâîșțşţ", // Romanian
] as const;
const cyrillic = [
  "абвгдежзийклмнопрстуфхцчшщъыьэюяё", // Russian, Bulgarian
  "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'", // Ukrainian
  "абвгдђежзијклљмнњопрстћуфхцчџш", // Serbian
] as const;

const languages: Record<string, readonly string[]> = {
  "windows-1252": western,
  macintosh: western,
  "windows-1250": central,
  "windows-1251": cyrillic,
};
const alphabets = new Map(
  Object.entries(languages).map(([encoding, list]) => [encoding, list.map((letters) => new Set(letters))]),
);
const known = [...alphabets.values()].flat();

// With every vowel once: a text of another script, read as Cyrillic, has hardly any.
const CYRILLIC_VOWELS = /[аеёиоуыэюяіїє]/gu;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const JAPANESE = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー々〇・　]+$/u;

/** Runs of letters, and of what a wrong encoding makes of them: "Mu–oz", "³ukasz". */
const WORDS = /[a-zA-Z'\u0080-\u{10ffff}]{1,100}/gu;
/** Signs that stand beside a word in a good file: quotation marks, a dash, a degree, an ordinal, a currency. */
const SIGNS = /^[“”„«»‚‘’–—…°ºª№€£¥§·•©®™½¼¾²³\u00a0\ufeff]+|[“”»’–—…°ºª€£¥§·•©®™½¼¾²³\u00a0]+$/gu;

/** How much of a file is looked at. */
const SAMPLE_BYTES = 200_000;
const SAMPLE_WORDS = 2000;

// Browsers and servers have it, and the contract knows the types of neither.
declare const TextDecoder: new (
  label: string,
  options?: { fatal: boolean },
) => { decode: (bytes: Uint8Array) => string };

export type Decoded = { text: string; encoding: string };

/**
 * A text file's bytes as text, without its byte order mark.
 * @param chosen the encoding that a person chose, a label of the Encoding Standard; otherwise it is the file's byte
 *   order mark's, UTF-8 if the bytes are valid, or a guess (docs/decisions/0011-csv-import.md)
 */
export function decode(bytes: Uint8Array, chosen?: string): Decoded {
  const encoding = chosen ?? marked(bytes) ?? guessEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function marked([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/**
 * The encoding of a file without a byte order mark, as a label of the Encoding Standard: UTF-8 if its bytes are valid,
 * otherwise the one in which most words could be names of one language.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const utf16 = wideEncoding(bytes);
  if (utf16) return utf16;
  if (read(bytes, "utf-8") !== null) return "utf-8";
  const sample = aroundOddBytes(bytes);
  let best = { encoding: "windows-1252", score: 0 };
  for (const encoding of [...alphabets.keys(), "shift_jis"]) {
    const text = read(sample, encoding);
    const score = text === null ? 0 : scoreOf(wordsOf(text), encoding);
    if (score > best.score) best = { encoding, score };
  }
  return best.encoding;
}

/**
 * Words of a text that no language's names contain, at most `most`: the file was read in another encoding than it was
 * written in, or was spoiled before.
 */
export function garbledWords(text: string, most: number): string[] {
  const found = wordsOf(text).filter((word) => /[\p{Cc}\ufffd]/u.test(word) || !isPlausible(word));
  return [...new Set(found)].slice(0, most);
}

function read(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-16 without a mark: every second byte of the letters a to z is zero. */
function wideEncoding(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 2000);
  const zeros = [0, 0];
  for (const [place, byte] of head.entries()) if (byte === 0) zeros[place % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even < head.length / 50) return "utf-16le";
  return even > head.length / 4 && odd < head.length / 50 ? "utf-16be" : null;
}

/** The lines with bytes beyond ASCII, from the start on, so that a long file costs no more than a short one. */
function aroundOddBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const sample = new Uint8Array(SAMPLE_BYTES);
  let [length, start, odd] = [0, 0, false];
  for (let place = 0; place < bytes.length && length < SAMPLE_BYTES; place++) {
    const byte = bytes[place]!;
    odd ||= byte > 0x7f;
    if (byte !== 0x0a && byte !== 0x0d) continue;
    if (odd) {
      const line = bytes.subarray(start, Math.min(place + 1, start + SAMPLE_BYTES - length));
      sample.set(line, length);
      length += line.length;
    }
    [start, odd] = [place + 1, false];
  }
  return sample.subarray(0, length);
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(WORDS)) {
    for (const part of run.split(/\s+/u)) {
      const word = part.replaceAll(SIGNS, "");
      if (/[^\p{ASCII}’]/u.test(word)) words.push(word);
    }
    if (words.length > SAMPLE_WORDS) break;
  }
  return words;
}

/** The share of words that fit a language, and of those that fit the language that fits most. */
function scoreOf(words: readonly string[], encoding: string): number {
  if (words.length === 0) return 0;
  if (encoding === "shift_jis")
    return (2 * words.filter((word) => JAPANESE.test(word)).length) / words.length;
  const sets = alphabets.get(encoding) ?? [];
  const regular = words.filter(isRegular);
  const fitting = sets.map((letters) => regular.filter((word) => fits(word, letters)));
  return (
    new Set(fitting.flat()).size / new Set(words).size +
    Math.max(...fitting.map((all) => all.length)) / words.length
  );
}

function fits(word: string, letters: ReadonlySet<string>): boolean {
  return lettersOf(word).every((letter) => letters.has(letter.toLowerCase()));
}

/** The letters beyond ASCII; in Cyrillic words, all of them. */
const lettersOf = (word: string) =>
  Array.from(word.normalize("NFC")).filter((letter) => /[^\p{ASCII}’]/u.test(letter));

const PREFIX = /^(?:Mc|Mac|De|Di|La|Le|Van)$/;

/** No accented capital inside a word with small letters ("JosŽ", but MacÁvoy), and vowels where the script has them. */
function isRegular(word: string): boolean {
  const inside = /^([\p{L}\p{M}]+)[^\P{Lu}A-Z]/u.exec(word)?.[1];
  if (inside && !PREFIX.test(inside) && /\p{Ll}/u.test(word)) return false;
  if (!CYRILLIC.test(word)) return true;
  if (/\p{Script=Latin}/u.test(word)) return false;
  const length = word.match(/\p{L}/gu)?.length ?? 0;
  return length < 4 || (word.toLowerCase().match(CYRILLIC_VOWELS)?.length ?? 0) / length > 0.2;
}

/** Whether a word could be a name in some language: of another script, or in one alphabet. */
function isPlausible(word: string): boolean {
  const parts = word.split(/\p{Pd}+/u);
  if (parts.length > 1) return parts.every(isPlausible);
  if (/[^\p{L}\p{M}\p{Nd}'’·・\u200c\u200d]/u.test(word)) return false;
  if (!/[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word)) return true;
  return isRegular(word) && (known.some((letters) => fits(word, letters)) || isOtherLatin(word));
}

/** Letters of Latin alphabets that none of the guessed encodings holds: Vietnamese, Turkish, Baltic and more. */
const isOtherLatin = (word: string) =>
  /[\u0100-\u024f\u1e00-\u1eff]/u.test(word) && !/[^\p{Script=Latin}\p{M}'’]/u.test(word);
