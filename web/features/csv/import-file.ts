import { unguardFormula } from "#contract/csv-cells.ts";
import { type HeaderReading, readHeader } from "#contract/csv-header.ts";
import { isMadeUp, type Mapping, mappingOf, sentKey } from "#web/features/csv/column-choices.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { CsvRow, CsvTable } from "#web/features/csv/read-csv.ts";
import { writeCsv } from "#web/features/csv/write-csv.ts";

export type FileSummary = {
  headers: string[];
  /** What each column is taken for. */
  mapping: Mapping;
  /** Headers whose cells are not imported. */
  ignored: string[];
  /** Why nothing can be imported under this header, in a sentence. */
  headerTrouble: string | null;
  /** Rows of any kind, the header not counted. */
  rowCount: number;
  /** Rows that are sent. */
  sendable: number;
  /** What is found without the server: rows of another width than the header or handed back, user names twice. */
  faults: Fault[];
  /** The first rows, to look at. */
  first: CsvRow[];
};

/** What the column of this header is taken for. */
export function meaningIn({ headers, mapping }: Pick<FileSummary, "headers" | "mapping">) {
  return (header: string) => mapping[headers.indexOf(header)] ?? undefined;
}

/** The file's header of a column that is sent under this key. */
export function headerIn({ headers, mapping }: Pick<FileSummary, "headers" | "mapping">) {
  return (key: string) =>
    headers.find((header, place) => {
      const meaning = mapping[place];
      return meaning && sentKey(header, meaning) === key;
    }) ?? key;
}

/** Some rows as the call takes them, and where they stand in the file. */
export type Chunk = { rows: Record<string, string>[]; lines: number[]; next: number };

const FIRST_ROWS = 5;
// Well under what the server takes in one call, also where one letter makes three bytes.
const CHUNK_CHARACTERS = 3_000_000;
const REASON_COLUMN = "reason";
/** Ends the reason of a row that looks good once it stands alone or is padded: only a person knows when it is. */
const HELD = "Clear this cell once the row is right.";
const mustBeHeld = ({ kind }: Fault) => kind === "cells" || kind === "duplicate" || kind === "held";

/** A file that is being imported, whole. It lives in the worker, so that the page never holds 100,000 rows. */
export class ImportFile {
  readonly #table: CsvTable;
  readonly #mapping: Mapping;
  readonly #header: HeaderReading;
  readonly #sendable: CsvRow[];
  readonly #faults: Fault[];

  constructor(table: CsvTable, mapping: Mapping = mappingOf(table.headers)) {
    this.#table = table;
    this.#mapping = mapping;
    this.#header = readHeader(table.headers, (_, place) => mapping[place] ?? undefined);
    const { free, held } = withoutHeld(table);
    const { unique, faults } = withoutDuplicates({ ...table, rows: free }, mapping.indexOf("username"));
    this.#sendable = unique;
    const width = table.headers.length;
    const ragged = table.ragged.map(({ line, cells }): Fault => {
      const reason = `This row has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the header has ${width}`;
      return { line, column: null, value: "", kind: "cells", reason };
    });
    this.#faults = [...ragged, ...held, ...faults].sort((a, b) => a.line - b.line);
  }

  summary(): FileSummary {
    const { headers, rows, ragged } = this.#table;
    const { ignored, trouble } = this.#header;
    return {
      headers,
      mapping: this.#mapping,
      ignored: ignored.filter((header) => header !== REASON_COLUMN),
      headerTrouble: trouble,
      rowCount: rows.length + ragged.length,
      sendable: this.#sendable.length,
      faults: this.#faults,
      first: rows.slice(0, FIRST_ROWS),
    };
  }

  /** The next rows from place `from` on, at most `size`; fewer where they are long. */
  chunk(from: number, size: number): Chunk {
    const taken: CsvRow[] = [];
    let characters = 0;
    for (const row of this.#sendable.slice(from, from + size)) {
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (taken.length > 0 && characters > CHUNK_CHARACTERS) break;
      taken.push(row);
    }
    return {
      rows: taken.map((row) => this.#keyed(row)),
      lines: taken.map((row) => row.line),
      next: from + taken.length,
    };
  }

  /** The rows of these numbers, in the file's order. */
  rowsAt(lines: readonly number[]): CsvRow[] {
    const wanted = new Set(lines);
    return [...this.#table.rows, ...this.#table.ragged]
      .filter((row) => wanted.has(row.line))
      .sort((a, b) => a.line - b.line);
  }

  /** The rows that were left out as a file of their own, which can be mended and imported again. */
  leftOut(faults: readonly Fault[]): string {
    const { headers } = this.#table;
    // A file that was handed back before has its reasons already.
    const own = [...headers.keys()].filter((place) => place !== reasonPlace(headers));
    const byLine = Map.groupBy(faults, (fault) => fault.line);
    const rows = this.rowsAt([...byLine.keys()]).map(({ line, cells }) => {
      const kept = cells.length === headers.length ? own.map((place) => cells[place] ?? "") : cells;
      const filled = Array.from({ length: Math.max(own.length, kept.length) }, (_, n) =>
        unguardFormula(kept[n] ?? ""),
      );
      return [...filled, reasonOf(byLine.get(line) ?? [])];
    });
    const names = own.map((place) => {
      const header = headers[place] ?? "";
      return isMadeUp(header) ? (this.#mapping[place] ?? header) : header;
    });
    return writeCsv([...names, REASON_COLUMN], rows);
  }

  #keyed({ cells }: CsvRow): Record<string, string> {
    return Object.fromEntries(
      this.#mapping.flatMap((meaning, place) =>
        meaning === null
          ? []
          : [[sentKey(this.#table.headers[place] ?? "", meaning), (cells[place] ?? "").trim()] as const],
      ),
    );
  }
}

function reasonPlace(headers: readonly string[]): number {
  return headers.findLastIndex((header) => header.trim().toLowerCase() === REASON_COLUMN);
}

function reasonOf(faults: readonly Fault[]): string {
  const reasons = faults.map(({ column, kind, reason }) =>
    column === null || kind === "held" ? reason.replace(` ${HELD}`, "") : `${column}: ${reason}`,
  );
  const said = reasons.join("; ");
  return faults.some(mustBeHeld) ? `${said.replace(/\.$/, "")}. ${HELD}` : said;
}

/**
 * A row that was short has been filled up, and the second row of one person stands alone now: both look good, and would
 * write the wrong cells or over the first row. They wait until somebody takes the reason away.
 */
function withoutHeld({ headers, rows }: CsvTable) {
  const place = reasonPlace(headers);
  const held: Fault[] = [];
  const free = rows.filter(({ line, cells }) => {
    const reason = place === -1 ? "" : unguardFormula(cells[place] ?? "").trim();
    if (!reason.endsWith(HELD)) return true;
    held.push({ line, column: headers[place] ?? null, value: "", kind: "held", reason });
    return false;
  });
  return { free, held };
}

/** The server sees a few thousand rows at a time; who stands twice in the whole file is found here. */
function withoutDuplicates({ headers, rows }: CsvTable, place: number) {
  if (place === -1) return { unique: rows, faults: [] };
  const seen = new Map<string, number>();
  const faults: Fault[] = [];
  const unique = rows.filter(({ line, cells }) => {
    const value = unguardFormula(cells[place] ?? "").trim();
    const earlier = seen.get(value.toLowerCase());
    if (value === "" || earlier === undefined) {
      seen.set(value.toLowerCase(), line);
      return true;
    }
    const reason = `The same user name as in row ${earlier}`;
    faults.push({ line, column: headers[place] ?? null, value, kind: "duplicate", reason });
    return false;
  });
  return { unique, faults };
}
