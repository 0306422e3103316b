import {
  LONGEST_CELL,
  type MergedCells,
  MOST_COLUMNS,
  MOST_ROWS,
  type Part,
  type SheetRow,
  type SheetTrouble,
  WIDEST,
} from "./workbook.ts";

const BATCH = 500;
/** The last row that Excel has. A file can claim others. */
const LAST_LINE = 1_048_576;
/** More than a home's residents is a heading beside a whole block, which is no one's. */
const TALLEST_MERGE = 12;
const MOST_MERGES = 20_000;
// XML and HTML can name it, PostgreSQL can't store it; the others are half a character.
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Collects the rows of one sheet while it is read, within its limits. */
export class SheetRows {
  errors = 0;
  trouble: SheetTrouble | null = null;
  #line = 0;
  #cells: string[] = [];
  #rows: SheetRow[] = [];
  #count = 0;
  readonly #used = new Set<number>();
  readonly #merged: MergedCells[] = [];

  /** Begins a line; without a number, the one after the last. */
  begin(line = this.#line + 1): void {
    this.end();
    // A line that comes again would be another row of the same number.
    this.#line = Math.max(line, this.#line + 1);
    if (this.#line > LAST_LINE) this.trouble = "too-many-rows";
  }

  get line(): number {
    return this.#line;
  }

  put(column: number, text: string): void {
    if (text.trim() === "" || this.trouble) return;
    this.#used.add(column);
    if (column >= WIDEST || this.#used.size > MOST_COLUMNS) {
      this.trouble = "too-many-columns";
      return;
    }
    while (this.#cells.length < column) this.#cells.push("");
    this.#cells[column] = text.slice(0, LONGEST_CELL).replaceAll(UNSTORABLE, "");
  }

  /** @param last the last line of the merged cells */
  merge(column: number, first: number, last: number): void {
    const height = last - first + 1;
    if (height < 2 || height > TALLEST_MERGE || this.#merged.length >= MOST_MERGES) return;
    if (column >= 0 && column < WIDEST) this.#merged.push({ column, first, last });
  }

  /** Ends a line, which may stand for several of the same content. */
  end(times = 1): void {
    const cells = this.#cells;
    this.#cells = [];
    if (cells.length > 0) {
      this.#count += times;
      if (this.#count > MOST_ROWS) this.trouble = "too-many-rows";
      else for (let n = 0; n < times; n++) this.#rows.push({ line: this.#line + n, cells });
    }
    this.#line += times - 1;
  }

  /** The rows so far, once they are enough for a batch; all that are left, if `rest`. */
  *taken(rest = false): Generator<Part> {
    if (this.#rows.length === 0 || (!rest && this.#rows.length < BATCH)) return;
    const rows = this.#rows;
    this.#rows = [];
    yield { kind: "rows", rows };
  }

  *finish(): Generator<Part> {
    this.end();
    yield* this.taken(true);
    yield { kind: "end", merged: this.#merged, errors: this.errors, trouble: this.trouble };
  }
}
