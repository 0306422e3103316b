import { oneLine } from "#server/delivery/content/writing.ts";

/**
 * Email header fields (RFC 5322, 2047, 2231). The output is always a single ASCII field without line breaks other than
 * folds, in lines of at most 76 characters where the text allows it.
 */

const LINE = 76;
/** Printable ASCII that begins and ends with a visible character and cannot be mistaken for an encoded word. */
const LITERAL = /^(?!.*=\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** 75 characters minus `=?utf-8?B?` and `?=` leave 63 for Base64; 45 bytes take 60. */
const WORD_BYTES = 45;

/** A header with free text, such as `Subject: …`. */
export function textHeader(name: string, text: string): string {
  const line = oneLine(text);
  if (line === "") return `${name}:`;
  const literal = `${name}: ${line}`;
  if (literal.length <= LINE && LITERAL.test(line)) return literal;
  return `${name}: ${encodedWords(line, `${name}: =?utf-8?B??=`.length)}`;
}

/** A header with a value that has no spaces, on a line of its own if it is long. */
export function foldedHeader(name: string, value: string): string {
  return `${name}:${name.length + value.length + 2 > LINE ? "\r\n " : " "}${value}`;
}

/** `To: Ann Lee <ann@example.com>`. The address must come from `mailAddress`, so it needs no escaping. */
export function addressHeader(name: string, displayName: string, address: string): string {
  const person = oneLine(displayName);
  if (person === "") return `${name}: ${address}`;
  const phrase = /^[A-Za-z0-9 ]+$/.test(person) ? person : `"${person.replace(/["\\]/g, "\\$&")}"`;
  const literal = `${name}: ${phrase} <${address}>`;
  if (literal.length <= LINE && LITERAL.test(person)) return literal;
  return `${name}: ${encodedWords(person, `${name}: =?utf-8?B??=`.length)}\r\n <${address}>`;
}

/**
 * The file name as parameters of Content-Disposition or Content-Type, each on its own line: plain if it is ASCII,
 * otherwise split into RFC 2231 sections.
 */
export function fileNameParameter(parameter: string, fileName: string): string {
  const name = safeFileName(fileName);
  if (name.length <= 60 && /^[A-Za-z0-9 ._()+-]+$/.test(name)) return `;\r\n ${parameter}="${name}"`;
  const encoded = Array.from(name, (character) =>
    /[A-Za-z0-9._-]/.test(character)
      ? character
      : Array.from(
          Buffer.from(character),
          (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
        ).join(""),
  );
  const sections = [""];
  for (const character of encoded) {
    const last = sections.length - 1;
    if (sections[last]!.length + character.length > 56) sections.push(character);
    else sections[last] += character;
  }
  const one = sections.length === 1;
  return sections
    .map((section, index) => {
      const number = one ? "" : `*${index}`;
      return `;\r\n ${parameter}${number}*=${index === 0 ? "utf-8''" : ""}${section}`;
    })
    .join("");
}

/** Replaces characters that a mail client could read as a folder separator. */
function safeFileName(fileName: string): string {
  return oneLine(fileName).replace(/[/\\]/g, "_") || "attachment";
}

/**
 * Encoded words, folded. Mail clients drop the white space between them, so they may break anywhere except inside a
 * character.
 */
function encodedWords(text: string, firstOverhead: number): string {
  const words: string[] = [];
  let word = "";
  let bytes = 0;
  let room = Math.min(WORD_BYTES, Math.floor((LINE - firstOverhead) / 4) * 3);
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > room) {
      words.push(word);
      word = "";
      bytes = 0;
      room = WORD_BYTES;
    }
    word += character;
    bytes += size;
  }
  words.push(word);
  return words.map((part) => `=?utf-8?B?${Buffer.from(part).toString("base64")}?=`).join("\r\n ");
}
