import { guessEncoding } from "#web/features/csv/guess-encoding.ts";

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

// How spreadsheet files begin: a zip (xlsx, ods, numbers), or the old Excel container.
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const MARKUP = /^\s*<(?:\?xml|!doctype|!--|html|head|meta|body|style|table|workbook)\b/i;

/** Why these bytes are not a text file with rows; null if they may be one. */
export function notText(bytes: Uint8Array, text: string): string | null {
  if (workbooks.some((mark) => mark.every((byte, place) => bytes[place] === byte))) {
    return "This is a spreadsheet workbook. Open it, choose Save As, CSV UTF-8, and import that file.";
  }
  if (MARKUP.test(text.slice(0, 1000))) {
    return "This is a web page or XML file, although its name may end in .xls. Open it in Excel, choose Save As, CSV UTF-8, and import that file.";
  }
  return text.includes("\0") ? "This isn't a text file." : null;
}
