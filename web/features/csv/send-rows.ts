import { type AddressWarning, DECISION, type ImportResult, type Rename } from "#contract/calls/csv.ts";
import type { Fault } from "#web/features/csv/fault.ts";
import type { Chunk, Place } from "#web/features/csv/import-file.ts";

/** The results so far. `sent` counts the people with a result. */
export type Tally = Omit<
  ImportResult,
  "badCells" | "ignoredColumns" | "renames" | "warnings" | "startedAt"
> & {
  sent: number;
  startedAt?: string;
  /** `row` is the row's number in a spreadsheet. */
  renames: Rename[];
  warnings: AddressWarning[];
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
  absent: 0,
  renames: [],
  warnings: [],
  faults: [],
};

type Sending = {
  /** The results of an earlier attempt, from which it continues. */
  from?: Tally;
  chunk: (from: number) => Promise<Chunk>;
  /** `since` is the time of the first call, for the others. */
  send: (rows: Chunk["rows"], since: string | undefined) => Promise<ImportResult>;
  /** The answer about the undecided person at this place. */
  decisionOf?: (place: number) => string | undefined;
  /** The file's header of a field of a resident. */
  headerOf: (field: string, place: Place) => string;
  /** Called after every call. What it got last is valid even if the next call fails. */
  onProgress: (tally: Tally) => void;
  /** Checked before every call. A call is never interrupted, so it is always known what happened to its rows. */
  stopped: () => boolean;
};

/** Sends everyone, one call after another. Returns whether it reached the end; throws what a call throws. */
export async function sendRows({
  from = noRows,
  chunk,
  send,
  decisionOf = () => undefined,
  headerOf,
  onProgress,
  stopped,
}: Sending): Promise<boolean> {
  let tally = from;
  for (;;) {
    if (stopped()) return false;
    const start = tally.sent;
    const { rows, places, next } = await chunk(start);
    if (rows.length === 0) return true;
    if (stopped()) return false;
    const result = await send(
      rows.map((row, index) => {
        const decision = decisionOf(start + index);
        return decision === undefined ? row : { ...row, [DECISION]: decision };
      }),
      tally.startedAt,
    );
    const placeOf = (row: number) => places[row - 1] ?? { line: 0, resident: 1 };
    tally = {
      sent: next,
      startedAt: tally.startedAt ?? result.startedAt,
      created: tally.created + result.created,
      updated: tally.updated + result.updated,
      unchanged: tally.unchanged + result.unchanged,
      skipped: tally.skipped + result.skipped,
      existing: tally.existing + result.existing,
      absent: tally.absent + result.absent,
      rejected: tally.rejected + result.rejected,
      renames: [
        ...tally.renames,
        ...result.renames.map((rename) => ({ ...rename, row: placeOf(rename.row).line })),
      ],
      warnings: [
        ...tally.warnings,
        ...result.warnings.map((warning) => ({ ...warning, row: placeOf(warning.row).line })),
      ],
      faults: [
        ...tally.faults,
        ...result.badCells.map(({ row, column, ...cell }) => ({
          ...cell,
          field: column as Fault["field"],
          column: headerOf(column, placeOf(row)),
          line: placeOf(row).line,
          place: start + row - 1,
        })),
      ],
    };
    onProgress(tally);
  }
}
