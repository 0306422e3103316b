export type Decoded = { text: string; encoding: string };

const marks: [encoding: string, bytes: number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * A text file's bytes as text, without its byte order mark. A file says by such a mark how it is written; one
 * without is UTF-16 or UTF-8 if it can be, else what Excel writes on Windows.
 */
export function decode(bytes: Uint8Array): Decoded {
  const mark = marks.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte));
  const encoding = mark?.[0] ?? unmarkedUtf16(bytes);
  if (encoding) return { text: new TextDecoder(encoding).decode(bytes), encoding };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "windows-1252" };
  }
}

const LOOKED_AT = 4096;

/**
 * UTF-16 writes every Latin letter, digit and comma as a zero byte and another one, always in the same order. The
 * first letter of a header tells the order, unless a zero byte is in the other place later on: then it is no text.
 */
function unmarkedUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [first, second] = bytes;
  if (bytes.length % 2 !== 0 || (first === 0) === (second === 0)) return null;
  const other = first === 0 ? 1 : 0;
  const torn = bytes.subarray(0, LOOKED_AT).some((byte, place) => byte === 0 && place % 2 === other);
  if (torn) return null;
  return first === 0 ? "utf-16be" : "utf-16le";
}

// How the files of a spreadsheet program begin: a zip (xlsx, ods, numbers), or the old Excel's container.
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Why these bytes are no text file at all; null when they may be one. */
export function notText(bytes: Uint8Array, text: string): string | null {
  if (workbooks.some((mark) => mark.every((byte, place) => bytes[place] === byte))) {
    return "This is a workbook. Open it in the spreadsheet program, choose Save As, CSV UTF-8, and import that file.";
  }
  return text.includes("\0") ? "This is not a text file." : null;
}
