/** What a spreadsheet file is read as: sheets one after another, each with its rows in batches. */

/** A row with content. `line` is its number in the spreadsheet. */
export type SheetRow = { line: number; cells: string[] };

/** Cells of one column that are merged; their text is in the first line. All three count from the sheet's first: lines from 1, columns from 0. */
export type MergedCells = { column: number; first: number; last: number };

/** Why a sheet can't be imported, while others of the same file can. */
export type SheetTrouble = "too-many-rows" | "too-many-columns";

export type Part =
  /** `text`: how a text file was read, and words that look as if that were wrong. */
  | { kind: "sheet"; name: string; text?: { encoding: string; garbled: string[] } }
  | { kind: "rows"; rows: SheetRow[] }
  /** `errors`: cells such as #N/A, read as empty. */
  | { kind: "end"; merged: MergedCells[]; errors: number; trouble: SheetTrouble | null };

/** 100,000 people, and what stands around them: titles, names, totals. */
export const MOST_ROWS = 100_100;
export const MOST_COLUMNS = 100;
/** The widest place a cell with text may have; empty columns between count here. */
export const WIDEST = 512;
export const MOST_SHEETS = 30;
/** What fits into a cell of Excel. */
export const LONGEST_CELL = 32_767;

/** All texts of a file together. One text that a million cells share would otherwise be stored a million times. */
export const MOST_CHARACTERS = 80_000_000;

/** Why a file can't be read at all. */
export type WorkbookTrouble = "damaged" | "locked" | "old-format" | "too-large" | "not-a-sheet" | "empty";

export class UnreadableWorkbook extends Error {
  readonly trouble: WorkbookTrouble;

  constructor(trouble: WorkbookTrouble, cause?: unknown) {
    super(`the workbook is ${trouble}`, { cause });
    this.trouble = trouble;
  }
}
