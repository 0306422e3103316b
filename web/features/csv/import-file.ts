import { unguardFormula } from "#contract/text/csv-cells.ts";
import { detailIn, missingColumns, recognizeColumns } from "#contract/text/csv-header.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import { roleIn } from "#contract/text/role-name.ts";
import {
  cellOf,
  headerOf,
  type Mapping,
  type PersonRow,
  type RowReader,
  rowReader,
} from "#contract/text/sheet-columns.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { CsvTable } from "#web/features/csv/read-csv.ts";
import { writeCsv } from "#web/features/csv/write-csv.ts";

export type FileSummary = {
  headers: string[];
  headerLine: number | null;
  mapping: Mapping;
  /** Why nothing can be imported with these columns, in a sentence. */
  headerTrouble: string | null;
  /** What is counted: for a file with several residents per row, people. */
  unit: "row" | "person";
  /** Those that are sent to the server. */
  sendable: number;
  /** Rows rejected without the server: a different number of cells than the header, or a repeated username. */
  faults: Fault[];
  /** Texts in the role column that make their person a tenant. */
  otherRoles: string[];
  /** The first people as they will be imported, and each column's first non-blank cell. */
  first: PersonRow[];
  examples: string[];
};

/** Some people as the call takes them, and where they are in the file. */
export type Chunk = { rows: PersonRow[]; places: Place[]; next: number };
/** A row's number in a spreadsheet, and which of its residents. */
export type Place = { line: number; resident: number };

/** What the columns hold; without a mapping, what their names say. */
type Columns = { mapping?: Mapping; details?: readonly Detail[] };

type Resident = Place & { cells: readonly string[] };

const FIRST = 5;
// Well below what the server accepts in one call, even with three bytes per letter.
const CHUNK_CHARACTERS = 3_000_000;
const REASON = "reason";

/** A file that is being imported. It lives in the worker, so that the page never holds 100,000 rows. */
export class ImportFile {
  readonly #table: CsvTable;
  readonly #details: readonly Detail[];
  readonly #mapping: Mapping;
  readonly #reader: RowReader;
  readonly #people: Resident[];
  readonly #faults: Fault[];

  /** @param details those that people are known by: their columns can be imported, too */
  constructor(
    table: CsvTable,
    { details = [], mapping = recognizeColumns(table.headers, details) }: Columns = {},
  ) {
    this.#table = table;
    this.#details = details;
    this.#mapping = mapping;
    this.#reader = rowReader(table.headers, mapping);
    const ragged = table.ragged.map(({ line, cells }): Fault => {
      const reason = `This row has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the header has ${table.headers.length}`;
      return { line, field: null, column: null, value: "", kind: "cells", reason };
    });
    const [people, twice] = withoutDuplicates(
      table.rows.flatMap(({ line, cells }) =>
        this.#reader.residentsIn(cells).map((resident) => ({ line, cells, resident })),
      ),
      mapping,
    );
    this.#people = people;
    const column = headerOf({ headers: table.headers, mapping }, "username", 1);
    this.#faults = [...ragged, ...twice.map((fault) => ({ ...fault, column }))].sort(
      (a, b) => a.line - b.line,
    );
  }

  summary(): FileSummary {
    const { headers, headerLine, rows } = this.#table;
    const roles = this.#mapping.indexOf("role");
    const others = rows
      .map(({ cells }) => cellOf(cells[roles]))
      .filter((text) => text !== "" && !roleIn(text));
    return {
      headers,
      headerLine,
      mapping: this.#mapping,
      headerTrouble: missingColumns(this.#mapping),
      unit: this.#people.length > rows.length ? "person" : "row",
      sendable: this.#people.length,
      faults: this.#faults,
      otherRoles: [...new Set(others)],
      first: this.#people
        .slice(0, FIRST)
        .map((person) => mapValues(this.#reader.rowOf(person.cells, person.resident), unguardFormula)),
      examples: headers.map((_, place) =>
        cellOf(rows.find(({ cells }) => cellOf(cells[place]))?.cells[place]),
      ),
    };
  }

  /** The next people from place `from` on, at most `size`; fewer if their rows are long. */
  chunk(from: number, size: number): Chunk {
    let end = from;
    for (let characters = 0; end < Math.min(from + size, this.#people.length); end++) {
      characters += this.#people[end]!.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (end > from && characters > CHUNK_CHARACTERS) break;
    }
    const taken = this.#people.slice(from, end);
    return {
      rows: taken.map((person) => this.#reader.rowOf(person.cells, person.resident)),
      places: taken.map(({ line, resident }) => ({ line, resident })),
      next: end,
    };
  }

  /** The rows of these faults as a separate file to fix and import again. The reason is its first column. */
  leftOut(faults: readonly Fault[]): string {
    const { headers, rows, ragged } = this.#table;
    // Drops the reason column of an earlier import, which is the first one in such a file.
    const from = headers[0] === REASON ? 1 : 0;
    const byLine = Map.groupBy(faults, (fault) => fault.line);
    const left = [...rows, ...ragged].filter(({ line }) => byLine.has(line)).sort((a, b) => a.line - b.line);
    return writeCsv(
      [REASON, ...this.#writtenHeaders().slice(from)],
      left.map(({ line, cells }) => [
        (byLine.get(line) ?? [])
          .map(({ column, reason }) => (column ? `${column}: ${reason}` : reason))
          .join("; "),
        ...cells.slice(from).map(unguardFormula),
      ]),
    );
  }

  /**
   * A column that was mapped gets a name that is recognized next time; one that was unmapped gets a name that is not.
   */
  #writtenHeaders(): string[] {
    const { headers } = this.#table;
    const recognized = recognizeColumns(headers, this.#details);
    return headers.map((header, place) => {
      const meaning = this.#mapping[place] ?? null;
      if (recognized[place] === meaning) return header;
      return meaning === null ? `${header} (not imported)` : (detailIn(meaning) ?? meaning);
    });
  }
}

function mapValues(row: PersonRow, change: (value: string) => string): PersonRow {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [field, change(value)]));
}

/**
 * The server sees a few thousand people at a time, so a username that appears twice in the whole file is found here.
 */
function withoutDuplicates(people: readonly Resident[], mapping: Mapping): [Resident[], Fault[]] {
  const place = mapping.indexOf("username");
  const seen = new Map<string, number>();
  const faults: Fault[] = [];
  const unique = people.filter(({ line, resident, cells }) => {
    const value = resident === 1 ? cellOf(cells[place]) : "";
    const earlier = seen.get(value.toLowerCase());
    if (value === "" || earlier === undefined) {
      seen.set(value.toLowerCase(), line);
      return true;
    }
    const reason = `Row ${earlier} has the same username`;
    faults.push({ line, field: "username", column: null, value, kind: "duplicate", reason });
    return false;
  });
  return [unique, faults];
}
