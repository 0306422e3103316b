import Papa from "papaparse";
import { findDelimiter, findNewline, withoutSpacesAroundQuotes } from "#contract/text/csv-text.ts";
import { decode, garbledWords } from "#contract/text/guess-encoding.ts";
import { dayLooks, numberLooks } from "./cell-text.ts";
import { type Handlers, markupParser } from "./markup.ts";
import { SheetRows } from "./sheet-rows.ts";
import { MOST_SHEETS, type Part, UnreadableWorkbook, WIDEST } from "./workbook.ts";

/** Tables in text: CSV, and what programs call .xls and isn't. */

const WEB_PAGE = /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|!--|html|head|meta|body|style|div|table)\b/i;
const EXCEL_XML = /<(?:\w+:)?Workbook\b/;

/** How many words are shown that the text may have been read wrong by. */
const GARBLED_SHOWN = 3;

/** @param chosen the encoding that someone chose */
export function* readText(bytes: Buffer, chosen?: string): Generator<Part> {
  const { text, encoding } = decode(bytes, chosen ?? charsetOf(bytes));
  const start = text.slice(0, 3000).replace(/^\ufeff/, "");
  if (/^\s*</.test(start)) {
    if (EXCEL_XML.test(start)) yield* readMarkup(text, excelXml, { xmlMode: true, decodeEntities: true });
    else if (WEB_PAGE.test(start)) yield* readMarkup(text, webPage, { decodeEntities: true });
    else throw new UnreadableWorkbook("not-a-sheet");
  } else if (text.includes("\0")) throw new UnreadableWorkbook("not-a-sheet");
  else yield* readCsv(text, encoding);
}

/** The encoding that a web page or XML file says it is in, if we know it. */
function charsetOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 2000).toString("latin1");
  if (!/^\s*</.test(start)) return undefined;
  const said = /(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1];
  try {
    return said && new TextDecoder(said).encoding;
  } catch {
    return undefined;
  }
}

// "Rent Roll", the property, "As of", what was filtered by, and a few rows.
const FIRST_ROWS = 12;
const FIRST_CHARACTERS = 200_000;
const ROWS_AT_ONCE = 1000;

function* readCsv(text: string, encoding: string): Generator<Part> {
  const rows = new SheetRows();
  yield { kind: "sheet", name: "", text: { encoding, garbled: garbledWords(text, GARBLED_SHOWN) } };
  const hint = /^sep=([,;\t|])\r?\n/i.exec(text);
  if (hasEndlessLine(text)) throw new UnreadableWorkbook("too-large");
  const newline = findNewline(text);
  const start = text.slice(0, FIRST_CHARACTERS);
  const delimiter =
    hint?.[1] ??
    findDelimiter(
      (one) => Papa.parse<string[]>(start, { delimiter: one, newline, preview: FIRST_ROWS }).data,
      (first) => Math.max(0, ...first.map(({ length }) => length)),
    );
  const body = withoutSpacesAroundQuotes(hint ? text.slice(hint[0].length) : text, delimiter);
  let line = hint ? 1 : 0;
  // Some rows at a time: all of them at once would take ten times the file. In fast mode, each time would split the rest.
  for (let from = 0; from < body.length && !rows.trouble;) {
    const { data, meta } = Papa.parse<string[]>(body.slice(from), {
      delimiter,
      newline,
      preview: ROWS_AT_ONCE,
      fastMode: false,
    });
    for (const cells of data) {
      line += 1;
      rows.begin(line);
      for (const [column, cell] of cells.entries()) putText(rows, column, cell.replace(/\r$/, ""));
    }
    yield* rows.taken();
    if (data.length < ROWS_AT_ONCE) break;
    from += meta.cursor;
  }
  yield* rows.finish();
}

const ERROR = /^\s*#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!)\s*$/;

/** An error that was saved as a text is no one's text. */
function putText(rows: SheetRows | null, column: number, text: string): void {
  if (rows && ERROR.test(text)) rows.errors += 1;
  else rows?.put(column, text);
}

/** A line of a hundred columns is a hundredth of it. Millions of cells in one, or a quote that never ends, would fill the memory. */
const LONGEST_LINE = 1_000_000;

function hasEndlessLine(text: string): boolean {
  let from = 0;
  for (const { index } of text.matchAll(/[\r\n]/g)) {
    if (index - from > LONGEST_LINE) return true;
    from = index;
  }
  return text.length - from > LONGEST_LINE;
}

/** Where a table of markup is written to: the sheet that is open, and what is ready of those before. */
type Target = { begin: (name: string) => SheetRows; end: () => void; rows: () => SheetRows | null };

const PIECE = 64 * 1024;

function* readMarkup(
  text: string,
  handlersOf: (target: Target) => Handlers,
  options: Parameters<typeof markupParser>[1],
): Generator<Part> {
  let [ready, sheets]: [Part[], number] = [[], 0];
  let rows: SheetRows | null = null;
  const target: Target = {
    rows: () => rows,
    begin(name) {
      target.end();
      sheets += 1;
      rows = new SheetRows();
      if (sheets <= MOST_SHEETS) ready.push({ kind: "sheet", name });
      return rows;
    },
    end() {
      if (rows && sheets <= MOST_SHEETS) ready.push(...rows.finish());
      rows = null;
    },
  };
  const parser = markupParser(handlersOf(target), options);
  for (let from = 0; from < text.length; from += PIECE) {
    parser.write(text.slice(from, from + PIECE));
    yield* ready;
    ready = [];
    // The sheet that is open when it says so.
    const open = target.rows();
    if (open && sheets <= MOST_SHEETS) yield* open.taken();
  }
  parser.end();
  target.end();
  yield* ready;
}

/** Excel's XML of 2003. */
function excelXml({ begin, end, rows }: Target): Handlers {
  const lookup = (attributes: Readonly<Record<string, string>>, name: string) =>
    attributes[`ss:${name}`] ?? attributes[name];
  let [column, text, type, inData] = [0, "", "", false];
  return {
    open(name, attributes) {
      if (name === "Worksheet") begin(lookup(attributes, "Name") ?? "");
      else if (name === "Row") {
        const index = Number(lookup(attributes, "Index"));
        rows()?.begin(Number.isSafeInteger(index) && index > 0 ? index : undefined);
        column = -1;
      } else if (name === "Cell") {
        const index = Number(lookup(attributes, "Index"));
        column = Number.isSafeInteger(index) && index > 0 ? index - 1 : column + 1;
        const down = Number(lookup(attributes, "MergeDown") ?? 0);
        const sheet = rows();
        if (sheet && down > 0) sheet.merge(column, sheet.line, sheet.line + down);
      } else if (name === "Data") [text, type, inData] = ["", lookup(attributes, "Type") ?? "String", true];
    },
    text(piece) {
      if (inData) text += piece;
    },
    close(name) {
      const sheet = rows();
      if (name === "Worksheet") end();
      else if (name === "Row") sheet?.end();
      else if (name === "Data" && sheet) {
        inData = false;
        if (type === "Error") sheet.errors += 1;
        else if (type === "DateTime") sheet.put(column, dayLooks(text));
        else if (type === "Number" && text.trim() !== "" && Number.isFinite(Number(text)))
          sheet.put(column, numberLooks(Number(text), "General", false));
        else sheet.put(column, text);
      }
    },
  };
}

/** A web page: each table that isn't inside another one. */
function webPage({ begin, end, rows }: Target): Handlers {
  /** The last line to which a cell above reaches down, by column. */
  let reach: number[] = [];
  let [tables, column, text, width, unread] = [0, 0, "", 1, 0];
  let inCell = false;
  const finish = () => {
    if (inCell)
      putText(
        rows(),
        column - width,
        text
          .replaceAll(/[ \t\r\n\u00a0]+/g, " ")
          .replaceAll(/ ?\v ?/g, "\n")
          .trim(),
      );
    inCell = false;
  };
  return {
    open(name, attributes) {
      if (name === "table") {
        tables += 1;
        if (tables === 1) {
          begin("");
          reach = [];
        }
      } else if (name === "script" || name === "style") unread += 1;
      else if (name === "br") text += "\v";
      else if (tables !== 1) return;
      else if (name === "tr") {
        rows()?.begin();
        column = 0;
      } else if (name === "td" || name === "th") {
        finish();
        const sheet = rows();
        const [across, down] = [Number(attributes["colspan"]) || 1, Number(attributes["rowspan"]) || 1];
        const line = sheet?.line ?? 1;
        while ((reach[column] ?? 0) >= line) column += 1;
        width = Math.min(Math.max(across, 1), 1000);
        if (sheet && down > 1) {
          sheet.merge(column, sheet.line, sheet.line + down - 1);
          for (let n = column; n < Math.min(column + width, WIDEST); n++) reach[n] = sheet.line + down - 1;
        }
        column += width;
        [text, inCell] = ["", true];
      }
    },
    text(piece) {
      if (inCell && unread === 0) text += piece;
    },
    close(name) {
      if (name === "table") {
        if (tables === 1) {
          finish();
          end();
        }
        tables = Math.max(tables - 1, 0);
      } else if (name === "script" || name === "style") unread = Math.max(unread - 1, 0);
      else if (tables === 1 && (name === "td" || name === "th" || name === "tr")) finish();
      else if (tables === 1 && name === "p") text += " ";
    },
  };
}
