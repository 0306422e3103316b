/** What a file's first bytes say, for the browser's check before an upload and for the server's after it. */

/** How many bytes from a file's start these functions need. */
export const HEAD_BYTES = 1024;

/**
 * Whether a PDF begins within the first 1,024 bytes, where readers look for it: scanners and report servers write a
 * few bytes before it. Markup in front makes it a web page that mentions a PDF.
 */
export function hasPdfHeader(head: Uint8Array): boolean {
  const text = latin1(head);
  const start = text.search(/%PDF-\d/);
  return start !== -1 && !text.slice(0, start).includes("<");
}

const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"];

/** Whether it is a photo as iPhones take them, by the brand in its first box (ISO/IEC 23008-12). */
export function isHeic(head: Uint8Array): boolean {
  const text = latin1(head.subarray(0, 12));
  return text.slice(4, 8) === "ftyp" && HEIC_BRANDS.includes(text.slice(8, 12));
}

/** What to do with such a photo: few mail programs and no browser but Safari can show it. */
export const heicAdvice =
  "is a HEIC photo, which most people can't open. Export it as JPG and attach that. On an iPhone, Settings > Camera > Formats > Most Compatible takes JPG photos.";

const latin1 = (head: Uint8Array) => String.fromCharCode(...head.subarray(0, HEAD_BYTES));
