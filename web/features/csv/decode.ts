export type Decoded = { text: string; encoding: string };

const marks: [encoding: string, bytes: number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * A text file's bytes as text, without its byte order mark. A file says by such a mark how it is written; one
 * without is UTF-8 if it can be, else what Excel writes on Windows.
 */
export function decode(bytes: Uint8Array): Decoded {
  const mark = marks.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte));
  if (mark) return { text: new TextDecoder(mark[0]).decode(bytes), encoding: mark[0] };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "windows-1252" };
  }
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
