import { isKnownHeader } from "#contract/text/csv-header.ts";

/** What CSV text is like beyond RFC 4180: how its rows end, what is between its cells, and spaces around quotes. */

/**
 * `Ann, "Lee", …`: files typed by hand or written by scripts have a space before a quoted cell, which RFC 4180 takes
 * for a cell that contains quotation marks.
 */
export function withoutSpacesAroundQuotes(text: string, delimiter: string): string {
  const mark = delimiter === "|" ? "\\|" : delimiter;
  if (!new RegExp(`${mark} +"|^ +"`, "m").test(text)) return text;
  // Every cell in turn, so that what looks like this inside a quoted cell stays.
  const cell = new RegExp(
    `(^|[${mark}\r\n])(?: *("(?:[^"]|"")*") *(?=[${mark}\r\n]|$)|[^${mark}\r\n]*)`,
    "g",
  );
  return text.replaceAll(cell, (all: string, before: string, quoted: string | undefined) =>
    quoted === undefined ? all : before + quoted,
  );
}

type Newline = "\r\n" | "\n" | "\r";

/**
 * The row ending. In a file with both CRLF and LF it is LF, and a CR left at a row's end is white space. Papaparse's
 * own guess would join rows.
 */
export function findNewline(text: string): Newline {
  const outside = text.replaceAll(/"[^"]*"/g, "");
  if (/(?:^|[^\r])\n/.test(outside)) return "\n";
  if (outside.includes("\r\n")) return "\r\n";
  return outside.includes("\r") ? "\r" : "\n";
}

/**
 * The delimiter with which a row has the most columns that we know, otherwise the one with the most cells.
 * @param read the first rows with this one between the cells
 * @param widthOf how many cells they have, as far as that counts
 */
export function findDelimiter(
  read: (delimiter: string) => readonly string[][],
  widthOf: (rows: readonly string[][]) => number,
): string {
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of [",", ";", "\t", "|"]) {
    const rows = read(delimiter);
    const known = Math.max(...rows.map((cells) => cells.filter(isKnownHeader).length), 0);
    const score = known * 1000 + Math.min(widthOf(rows), 999);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
