import Papa from "papaparse";
import { unguardFormula } from "#contract/text/csv-cells.ts";
import { findDelimiter, findNewline, withoutSpacesAroundQuotes } from "#contract/text/csv-text.ts";
import { csvSentences, isKnownHeader, missingColumns, recognizeColumns } from "#contract/text/csv-header.ts";

/** `line` is the row's number in a spreadsheet: the header is 1, empty rows count. */
export type CsvRow = { line: number; cells: string[] };

export type CsvTable = {
  headers: string[];
  /** The line of the column names; null if the file has none. */
  headerLine: number | null;
  /** Rows with as many cells as the header. */
  rows: CsvRow[];
  /** Rows with more or fewer. */
  ragged: CsvRow[];
};

/** `sentence` is the form's, `detail` says where. */
export type CsvTrouble = { sentence: string; detail?: string };
type CsvReading = { table: CsvTable } | { trouble: CsvTrouble };

/**
 * Reads a file by RFC 4180, whatever its line ends, with commas, semicolons, tabs or bars between cells. Skips rows
 * without any content, titles above the column names, and empty cells after the header's last.
 */
export function readCsv(text: string): CsvReading {
  if (text.trim() === "") return { trouble: { sentence: csvSentences.required } };
  // Excel's line that names the delimiter. Excel counts it as a row.
  const hint = /^sep=([,;\t|])\r?\n/i.exec(text);
  const body = hint ? text.slice(hint[0].length) : text;
  const newline = findNewline(body);
  const delimiter =
    hint?.[1] ??
    findDelimiter(
      (one) => Papa.parse<string[]>(body, { delimiter: one, newline, preview: TITLES_MAX + 1 }).data,
      ([first]) => first?.length ?? 0,
    );
  const parsed = Papa.parse<string[]>(withoutSpacesAroundQuotes(body, delimiter), { delimiter, newline });
  const shift = hint ? 2 : 1;

  const broken = parsed.errors.find((error) => error.type === "Quotes");
  if (broken) {
    const where = `Row ${(broken.row ?? 0) + shift} has a misplaced quotation mark.`;
    return { trouble: { sentence: csvSentences.format, detail: where } };
  }
  const filled = parsed.data
    .map((cells, index) => ({ line: index + shift, cells }))
    .filter(({ cells }) => cells.some((cell) => unguardFormula(cell).trim() !== ""));
  filled.splice(0, titlesAbove(filled));
  const headerLine = filled[0]?.line ?? 1;
  const first = trimmed(filled[0]?.cells ?? []);
  const headless = isPerson(first);
  if (!headless) filled.shift();
  const headers = headless ? first.map((_, place) => `Column ${place + 1}`) : withoutBlankEnd(first, 0);
  if (filled.length === 0) {
    return { trouble: { sentence: csvSentences.format, detail: "There is a header row but no data row." } };
  }
  const cut = filled.map(({ line, cells }) => ({ line, cells: withoutBlankEnd(cells, headers.length) }));
  const fits = (row: CsvRow) => row.cells.length === headers.length;
  const rest = { headers, headerLine: headless ? null : headerLine };
  return { table: { ...rest, rows: cut.filter(fits), ragged: cut.filter((row) => !fits(row)) } };
}

const trimmed = (cells: readonly string[]) => cells.map((cell) => unguardFormula(cell).trim());

// "Rent Roll", the property, "As of", and what was filtered by.
const TITLES_MAX = 10;

/** How many rows come before the column names, as in the reports of property systems. */
function titlesAbove(rows: readonly CsvRow[]): number {
  const names = rows.slice(0, TITLES_MAX + 1).findIndex(({ cells }) => {
    const meanings = recognizeColumns(trimmed(cells)).filter((meaning) => meaning !== null);
    return meanings.length > 2 && missingColumns(meanings) === null;
  });
  // Below a row of names that we know in part, they are data.
  const above = rows.slice(0, Math.max(names, 0));
  return above.some(({ cells }) => trimmed(cells).filter(isKnownHeader).length > 1) ? 0 : above.length;
}

/** Whether a first row is data: it has no column name that we know, but an email address or phone number. */
function isPerson(cells: readonly string[]): boolean {
  return (
    !cells.some(isKnownHeader) &&
    cells.some((cell) => /^\S+@\S+\.\S+$/.test(cell) || /^[+(]?\d[\d\s().-]{6,}$/.test(cell))
  );
}

function withoutBlankEnd(cells: string[], atLeast: number): string[] {
  let end = cells.length;
  while (end > atLeast && (cells[end - 1] ?? "").trim() === "") end--;
  return cells.slice(0, end);
}
