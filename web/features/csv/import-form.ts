import { csvSentences } from "#contract/csv-header.ts";
import { number } from "#web/features/csv/fault.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import type { Outcome } from "#web/features/csv/outcome.ts";
import type { CsvTrouble } from "#web/features/csv/read-csv.ts";
import type { Tally } from "#web/features/csv/send-rows.ts";

/** What is imported: text that can be changed, or a file too long to be shown. `name` is the file's. */
export type Source =
  | { kind: "text"; text: string; name?: string; encoding?: string }
  | { kind: "file"; content: Blob; name: string };

export type Check = { state: "running" | "done"; tally: Tally } | { state: "failed"; message: string };

export type Phase =
  | { name: "empty" }
  | { name: "reading" }
  | { name: "unreadable"; trouble: CsvTrouble }
  | { name: "read"; summary: FileSummary; check: Check | null }
  | {
      name: "importing";
      summary: FileSummary;
      tally: Tally;
      started: { at: number; sent: number };
      stopping: boolean;
    }
  | { name: "finished"; outcome: Outcome };

const LINES_NAMED = 5;

/** Why Import CSV does not import yet; null when it does, or when the file is still being read. */
export function troubleOf(phase: Phase, leaveOutRagged: boolean): CsvTrouble | null {
  switch (phase.name) {
    case "empty":
      return { sentence: csvSentences.required };
    case "unreadable":
      return phase.trouble;
    case "read": {
      const { headerTrouble } = phase.summary;
      if (headerTrouble !== null) {
        return {
          sentence: headerTrouble,
          detail: "Say below what each column is, or change the first row.",
        };
      }
      return leaveOutRagged ? null : raggedTrouble(phase.summary);
    }
    case "reading":
    case "importing":
    case "finished":
      return null;
  }
}

/** The rows that have not as many cells as the header. */
export function raggedLines(summary: FileSummary): number[] {
  return summary.faults.filter((fault) => fault.kind === "cells").map((fault) => fault.line);
}

function raggedTrouble(summary: FileSummary): CsvTrouble | null {
  const lines = raggedLines(summary);
  if (lines.length === 0) return null;
  const named = new Intl.ListFormat("en-US").format([
    ...lines.slice(0, LINES_NAMED).map(String),
    ...(lines.length > LINES_NAMED ? [`${number(lines.length - LINES_NAMED)} more`] : []),
  ]);
  const detail =
    lines.length === 1
      ? `Row ${named} does not have as many cells as the header. Fix it in the text, or leave that row out.`
      : `Rows ${named} do not have as many cells as the header. Fix them in the text, or leave those rows out.`;
  return { sentence: csvSentences.format, detail };
}
