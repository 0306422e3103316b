import { composed } from "#contract/text/composed.ts";

/**
 * What no one sees in a text: marks that phones, chats, web pages and PDFs add when something is copied. Two texts that
 * look the same must be the same, in a lookup as in a mail's address.
 */

/** Zero-width, direction, soft-hyphen, byte-order and other marks without a glyph, and control characters. Not breaks. */
const UNSEEN = String.raw`[[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]--[\t\n\v\f\r\x85]]`;
/** Spaces of any width, and signs that look like one. */
const SPACE = String.raw`[\p{Zs}\u2800\x85]`;
/** In the others, a joiner changes nothing. */
const JOINED = String.raw`[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]]`;

/**
 * The marks that change what is seen where they stand: a joiner inside a word (Persian, Indic scripts) or an emoji, which
 * drawing of an emoji, a Han or a Mongolian character is meant, and the flags of regions.
 */
const NEEDED = [
  `(?<=${JOINED})[\\u200c\\u200d](?=${UNSEEN}*${JOINED})`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f](?=\u20e3)|(?<=[\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
  String.raw`(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0020}-\u{e007f}]`,
].join("|");

const unseen = new RegExp(UNSEEN, "gv");
const unseenEnds = new RegExp(`^${UNSEEN}+|(?<!${UNSEEN})${UNSEEN}+$`, "gv");
const marks = new RegExp(`${NEEDED}|(${UNSEEN}+)|(${SPACE}+)`, "gv");
/** Most texts, of which nothing else has to be asked. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Says no for nearly all others, which costs less than looking at each of their characters. */
const maybe = new RegExp(String.raw`${UNSEEN}|[${SPACE}--[ ]]| {2}|^\s|\s$`, "v");

/**
 * A name, a home or another line as people see it: composed (NFC), trimmed, with single plain spaces and without marks
 * that no one sees, except those that its script or an emoji needs.
 */
export function visibleLine(text: string): string {
  if (PLAIN.test(text)) return text;
  const whole = composed(text);
  if (!maybe.test(whole)) return whole;
  const shown = whole.replaceAll(marks, (mark: string, hidden?: string, space?: string) =>
    hidden === undefined ? (space === undefined ? mark : " ") : "",
  );
  // A mark between two spaces left both, and one between a letter and its accent kept them apart.
  return composed(shown.replaceAll(/ {2,}/g, " ").trim());
}

/** An address, a username, a number or a key: a line without any mark that no one sees. */
export const visibleKey = (text: string): string =>
  PLAIN.test(text) ? text : visibleLine(text.replaceAll(unseen, ""));

/** A text of several lines, inside of which any mark may have its purpose. */
export const visibleEnds = (text: string): string => text.replaceAll(unseenEnds, "");
