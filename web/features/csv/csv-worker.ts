import type { Detail } from "#contract/text/kept-details.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import type { Mapping } from "#contract/text/sheet-columns.ts";
import type { Fault } from "#web/features/csv/fault.ts";

import { ImportFile, type Chunk, type FileSummary } from "#web/features/csv/import-file.ts";
import { type CsvTable, type CsvTrouble, readCsv } from "#web/features/csv/read-csv.ts";
import { writeExport } from "#web/features/csv/write-csv.ts";

const SHOWN_LINES = 1000;

type Opened = { summary: FileSummary } | { trouble: CsvTrouble };

export type ExportFile = {
  people: number;
  /** The whole file. */
  file: Blob;
  /** Its first lines, and whether that is all of them. */
  shown: string;
  complete: boolean;
};

let table: CsvTable | undefined;
let opened: ImportFile | undefined;
const current = () => {
  if (!opened) throw new Error("No file is open");
  return opened;
};

const methods = {
  /** Reads pasted text, and keeps it for the other calls. */
  async open(source: string | Blob, details: readonly Detail[]): Promise<Opened> {
    const reading = readCsv(typeof source === "string" ? source : await source.text());
    if ("trouble" in reading) return { trouble: reading.trouble };
    table = reading.table;
    opened = new ImportFile(table, { details });
    return { summary: opened.summary() };
  },
  /** Changes what the open file's columns hold. */
  map(mapping: Mapping, details: readonly Detail[]): FileSummary {
    if (!table) throw new Error("No file is open");
    opened = new ImportFile(table, { mapping, details });
    return opened.summary();
  },
  chunk: (from: number, size: number): Chunk => current().chunk(from, size),
  leftOut: (faults: Fault[]): string => current().leftOut(faults),

  /** The export's JSON as a file. */
  writeExport(json: ArrayBuffer): ExportFile {
    const people = JSON.parse(new TextDecoder().decode(json)) as Record<string, unknown>[];
    const text = writeExport(people);
    const end = endOfLine(text, SHOWN_LINES);
    return {
      people: people.length,
      file: new Blob([text], { type: "text/csv;charset=utf-8" }),
      shown: text.slice(0, end),
      complete: end === text.length,
    };
  },
};
export type CsvWorkerMethods = typeof methods;

function endOfLine(text: string, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf("\r\n", end + 1);
    if (next === -1) return text.length;
    end = next;
  }
  return end;
}

export type Request = { id: number; method: keyof CsvWorkerMethods; args: unknown[] };
export type Response = { id: number } & ({ value: unknown } | { error: string });

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  void answer(data).then((response) => postMessage(response));
});

async function answer({ id, method, args }: Request): Promise<Response> {
  try {
    const run = methods[method] as (...args: unknown[]) => unknown;
    return { id, value: await run(...args) };
  } catch (error) {
    return { id, error: reasonOf(error, "") };
  }
}
