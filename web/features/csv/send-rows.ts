import type { ImportResult, Rename } from "#contract/csv.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { Chunk } from "#web/features/csv/import-file.ts";

/** What came of the rows so far. `sent` counts the rows that have an answer. */
export type Tally = {
  sent: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Rows of people who exist already and were left alone. */
  skipped: number;
  rejected: number;
  /** Rows that mean somebody who exists already, whatever became of them. */
  existing: number;
  /** Those of the updated who get another name; `row` is the row's number in a spreadsheet. */
  renames: Rename[];
  faults: Fault[];
};

export const noRows: Tally = {
  sent: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  existing: 0,
  renames: [],
  faults: [],
};

type Sending = {
  /** What an earlier try came to; it goes on from there. */
  from?: Tally;
  chunk: (from: number) => Promise<Chunk>;
  send: (rows: Chunk["rows"]) => Promise<ImportResult>;
  /** The file's own header of a column that was sent under this key. */
  headerOf?: (key: string) => string;
  /** Told after every call; what was told last holds, also when the next call fails. */
  onProgress: (tally: Tally) => void;
  /** Asked before every call: a call under way is never torn, so that nobody is left in doubt about its rows. */
  stopped: () => boolean;
};

/** Sends all rows, a call at a time. Answers whether it came to the end; throws what a call throws. */
export async function sendRows({
  from = noRows,
  chunk,
  send,
  headerOf = (key) => key,
  onProgress,
  stopped,
}: Sending): Promise<boolean> {
  let tally = from;
  for (;;) {
    if (stopped()) return false;
    const { rows, lines, next } = await chunk(tally.sent);
    if (rows.length === 0) return true;
    if (stopped()) return false;
    const result = await send(rows);
    tally = {
      sent: next,
      created: tally.created + result.created,
      updated: tally.updated + result.updated,
      unchanged: tally.unchanged + result.unchanged,
      skipped: tally.skipped + result.skipped,
      existing: tally.existing + result.existing,
      rejected: tally.rejected + result.rejected,
      renames: [
        ...tally.renames,
        ...result.renames.map((rename) => ({ ...rename, row: lines[rename.row - 1] ?? 0 })),
      ],
      faults: [
        ...tally.faults,
        ...result.badCells.map(({ row, column, ...cell }) => ({
          ...cell,
          column: headerOf(column),
          line: lines[row - 1] ?? 0,
        })),
      ],
    };
    onProgress(tally);
  }
}
