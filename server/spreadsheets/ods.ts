import { dayLooks } from "./cell-text.ts";
import { readXml } from "./markup.ts";
import { SheetRows } from "./sheet-rows.ts";
import { LONGEST_CELL, MOST_ROWS, MOST_SHEETS, type Part, UnreadableWorkbook, WIDEST } from "./workbook.ts";
import type { Zip } from "./zip.ts";

type Cell = { text: string; value: string; times: number; covered: boolean; error: boolean };

const times = (text: string | undefined, most: number) => Math.min(Math.max(Number(text ?? 1) || 1, 1), most);

/** Reads the sheets of an OpenDocument spreadsheet, whose cells contain their text as it looks. */
export async function* readOds(zip: Zip): AsyncGenerator<Part> {
  if (!zip.has("content.xml")) throw new UnreadableWorkbook("not-a-sheet");
  let sheets = 0;
  let rows: SheetRows | null = null;
  let ready: Part[] = [];
  let cell: Cell | null = null;
  let [column, height, asides, paragraphs, inText] = [0, 1, 0, 0, false];
  const add = (piece: string) => {
    if (cell && cell.text.length < LONGEST_CELL) cell.text += piece;
  };
  const handlers = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      const of = (key: string) => attributes[key];
      if (name === "table" && sheets < MOST_SHEETS) {
        sheets += 1;
        rows = new SheetRows();
        ready.push({ kind: "sheet", name: of("table:name") ?? "" });
      } else if (name === "table-row") {
        rows?.begin();
        column = 0;
        height = times(of("table:number-rows-repeated"), MOST_ROWS + 1);
      } else if (name === "table-cell" || name === "covered-table-cell") {
        const type = of("office:value-type") ?? "";
        const value = type === "date" ? dayLooks(of("office:date-value") ?? "") : (of("office:value") ?? "");
        cell = {
          text: "",
          value,
          times: times(of("table:number-columns-repeated"), WIDEST + 1),
          covered: name === "covered-table-cell",
          error: of("calcext:value-type") === "error",
        };
        paragraphs = 0;
        const spanned = Number(of("table:number-rows-spanned") ?? 1);
        if (rows && spanned > 1) rows.merge(column, rows.line, rows.line + spanned - 1);
      } else if (name === "annotation") asides += 1;
      else if (name === "p" && asides === 0) {
        if (paragraphs > 0) add("\n");
        paragraphs += 1;
        inText = true;
      } else if (inText && name === "s") add(" ".repeat(times(of("text:c"), 100)));
      else if (inText && name === "tab") add("\t");
      else if (inText && name === "line-break") add("\n");
    },
    text(piece: string) {
      if (inText) add(piece);
    },
    close(name: string) {
      if (name === "annotation") asides -= 1;
      else if (name === "p" && asides === 0) inText = false;
      else if ((name === "table-cell" || name === "covered-table-cell") && cell) {
        const text = cell.text || cell.value;
        if (rows && cell.error) rows.errors += 1;
        // The cells that fill a line to its end are empty, so they cost nothing.
        else if (rows && !cell.covered && text !== "")
          for (let n = 0; n < cell.times; n++) rows.put(column + n, text);
        column += cell.times;
        cell = null;
      } else if (name === "table-row") rows?.end(height);
      else if (name === "table" && rows) {
        ready.push(...rows.finish());
        rows = null;
      }
    },
  };
  function* taken(): Generator<Part> {
    yield* ready;
    ready = [];
    if (rows) yield* rows.taken();
  }
  yield* readXml(await zip.open("content.xml"), handlers, taken);
  yield* taken();
}
