type Decoded = { text: string; encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" };

/**
 * A text file's bytes as text, without its byte order mark. A file without one is read as UTF-8 if that is valid,
 * otherwise as what Excel writes on Windows. Why no library does this: docs/decisions/0011-csv-import.md.
 */
export function decode(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return read(bytes, "utf-16le");
  if (first === 0xfe && second === 0xff) return read(bytes, "utf-16be");
  try {
    return read(bytes, "utf-8");
  } catch {
    return read(bytes, "windows-1252");
  }
}

function read(bytes: Uint8Array, encoding: Decoded["encoding"]): Decoded {
  return { text: new TextDecoder(encoding, { fatal: encoding === "utf-8" }).decode(bytes), encoding };
}

// How spreadsheet files begin: a zip (xlsx, ods, numbers), or the old Excel container.
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Why these bytes are not a text file; null if they may be one. */
export function notText(bytes: Uint8Array, text: string): string | null {
  if (workbooks.some((mark) => mark.every((byte, place) => bytes[place] === byte))) {
    return "This is a spreadsheet workbook. Open it, choose Save As, CSV UTF-8, and import that file.";
  }
  return text.includes("\0") ? "This isn't a text file." : null;
}
