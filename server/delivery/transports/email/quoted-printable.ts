/** Room for content before the soft break in a line of 76 characters. */
const ROOM = 75;
const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`);

/** Joins pieces that were encoded separately. */
export const SOFT_BREAK = "=\r\n";

/**
 * Quoted-printable (RFC 2045) of UTF-8 text with `\n` line breaks. The result must start a line and be followed by a
 * line break or SOFT_BREAK, so separately encoded pieces can be joined. No line starts with a dot, so SMTP needs no
 * dot-stuffing; `=_` never occurs in it.
 */
export function quotedPrintable(text: string): string {
  if (text.length <= ROOM && /^[A-Za-z0-9](?:[\x20-\x3c\x3e-\x7e]*[\x21-\x3c\x3e-\x7e])?$/.test(text))
    return text;
  const bytes = Buffer.from(text);
  const last = bytes.length - 1;
  let result = "";
  let column = 0;
  for (let index = 0; index <= last; index += 1) {
    const byte = bytes[index]!;
    if (byte === 0x0a) {
      result += "\r\n";
      column = 0;
      continue;
    }
    const blank = byte === 0x20 || byte === 0x09;
    const beforeBreak = index === last || bytes[index + 1] === 0x0a;
    const literal = blank ? !beforeBreak : byte > 0x20 && byte < 0x7f && byte !== 0x3d;
    const size = literal ? 1 : 3;
    if (column + size > ROOM) {
      result += SOFT_BREAK;
      column = 0;
    }
    const stuffed = byte === 0x2e && column === 0;
    result += literal && !stuffed ? String.fromCharCode(byte) : HEX[byte]!;
    column += literal && !stuffed ? 1 : 3;
  }
  return result;
}
