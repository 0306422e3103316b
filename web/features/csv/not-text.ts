// How spreadsheet files begin: a zip (xlsx, ods, numbers), or the old Excel container.
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const MARKUP = /^\s*<(?:\?xml|!doctype|!--|html|head|meta|body|style|table|workbook)\b/i;

/** Whether a file is a workbook, or what a program calls one, by its content: the server reads those. */
export async function isWorkbook(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 1000).arrayBuffer());
  return isMarked(start) || MARKUP.test(new TextDecoder().decode(start));
}

const isMarked = (bytes: Uint8Array) =>
  workbooks.some((mark) => mark.every((byte, place) => bytes[place] === byte));

/** Why these bytes are not a text file with rows; null if they may be one. */
export function notText(bytes: Uint8Array, text: string): string | null {
  if (isMarked(bytes)) {
    return "This is a spreadsheet workbook. Open it, choose Save As, CSV UTF-8, and import that file.";
  }
  if (MARKUP.test(text.slice(0, 1000))) {
    return "This is a web page or XML file, although its name may end in .xls. Open it in Excel, choose Save As, CSV UTF-8, and import that file.";
  }
  return text.includes("\0") ? "This isn't a text file." : null;
}
